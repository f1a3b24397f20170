// Authorizes a uniform batch: priced calls of one wallet and key without a budget. Shared values
// are sent once, so the statement costs little more than its rows.
import type { AuthorizeRow } from './authorize-request.ts';
import {
  bigintArray,
  instantArray,
  instantValue,
  integerArray,
  textArray,
} from './binary-array.ts';
import type { LedgerConnection, Statement } from './connection.ts';
import { type BatchResult, type BatchTime, linesOf, parametersOf } from './parameters.ts';

const types =
  'timestamptz text timestamptz text bigint text boolean text integer bigint integer integer ' +
  'timestamptz text[] bigint[] text[] text[] timestamptz[] integer[] text[] text[] integer[] ' +
  'text[] bigint[] bigint[] integer[] integer[]';
const statement: Statement = {
  name: 'ledger_open_plain',
  text: `SELECT ledger_open_plain(${parametersOf(types)})`,
};

export function isUniform(calls: readonly AuthorizeRow[]): boolean {
  const [first] = calls;
  return calls.every(
    (call) =>
      call.accountId === first?.accountId &&
      call.livemode === first.livemode &&
      call.keyId === first.keyId &&
      call.amount > 0n &&
      call.budget === null &&
      Number.isSafeInteger(call.quantity) &&
      [call.priceVersion, call.quotas.day, call.quotas.month].every(isInt4),
  );
}

/** A larger value would fail the whole batch here. The general path refuses it alone. */
const isInt4 = (value: number) => value === (value | 0);

/**
 * For uniform calls; returns results as `authorizeCalls` does. Refused: one call differs, for
 * example by a used idempotency key, and nothing was written.
 */
export async function authorizeUniform(
  connection: LedgerConnection,
  batchTime: BatchTime,
  calls: readonly AuthorizeRow[],
): Promise<BatchResult<readonly string[]>> {
  const [first] = calls;
  if (first === undefined) return { kind: 'results', results: [] };
  const { kinds, numbers } = kindsOf(calls);
  let total = 0n;
  let firstDeadline = first.deadlineAt;
  for (const { amount, deadlineAt } of calls) {
    total += amount;
    if (deadlineAt < firstDeadline) firstDeadline = deadlineAt;
  }
  const result = await connection.execute(statement, [
    instantValue(batchTime.now),
    batchTime.day,
    instantValue(batchTime.dayEndsAt),
    batchTime.month,
    String(batchTime.allowance),
    first.accountId,
    first.livemode,
    first.keyId,
    calls.length,
    String(total),
    Math.min(...kinds.map(({ quotas }) => quotas.day)),
    Math.min(...kinds.map(({ quotas }) => quotas.month)),
    instantValue(firstDeadline),
    textArray(calls.map((c) => c.requestId)),
    bigintArray(calls.map((c) => c.amount)),
    textArray(calls.map((c) => c.idempotency?.key ?? null)),
    textArray(calls.map((c) => c.idempotency?.fingerprint ?? null)),
    instantArray(calls.map((c) => c.deadlineAt)),
    integerArray(numbers),
    textArray(kinds.map((c) => c.capability)),
    textArray(kinds.map((c) => c.sku)),
    integerArray(kinds.map((c) => c.priceVersion)),
    textArray(kinds.map((c) => c.unit)),
    bigintArray(kinds.map((c) => BigInt(c.quantity))),
    bigintArray(kinds.map((c) => c.maxCharge)),
    integerArray(kinds.map((c) => c.quotas.day)),
    integerArray(kinds.map((c) => c.quotas.month)),
  ]);
  if (result.kind !== 'result') return result;
  const [kind, balance = '', day, month] = result.text.split('|');
  if (kind !== 'plain') {
    return { kind: 'results', results: linesOf(result.text).map((text) => text.split('|')) };
  }
  const [before, monthBefore] = [Number(day) + 1, Number(month) + 1];
  const results = calls.map(({ amount }, n) => {
    return ['opened', balance, String(amount), String(before + n), String(monthBefore + n)];
  });
  return { kind: 'results', results };
}

/** Groups consecutive equal calls: the first call of each group, and the group number per call. */
function kindsOf(calls: readonly AuthorizeRow[]) {
  const kinds: AuthorizeRow[] = [];
  const numbers = calls.map((call) => {
    const last = kinds.at(-1);
    return last !== undefined && isAlike(last, call) ? kinds.length : kinds.push(call);
  });
  return { kinds, numbers };
}

const isAlike = (first: AuthorizeRow, second: AuthorizeRow) =>
  first.capability === second.capability &&
  first.sku === second.sku &&
  first.priceVersion === second.priceVersion &&
  first.unit === second.unit &&
  first.quantity === second.quantity &&
  first.maxCharge === second.maxCharge &&
  first.quotas.day === second.quotas.day &&
  first.quotas.month === second.quotas.month;
