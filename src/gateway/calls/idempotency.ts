// Reads idempotency keys, which identify retries, and computes fingerprints, which verify that a
// retry has the same content. Source: the capability contract, "Idempotency-Key".
import { createHash, type Hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../kernel/errors/fault.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { canonicalText } from '../../kernel/text/canonical-text.ts';

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
};

/** Two fingerprints are equal exactly when the two requests have the same content. */
export const fingerprintOf = (request: FingerprintInput, body: unknown): string =>
  openFingerprint(request).update(canonicalJson(body)).digest('base64url');

/** Less than 2 ms of work. */
const BYTES_PER_STEP = 256 * 1024;

/**
 * Like `fingerprintOf`, for a JSON text of any length, whose numbers keep their digits. Other
 * requests are handled between the steps.
 */
export async function fingerprintOfText(request: FingerprintInput, text: string): Promise<string> {
  const steps = canonicalText(text);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await setImmediate();
  const bytes = Buffer.from(step.value);
  const fingerprint = openFingerprint(request);
  for (let from = 0; from < bytes.length; from += BYTES_PER_STEP) {
    if (from > 0) await setImmediate();
    fingerprint.update(bytes.subarray(from, from + BYTES_PER_STEP));
  }
  return fingerprint.digest('base64url');
}

const openFingerprint = ({ method, path, query }: FingerprintInput): Hash =>
  createHash('sha256').update(JSON.stringify([method, path, query]));

/** Whether a Prefer header contains the preference; names are case-insensitive (RFC 7240, 2). */
export function hasPreference(header: string | undefined, preference: string): boolean {
  const parts = (header ?? '').toLowerCase().split(',');
  return parts.some((part) => part.split(';')[0]?.trim() === preference);
}
