// Creates the names of stored media. The token in a URL is the only secret and contains its expiry.
// The stored name has the expiry and the token's hash, so a listing of the store reveals no URL.
import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';

const tokenPattern = /^([0-9a-z]{6,9})-([A-Za-z0-9_-]{27})$/;

export function newToken(
  { clock, random }: Pick<World, 'clock' | 'random'>,
  keptForMs = DAY_MS,
): string {
  const expiry = Math.ceil((clock.now() + keptForMs) / 1000);
  const secret = Buffer.from(random.bytes(20)).toString('base64url');
  return `${expiry.toString(36)}-${secret}`;
}

/** Null: not a token, or an expired token. */
export function storedName({ clock }: Pick<World, 'clock'>, token: string): string | null {
  const expiry = tokenPattern.exec(token)?.[1];
  if (expiry === undefined || hasPassed({ clock }, expiry)) return null;
  return `${expiry}-${createHash('sha256').update(token).digest('hex')}`;
}

/** Whether a stored name has expired; unknown names are never deleted. */
export function isExpired({ clock }: Pick<World, 'clock'>, name: string): boolean {
  const expiry = /^([0-9a-z]{6,9})-[0-9a-f]{64}$/.exec(name)?.[1];
  return expiry !== undefined && hasPassed({ clock }, expiry);
}

function hasPassed({ clock }: Pick<World, 'clock'>, expiry: string): boolean {
  return Number.parseInt(expiry, 36) * 1000 <= clock.now();
}
