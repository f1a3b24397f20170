// Captures one hold from a single balance, in whole or in part. The caller supplies the hold; the
// statement verifies it and otherwise writes nothing.
import { instantValue } from './binary-array.ts';
import type { LedgerConnection, Statement, StatementResult } from './connection.ts';
import { parametersOf } from './parameters.ts';
import type { Resolution, SingleBalanceHold } from './resolution.ts';

const types =
  'timestamptz timestamptz text boolean text text text bigint bigint jsonb integer text bytea';
const statement: Statement = {
  name: 'ledger_capture_one',
  text: `SELECT ledger_capture_one(${parametersOf(types)})`,
};

/** Refused when the stored hold differs from the supplied one. */
export function captureOne(
  connection: LedgerConnection,
  times: { readonly now: number; readonly keptUntil: number },
  hold: SingleBalanceHold,
  { requestId, captured, usage, status, contentType, body }: Resolution,
): Promise<StatementResult> {
  return connection.execute(statement, [
    instantValue(times.now),
    instantValue(times.keptUntil),
    hold.accountId,
    hold.livemode,
    hold.balance,
    hold.sku,
    requestId,
    String(hold.amount),
    String(captured),
    JSON.stringify(usage),
    status,
    contentType,
    body,
  ]);
}
