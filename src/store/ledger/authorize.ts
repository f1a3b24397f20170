// The statements that authorize calls. Uniform calls (one wallet, one key, covered by one balance)
// use plain statements over sets. All others use the general function, which decides call
// by call.
import { requirePresent } from '../../kernel/errors/assert.ts';
import { arrayLiteral } from './array-literal.ts';
import type { AuthorizeRow } from './authorize-request.ts';
import {
  bigintArray,
  instantArray,
  instantValue,
  integerArray,
  textArray,
} from './binary-array.ts';
import type { LedgerConnection, Statement, StatementResult } from './connection.ts';
import {
  type AuthorizationRow,
  decodeAuthorizations,
  decodeUniformAuthorization,
} from './decode-result.ts';
import { groupConsecutive } from './group-consecutive.ts';
import { type BatchResult, type BatchTime, parametersOf, toSqlTime } from './parameters.ts';

const uniformTypes =
  'timestamptz text text text boolean text bigint text integer bigint integer integer ' +
  'timestamptz text[] bigint[] text[] text[] timestamptz[] integer[] text[] text[] integer[] ' +
  'text[] bigint[] bigint[]';
const uniformStatement: Statement = {
  name: 'ledger_authorize_uniform',
  text: `SELECT ledger_authorize_uniform(${parametersOf(uniformTypes)})`,
};

const columns =
  'text[] text[] boolean[] text[] text[] text[] integer[] text[] bigint[] bigint[] bigint[] ' +
  'bigint[] text[] text[] text[] integer[] integer[] timestamptz[]';
const generalTypes = `timestamptz text timestamptz text bigint boolean ${columns}`;
const generalStatement: Statement = {
  name: 'ledger_open',
  text: `SELECT ledger_open(${parametersOf(generalTypes)})`,
};

/**
 * Authorizes calls; one result per call, in their order. `isRetry`: a statement whose result was
 * lost may have authorized the same requests.
 */
export async function authorizeCalls(
  connection: LedgerConnection,
  batchTime: BatchTime,
  calls: readonly AuthorizeRow[],
  isRetry: boolean,
): Promise<BatchResult<AuthorizationRow>> {
  const [first] = calls;
  if (!isRetry && first !== undefined && isUniform(first, calls)) {
    const result = await executeUniform(connection, batchTime, first, calls);
    if (result.kind === 'disconnected') return result;
    // A refusal had no effect. One reason is a used idempotency key.
    const authorization = result.kind === 'result' ? decodeUniformAuthorization(result.text) : null;
    if (authorization !== null) {
      const { balance, dayCalls, monthCalls } = authorization;
      const results = calls.map(({ amount }, index): AuthorizationRow => {
        const parts = [{ balance, amount }];
        return {
          kind: 'opened',
          parts,
          dayCalls: dayCalls + index + 1,
          monthCalls: monthCalls + index + 1,
        };
      });
      return { kind: 'results', results };
    }
  }
  return authorizeEach(connection, batchTime, calls, isRetry);
}

function isUniform(first: AuthorizeRow, calls: readonly AuthorizeRow[]): boolean {
  return calls.every(
    (call) =>
      call.accountId === first.accountId &&
      call.livemode === first.livemode &&
      call.keyId === first.keyId &&
      call.amount > 0n &&
      call.budget?.amount === first.budget?.amount &&
      call.budget?.period === first.budget?.period &&
      Number.isSafeInteger(call.quantity) &&
      [call.priceVersion, call.quotas.day, call.quotas.month].every(isInt4),
  );
}

/**
 * Whether a value is a 32-bit integer. A larger value would make the whole uniform batch fail. The
 * general path refuses only the call with this value.
 */
const isInt4 = (value: number) => value === (value | 0);

