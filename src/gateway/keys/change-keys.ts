// Making, changing over and ending keys. The text of a key leaves this file once, when it is made.
import { readNetworks } from '../../kernel/client/networks.ts';
import type { Db } from '../../kernel/db.ts';
import { Fault, messageOf } from '../../kernel/fault.ts';
import type { World } from '../../kernel/world.ts';
import { endApiKey, findApiKey, insertApiKey, listApiKeys } from '../../store/api-keys.ts';
import { type Budget, type Key, keyOf } from './key.ts';
import { type KeyKind, makeKeyText, shownParts } from './key-text.ts';
import { openKeyHash } from './pepper.ts';

export type KeyWish = {
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly livemode: boolean;
  readonly name: string;
  readonly scopes?: readonly string[];
  readonly networks?: readonly string[];
  readonly budget?: Budget | null;
  /** Epoch ms. */
  readonly expiresAt?: number | null;
};

/** `text`: the key itself, to be shown this once. */
export type MadeKey = { readonly id: string; readonly text: string };

const NAME_MAX = 100;
/** What the database's numbers hold exactly, with room to add up; ten million yuan. */
const BUDGET_MAX = 1_000_000_000n * 1_000_000n;

/** Throws a Fault `invalid_request` that names what is wrong with the wish. */
export async function makeKey(world: World, db: Db, wish: KeyWish): Promise<MadeKey> {
  checkWish(wish, world.clock.now());
  const text = makeKeyText(world.random, wish);
  const hashOf = await openKeyHash(world, db);
  const { prefix, last4 } = shownParts(text);
  const id = `key_${world.ids.next()}`;
  const { budget = null } = wish;
  await insertApiKey(db, {
    id,
    account_id: wish.accountId,
    kind: wish.kind,
    livemode: wish.livemode,
    name: wish.name.trim(),
    hash: hashOf(text),
    prefix,
    last4,
    scopes: [...(wish.scopes ?? [])],
    networks: [...(wish.networks ?? [])],
    budget_amount: budget === null ? null : Number(budget.amount),
    budget_period: budget === null ? null : budget.period,
    created_at: world.clock.now(),
    expires_at: wish.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    wish: null,
    replaced_by: null,
  });
  return { id, text };
}

function checkWish({ name, networks = [], budget, expiresAt }: KeyWish, now: number): void {
  const length = Array.from(name.trim()).length;
  if (length < 1 || length > NAME_MAX) throw invalid(`A key's name has 1 to ${NAME_MAX} letters.`);
  try {
    readNetworks(networks, 'networks');
  } catch (error) {
    throw invalid(messageOf(error));
  }
  if (budget && (budget.amount < 0n || budget.amount > BUDGET_MAX)) {
    throw invalid('A budget is between 0 and 10,000,000 CNY.');
  }
  if (expiresAt !== undefined && expiresAt !== null && expiresAt <= now) {
    throw invalid('A key cannot expire in the past.');
  }
}

const invalid = (message: string) => new Fault('invalid_request', message);

export type Rotated =
  | { readonly kind: 'rotated'; readonly made: MadeKey; readonly oldEndsAt: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'ended' };

/** A new key like the old one, which goes on working for `overlapMs`. */
export async function rotateKey(
  world: World,
  db: Db,
  { id, overlapMs }: { readonly id: string; readonly overlapMs: number },
): Promise<Rotated> {
  const row = await findApiKey(db, id);
  if (row === null) return { kind: 'not_found' };
  const old = keyOf(row);
  const now = world.clock.now();
  if (isEnded(old, now)) return { kind: 'ended' };
  const { accountId, kind, livemode, name, scopes, networks, budget, expiresAt } = old;
  const made = await makeKey(world, db, {
    ...{ accountId, kind, livemode, name, scopes, networks, budget, expiresAt },
  });
  const oldEndsAt = Math.min(now + overlapMs, expiresAt ?? Number.POSITIVE_INFINITY);
  await endApiKey(db, id, 'expires_at', oldEndsAt);
  return { kind: 'rotated', made, oldEndsAt };
}

/** On every node within a second. False: no such key. */
export async function revokeKey(world: World, db: Db, id: string): Promise<boolean> {
  if ((await findApiKey(db, id)) === null) return false;
  await endApiKey(db, id, 'revoked_at', world.clock.now());
  return true;
}

/** Oldest first, ended ones included. */
export async function listKeys(db: Db, accountId: string): Promise<readonly Key[]> {
  return (await listApiKeys(db, accountId)).map(keyOf);
}

export function isEnded(key: Key, now: number): boolean {
  return key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
}
