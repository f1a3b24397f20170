// Creates, rotates and revokes keys. The text of a key is returned once, at its creation.

import { assert } from '../../kernel/errors/assert.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { findAccountRow, lockAccount } from '../../store/gateway/accounts.ts';
import {
  changeApiKey,
  endApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  setKeySuccessor,
} from '../../store/gateway/api-keys.ts';
import { readKeyRates, writeKeyRate } from '../../store/gateway/key-rates.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { type Key, keyOf } from './key.ts';
import { openKeyHash } from './key-hash.ts';
import {
  DEFAULT_MAX_KEYS,
  findKeyInputProblems,
  type KeyInput,
  type KeyLimits,
} from './key-input.ts';
import { displayPartsOf, makeKeyText } from './key-text.ts';

/** `text`: the key, which is shown only once. */
export type CreatedKey = { readonly id: string; readonly text: string };

/**
 * Throws a Fault: `invalid_request` names the invalid input; `key_not_allowed` when the account may
 * not have live keys yet. An account that has `maxKeys` active keys in this mode is refused too.
 */
export async function makeKey(
  world: World,
  db: Db,
  input: KeyInput,
  maxKeys = DEFAULT_MAX_KEYS,
): Promise<CreatedKey> {
  const [problem] = Object.values(findKeyInputProblems(input, world.clock.now()));
  if (problem !== undefined) throw new Fault('invalid_request', problem.message);
  const created = await makeKeyOnce(world, db, input, { form: null, maxKeys });
  switch (created.kind) {
    case 'made':
      return created.key;
    case 'unverified':
      throw new Fault(
        'key_not_allowed',
        'Live keys need a confirmed address: confirm the account’s address first.',
      );
    case 'too_many':
      throw new Fault(
        'key_not_allowed',
        `An account has at most ${maxKeys} active keys in each mode, and a key counts for an ` +
          'hour at least. Revoke a key that is no longer used, or raise gateway.keysPerAccount.',
      );
    default:
      // `made_before` requires the id of a form, so this case does not occur.
      throw new Fault('invalid_request', 'This key was made before.');
  }
}

export type KeyCreationResult =
  | { readonly kind: 'made'; readonly key: CreatedKey }
  /** The form was already submitted, and its key was already shown. */
  | { readonly kind: 'made_before' }
  /** No live keys before the account's address is confirmed. */
  | { readonly kind: 'unverified' }
  /** The account already has the permitted number of active keys in this mode. */
  | { readonly kind: 'too_many' };

type KeyCreation = {
  /** The id of the form; null: no form. */
  readonly form: string | null;
  /** Limit of active keys of the account in the mode of the key. */
  readonly maxKeys: number;
};

/** Creates a key from a valid input. */
export async function makeKeyOnce(
  world: World,
  db: Db,
  input: KeyInput,
  { form, maxKeys }: KeyCreation,
): Promise<KeyCreationResult> {
  if (input.livemode) {
    const account = await findAccountRow(db, input.accountId);
    if (account?.awaits_verification) return { kind: 'unverified' };
  }
  const text = makeKeyText(world.random, input);
  const hashOf = await openKeyHash(world, db);
  const { prefix, last4 } = displayPartsOf(text);
  const id = `key_${world.ids.next()}`;
  const row = {
    id,
    account_id: input.accountId,
    kind: input.kind,
    livemode: input.livemode,
    ...limitColumns(input),
    hash: hashOf(text),
    prefix,
    last4,
    created_at: world.clock.now(),
    expires_at: input.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
    wish: form,
    replaced_by: null,
    version: 1,
  };
  switch (await insertApiKey(db, row, maxKeys)) {
    case 'inserted':
      return { kind: 'made', key: { id, text } };
    case 'known':
      return { kind: 'made_before' };
    case 'too_many':
      return { kind: 'too_many' };
  }
}

export type RotationResult =
  | { readonly kind: 'rotated'; readonly key: CreatedKey; readonly oldEndsAt: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'ended' }
  /** The key was already rotated and has a successor. */
  | { readonly kind: 'replaced' }
  /** Too many keys of the account are active, among them rotated keys. */
  | { readonly kind: 'too_many' };

type Rotation = {
  readonly id: string;
  readonly overlapMs: number;
  /** Limit of active keys. Old keys work on after a rotation, so rotations may double it. */
  readonly maxKeys?: number;
  /** Only keys of this account; absent: keys of all accounts. */
  readonly accountId?: string;
};

/**
 * Creates a key with the same limits and the same request rate. The old key works for another
 * `overlapMs`, at most until its own expiry.
 */
