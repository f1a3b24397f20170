// CSRF tokens of forms: an HMAC of the session id or the visitor's token. The MAC includes the kind
// of subject, so a visitor cookie that contains a session id yields no token of that session. Each
// page masks the token anew, so the size of a compressed page does not reveal the token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { World } from '../world.ts';

/** The id of a session, or the token of a visitor's cookie. */
export type FormSubject = { readonly kind: 'session' | 'visitor'; readonly id: string };

export type FormTokens = {
  /** A value that only a page for `subject` contains. */
  formToken(subject: FormSubject): string;
  isFormToken(subject: FormSubject, token: string): boolean;
  generateVisitor(): string;
};

const TOKEN_BYTES = 32;

const xor = (bytes: Buffer, mask: Buffer) =>
  Buffer.from(bytes.map((byte, index) => byte ^ (mask[index] ?? 0)));

/** `secret` is shared by all nodes. Other uses of the secret need other prefixes. */
export function openFormTokens({ random }: Pick<World, 'random'>, secret: Uint8Array): FormTokens {
  const unmaskedToken = ({ kind, id }: FormSubject) =>
    createHmac('sha256', secret).update(`form\n${kind}\n${id}`).digest();
  return {
    formToken: (subject) => {
      const mask = Buffer.from(random.bytes(TOKEN_BYTES));
      return Buffer.concat([mask, xor(unmaskedToken(subject), mask)]).toString('base64url');
    },
    isFormToken: (subject, token) => {
      const received = Buffer.from(token, 'base64url');
      if (received.length !== 2 * TOKEN_BYTES) return false;
      const [mask, masked] = [received.subarray(0, TOKEN_BYTES), received.subarray(TOKEN_BYTES)];
      return timingSafeEqual(xor(masked, mask), unmaskedToken(subject));
    },
    generateVisitor: () => Buffer.from(random.bytes(32)).toString('base64url'),
  };
}
