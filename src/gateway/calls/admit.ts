// Authenticates requests with an API key and applies the rate limit. A separate limiter per address
// counts requests with invalid keys.
import { setImmediate } from 'node:timers/promises';
import type { ClientIdentity } from '../../kernel/client-address/client-address.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { RateLimit } from '../../kernel/rate-limit/gcra.ts';
import {
  type Limiter,
  type LimiterResult,
  openLocalLimiter,
} from '../../kernel/rate-limit/limiter.ts';
import type { World } from '../../kernel/world.ts';
import type { Key } from '../keys/key.ts';
import type { KeyCache, KeyCheckResult, KeyWithLimits } from '../keys/key-cache.ts';
import type { QuotaUse } from '../wallet/ledger/wallet.ts';

export type LimitSettings = {
  /** Rate per key, unless an operator has set another one. */
  readonly rate: RateLimit;
  /** Limit per account and mode. */
  readonly callsPerDay: number;
  readonly callsPerMonth: number;
  /** Active keys of an account in one mode. */
  readonly keysPerAccount: number;
};

export type Quotas = { readonly day: number; readonly month: number };

/** Limits for the response headers. Each limit is added when it becomes known. */
export type KnownLimits = {
  rate?: { readonly limit: RateLimit; readonly remaining: number; readonly resetMs: number };
  quotas?: Quotas;
  quotaUse?: QuotaUse;
};

export type Credentials = {
  readonly authorization: string | undefined;
  /** Null: a call from the account's console. */
  readonly client: ClientIdentity | null;
  readonly knownLimits: KnownLimits;
};

export type Caller = {
  readonly key: Key;
  readonly quotas: Quotas;
  /** The rate of this key. */
  readonly rate: RateLimit;
  /** False: the shared limiter is unavailable, so paid calls must not run. */
  readonly isRateCertain: boolean;
};

export type Admission = {
  /**
   * Returns synchronously when the key is cached in this process. Throws Faults, or rejects with
   * Faults.
   */
  admit(credentials: Credentials): Caller | Promise<Caller>;
  /** Like `admit`, for a key of a signed-in account, given by its id. */
  admitKeyOfAccount(
    key: { readonly id: string; readonly accountId: string },
    credentials: Credentials,
  ): Promise<Caller>;
  /**
   * Called before the text of a body is parsed. Rejects with a Fault when the long bodies of the
   * account in this process exceed their limit. Other requests are handled before a long body.
   */
  admitBody(key: Pick<Key, 'accountId'>, text: string): Promise<void>;
};

export type AdmissionDeps = {
  readonly keys: KeyCache;
  readonly limiter: Limiter;
  readonly limits: LimitSettings;
};

/** Limit of requests with invalid keys from one address. */
const UNAUTHENTICATED_RATE: RateLimit = { perSecond: 5, burst: 300 };

/** Shorter bodies count nothing. */
const CHARACTERS_PER_TOKEN = 64 * 1024;
/**
 * 32 MiB a second and 256 MiB after a pause. A parse takes up to 17 ns for each character, so one
 * account occupies at most half of the process. 50 requests a second of 560 KB pass.
 */
const BODY_RATE: RateLimit = { perSecond: 512, burst: 4_096 };

export function openAdmission(world: World, { keys, limiter, limits }: AdmissionDeps): Admission {
  const unauthenticatedLimiter = openLocalLimiter(world.clock);
  const bodyLimiter = openLocalLimiter(world.clock);
  const credentialsFault = ({ client }: Credentials, message: string, challenge: string): Fault => {
    const limitResult =
      client === null ? null : unauthenticatedLimiter.takeToken(client.key, UNAUTHENTICATED_RATE);
    if (limitResult !== null && !limitResult.isAllowed) {
      return rateLimitFault('Too many wrong API keys from this address.', limitResult.waitMs);
    }
    const headers = { 'www-authenticate': challenge };
    return new Fault('invalid_api_key', message, { headers });
  };

  const authenticate = (credentials: Credentials): KeyCheckResult | Promise<KeyCheckResult> => {
    const token = bearerTokenOf(credentials.authorization);
    if (token !== null) return keys.authenticate(token, credentials.client?.address ?? null);
    const message = 'An API key is needed here: Authorization: Bearer <key>.';
    throw credentialsFault(credentials, message, 'Bearer realm="gateway"');
  };

  const requireUsableKey = (keyCheck: KeyCheckResult, credentials: Credentials): KeyWithLimits => {
    switch (keyCheck.kind) {
      case 'known':
        return keyCheck;
      case 'suspended':
        throw new Fault('key_not_allowed', 'The account of this API key is suspended.');
      case 'other_network':
        throw new Fault('key_not_allowed', 'This API key may not be used from this network.');
      default: {
        const message = `This API key is ${keyCheck.kind}.`;
        throw credentialsFault(
          credentials,
          message,
          'Bearer realm="gateway", error="invalid_token"',
        );
      }
    }
  };

  const applyRateLimit = (
    keyWithLimits: KeyWithLimits,
    { knownLimits }: Credentials,
  ): Caller | Promise<Caller> => {
    const { key, callsPerDay, callsPerMonth, rate: keyRate } = keyWithLimits;
    const rate = keyRate ?? limits.rate;
    const quotas = {
      day: callsPerDay ?? limits.callsPerDay,
      month: callsPerMonth ?? limits.callsPerMonth,
    };
    knownLimits.quotas = quotas;
    const toCaller = (limitResult: LimiterResult): Caller => {
      const resetMs = Math.max(1000, limitResult.waitMs);
      knownLimits.rate = { limit: rate, remaining: limitResult.remaining, resetMs };
      if (!limitResult.isAllowed)
        throw rateLimitFault('Too many requests with this API key.', limitResult.waitMs);
      return { key, quotas, rate, isRateCertain: limitResult.isCertain };
    };
    const limitResult = limiter.take(`key:${key.id}`, rate);
    return limitResult instanceof Promise ? limitResult.then(toCaller) : toCaller(limitResult);
  };

  return {
    admit: (credentials) => {
      const admitKey = (keyCheck: KeyCheckResult) =>
        applyRateLimit(requireUsableKey(keyCheck, credentials), credentials);
      const keyCheck = authenticate(credentials);
      return keyCheck instanceof Promise ? keyCheck.then(admitKey) : admitKey(keyCheck);
    },
    admitKeyOfAccount: async (key, credentials) =>
      applyRateLimit(requireUsableKey(await keys.authenticateById(key), credentials), credentials),
    admitBody: async ({ accountId }, text) => {
      const count = Math.floor(text.length / CHARACTERS_PER_TOKEN);
      if (count === 0) return;
      const { isAllowed, waitMs } = bodyLimiter.takeTokens(accountId, BODY_RATE, count);
      if (!isAllowed) throw rateLimitFault('Too many long requests of this account.', waitMs);
      await setImmediate();
    },
  };
}

/** RFC 6750, 2.1; null without a bearer token. */
function bearerTokenOf(authorization: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** `Retry-After` has whole seconds, so the wait is rounded up. */
function rateLimitFault(reason: string, waitMs: number): Fault {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `${reason} Try again in ${retryAfterSeconds} s.`;
  return new Fault('rate_limited', message, { retryAfterSeconds });
}
