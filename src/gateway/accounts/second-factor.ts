// One-time codes as the second factor. Setup requires a valid code of the new secret, and each code
// works once. Recovery codes replace a lost device. The secret is stored encrypted, recovery codes
// as hashes.
import { createHmac } from 'node:crypto';
import { base32 } from '../../kernel/crypto/base32.ts';
import { seal, unseal } from '../../kernel/crypto/seal.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  countRecoveryCodes,
  replaceRecoveryCodes,
  takeRecoveryCode,
} from '../../store/gateway/account-recovery-codes.ts';
import { findAccountRow, takeTotpStep, updateAccount } from '../../store/gateway/accounts.ts';
import { giveBackTries, type Try, takeTries } from '../../store/operators/sign-in-attempts.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { sharedSecret } from '../../store/platform/secrets.ts';
import { secretText, stepOf, TOTP_SECRET_BYTES, totpUri } from './one-time-code.ts';

const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
/** Guesses at the codes of one account: five at once, then one in thirty seconds. */
const CODES = { perSecond: 1 / 30, burst: 5 };

export type TotpOffer = {
  /** For the form that confirms it: sealed, and good for this account alone. */
  readonly sealed: string;
  readonly text: string;
  readonly uri: string;
};

export type TotpActivation =
  /** To be shown this once. */
  | { readonly kind: 'on'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'on_already' }
  | { readonly kind: 'stale' };

export type CodeCheck =
  | { readonly kind: 'taken' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

export type SecondFactor = {
  /** A secret of its own, kept nowhere until it is confirmed. */
  offer(accountId: string, email: string, issuer: string): TotpOffer;
  /** As it was offered: to be shown again after a wrong code. Null: not one of ours. */
  offered(accountId: string, email: string, issuer: string, sealed: string): TotpOffer | null;
  switchOn(accountId: string, sealed: string, code: string): Promise<TotpActivation>;
  switchOff(accountId: string): Promise<void>;
  /** In place of the old ones, to be shown this once. */
  renewRecoveryCodes(accountId: string): Promise<readonly string[]>;
  recoveryCodesLeft(accountId: string): Promise<number>;
  /**
   * A code of the telephone, or a recovery code: each only once. `browser`: the id of one that
   * signed in before, which has a budget of its own.
   */
  take(accountId: string, code: string, browser?: string | null): Promise<CodeCheck>;
};

export async function openSecondFactor(world: World, db: Db): Promise<SecondFactor> {
  const key = await sharedSecret(world, db, 'one-time codes');
  const hashOf = (code: string) => {
    const text = code.toLowerCase().replaceAll(/[^a-z2-7]/g, '');
    return createHmac('sha256', key).update(`recovery\n${text}`).digest();
  };
  const shown = (bytes: Buffer, secret: Uint8Array, email: string, issuer: string): TotpOffer => ({
    sealed: bytes.toString('base64url'),
    text: secretText(secret),
    uri: totpUri(secret, issuer, email),
  });
  const newCodes = async (tx: Db, accountId: string) => {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      (base32(world.random.bytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
    );
    await replaceRecoveryCodes(tx, accountId, codes.map(hashOf));
    return codes;
  };
  return {
    offer: (accountId, email, issuer) => {
      const secret = world.random.bytes(TOTP_SECRET_BYTES);
      return shown(seal(world, key, accountId, secret), secret, email, issuer);
    },
    offered: (accountId, email, issuer, text) => {
      const bytes = Buffer.from(text, 'base64url');
      const secret = openedSecret(key, accountId, bytes);
      return secret === null ? null : shown(bytes, secret, email, issuer);
    },
    switchOn: async (accountId, text, code) => {
      const secret = openedSecret(key, accountId, Buffer.from(text, 'base64url'));
      if (secret === null) return { kind: 'stale' };
      const step = stepOf(secret, code, world.clock.now());
      if (step === null) return { kind: 'wrong_code' };
      return inTransaction(db, async (tx): Promise<TotpActivation> => {
        const account = await findAccountRow(tx, accountId, { lock: true });
        if (account === null || account.totp_secret !== null) return { kind: 'on_already' };
        const totp = { totp_secret: seal(world, key, accountId, secret), totp_step: step };
        await updateAccount(tx, accountId, totp);
        return { kind: 'on', recoveryCodes: await newCodes(tx, accountId) };
      });
    },
    switchOff: (accountId) =>
      inTransaction(db, async (tx) => {
        await updateAccount(tx, accountId, { totp_secret: null, totp_step: null });
        await replaceRecoveryCodes(tx, accountId, []);
      }),
    renewRecoveryCodes: (accountId) => inTransaction(db, (tx) => newCodes(tx, accountId)),
    recoveryCodesLeft: (accountId) => countRecoveryCodes(db, accountId),
    take: async (accountId, code, browser = null) => {
      const subject = browser === null ? accountId : `${accountId} browser ${browser}`;
      const tries: readonly Try[] = [[`codes of ${subject}`, CODES]];
      const waitMs = await takeTries(db, world.clock.now(), tries);
      if (waitMs > 0) return { kind: 'too_many', waitMs };
      const account = await findAccountRow(db, accountId);
      const secret = account?.totp_secret && openedSecret(key, accountId, account.totp_secret);
      if (!secret) return { kind: 'refused' };
      const step = stepOf(secret, code, world.clock.now());
      const isTaken =
        step === null
          ? await takeRecoveryCode(db, accountId, hashOf(code))
          : await takeTotpStep(db, accountId, step);
      if (isTaken) await giveBackTries(db, tries);
      return { kind: isTaken ? 'taken' : 'refused' };
    },
  };
}

function openedSecret(key: Uint8Array, accountId: string, bytes: Buffer): Uint8Array | null {
  const secret = unseal(key, accountId, bytes);
  return secret?.length === TOTP_SECRET_BYTES ? secret : null;
}
