// Creates, rotates and revokes keys. The text of a key is returned once, at its creation.

import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { findAccountRow } from '../../store/gateway/accounts.ts';
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
import { findKeyInputProblems, type KeyInput, type KeyLimits } from './key-input.ts';
import { displayPartsOf, makeKeyText } from './key-text.ts';

/** `text`: the key, which is shown only once. */
export type CreatedKey = { readonly id: string; readonly text: string };

/**
 * Throws a Fault: `invalid_request` names the invalid input; `key_not_allowed` when the account may
 * not have live keys yet.
 */
export async function makeKey(world: World, db: Db, input: KeyInput): Promise<CreatedKey> {
  const [problem] = Object.values(findKeyInputProblems(input, world.clock.now()));
  if (problem !== undefined) throw new Fault('invalid_request', problem.message);
  const created = await makeKeyOnce(world, db, input, null);
  switch (created.kind) {
    case 'made':
      return created.key;
    case 'unverified':
      throw new Fault(
        'key_not_allowed',
        'Live keys need a confirmed address: confirm the account’s address first.',
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
  | { readonly kind: 'unverified' };

/** Creates a key from a valid input. `form`: id of the form; null: no form. */
export async function makeKeyOnce(
  world: World,
  db: Db,
  input: KeyInput,
  form: string | null,
): Promise<KeyCreationResult> {
  if (input.livemode) {
    const account = await findAccountRow(db, input.accountId);
    if (account?.awaits_verification) return { kind: 'unverified' };
  }
  const text = makeKeyText(world.random, input);
  const hashOf = await openKeyHash(world, db);
  const { prefix, last4 } = displayPartsOf(text);
  const id = `key_${world.ids.next()}`;
  const isNew = await insertApiKey(db, {
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
  });
  return isNew ? { kind: 'made', key: { id, text } } : { kind: 'made_before' };
}

export type RotationResult =
  | { readonly kind: 'rotated'; readonly key: CreatedKey; readonly oldEndsAt: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'ended' }
  /** The key was already rotated and has a successor. */
  | { readonly kind: 'replaced' };

type Rotation = {
  readonly id: string;
  readonly overlapMs: number;
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
  { id, overlapMs, accountId: owner }: Rotation,
): Promise<RotationResult> {
  return inTransaction(db, async (tx): Promise<RotationResult> => {
    const row = await findApiKey(tx, id, { lock: true });
    if (row === null || (owner !== undefined && row.account_id !== owner)) {
      return { kind: 'not_found' };
    }
    if (row.replaced_by !== null) return { kind: 'replaced' };
    const oldKey = keyOf(row);
    const now = world.clock.now();
    if (isEnded(oldKey, now)) return { kind: 'ended' };
    const { accountId, kind, livemode, name, scopes, networks, budget, mayContinue, expiresAt } =
      oldKey;
    const created = await makeKey(world, tx, {
      accountId,
      kind,
      livemode,
      name,
      scopes,
      networks,
      budget,
      mayContinue,
      expiresAt,
    });
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
