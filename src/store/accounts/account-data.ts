// Reads all data of an account, table by table, for its download. Rows are exported as JSON text,
// so that amounts stay exact. Each table is read in the order of an index, so a batch of rows is
// one range of the index.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { readOnlyDb, sqlOf } from '../platform/db.ts';

type DataTable = {
  readonly name: string;
  /** The columns that sort the rows, with their types. Together their values identify one row. */
  readonly order: readonly (readonly [column: string, type: string])[];
  /** Selects the rows of an account. Absent: `account_id` is compared with the account's id. */
  readonly condition?: (accountId: string) => RawBuilder<unknown>;
  /** Columns that are omitted: secrets, and internal fields of the program. */
  readonly omit?: readonly string[];
  /** Columns of bytes, which are exported in base64. */
  readonly bytes?: readonly string[];
};

const byId = [['id', 'text']] as const;
const byRequest = [['request_id', 'text']] as const;
const byWallet = [
  ['account_id', 'text'],
  ['livemode', 'boolean'],
] as const;

const topUpCondition = (id: string) =>
  sql`t.top_up_id IN (SELECT id FROM top_ups WHERE account_id = ${id})`;

/** The operator's own costs of calls are not data of the customer. */
const operatorCosts = ['cost', 'costed', 'attempt_costs'];

export const accountDataTables: readonly DataTable[] = [
  {
    name: 'accounts',
    order: byId,
    condition: (id) => sql`t.id = ${id}`,
    omit: ['password_hash', 'totp_secret', 'totp_step'],
  },
  { name: 'account_sessions', order: byId, omit: ['hash'] },
  { name: 'account_security_log', order: byId },
  { name: 'account_mail_tokens', order: [['purpose', 'text']], omit: ['hash'] },
  { name: 'account_invites', order: byId, omit: ['hash', 'prefix'] },
  { name: 'api_keys', order: byId, omit: ['hash', 'wish'] },
  {
    name: 'key_rates',
    order: [['subject', 'text']],
    condition: (id) =>
      sql`(t.subject = ${id} OR t.subject IN (SELECT id FROM api_keys WHERE account_id = ${id}))`,
  },
  { name: 'wallets', order: byWallet },
  { name: 'books', order: [...byWallet, ['name', 'text']] },
  { name: 'key_spending', order: [...byWallet, ['key_id', 'text']] },
  {
    name: 'entries',
    order: [
      ['livemode', 'boolean'],
      ['seq', 'bigint'],
    ],
    // Entries of calls are omitted: the table `calls` has their amounts, and only the other kinds
    // have an index by account.
    condition: (id) => sql`(t.account_id = ${id}
      AND t.kind NOT IN ('reserve', 'remeasure', 'capture', 'release'))`,
  },
  {
    name: 'calls',
    order: [
      ['livemode', 'boolean'],
      ['opened_at', 'timestamptz'],
      ['request_id', 'text'],
    ],
    omit: ['fingerprint'],
  },
  {
    name: 'answers',
    order: byRequest,
    condition: (id) => sql`EXISTS (SELECT FROM calls c
      WHERE c.request_id = t.request_id AND c.account_id = ${id})`,
    bytes: ['body'],
  },
  { name: 'call_requests', order: byRequest },
  { name: 'request_log_off', order: [['account_id', 'text']] },
  { name: 'jobs', order: byId, omit: ['fingerprint', 'claim', 'claimed_until', 'work'] },
  { name: 'relay_usage', order: byRequest, omit: operatorCosts },
  {
    name: 'relay_usage_days',
    order: [
      ['day', 'text'],
      ['key_id', 'text'],
      ['model', 'text'],
    ],
    omit: operatorCosts,
  },
  {
    name: 'usage_days',
    order: [...byWallet, ['day', 'text'], ['key_id', 'text'], ['capability', 'text']],
  },
  { name: 'top_ups', order: byId },
  { name: 'top_up_refunds', order: byId, condition: topUpCondition },
  { name: 'top_up_disputes', order: byId, condition: topUpCondition },
  {
    name: 'voucher_codes',
    order: [
      ['redeemed_at', 'timestamptz'],
      ['batch_id', 'text'],
      ['voucher_id', 'text'],
    ],
    condition: (id) => sql`t.redeemed_by = ${id}`,
    omit: ['hash'],
  },
  { name: 'balance_alerts', order: byWallet },
  { name: 'webhook_endpoints', order: byId, omit: ['secret', 'old_secret'] },
  { name: 'webhook_events', order: byId },
  {
    name: 'webhook_deliveries',
    order: [
      ['event_id', 'text'],
      ['endpoint_id', 'text'],
    ],
    condition: (id) =>
      sql`t.endpoint_id IN (SELECT id FROM webhook_endpoints WHERE account_id = ${id})`,
  },
];

/** A row as JSON text. `place` has the row's values in the columns of `DataTable.order`. */
export type AccountDataRow = { readonly row: string; readonly place: readonly string[] };

/** Returns rows of one table after the row at the place `last`. Null: from the first row. */
export async function readAccountData(
  db: Db,
  { table, accountId }: { readonly table: DataTable; readonly accountId: string },
  { last, limit }: { readonly last: readonly string[] | null; readonly limit: number },
): Promise<readonly AccountDataRow[]> {
  const columns = table.order.map(([column]) => sql.ref(`t.${column}`));
  const omittedColumns = [...(table.omit ?? []), ...(table.bytes ?? [])];
  const encodedColumns = (table.bytes ?? []).map(
    (column) => sql`|| jsonb_build_object(${sql.lit(column)}::text,
      encode(${sql.ref(`t.${column}`)}, 'base64'))`,
  );
  const ownerCondition = table.condition?.(accountId) ?? sql`t.account_id = ${accountId}`;
  const values = table.order.map(([, type], index) => sql`${last?.[index]}::${sql.raw(type)}`);
  const placeCondition =
    last === null ? sql`` : sql`AND (${sql.join(columns)}) > (${sql.join(values)})`;
  const { rows } = await sql<AccountDataRow>`
    SELECT ((to_jsonb(t) - ${omittedColumns}::text[])
        ${sql.join(encodedColumns, sql` `)})::text AS row,
      ARRAY[${sql.join(columns.map((column) => sql`${column}::text`))}] AS place
    FROM ${sql.table(table.name)} t WHERE ${ownerCondition} ${placeCondition}
    ORDER BY ${sql.join(columns)} LIMIT ${limit}`.execute(sqlOf(readOnlyDb(db)));
  return rows;
}
