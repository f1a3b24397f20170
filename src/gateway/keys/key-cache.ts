// Whose key a request carries. A key that is known is remembered for less than a second, so that
// revoking it works everywhere within one; a key that is unknown is not remembered at all, so that
// a new one works at once.
import { hash, timingSafeEqual } from 'node:crypto';
import { readNetworks } from '../../kernel/client-address/networks.ts';
import { openRecent } from '../../kernel/concurrency/bounded-cache.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  findKeyByHash,
  findOwnKey,
  type KeyAndAccount,
  touchApiKey,
} from '../../store/gateway/api-keys.ts';
import { isEnded } from './change-keys.ts';
import { type Key, keyOf } from './key.ts';
import { openKeyHash } from './key-hash.ts';
import { readKeyText } from './key-text.ts';

export type KeyHolder = {
  readonly key: Key;
  /** The account's own number of calls; null: the installation's. */
  readonly callsPerDay: number | null;
  readonly callsPerMonth: number | null;
  /** The key's own, or its account's; null: the installation's. */
  readonly rate: { readonly perSecond: number; readonly burst: number } | null;
};

export type Recognised =
  | ({ readonly kind: 'known' } & KeyHolder)
  /** No key that we can have made: no database was asked. */
  | { readonly kind: 'malformed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'other_network' };

export type KeyRing = {
  /**
   * `address`: the client's; null: the key's networks do not matter. At once where the key is
   * remembered, else a promise, which rejects with the database.
   */
  recognise(text: string, address: string | null): Recognised | Promise<Recognised>;
  /** The account's key of that id, for whoever is signed in as the account. */
  take(key: { readonly id: string; readonly accountId: string }): Promise<Recognised>;
};

const REMEMBERED_MS = 900;
const REMEMBERED_MAX = 20_000;
/** "Last used" is exact to a minute. */
const TOUCH_MS = 60_000;

/** A row as it is given out, made once for all requests that carry the key. */
type Known = { readonly row: KeyAndAccount; readonly holder: KeyHolder & { kind: 'known' } };

type Remembered = {
  readonly at: number;
  readonly asked: Promise<Known | null>;
  /** Null while it is being asked for. */
  known: Known | null;
};

export async function openKeyRing(world: World, db: Db): Promise<KeyRing> {
  const hashOf = await openKeyHash(world, db);
  const remembered = openRecent<Remembered>(REMEMBERED_MAX);
  const touch = openTouch(world, db);
  const now = () => world.clock.now();

  /** What is remembered of the key with that text, while it is fresh. */
  const recall = (name: string): Remembered | null => {
    const before = remembered.get(name);
    const at = now();
    // Counted from when the question was sent; a clock that went back makes it be asked again.
    const isFresh = before && at >= before.at && at - before.at < REMEMBERED_MS;
    return isFresh ? before : null;
  };

  /** One question to the database at a time for each key, however many requests carry it. */
  const askFor = (name: string, text: string): Promise<Known | null> => {
    const forget = () => remembered.set(name, { ...entry, at: Number.NEGATIVE_INFINITY });
    const asked = find(db, hashOf(text)).then(
      (row) => {
        if (row === null) forget();
        else entry.known = { row, holder: holderOf(row) };
        return entry.known;
      },
      (error) => {
        forget();
        throw error;
      },
    );
    const entry: Remembered = { at: now(), asked, known: null };
    remembered.set(name, entry);
    return asked;
  };

  const recognised = ({ row, holder }: Known, address: string | null): Recognised => {
    const { key } = holder;
    if (key.revokedAt !== null) return { kind: 'revoked' };
    if (isEnded(key, now())) return { kind: 'expired' };
    if (row.account_status === 'suspended') return { kind: 'suspended' };
    if (address !== null && !isFrom(key, address)) return { kind: 'other_network' };
    touch(key.id);
    return holder;
  };

  const recognise = async (
    asked: Promise<Known | null>,
    address: string | null,
  ): Promise<Recognised> => {
    const known = await asked;
    return known === null ? { kind: 'unknown' } : recognised(known, address);
  };

  return {
    recognise: (text, address) => {
      // In memory a plain digest will do, of what has 160 bits of chance; under the pepper it costs
      // each call ten times as much.
      const name = hash('sha256', text, 'base64');
      const before = recall(name);
      if (before?.known) return recognised(before.known, address);
      if (before === null && readKeyText(text) === null) return { kind: 'malformed' };
      return recognise(before?.asked ?? askFor(name, text), address);
    },
    take: async (key) => {
      const row = await findOwnKey(db, key);
      if (row === null) return { kind: 'unknown' };
      return recognised({ row, holder: holderOf(row) }, null);
    },
  };
}

function holderOf(row: KeyAndAccount): Known['holder'] {
  const { calls_per_day: callsPerDay, calls_per_month: callsPerMonth } = row;
  return { kind: 'known', key: keyOf(row), callsPerDay, callsPerMonth, rate: rateOf(row) };
}

/** Writes down when a key was last used. */
function openTouch(world: World, db: Db) {
  const touched = openRecent<number>(REMEMBERED_MAX);
  return (id: string): void => {
    const at = world.clock.now();
    if (Math.abs(at - (touched.get(id) ?? 0)) < TOUCH_MS) return;
    touched.set(id, at);
    touchApiKey(db, id, at).catch((error) =>
      world.log.debug({ error: messageOf(error) }, 'last use of a key not written'),
    );
  };
}

async function find(db: Db, hashed: Buffer): Promise<KeyAndAccount | null> {
  const row = await findKeyByHash(db, hashed);
  return row !== null && timingSafeEqual(row.hash, hashed) ? row : null;
}

function rateOf({ rate_per_second: perSecond, rate_burst: burst }: KeyAndAccount) {
  return perSecond === null || burst === null ? null : { perSecond, burst };
}

function isFrom({ networks }: Key, address: string): boolean {
  if (networks.length === 0) return true;
  const allowed = readNetworks(networks, 'networks of a key');
  return allowed.has(address);
}
