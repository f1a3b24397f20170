// One priced call by itself, in the fewest statements: for a wallet whose first book is known and
// covers it. Whatever is not like that did nothing here, and goes the longer way.

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
  /** The fields of one line, as `openCalls` answers them. */
  readonly fields: readonly string[];
};

/** `refused`: it is not like that, and nothing happened. */
export async function authorizeOne(
  line: LedgerConnection,
  moment: BatchTime,
  call: AuthorizeRow,
): Promise<AuthorizedOne | Exclude<StatementResult, { kind: 'answer' }>> {
  const answer = await line.execute(statement, [
    instantValue(moment.now),
    moment.day,
    moment.month,
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
  if (answer.kind !== 'answer') return answer;
  if (answer.text === '') return { kind: 'refused', error: 'not a call like others before it' };
  const [, book = '', day = '', month = ''] = answer.text.split('|');
  return { kind: 'opened', fields: ['opened', book, String(call.amount), day, month] };
}

const textOf = (amount: bigint | null | undefined) =>
  amount === null || amount === undefined ? null : String(amount);
