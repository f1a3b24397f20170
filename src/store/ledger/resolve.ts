// The statements that resolve holds: capture with the stored response, release, and the adjustment
// of a hold to a measured price.
import { DAY_MS } from '../../kernel/time/durations.ts';
import { arrayLiteral, bytesLiteral } from './array-literal.ts';
import { captureOne } from './capture-one.ts';
import { captureUniform, uniformHoldOf } from './capture-uniform.ts';
import type { LedgerConnection, Statement } from './connection.ts';
import {
  type BatchResult,
  type BatchTime,
  linesOf,
  parametersOf,
  toSqlTime,
} from './parameters.ts';
import type { Resolution } from './resolution.ts';

/** Retention of responses, and validity of goodwill vouchers. */
const RETENTION_MS = DAY_MS;

const types =
  'timestamptz timestamptz timestamptz ' +
  'text[] text[] bigint[] text[] integer[] text[] text[] bytea[]';
const resolve: Statement = {
  name: 'ledger_resolve',
  text: `SELECT ledger_resolve(${parametersOf(types)})`,
};

/** Each result is `done`, or `lost` for a hold that another request has resolved. */
export async function resolveHolds(
  connection: LedgerConnection,
  now: number,
  batch: readonly Resolution[],
): Promise<BatchResult<string>> {
  const hold = uniformHoldOf(batch);
  if (hold !== null) {
    const times = { now, keptUntil: now + RETENTION_MS };
    const [firstHold, ...more] = batch;
    const isAlone = firstHold !== undefined && more.length === 0;
    const uniformResult = isAlone
      ? await captureOne(connection, times, hold, firstHold)
      : await captureUniform(connection, times, hold, batch);
    if (uniformResult.kind === 'result')
      return { kind: 'results', results: batch.map(() => 'done') };
    // A refusal wrote nothing: one of the holds is not uniform. The general path handles the batch.
    if (uniformResult.kind === 'disconnected') return uniformResult;
  }
  const column = <T extends string | number | bigint | null>(pick: (one: Resolution) => T) =>
    arrayLiteral(batch.map(pick));
  const result = await connection.execute(resolve, [
    toSqlTime(now),
    toSqlTime(now + RETENTION_MS),
    toSqlTime(now + RETENTION_MS),
    column((r) => r.requestId),
    column((r) => r.outcome),
    column((r) => r.captured),
    column((r) => (r.usage === null ? null : JSON.stringify(r.usage))),
    column((r) => r.status),
    column((r) => r.code),
    column((r) => r.contentType),
    bytesLiteral(batch.map((r) => r.body)),
  ]);
  if (result.kind !== 'result') return result;
  return { kind: 'results', results: linesOf(result.text) };
}

const remeasureTypes = 'timestamptz text timestamptz bigint timestamptz text bigint bigint';
const remeasure: Statement = {
  name: 'ledger_remeasure',
  text: `SELECT ledger_remeasure(${parametersOf(remeasureTypes)})`,
};

const extend: Statement = {
  name: 'ledger_extend',
  text: `SELECT ledger_extend(${parametersOf(remeasureTypes)})`,
};

export type HoldChange = {
  readonly requestId: string;
  readonly quantity: number;
  readonly amount: bigint;
  /** For an amount that is not covered: releases the hold, or leaves it unchanged. */
  readonly ifUncovered: 'release' | 'keep';
};

/** Fields of one line: see `ledger_remeasure` and `ledger_extend` in the migrations. */
export async function changeHold(
  connection: LedgerConnection,
  batchTime: BatchTime,
  next: HoldChange,
): Promise<BatchResult<readonly string[]>> {
  const result = await connection.execute(next.ifUncovered === 'keep' ? extend : remeasure, [
    toSqlTime(batchTime.now),
    batchTime.day,
    toSqlTime(batchTime.dayEndsAt),
    String(batchTime.allowance),
    toSqlTime(batchTime.now + RETENTION_MS),
    next.requestId,
    next.quantity,
    String(next.amount),
  ]);
  if (result.kind !== 'result') return result;
  return { kind: 'results', results: [result.text.split('|')] };
}
