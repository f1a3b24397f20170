// The invariants of money, proved again and again while the ledger runs: on a schedule that takes a
// fiftieth of one connection's time at the most, and whenever an operator asks. What was found is
// kept, so that anybody can be shown when all of it held last.
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  claimIntegrityCheck,
  finishIntegrityCheck,
  type IntegrityCheckRow,
  insertIntegrityCheck,
  integrityCheckRows,
  lastEntry,
  lastIntegrityCheckRow,
  updateIntegrityCheck,
} from '../../../store/ledger/integrity-checks.ts';
import { type AuditView, auditViews } from '../../../store/ledger/read-audit.ts';
import type { ProofResult } from '../../../store/schema/operations.ts';
import { auditLedger } from './audit-ledger.ts';

/** The next is due after so many times as long as the last one took, an hour at the least. */
const PAUSE_FACTOR = 50;
const MIN_PAUSE_MS = 3_600_000;
/** So often also while nothing was written: a table can be spoiled without the ledger. */
const DAILY_MS = DAY_MS;
/** A worker tells of every invariant; one that says nothing for so long has died. */
const STALLED_MS = 30 * 60_000;
const SAMPLE = 5;

/** All invariants there are, in their order. */
export const invariants: readonly AuditView[] = auditViews;

export type IntegrityCheck = {
  readonly id: string;
  readonly state: 'asked' | 'running' | 'finished';
  readonly askedAt: number;
  /** Null: it was due. */
  readonly askedBy: string | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Of the journal, once it is finished. */
  readonly entries: number | null;
  readonly sealed: number | null;
  /** As far as it has come, in the invariants' order. */
  readonly results: readonly ProofResult[];
  /** Finished, and nothing was broken. */
  readonly holds: boolean;
};

/** Newest first. */
export async function listIntegrityChecks(
  db: Db,
  limit: number,
): Promise<readonly IntegrityCheck[]> {
  return (await integrityCheckRows(db, limit)).map(integrityCheckOf);
}

/** The last one that was finished; null while there is none. */
export async function lastIntegrityCheck(db: Db): Promise<IntegrityCheck | null> {
  const row = await lastIntegrityCheckRow(db);
  return row === null ? null : integrityCheckOf(row);
}

/** Has a worker prove it soon, unless one waits or runs already. */
export async function requestIntegrityCheck(
  world: World,
  db: Db,
  actor: string | null,
): Promise<void> {
  const [newest] = await listIntegrityChecks(db, 1);
  if (newest !== undefined && newest.state !== 'finished') return;
  await insertIntegrityCheck(db, {
    ...{ id: `proof_${world.ids.next()}`, askedAt: world.clock.now(), askedBy: actor },
  });
}

/** Whether a worker has one to make now. */
export async function isIntegrityCheckDue(world: World, db: Db): Promise<boolean> {
  const [newest] = await integrityCheckRows(db, 1);
  const now = world.clock.now();
  if (newest !== undefined && newest.finished_at === null) {
    return newest.told_at === null || newest.told_at <= now - STALLED_MS;
  }
  const last = await lastIntegrityCheckRow(db);
  const entries = await lastEntry(db);
  if (last === null) return entries > 0;
  const [began, ended] = [last.started_at ?? last.asked_at, last.finished_at ?? last.asked_at];
  const pause = Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (ended - began));
  // A clock that went back makes it due as well.
  if (now >= began && now < ended + pause) return false;
  return entries > (last.entries ?? 0) || now < began || now >= ended + DAILY_MS;
}

/** Makes the one that was asked for, or else one that is due. False: there is none to make. */
export async function checkLedger(world: World, db: Db): Promise<boolean> {
  if (!(await isIntegrityCheckDue(world, db))) return false;
  const claim = async () => {
    const now = world.clock.now();
    return claimIntegrityCheck(db, { now, silentSince: now - STALLED_MS });
  };
  let proof = await claim();
  if (proof === null) {
    await requestIntegrityCheck(world, db, null);
    proof = await claim();
  }
  if (proof === null) return false;
  const results: ProofResult[] = [];
  let began = world.clock.now();
  const entries = await lastEntry(db);
  const audit = await auditLedger(world, db, async (name, violations) => {
    const at = world.clock.now();
    const sample = violations.slice(0, SAMPLE);
    results.push({ name, broken: violations.length, sample, ms: Math.max(0, at - began) });
    began = at;
    await updateIntegrityCheck(db, proof.id, { at, results });
  });
  const at = world.clock.now();
  await finishIntegrityCheck(db, proof.id, { at, entries, sealed: audit.sealed, results });
  return true;
}

function integrityCheckOf(row: IntegrityCheckRow): IntegrityCheck {
  const { id, results, entries, sealed } = row;
  const isFinished = row.finished_at !== null;
  return {
    ...{ id, results, entries, sealed },
    state: isFinished ? 'finished' : row.started_at === null ? 'asked' : 'running',
    askedAt: row.asked_at,
    askedBy: row.asked_by,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    holds: isFinished && results.every(({ broken }) => broken === 0),
  };
}
