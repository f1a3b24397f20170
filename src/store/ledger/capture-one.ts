// One capture by itself, of all that was held from one book or of a part. The caller remembers how
// the call was opened; the statement checks it and else does nothing.
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

/** Refused when the hold is not what the caller thinks. */
export function captureOne(
  line: LedgerConnection,
  times: { readonly now: number; readonly keptUntil: number },
  hold: SingleBalanceHold,
  { requestId, captured, usage, status, contentType, body }: Resolution,
): Promise<StatementResult> {
  return line.execute(statement, [
    instantValue(times.now),
    instantValue(times.keptUntil),
    hold.accountId,
    hold.livemode,
    hold.book,
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
