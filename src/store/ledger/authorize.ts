// The statement that authorizes calls: one statement per batch, with results in the batch's order.
import { assert } from '../../kernel/errors/assert.ts';
import { arrayLiteral } from './array-literal.ts';
import { authorizeOne } from './authorize-one.ts';
import type { AuthorizeRow } from './authorize-request.ts';
import { authorizeUniform, isUniform } from './authorize-uniform.ts';
import type { LedgerConnection, Statement } from './connection.ts';
import {
  type BatchResult,
  type BatchTime,
  linesOf,
  parametersOf,
  toSqlTime,
} from './parameters.ts';

const columns =
  'text[] text[] boolean[] text[] text[] text[] integer[] text[] bigint[] bigint[] bigint[] ' +
  'bigint[] text[] text[] text[] integer[] integer[] timestamptz[]';
const types = `timestamptz text timestamptz text bigint boolean ${columns}`;
const statement: Statement = {
  name: 'ledger_open',
  text: `SELECT ledger_open(${parametersOf(types)})`,
};

/**
 * Authorizes calls. Each result is the fields of one line (see `ledger_open` in the migrations).
 * `isAgain`: a statement whose result was lost may have authorized the same requests.
 */
export async function authorizeCalls(
  connection: LedgerConnection,
  batchTime: BatchTime,
  calls: readonly AuthorizeRow[],
  isAgain: boolean,
): Promise<BatchResult<readonly string[]>> {
  const [firstCall, ...more] = calls;
  if (!isAgain && firstCall !== undefined && more.length === 0 && firstCall.amount > 0n) {
    const opened = await authorizeOne(connection, batchTime, firstCall);
    if (opened.kind === 'opened') return { kind: 'results', results: [opened.fields] };
    if (opened.kind === 'disconnected') return opened;
  }
  if (!isAgain && isUniform(calls)) {
    const opened = await authorizeUniform(connection, batchTime, calls);
    if (opened.kind !== 'refused') return opened;
  }
  // Grouped by wallet. Requests of one wallet keep their order.
  const order = calls
    .map((call, place) => ({ call, place }))
    .sort((a, b) => compareWallets(a.call, b.call) || a.place - b.place);
  const column = <T extends string | number | bigint | boolean | null>(
    pick: (c: AuthorizeRow) => T,
  ) => arrayLiteral(order.map(({ call }) => pick(call)));
  const result = await connection.execute(statement, [
    toSqlTime(batchTime.now),
    batchTime.day,
    toSqlTime(batchTime.dayEndsAt),
    batchTime.month,
    String(batchTime.allowance),
    isAgain,
    column((c) => c.requestId),
    column((c) => c.accountId),
    column((c) => c.livemode),
    column((c) => c.keyId),
    column((c) => c.capability),
    column((c) => c.sku),
    column((c) => c.priceVersion),
    column((c) => c.unit),
    column((c) => c.quantity),
    column((c) => c.amount),
    column((c) => c.maxCharge),
    column((c) => c.budget?.amount ?? null),
    column((c) => c.budget?.period ?? null),
    column((c) => c.idempotency?.key ?? null),
    column((c) => c.idempotency?.fingerprint ?? null),
    column((c) => c.quotas.day),
    column((c) => c.quotas.month),
    column((c) => toSqlTime(c.deadlineAt)),
  ]);
  if (result.kind !== 'result') return result;
  const lines = linesOf(result.text);
  assert(lines.length === calls.length, 'one result per request');
  const results: (readonly string[])[] = Array.from({ length: calls.length });
  for (const [n, { place }] of order.entries()) results[place] = (lines[n] ?? '').split('|');
  return { kind: 'results', results };
}

type WalletKey = { readonly accountId: string; readonly livemode: boolean };

function compareWallets(a: WalletKey, b: WalletKey): number {
  if (a.accountId !== b.accountId) return a.accountId < b.accountId ? -1 : 1;
  return Number(a.livemode) - Number(b.livemode);
}
