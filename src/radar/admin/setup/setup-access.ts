// The one-time address of the setup page: printed by the first start, valid for an hour and once,
// for a browser on this machine only. It is kept in memory, so a restart prints another one.
import { createHash, timingSafeEqual } from 'node:crypto';
import { normalizeAddress } from '../../../kernel/client-address/address.ts';
import { loopback } from '../../../kernel/client-address/networks.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';

export type SetupAccess = {
  /** A new token; the previous one stops working. */
  issue(): string;
  /** True once for the token that was issued, from an address of this machine. */
  redeem(token: string, address: string): boolean;
};

const BYTES = 24;

export function openSetupAccess({ clock, random }: World): SetupAccess {
  let issued: { readonly hash: Buffer; readonly until: number } | null = null;
  return {
    issue: () => {
      const token = Buffer.from(random.bytes(BYTES)).toString('base64url');
      issued = { hash: hashOf(token), until: clock.now() + HOUR_MS };
      return token;
    },
    redeem: (token, address) => {
      const isValid =
        issued !== null &&
        clock.now() < issued.until &&
        loopback.has(normalizeAddress(address) ?? '') &&
        timingSafeEqual(issued.hash, hashOf(token));
      if (isValid) issued = null;
      return isValid;
    },
  };
}

const hashOf = (token: string) => createHash('sha256').update(token).digest();
