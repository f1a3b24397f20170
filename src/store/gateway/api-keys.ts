// Only this file writes `api_keys`: customers' keys. It stores the hash of a key, never the key.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { instant, inTransaction, sqlOf, toTimestamp, toTimestampOrNull } from '../platform/db.ts';
import type { Schema } from '../schema/schema.ts';
import { type AccountStatus, lockAccount } from './accounts.ts';

export type ApiKeyRow = Readonly<Selectable<Schema['api_keys']>>;

/** A key with the fields of its account that every call needs. */
export type KeyAndAccount = ApiKeyRow & {
  readonly account_status: AccountStatus;
  readonly calls_per_day: number | null;
  readonly calls_per_month: number | null;
  /** The rate of the key, or of the account if the key has none; null: neither has a rate. */
  readonly rate_per_second: number | null;
  readonly rate_burst: number | null;
};

/**
 * `known`: the account already has a key from this submission of a form (`wish`). `too_many`: it
 * has `maxKeys` keys in this mode that are active or at most an hour old.
 */
export async function insertApiKey(
  db: Db,
  row: ApiKeyRow,
  maxKeys: number,
): Promise<'inserted' | 'known' | 'too_many'> {
  return inTransaction(db, async (tx) => {
    // The lock serializes concurrent inserts, so the count is exact.
    await lockAccount(tx, row.account_id);
    if (await hasKeyOfForm(tx, row)) return 'known';
    if ((await countKeys(tx, row)) >= maxKeys) return 'too_many';
    await sqlOf(tx)
      .insertInto('api_keys')
      .values({
        ...row,
        created_at: toTimestamp(row.created_at),
        expires_at: toTimestampOrNull(row.expires_at),
        revoked_at: toTimestampOrNull(row.revoked_at),
        last_used_at: toTimestampOrNull(row.last_used_at),
      })
      .execute();
    return 'inserted';
  });
}

async function hasKeyOfForm(tx: Db, { account_id: accountId, wish }: ApiKeyRow): Promise<boolean> {
  if (wish === null) return false;
  const row = await sqlOf(tx)
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('wish', '=', wish)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Counts the keys in the mode of a new key that are neither revoked nor expired. A key of the last
 * hour counts also after its end, because each new key has a new burst of requests.
 */
async function countKeys(
  tx: Db,
  { account_id: accountId, livemode, created_at: now }: ApiKeyRow,
): Promise<number> {
  const { count } = await sqlOf(tx)
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('livemode', '=', livemode)
    .where((where) =>
      where.or([
        where('created_at', '>', instant(now - HOUR_MS)),
        where.and([
          where('revoked_at', 'is', null),
          where.or([where('expires_at', 'is', null), where('expires_at', '>', instant(now))]),
        ]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function findKeyByHash(db: Db, hash: Uint8Array): Promise<KeyAndAccount | null> {
  const row = await selectKeysWithAccounts(db)
    .where('hash', '=', Buffer.from(hash))
    .executeTakeFirst();
  return row ?? null;
}

/** Null also when the key belongs to another account. */
export async function findOwnKey(
  db: Db,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<KeyAndAccount | null> {
  const query = selectKeysWithAccounts(db).where('api_keys.id', '=', id);
  return (await query.where('account_id', '=', accountId).executeTakeFirst()) ?? null;
}

function selectKeysWithAccounts(db: Db) {
  return (
    sqlOf(db)
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .leftJoin('key_rates as own', 'own.subject', 'api_keys.id')
      .leftJoin('key_rates as shared', 'shared.subject', 'api_keys.account_id')
      .selectAll('api_keys')
      .select(['accounts.status as account_status', 'calls_per_day', 'calls_per_month'])
      // Rate and burst come from the same row.
      .select((use) => [
        use.fn.coalesce('own.per_second', 'shared.per_second').as('rate_per_second'),
        use.fn.coalesce('own.burst', 'shared.burst').as('rate_burst'),
      ])
  );
}

/** Optionally locks the row until the transaction ends. */
export async function findApiKey(
  db: Db,
  id: string,
  { lock = false } = {},
): Promise<ApiKeyRow | null> {
  const row = await sqlOf(db)
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row ?? null;
}

/** Oldest first, revoked keys included. */
export async function listApiKeys(db: Db, accountId: string): Promise<readonly ApiKeyRow[]> {
  return sqlOf(db)
    .selectFrom('api_keys')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Ends a key at `at`, unless it ends earlier already. */
export async function endApiKey(
  db: Db,
  id: string,
  field: 'revoked_at' | 'expires_at',
  at: number,
): Promise<void> {
  await sqlOf(db)
    .updateTable('api_keys')
    .set({ [field]: toTimestamp(at), version: sql`version + 1` })
    .where('id', '=', id)
    .where((where) => where.or([where(field, 'is', null), where(field, '>', instant(at))]))
    .execute();
}

/** Changes the fields of a key that its owner may change. */
export async function changeApiKey(
  tx: Db,
  id: string,
  change: Pick<
    ApiKeyRow,
    | 'name'
    | 'scopes'
    | 'networks'
    | 'budget_amount'
    | 'budget_period'
    | 'may_continue'
    | 'expires_at'
  >,
): Promise<void> {
  await sqlOf(tx)
    .updateTable('api_keys')
    .set({
      ...change,
      expires_at: toTimestampOrNull(change.expires_at),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute();
}

export async function recordKeyUse(db: Db, id: string, at: number): Promise<void> {
  await sqlOf(db)
    .updateTable('api_keys')
    .set({ last_used_at: toTimestamp(at) })
    .where('id', '=', id)
    .execute();
}

export async function setKeySuccessor(db: Db, id: string, successor: string): Promise<void> {
  await sqlOf(db)
    .updateTable('api_keys')
    .set({ replaced_by: successor, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

/** Revokes the keys of a deleted account, and empties their names, networks and hashes. */
export async function eraseApiKeys(tx: Db, accountId: string, now: number): Promise<void> {
  await sqlOf(tx)
    .updateTable('api_keys')
    .set({
      name: '',
      networks: [],
      wish: null,
      last_used_at: null,
      // A unique value that is not the hash of any key.
      hash: sql<Buffer>`sha256(convert_to('erased ' || id, 'UTF8'))`,
      revoked_at: sql<Date>`coalesce(revoked_at, ${toTimestamp(now)}::timestamptz)`,
    })
    .where('account_id', '=', accountId)
    .execute();
}
