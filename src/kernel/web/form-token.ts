// CSRF tokens of forms: an HMAC of the session id or the visitor's token. The kind of subject is
// part of it, so a visitor cookie that contains a session id gives no token of that session.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { World } from '../world.ts';

/** The id of a session, or the token of a visitor's cookie. */
export type FormSubject = { readonly kind: 'session' | 'visitor'; readonly id: string };

export type FormTokens = {
  /** A value that only a page for `subject` contains. */
  formToken(subject: FormSubject): string;
  isFormToken(subject: FormSubject, token: string): boolean;
  newVisitor(): string;
};

/** `secret` is shared by all nodes; other uses of it need other prefixes. */
export function openFormTokens({ random }: Pick<World, 'random'>, secret: Uint8Array): FormTokens {
  const formToken = ({ kind, id }: FormSubject) =>
    createHmac('sha256', secret).update(`form\n${kind}\n${id}`).digest('base64url');
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