export async function rotateKey(
  world: World,
  db: Db,
  { id, overlapMs, maxKeys = DEFAULT_MAX_KEYS, accountId: owner }: Rotation,
): Promise<RotationResult> {
  return inTransaction(db, async (tx): Promise<RotationResult> => {
    const accountOfKey = (await findApiKey(tx, id))?.account_id ?? null;
    if (accountOfKey === null || (owner !== undefined && accountOfKey !== owner)) {
      return { kind: 'not_found' };
    }
    // The account is locked before its keys, in the order of its erasure.
    await lockAccount(tx, accountOfKey);
    const row = await findApiKey(tx, id, { lock: true });
    if (row === null) return { kind: 'not_found' };
    if (row.replaced_by !== null) return { kind: 'replaced' };
    const oldKey = keyOf(row);
    const now = world.clock.now();
    if (isEnded(oldKey, now)) return { kind: 'ended' };
    const { accountId, kind, livemode, name, scopes, networks, budget, mayContinue, expiresAt } =
      oldKey;
    const input = {
      accountId,
      kind,
      livemode,
      name,
      scopes,
      networks,
      budget,
      mayContinue,
      expiresAt,
    };
    const creation = await makeKeyOnce(world, tx, input, { form: null, maxKeys: 2 * maxKeys });
    if (creation.kind === 'too_many') return creation;
    assert(creation.kind === 'made', 'a key of this account was made before');
    const { key: created } = creation;
    const oldEndsAt = Math.min(now + overlapMs, expiresAt ?? Number.POSITIVE_INFINITY);
    await endApiKey(tx, id, 'expires_at', oldEndsAt);
    await setKeySuccessor(tx, id, created.id);
    const rate = (await readKeyRates(tx, [id])).get(id) ?? null;
    await writeKeyRate(tx, created.id, rate);
    return { kind: 'rotated', key: created, oldEndsAt };
  });
}

export type KeyEditResult =
  | { readonly kind: 'saved' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'ended' }
  /** The key was rotated, so only its successor can be edited. */
  | { readonly kind: 'replaced' }
  /** The key changed after the form was loaded; `current` is its present state. */
  | { readonly kind: 'conflict'; readonly current: Key };

type KeyEdit = {
  readonly id: string;
  readonly accountId: string;
  /** Version when the form was loaded. */
  readonly version: number;
  /** The complete new limits; an absent limit is removed. `expiresAt` undefined: unchanged. */
  readonly limits: KeyLimits;
};

/** Changes a key's name and limits. The change takes effect on every node within a second. */
export async function editKey(world: World, db: Db, edit: KeyEdit): Promise<KeyEditResult> {
  const { id, accountId, version, limits } = edit;
  return inTransaction(db, async (tx): Promise<KeyEditResult> => {
    const row = await findApiKey(tx, id, { lock: true });
    if (row === null || row.account_id !== accountId) return { kind: 'not_found' };
    const current = keyOf(row);
    if (isEnded(current, world.clock.now())) return { kind: 'ended' };
    if (current.replacedBy !== null) return { kind: 'replaced' };
    if (current.version !== version) return { kind: 'conflict', current };
    await changeApiKey(tx, id, {
      ...limitColumns(limits),
      expires_at: limits.expiresAt === undefined ? current.expiresAt : limits.expiresAt,
    });
    return { kind: 'saved' };
  });
}

function limitColumns({
  name,
  scopes = [],
  networks = [],
  budget = null,
  mayContinue = true,
}: KeyLimits) {
  return {
    name: name.trim(),
    scopes: [...scopes],
    networks: [...networks],
    budget_amount: budget === null ? null : Number(budget.amount),
    budget_period: budget === null ? null : budget.period,
    may_continue: mayContinue,
  };
}

/**
 * Revokes a key on every node within a second. False: the key does not exist, or belongs to another
 * account.
 */
export async function revokeKey(
  world: World,
  db: Db,
  id: string,
  accountId?: string,
): Promise<boolean> {
  const row = await findApiKey(db, id);
  if (row === null || (accountId !== undefined && row.account_id !== accountId)) return false;
  await endApiKey(db, id, 'revoked_at', world.clock.now());
  return true;
}

/** Finds a key of any account, including a revoked key. */
export async function findKey(db: Db, id: string): Promise<Key | null> {
  const row = await findApiKey(db, id);
  return row === null ? null : keyOf(row);
}

/** Lists keys, oldest first, including revoked keys. */
export async function listKeys(db: Db, accountId: string): Promise<readonly Key[]> {
  return (await listApiKeys(db, accountId)).map(keyOf);
}

export function isEnded(key: Key, now: number): boolean {
  return key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now);
}
