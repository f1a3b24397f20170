// The statements that change the amount of a hold while its call runs.
import type { LedgerConnection, Statement } from './connection.ts';
import { decodeHoldChange, type HoldChangeRow } from './decode-result.ts';
import { type BatchResult, type BatchTime, parametersOf, toSqlTime } from './parameters.ts';
import { RETENTION_MS } from './resolution.ts';

const types = parametersOf('timestamptz text timestamptz bigint timestamptz text bigint bigint');
const remeasure: Statement = {
  name: 'ledger_remeasure',
  text: `SELECT ledger_remeasure(${types})`,
};
const extend: Statement = { name: 'ledger_extend', text: `SELECT ledger_extend(${types})` };

export type HoldChange = {
  readonly requestId: string;
  readonly quantity: number;
  readonly amount: bigint;
  /** For an amount that is not covered: releases the hold, or leaves it unchanged. */
  readonly ifUncovered: 'release' | 'keep';
};

export async function changeHold(
  connection: LedgerConnection,
  batchTime: BatchTime,
  next: HoldChange,
): Promise<BatchResult<HoldChangeRow>> {
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
  return { kind: 'results', results: [decodeHoldChange(result.text)] };
}
