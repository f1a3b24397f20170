// Generates and checks one-time codes (TOTP, RFC 6238) with the parameters of common authenticator
// apps: HMAC-SHA-1, six digits, steps of thirty seconds.
import { createHmac } from 'node:crypto';
import { base32 } from './base32.ts';

const STEP_MS = 30_000;
const DIGITS = 6;

/** The length of a SHA-1 digest (RFC 4226, 4: R6). */
export const TOTP_SECRET_BYTES = 20;

/** Returns the six digits of a time step, by the truncation of RFC 4226, 5.3. */
export function generateCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/**
 * Finds the time step of a code at `now`, in epoch milliseconds. The previous and the next step are
 * accepted, because clocks differ (RFC 6238, 5.2). Null: the code is wrong. Spaces are ignored.
 */
export function findStep(secret: Uint8Array, code: string, now: number): number | null {
  const digits = code.replaceAll(/\s/g, '');
  const current = Math.floor(now / STEP_MS);
  for (const step of [current, current - 1, current + 1]) {
    if (step >= 0 && generateCode(secret, step) === digits) return step;
  }
  return null;
}

/** The `otpauth:` URI that a QR code contains. */
export function formatTotpUri(secret: Uint8Array, issuer: string, accountName: string): string {
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(accountName)}`;
  const parameters = new URLSearchParams({ secret: formatTotpSecret(secret), issuer });
  return `otpauth://totp/${name}?${parameters}`;
}

/** The secret as text, for typing on a device without a camera. */
export const formatTotpSecret = (secret: Uint8Array): string => base32(secret).toUpperCase();
