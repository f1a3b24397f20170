// Authenticates API keys. A valid key is cached for less than one second, so a revocation takes
// effect within a second everywhere. An unknown key is not cached, so a new key works immediately.
import { hash, timingSafeEqual } from 'node:crypto';
import { readNetworks } from '../../kernel/client-address/networks.ts';
import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  findKeyByHash,
  findOwnKey,
  type KeyAndAccount,
  recordKeyUse,
} from '../../store/gateway/api-keys.ts';
import { isEnded } from './change-keys.ts';
import { type Key, keyOf } from './key.ts';
import { openKeyHash } from './key-hash.ts';
import { readKeyText } from './key-text.ts';

export type KeyWithLimits = {
  readonly key: Key;
  /** The account's own limit of calls; null: the installation's limit applies. */
  readonly callsPerDay: number | null;
  readonly callsPerMonth: number | null;
  /** The request rate of the key or its account; null: the installation's rate applies. */
  readonly rate: { readonly perSecond: number; readonly burst: number } | null;
};

export type KeyCheckResult =
  | ({ readonly kind: 'known' } & KeyWithLimits)
  /** The format or the checksum is wrong; the database was not queried. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'other_network' };

export type KeyCache = {
  /**
   * `address`: the client's address; null: networks are not checked. The result is synchronous for
   * a cached key. Otherwise it is a promise, which rejects when the database is unavailable.
   */
  authenticate(text: string, address: string | null): KeyCheckResult | Promise<KeyCheckResult>;
  /** Finds a key by its id, for a request with a session of the account. */
  authenticateById(key: {
    readonly id: string;
    readonly accountId: string;
  }): Promise<KeyCheckResult>;
};

/** Maximum time for which a node accepts a key that another node has revoked. */
export const CACHE_MS = 900;
const MAX_CACHED = 20_000;
/** "Last used" is exact to a minute. */
const LAST_USE_PRECISION_MS = 60_000;

/** A cached result, shared by all requests with the key. */
type KeyRecord = {
  readonly row: KeyAndAccount;
  readonly keyWithLimits: KeyWithLimits & { kind: 'known' };
};

type CacheEntry = {
  readonly at: number;
  readonly loading: Promise<KeyRecord | null>;
  /** Null while the query is running. */
  record: KeyRecord | null;
};

export async function openKeyCache(world: World, db: Db): Promise<KeyCache> {
  const hashOf = await openKeyHash(world, db);
  const cache = openBoundedCache<CacheEntry>(MAX_CACHED);
  const storeLastUse = openLastUseWriter(world, db);
  const now = () => world.clock.now();

  /** Returns the cached entry while it is fresh. `digest`: a digest of the key's text. */
  const findFreshEntry = (digest: string): CacheEntry | null => {
    const cached = cache.get(digest);
    const at = now();
    // The age counts from the start of the query. A clock that moved back makes the entry stale.
    const isFresh = cached && at >= cached.at && at - cached.at < CACHE_MS;
    return isFresh ? cached : null;
  };

  /** Loads a key. Concurrent requests with one key share one query. */
  const load = (digest: string, text: string): Promise<KeyRecord | null> => {
    const expireEntry = () => cache.set(digest, { ...entry, at: Number.NEGATIVE_INFINITY });
    const loading = findKeyRow(db, hashOf(text)).then(
      (row) => {
        if (row === null) expireEntry();
        else entry.record = { row, keyWithLimits: toKeyWithLimits(row) };
        return entry.record;
      },
      (error) => {
        expireEntry();
        throw error;
      },
    );
    const entry: CacheEntry = { at: now(), loading, record: null };
    cache.set(digest, entry);
    return loading;
  };

  const checkKey = ({ row, keyWithLimits }: KeyRecord, address: string | null): KeyCheckResult => {
    const { key } = keyWithLimits;
    if (key.revokedAt !== null) return { kind: 'revoked' };
    if (isEnded(key, now())) return { kind: 'expired' };
    if (row.account_status === 'deleted') return { kind: 'revoked' };
    if (row.account_status === 'suspended') return { kind: 'suspended' };
    if (address !== null && !isFromAllowedNetwork(key, address)) return { kind: 'other_network' };
    storeLastUse(key.id);
    return keyWithLimits;
  };

  const authenticate = async (
    loading: Promise<KeyRecord | null>,
    address: string | null,
  ): Promise<KeyCheckResult> => {
    const record = await loading;
    return record === null ? { kind: 'unknown' } : checkKey(record, address);
  };

  return {
    authenticate: (text, address) => {
      // A plain digest suffices in memory, because keys have 160 random bits. The HMAC of the
      // stored hash takes ten times as long.
      const digest = hash('sha256', text, 'base64');
      const cached = findFreshEntry(digest);
      if (cached?.record) return checkKey(cached.record, address);
      if (cached === null && readKeyText(text) === null) return { kind: 'malformed' };
      return authenticate(cached?.loading ?? load(digest, text), address);
    },
    authenticateById: async (key) => {
      const row = await findOwnKey(db, key);
      if (row === null) return { kind: 'unknown' };
      return checkKey({ row, keyWithLimits: toKeyWithLimits(row) }, null);
    },
  };
}

function toKeyWithLimits(row: KeyAndAccount): KeyRecord['keyWithLimits'] {
  const { calls_per_day: callsPerDay, calls_per_month: callsPerMonth } = row;
  return { kind: 'known', key: keyOf(row), callsPerDay, callsPerMonth, rate: rateOf(row) };
}

/** Returns a function that stores the time of a key's last use. */
function openLastUseWriter(world: World, db: Db) {
  const lastUses = openBoundedCache<number>(MAX_CACHED);
  return (id: string): void => {
    const at = world.clock.now();
    if (Math.abs(at - (lastUses.get(id) ?? 0)) < LAST_USE_PRECISION_MS) return;
    lastUses.set(id, at);
    recordKeyUse(db, id, at).catch((error) =>
      world.log.debug({ error: messageOf(error) }, 'last use of a key not written'),
    );
  };
}

async function findKeyRow(db: Db, hashed: Buffer): Promise<KeyAndAccount | null> {
  const row = await findKeyByHash(db, hashed);
  return row !== null && timingSafeEqual(row.hash, hashed) ? row : null;
}

function rateOf({ rate_per_second: perSecond, rate_burst: burst }: KeyAndAccount) {
  return perSecond === null || burst === null ? null : { perSecond, burst };
}

function isFromAllowedNetwork({ networks }: Key, address: string): boolean {
  if (networks.length === 0) return true;
  const allowed = readNetworks(networks, 'networks of a key');
  return allowed.has(address);
}
