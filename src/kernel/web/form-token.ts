// CSRF tokens of forms: an HMAC of the session id or the visitor's token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { World } from '../world.ts';

export type FormTokens = {
  /** Only a page for `subject` (a session's id or a visitor's token) contains this value. */
  formToken(subject: string): string;
  isFormToken(subject: string, token: string): boolean;
  newVisitor(): string;
};

/** `secret`: shared by all nodes, and used for this alone or with other prefixes. */
export function openFormTokens({ random }: Pick<World, 'random'>, secret: Uint8Array): FormTokens {
  const formToken = (subject: string) =>
    createHmac('sha256', secret).update(`form\n${subject}`).digest('base64url');
  return {
    formToken,
    isFormToken: (subject, token) => {
      const given = Buffer.from(token);
      const right = Buffer.from(formToken(subject));
      return given.length === right.length && timingSafeEqual(given, right);
    },
    newVisitor: () => Buffer.from(random.bytes(32)).toString('base64url'),
  };
}
