// Authorizes one priced call in the fewest statements, when the wallet's first balance covers it.
// Any other call returns `refused` without side effects; the caller uses the general statement.
import type { AuthorizeRow } from './authorize-request.ts';
import { instantValue } from './binary-array.ts';
import type { LedgerConnection, Statement, StatementResult } from './connection.ts';
import { type BatchTime, parametersOf } from './parameters.ts';

const types =
  'timestamptz text text text boolean text text bigint text text integer text bigint bigint ' +
  'bigint text text text integer integer timestamptz';
const statement: Statement = {
  name: 'ledger_open_one',
  text: `SELECT ledger_open_one(${parametersOf(types)})`,
};

type AuthorizedOne = {
  readonly kind: 'opened';
  /** The fields of one line, as `authorizeCalls` returns them. */
  readonly fields: readonly string[];
};

/** `refused`: the call does not qualify, and nothing was written. */
export async function authorizeOne(
  connection: LedgerConnection,
  batchTime: BatchTime,
  call: AuthorizeRow,
): Promise<AuthorizedOne | Exclude<StatementResult, { kind: 'result' }>> {
  const result = await connection.execute(statement, [
    instantValue(batchTime.now),
    batchTime.day,
    batchTime.month,
    call.accountId,
    call.livemode,
    call.keyId,
    call.requestId,
    String(call.amount),
    call.capability,
    call.sku,
    call.priceVersion,
    call.unit,
    call.quantity,
    textOf(call.maxCharge),
    textOf(call.budget?.amount),
    call.budget?.period ?? null,
    call.idempotency?.key ?? null,
    call.idempotency?.fingerprint ?? null,
    call.quotas.day,
    call.quotas.month,
    instantValue(call.deadlineAt),
  ]);
  if (result.kind !== 'result') return result;
  if (result.text === '')
    return { kind: 'refused', error: 'the call does not qualify for the single statement' };
  const [, balance = '', day = '', month = ''] = result.text.split('|');
  return { kind: 'opened', fields: ['opened', balance, String(call.amount), day, month] };
}

const textOf = (amount: bigint | null | undefined) =>
  amount === null || amount === undefined ? null : String(amount);
