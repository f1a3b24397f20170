// The statements that resolve holds: capture with the stored response, or release. Uniform
// captures (one wallet, one balance, one sku) use plain statements over sets. All others use the
// general function.
import { arrayLiteral, bytesLiteral } from './array-literal.ts';
import { bigintArray, instantValue, integerArray, textArray } from './binary-array.ts';
import type { LedgerConnection, Statement, StatementResult } from './connection.ts';
import { decodeResolutions } from './decode-result.ts';
import { groupConsecutive } from './group-consecutive.ts';
import { type BatchResult, parametersOf, toSqlTime } from './parameters.ts';
import { RETENTION_MS, type Resolution, type SingleBalanceHold } from './resolution.ts';

const uniformTypes =
  'timestamptz timestamptz text boolean text text integer bigint bigint text text text[] ' +
  'bigint[] bigint[] text[] bigint[] bytea integer[] integer[] integer[] jsonb[] integer[] text[]';
const uniformStatement: Statement = {
  name: 'ledger_capture_uniform',
  text: `SELECT ledger_capture_uniform(${parametersOf(uniformTypes)})`,
};

const generalTypes =
  'timestamptz timestamptz timestamptz ' +
  'text[] text[] bigint[] text[] integer[] text[] text[] bytea[]';
const generalStatement: Statement = {
  name: 'ledger_resolve',
  text: `SELECT ledger_resolve(${parametersOf(generalTypes)})`,
};

/** Each result is `done`, or `lost` for a hold that another request has resolved. */
export async function resolveHolds(
  connection: LedgerConnection,
  now: number,
  batch: readonly Resolution[],
): Promise<BatchResult<'done' | 'lost'>> {
  const hold = uniformHoldOf(batch);
  if (hold !== null) {
    const result = await captureUniform(connection, now, hold, batch);
    if (result.kind === 'result') return { kind: 'results', results: batch.map(() => 'done') };
    // A refusal had no effect: a stored hold differs. The general function decides call by call.
    if (result.kind === 'disconnected') return result;
  }
  const column = <T extends string | number | bigint | null>(pick: (resolution: Resolution) => T) =>
    arrayLiteral(batch.map(pick));
  const result = await connection.execute(generalStatement, [
    toSqlTime(now),
    toSqlTime(now + RETENTION_MS),
    toSqlTime(now + RETENTION_MS),
    column((resolution) => resolution.requestId),
    column((resolution) => resolution.outcome),
    column((resolution) => resolution.captured),
    column(({ usage }) => (usage === null ? null : JSON.stringify(usage))),
    column((resolution) => resolution.status),
    column((resolution) => resolution.code),
    column((resolution) => resolution.contentType),
    bytesLiteral(batch.map((resolution) => resolution.body)),
  ]);
  if (result.kind !== 'result') return result;
  return { kind: 'results', results: decodeResolutions(result.text) };
}

/** The first hold, if all captures are of one wallet, balance and SKU, with a response. */
function uniformHoldOf(batch: readonly Resolution[]): SingleBalanceHold | null {
  const hold = batch[0]?.hold ?? null;
  if (hold === null) return null;
  const isUniform = batch.every(
    ({ outcome, captured, body, hold: otherHold }) =>
      outcome === 'captured' &&
      body !== null &&
      captured > 0n &&
      otherHold !== null &&
      otherHold !== undefined &&
      captured <= otherHold.amount &&
      otherHold.accountId === hold.accountId &&
      otherHold.livemode === hold.livemode &&
      otherHold.balance === hold.balance &&
      otherHold.sku === hold.sku,
  );
  return isUniform ? hold : null;
}

const EMPTY_BODY = Buffer.alloc(0);

/** The statement captures only if all stored holds match; otherwise it has no effect. */
function captureUniform(
  connection: LedgerConnection,
  now: number,
  hold: SingleBalanceHold,
  batch: readonly Resolution[],
): Promise<StatementResult> {
  let capturedTotal = 0n;
  let releasedTotal = 0n;
  let firstRequestId = batch[0]?.requestId ?? '';
  let lastRequestId = firstRequestId;
  for (const { requestId } of batch) {
    if (requestId < firstRequestId) firstRequestId = requestId;
    if (requestId > lastRequestId) lastRequestId = requestId;
  }
  const releasedParts = batch.flatMap(({ requestId, captured, hold: callHold }) => {
    const released = (callHold?.amount ?? 0n) - captured;
    return released > 0n ? [{ requestId, amount: released }] : [];
  });
  for (const { amount } of releasedParts) releasedTotal += amount;
  for (const { captured } of batch) capturedTotal += captured;
  const { firstRows, groupNumbers } = groupConsecutive(
    batch.map(({ usage, status, contentType }) => {
      return { usage: JSON.stringify(usage), status, contentType };
    }),
    (a, b) => a.usage === b.usage && a.status === b.status && a.contentType === b.contentType,
  );
  const bodies = batch.map(({ body }) => body ?? EMPTY_BODY);
  let start = 1;
  const starts = bodies.map(({ length }) => {
    start += length;
    return start - length;
  });
  return connection.execute(uniformStatement, [
    instantValue(now),
    instantValue(now + RETENTION_MS),
    hold.accountId,
    hold.livemode,
    hold.balance,
    hold.sku,
    batch.length,
    String(capturedTotal),
    String(releasedTotal),
    firstRequestId,
    lastRequestId,
    textArray(batch.map(({ requestId }) => requestId)),
    bigintArray(batch.map(({ captured }) => captured)),
    bigintArray(batch.map((request) => request.hold?.amount ?? 0n)),
    textArray(releasedParts.map(({ requestId }) => requestId)),
    bigintArray(releasedParts.map(({ amount }) => amount)),
    Buffer.concat(bodies),
    integerArray(starts),
    integerArray(bodies.map(({ length }) => length)),
    integerArray(groupNumbers),
    arrayLiteral(firstRows.map(({ usage }) => usage)),
    integerArray(firstRows.map(({ status }) => status)),
    textArray(firstRows.map(({ contentType }) => contentType)),
  ]);
}
