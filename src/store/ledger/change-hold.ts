// Changes the amount of a hold while its call runs.
import type { LedgerConnection, Statement } from './connection.ts';
import { decodeHoldChange, type HoldChangeRow } from './decode-result.ts';
import { type BatchResult, type BatchTime, parametersOf, toSqlTime } from './parameters.ts';
import { RETENTION_MS } from './resolution.ts';

const types = parametersOf('timestamptz text timestamptz bigint timestamptz text bigint bigint');
const remeasureStatement: Statement = {
  name: 'ledger_remeasure',
  text: `SELECT ledger_remeasure(${types})`,
};
const extendStatement: Statement = {
  name: 'ledger_extend',
  text: `SELECT ledger_extend(${types})`,
};

export type HoldChange = {
  readonly requestId: string;
  readonly quantity: number;
  /** Micro-fen. */
  readonly amount: bigint;
  /** When the balances do not cover the amount: releases the hold, or leaves it unchanged. */
  readonly ifUncovered: 'release' | 'keep';
};

export async function changeHold(
  connection: LedgerConnection,
  batchTime: BatchTime,
  change: HoldChange,
): Promise<BatchResult<HoldChangeRow>> {
  const result = await connection.execute(
    change.ifUncovered === 'keep' ? extendStatement : remeasureStatement,
    [
      toSqlTime(batchTime.now),
      batchTime.day,
      toSqlTime(batchTime.dayEndsAt),
      String(batchTime.allowance),
      toSqlTime(batchTime.now + RETENTION_MS),
      change.requestId,
      change.quantity,
      String(change.amount),
    ],
  );
  if (result.kind !== 'result') return result;
  return { kind: 'results', results: [decodeHoldChange(result.text)] };
}
