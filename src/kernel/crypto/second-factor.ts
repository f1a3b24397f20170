// Manages one-time codes as the second factor of an account or an operator. Setup requires a valid
// code of the new secret, and each code works once. Recovery codes replace a lost device. The
// secret is stored encrypted, recovery codes as hashes.
import { createHmac } from 'node:crypto';
import type { RateLimit } from '../rate-limit/gcra.ts';
import type { World } from '../world.ts';
import { base32 } from './base32.ts';
import { findStep, formatTotpSecret, formatTotpUri, TOTP_SECRET_BYTES } from './one-time-code.ts';
import { seal, unseal } from './seal.ts';

const RECOVERY_CODE_COUNT = 10;
/** 120 bits; OWASP ASVS 4.0.3, 2.6.2 requires 112 bits. */
const RECOVERY_BYTES = 15;
/** Attempts per owner: five at once, then one every thirty seconds. */
const CODE_RATE = { perSecond: 1 / 30, burst: 5 };

export type TotpSetup = {
  /** The encrypted secret for the confirmation form, valid for this owner only. */
  readonly sealed: string;
  readonly text: string;
  readonly uri: string;
};

export type TotpActivation =
  /** Shown only once. */
  | { readonly kind: 'on'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'on_already' }
  /** The setup was created for another owner. */
  | { readonly kind: 'secret_of_other_owner' };

export type CodeCheck =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many'; readonly waitMs: number };

/** Each `id` is the id of an account or an operator. */
export type SecondFactor = {
  /**
   * Creates a secret, which is stored only after its confirmation. `name` is the label on the
   * device.
   */
  createSetup(id: string, name: string, issuer: string): TotpSetup;
  /**
   * Decrypts a setup, to show it again after a wrong code. Null: the setup belongs to another
   * owner.
   */
  readSetup(id: string, name: string, issuer: string, sealed: string): TotpSetup | null;
  switchOn(id: string, sealed: string, code: string): Promise<TotpActivation>;
  switchOff(id: string): Promise<void>;
  /** Replaces the old recovery codes; the new codes are shown once. */
  renewRecoveryCodes(id: string): Promise<readonly string[]>;
  countRecoveryCodes(id: string): Promise<number>;
  /**
   * Checks a one-time code or a recovery code; each works once. `browser` is the id of a browser
   * that signed in before and has its own attempt limit.
   */
  consumeCode(id: string, code: string, browser?: string | null): Promise<CodeCheck>;
};

/** Storage of the factors of one kind of owner. `secret` is encrypted. */
export type FactorStore = {
  secretOf(id: string): Promise<Uint8Array | null>;
  /** Runs in one transaction. False: the owner already has a factor, or does not exist. */
  switchOn(
    id: string,
    factor: {
      readonly secret: Uint8Array;
      readonly step: number;
      readonly codes: readonly Uint8Array[];
    },
  ): Promise<boolean>;
  /** Deletes the recovery codes as well. */
  switchOff(id: string): Promise<void>;
  replaceCodes(id: string, hashes: readonly Uint8Array[]): Promise<void>;
  countCodes(id: string): Promise<number>;
  /** False: the code was used before or does not exist. */
  consumeRecoveryCode(id: string, hash: Uint8Array): Promise<boolean>;
  /** False: this step or a later step was used before. */
  consumeStep(id: string, step: number): Promise<boolean>;
};

/** Rate limit of attempts, counted over all processes. */
export type AttemptLimit = {
  /** Milliseconds to wait; 0: this attempt is allowed. */
  takeAttempt(key: string, rate: RateLimit): Promise<number>;
  undoAttempt(key: string, rate: RateLimit): Promise<void>;
};

/** `key` encrypts secrets and hashes recovery codes; all nodes share it. */
export function openSecondFactor(
  world: World,
  key: Uint8Array,
  store: FactorStore,
  attempts: AttemptLimit,
): SecondFactor {
  const hashOf = (code: string) => {
    const text = code.toLowerCase().replaceAll(/[^a-z2-7]/g, '');
    return createHmac('sha256', key).update(`recovery\n${text}`).digest();
  };
  const toSetup = (bytes: Buffer, secret: Uint8Array, name: string, issuer: string): TotpSetup => ({
    sealed: bytes.toString('base64url'),
    text: formatTotpSecret(secret),
    uri: formatTotpUri(secret, issuer, name),
  });
  const generateRecoveryCodes = () =>
    Array.from({ length: RECOVERY_CODE_COUNT }, () =>
      (base32(world.random.bytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
    );
  return {
    createSetup: (id, name, issuer) => {
      const secret = world.random.bytes(TOTP_SECRET_BYTES);
      return toSetup(seal(world, key, id, secret), secret, name, issuer);
    },
    readSetup: (id, name, issuer, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const secret = decryptSecret(key, id, bytes);
      return secret === null ? null : toSetup(bytes, secret, name, issuer);
    },
    switchOn: async (id, sealed, code) => {
      const secret = decryptSecret(key, id, Buffer.from(sealed, 'base64url'));
      if (secret === null) return { kind: 'secret_of_other_owner' };
      const step = findStep(secret, code, world.clock.now());
      if (step === null) return { kind: 'wrong_code' };
      const recoveryCodes = generateRecoveryCodes();
      const isOn = await store.switchOn(id, {
        secret: seal(world, key, id, secret),
        step,
        codes: recoveryCodes.map(hashOf),
      });
      return isOn ? { kind: 'on', recoveryCodes } : { kind: 'on_already' };
    },
    switchOff: (id) => store.switchOff(id),
    renewRecoveryCodes: async (id) => {
      const codes = generateRecoveryCodes();
      await store.replaceCodes(id, codes.map(hashOf));
      return codes;
    },
    countRecoveryCodes: (id) => store.countCodes(id),
    consumeCode: async (id, code, browser = null) => {
      const subject = `codes of ${browser === null ? id : `${id} browser ${browser}`}`;
      const waitMs = await attempts.takeAttempt(subject, CODE_RATE);
      if (waitMs > 0) return { kind: 'too_many', waitMs };
      const storedSecret = await store.secretOf(id);
      const secret = storedSecret && decryptSecret(key, id, Buffer.from(storedSecret));
      if (!secret) return { kind: 'refused' };
      const step = findStep(secret, code, world.clock.now());
      const isAccepted =
        step === null
          ? await store.consumeRecoveryCode(id, hashOf(code))
          : await store.consumeStep(id, step);
      if (step !== null && !isAccepted)
        world.log.warn({ subject: id }, 'a one-time code was reused');
      if (isAccepted) await attempts.undoAttempt(subject, CODE_RATE);
      return { kind: isAccepted ? 'accepted' : 'refused' };
    },
  };
}

function decryptSecret(key: Uint8Array, id: string, bytes: Buffer): Uint8Array | null {
  const secret = unseal(key, id, bytes);
  return secret?.length === TOTP_SECRET_BYTES ? secret : null;
}
