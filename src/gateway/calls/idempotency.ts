// Reads idempotency keys, which identify retries, and computes fingerprints, which verify that a
// retry has the same content. Source: the capability contract, "Idempotency-Key".
import { createHash } from 'node:crypto';
import { Fault } from '../../kernel/errors/fault.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** The key in the header without surrounding quotes; null when there is no header. */
export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const text = header.trim();
  const [, quotedText] = /^"(.*)"$/s.exec(text) ?? [];
  const key = quotedText ?? text;
  if (visibleAscii.test(key)) return key;
  throw new Fault(
    'invalid_request',
    'The header Idempotency-Key must be 1 to 255 visible ASCII characters.',
  );
}

export type FingerprintInput = {
  readonly method: string;
  readonly path: string;
  /** The raw query without its question mark. */
  readonly query: string;
  /** The whole parsed body. */
  readonly body: unknown;
};

/** Two fingerprints are equal exactly when the two requests have the same content. */
export function fingerprintOf({ method, path, query, body }: FingerprintInput): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, query]))
    .update(canonicalJson(body))
    .digest('base64url');
}

/** Whether a Prefer header contains the preference; names are case-insensitive (RFC 7240, 2). */
export function hasPreference(header: string | undefined, preference: string): boolean {
  const parts = (header ?? '').toLowerCase().split(',');
  return parts.some((part) => part.split(';')[0]?.trim() === preference);
}
