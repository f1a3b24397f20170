// Proof of work: a client finds a number for which the SHA-256 of `<nonce>:<number>` begins with
// enough zero bits. The signed challenge contains its difficulty and expiry; no server stores it.
import { createHash } from 'node:crypto';
import { MINUTE_MS } from '../time/durations.ts';
import type { World } from '../world.ts';
import { openTokenSigner } from './token-signer.ts';

const LIFE_MS = 60 * MINUTE_MS;

export type WorkProof = { readonly challenge: string; readonly number: string };

export type CheckedProof =
  /** `nonce`: the caller accepts each nonce only once until `endsAt`. */
  | { readonly kind: 'valid'; readonly nonce: string; readonly endsAt: number }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'expired' };

export type ProofOfWork = {
  /** Returns a challenge `<bits>:<end>:<nonce>.<signature>`; `end` is in epoch milliseconds. */
  issue(): string;
  check(proof: WorkProof): CheckedProof;
};

/**
 * `secret`: shared by all nodes. `bits`: required zero bits, at most 32; each bit doubles the work.
 */
export function openProofOfWork(
  { clock, random }: World,
  { secret, bits }: { readonly secret: Uint8Array; readonly bits: number },
): ProofOfWork {
  const signer = openTokenSigner(secret, 'proof of work');
  return {
    issue: () => {
      const nonce = Buffer.from(random.bytes(16)).toString('base64url');
      return signer.sign(`${bits}:${clock.now() + LIFE_MS}:${nonce}`);
    },
    check: ({ challenge, number }) => {
      const signedText = signer.read(challenge);
      const [bitsText = '', end = '', nonce = ''] = signedText?.split(':') ?? [];
      if (signedText === null || !/^\d{1,16}$/.test(number)) return { kind: 'invalid' };
      const endsAt = Number(end);
      if (endsAt <= clock.now()) return { kind: 'expired' };
      const hash = createHash('sha256').update(`${nonce}:${number}`).digest();
      const hasEnoughZeros = Math.clz32(hash.readInt32BE(0)) >= Number(bitsText);
      return hasEnoughZeros ? { kind: 'valid', nonce, endsAt } : { kind: 'invalid' };
    },
  };
}
