// Creates and reads opaque tokens for clients. An HMAC binds a token to the request type, so only a
// node with the secret can issue it.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { assert } from '../errors/assert.ts';

/** The content of a token. The content is small and flat, because a URL contains it. */
export type CursorPayload = readonly (string | number | null)[];

export type CursorScope = {
  /**
   * Format and purpose, which is the token's visible prefix. A token of kind `i1` is invalid for
   * `s1`.
   */
  readonly kind: string;
  /** The request of the token. The MAC covers it, but the token does not contain it. */
  readonly bound: readonly (string | number | null)[];
};

/** Characters; the public API promises this maximum. */
export const maxCursorLength = 1024;

// 128 bits cannot be guessed and take 22 characters instead of 43.
const MAC_BYTES = 16;
const tokenPattern = /^([a-z][a-z0-9]{0,7})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/;

/** `kind.payload.mac` of [A-Za-z0-9._-], at most 1,024 characters. */
export function sealCursor(secret: KeyObject, scope: CursorScope, payload: CursorPayload): string {
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  const token = `${scope.kind}.${body}.${macOf(secret, scope, body)}`;
  assert(tokenPattern.test(token), `cursor kind ${scope.kind} is well-formed`);
  assert(token.length <= maxCursorLength, 'a cursor fits into a URL');
  return token;
}

/** The payload, or null when the token is malformed, tampered with, or sealed for another scope. */
export function openCursor(
  secret: KeyObject,
  scope: CursorScope,
  token: string,
): CursorPayload | null {
  if (token.length > maxCursorLength) return null;
  const [, kind, body, mac] = tokenPattern.exec(token) ?? [];
  if (kind !== scope.kind || body === undefined || mac === undefined) return null;
  // Compares the text forms, because base64 decoding ignores trailing bits.
  const expected = Buffer.from(macOf(secret, scope, body));
  if (!timingSafeEqual(expected, Buffer.from(mac))) return null;
  return JSON.parse(Buffer.from(body, 'base64url').toString());
}

/**
 * The secret is a `KeyObject`, because an HMAC with the bytes of a secret takes five times as long.
 */
function macOf(secret: KeyObject, { kind, bound }: CursorScope, body: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['cursor', kind, body, bound]))
    .digest()
    .subarray(0, MAC_BYTES)
    .toString('base64url');
}
