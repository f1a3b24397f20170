// The one-time address of the setup page. The first start prints it. The address is valid once,
// for an hour, from this machine only. It is in memory, so a restart prints another address.
import { createHash, timingSafeEqual } from 'node:crypto';
import { normalizeAddress } from '../../../kernel/client-address/address.ts';
import { loopback } from '../../../kernel/client-address/networks.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';

export type SetupAccess = {
  /** Creates a new token. The previous token is invalid from then on. */
  issue(): string;
  /** True for the current token, once, when the request comes from this machine. */
  redeem(token: string, address: string): boolean;
};

const TOKEN_BYTES = 24;

export function openSetupAccess({ clock, random }: World): SetupAccess {
  let issuedToken: { readonly hash: Buffer; readonly validUntil: number } | null = null;
  return {
    issue: () => {
      const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
      issuedToken = { hash: hashOf(token), validUntil: clock.now() + HOUR_MS };
      return token;
    },
    redeem: (token, address) => {
      const isValid =
        issuedToken !== null &&
        clock.now() < issuedToken.validUntil &&
        loopback.has(normalizeAddress(address) ?? '') &&
        timingSafeEqual(issuedToken.hash, hashOf(token));
      if (isValid) issuedToken = null;
      return isValid;
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
