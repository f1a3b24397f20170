// Captures a uniform batch: holds of one wallet, one balance and one sku, each in whole or in part.
// The caller supplies the holds; the statement verifies them and otherwise writes nothing.
import { arrayLiteral } from './array-literal.ts';
import { bigintArray, instantValue, integerArray, textArray } from './binary-array.ts';
import type { LedgerConnection, Statement, StatementResult } from './connection.ts';
import { parametersOf } from './parameters.ts';
import type { Resolution, SingleBalanceHold } from './resolution.ts';

const types =
  'timestamptz timestamptz text boolean text text integer bigint bigint text[] bigint[] bigint[] ' +
  'text[] bigint[] bytea integer[] integer[] integer[] jsonb[] integer[] text[]';
const statement: Statement = {
  name: 'ledger_capture_plain',
  text: `SELECT ledger_capture_plain(${parametersOf(types)})`,
};

const NOTHING = Buffer.alloc(0);

/** The shared hold of a uniform batch, else null. */
export function uniformHoldOf(batch: readonly Resolution[]): SingleBalanceHold | null {
  const hold = batch[0]?.hold ?? null;
  if (hold === null) return null;
  const isPlain = batch.every(
    ({ outcome, captured, body, hold: other }) =>
      outcome === 'captured' &&
      body !== null &&
      captured > 0n &&
      other !== null &&
      other !== undefined &&
      captured <= other.amount &&
      other.accountId === hold.accountId &&
      other.livemode === hold.livemode &&
      other.balance === hold.balance &&
      other.sku === hold.sku,
  );
  return isPlain ? hold : null;
}

/** Refused when a stored hold differs from the supplied one, or occurs twice. */
export async function captureUniform(
  connection: LedgerConnection,
  times: { readonly now: number; readonly keptUntil: number },
  hold: SingleBalanceHold,
  batch: readonly Resolution[],
): Promise<StatementResult> {
  const kinds: { usage: string; resolution: Resolution }[] = [];
  let total = 0n;
  let returned = 0n;
  const parts = batch.flatMap(({ requestId, captured, hold: heldAmount }) => {
    const released = (heldAmount?.amount ?? 0n) - captured;
    return released > 0n ? [{ requestId, back: released }] : [];
  });
  for (const { back } of parts) returned += back;
  const numbers = batch.map((request) => {
    total += request.captured;
    const usage = JSON.stringify(request.usage);
    const last = kinds.at(-1);
    const isAlike =
      last?.usage === usage &&
      last.resolution.status === request.status &&
      last.resolution.contentType === request.contentType;
    return isAlike ? kinds.length : kinds.push({ usage, resolution: request });
  });
  const bodies = batch.map(({ body }) => body ?? NOTHING);
  let start = 1;
  const starts = bodies.map(({ length }) => {
    start += length;
    return start - length;
  });
  return connection.execute(statement, [
    instantValue(times.now),
    instantValue(times.keptUntil),
    hold.accountId,
    hold.livemode,
    hold.balance,
    hold.sku,
    batch.length,
    String(total),
    String(returned),
    textArray(batch.map(({ requestId }) => requestId)),
    bigintArray(batch.map(({ captured }) => captured)),
    bigintArray(batch.map((request) => request.hold?.amount ?? 0n)),
    textArray(parts.map(({ requestId }) => requestId)),
    bigintArray(parts.map(({ back }) => back)),
    Buffer.concat(bodies),
    integerArray(starts),
    integerArray(bodies.map(({ length }) => length)),
    integerArray(numbers),
    arrayLiteral(kinds.map(({ usage }) => usage)),
    integerArray(kinds.map(({ resolution }) => resolution.status)),
    textArray(kinds.map(({ resolution }) => resolution.contentType)),
  ]);
}