function executeUniform(
  connection: LedgerConnection,
  batchTime: BatchTime,
  first: AuthorizeRow,
  calls: readonly AuthorizeRow[],
): Promise<StatementResult> {
  const { firstRows, groupNumbers } = groupConsecutive(calls, hasSameTerms);
  let total = 0n;
  let firstDeadline = first.deadlineAt;
  for (const { amount, deadlineAt } of calls) {
    total += amount;
    if (deadlineAt < firstDeadline) firstDeadline = deadlineAt;
  }
  return connection.execute(uniformStatement, [
    instantValue(batchTime.now),
    batchTime.day,
    batchTime.month,
    first.accountId,
    first.livemode,
    first.keyId,
    first.budget === null ? null : String(first.budget.amount),
    first.budget?.period ?? null,
    calls.length,
    String(total),
    Math.min(...firstRows.map(({ quotas }) => quotas.day)),
    Math.min(...firstRows.map(({ quotas }) => quotas.month)),
    instantValue(firstDeadline),
    textArray(calls.map((call) => call.requestId)),
    bigintArray(calls.map((call) => call.amount)),
    textArray(calls.map((call) => call.idempotency?.key ?? null)),
    textArray(calls.map((call) => call.idempotency?.fingerprint ?? null)),
    instantArray(calls.map((call) => call.deadlineAt)),
    integerArray(groupNumbers),
    textArray(firstRows.map((call) => call.capability)),
    textArray(firstRows.map((call) => call.sku)),
    integerArray(firstRows.map((call) => call.priceVersion)),
    textArray(firstRows.map((call) => call.unit)),
    bigintArray(firstRows.map((call) => BigInt(call.quantity))),
    bigintArray(firstRows.map((call) => call.maxCharge)),
  ]);
}

/** Whether two calls share all values that the statement receives once per group. */
const hasSameTerms = (first: AuthorizeRow, second: AuthorizeRow) =>
  first.capability === second.capability &&
  first.sku === second.sku &&
  first.priceVersion === second.priceVersion &&
  first.unit === second.unit &&
  first.quantity === second.quantity &&
  first.maxCharge === second.maxCharge &&
  first.quotas.day === second.quotas.day &&
  first.quotas.month === second.quotas.month;

async function authorizeEach(
  connection: LedgerConnection,
  batchTime: BatchTime,
  calls: readonly AuthorizeRow[],
  isRetry: boolean,
): Promise<BatchResult<AuthorizationRow>> {
  // Grouped by wallet. Requests of one wallet keep their order.
  const orderedCalls = calls
    .map((call, place) => ({ call, place }))
    .sort((a, b) => compareWallets(a.call, b.call) || a.place - b.place);
  const column = <T extends string | number | bigint | boolean | null>(
    pick: (call: AuthorizeRow) => T,
  ) => arrayLiteral(orderedCalls.map(({ call }) => pick(call)));
  const result = await connection.execute(generalStatement, [
    toSqlTime(batchTime.now),
    batchTime.day,
    toSqlTime(batchTime.dayEndsAt),
    batchTime.month,
    String(batchTime.allowance),
    isRetry,
    column((call) => call.requestId),
    column((call) => call.accountId),
    column((call) => call.livemode),
    column((call) => call.keyId),
    column((call) => call.capability),
    column((call) => call.sku),
    column((call) => call.priceVersion),
    column((call) => call.unit),
    column((call) => call.quantity),
    column((call) => call.amount),
    column((call) => call.maxCharge),
    column((call) => call.budget?.amount ?? null),
    column((call) => call.budget?.period ?? null),
    column((call) => call.idempotency?.key ?? null),
    column((call) => call.idempotency?.fingerprint ?? null),
    column((call) => call.quotas.day),
    column((call) => call.quotas.month),
    column((call) => toSqlTime(call.deadlineAt)),
  ]);
  if (result.kind !== 'result') return result;
  const rows = decodeAuthorizations(result.text, calls.length);
  const results: AuthorizationRow[] = Array.from({ length: calls.length });
  for (const [index, { place }] of orderedCalls.entries())
    results[place] = requirePresent(rows[index], 'a result');
  return { kind: 'results', results };
}

type WalletKey = { readonly accountId: string; readonly livemode: boolean };

function compareWallets(a: WalletKey, b: WalletKey): number {
  if (a.accountId !== b.accountId) return a.accountId < b.accountId ? -1 : 1;
  return Number(a.livemode) - Number(b.livemode);
}
