// Runs the scheduled integrity checks of the ledger, and checks that an operator requests.
// Scheduled checks take at most a fiftieth of one connection's time. Results are stored for the
// operator pages and metrics. A check starts at the latest checkpoint. A check without violations
// creates the next checkpoint.
import type { Db } from '../../../kernel/ports/db.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import {
  claimIntegrityCheck,
  findLastIntegrityCheckRow,
  finishIntegrityCheck,
  type IntegrityCheckRow,
  insertIntegrityCheck,
  listIntegrityCheckRows,
  readLastSequence,
  updateIntegrityCheck,
} from '../../../store/ledger/integrity-checks.ts';
import { type AuditView, auditViews } from '../../../store/ledger/read-audit.ts';
import { makeCheckpoint } from '../../../store/ledger/transfers.ts';
import type { ProofResult } from '../../../store/schema/operations.ts';
import { auditLedger } from './audit-ledger.ts';

/** The next check is due after this multiple of the last duration, and at least an hour. */
const PAUSE_FACTOR = 50;
const MIN_PAUSE_MS = 3_600_000;
/** Without new entries a check is due daily, because a table can be damaged from outside. */
const DAILY_MS = DAY_MS;
/** A worker reports after each invariant. After this time without a report, another takes over. */
const STALLED_MS = 30 * 60_000;
const SAMPLE_SIZE = 5;

/** All invariants, in order. */
export const invariants: readonly AuditView[] = auditViews;

export type IntegrityCheck = {
  readonly id: string;
  readonly state: 'asked' | 'running' | 'finished';
  readonly requestedAt: number;
  /** Null: started by the schedule. */
  readonly requestedBy: string | null;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  /** Sequence number of the last journal entry when the check began. */
  readonly entries: number | null;
  /** Number of entries in the hash chain. */
  readonly sealed: number | null;
  /** Results so far, in the order of the invariants. */
  readonly results: readonly ProofResult[];
  /** Finished without a violation. */
  readonly isIntact: boolean;
};

/** Newest first. */
export async function listIntegrityChecks(
  db: Db,
  limit: number,
): Promise<readonly IntegrityCheck[]> {
  return (await listIntegrityCheckRows(db, limit)).map(integrityCheckOf);
}

/** The last finished check; null without one. */
export async function findLastIntegrityCheck(db: Db): Promise<IntegrityCheck | null> {
  const row = await findLastIntegrityCheckRow(db);
  return row === null ? null : integrityCheckOf(row);
}

/** Requests a check, unless one is pending or running. */
export async function requestIntegrityCheck(
  world: World,
  db: Db,
  actor: string | null,
): Promise<void> {
  const [newestCheck] = await listIntegrityChecks(db, 1);
  if (newestCheck !== undefined && newestCheck.state !== 'finished') return;
  await insertIntegrityCheck(db, {
    id: `proof_${world.ids.next()}`,
    requestedAt: world.clock.now(),
    requestedBy: actor,
  });
}

/** Whether a check is pending or due. */
export async function isIntegrityCheckDue(world: World, db: Db): Promise<boolean> {
  const [newestCheck] = await listIntegrityCheckRows(db, 1);
  const now = world.clock.now();
  if (newestCheck !== undefined && newestCheck.finished_at === null) {
    return newestCheck.told_at === null || newestCheck.told_at <= now - STALLED_MS;
  }
  const lastCheck = await findLastIntegrityCheckRow(db);
  const entries = await readLastSequence(db);
  if (lastCheck === null) return entries > 0;
  const [startedAt, finishedAt] = [
    lastCheck.started_at ?? lastCheck.asked_at,
    lastCheck.finished_at ?? lastCheck.asked_at,
  ];
  const pause = Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * (finishedAt - startedAt));
  // A clock that moved back also makes a check due.
  if (now >= startedAt && now < finishedAt + pause) return false;
  return entries > (lastCheck.entries ?? 0) || now < startedAt || now >= finishedAt + DAILY_MS;
}

/** Runs the pending or due check. Returns false when there is none. */
export async function checkLedger(world: World, db: Db): Promise<boolean> {
  if (!(await isIntegrityCheckDue(world, db))) return false;
  const claim = async () => {
    const now = world.clock.now();
    return claimIntegrityCheck(db, { now, silentSince: now - STALLED_MS });
  };
  let check = await claim();
  if (check === null) {
    await requestIntegrityCheck(world, db, null);
    check = await claim();
  }
  if (check === null) return false;
  const results: ProofResult[] = [];
  let startedAt = world.clock.now();
  const entries = await readLastSequence(db);
  const audit = await auditLedger(world, db, 'since-checkpoint', async (name, violations) => {
    const checkedAt = world.clock.now();
    const sample = violations.slice(0, SAMPLE_SIZE);
    results.push({
      name,
      broken: violations.length,
      sample,
      ms: Math.max(0, checkedAt - startedAt),
    });
    startedAt = checkedAt;
    await updateIntegrityCheck(db, check.id, { at: checkedAt, results });
  });
  if (audit.isIntact) await makeCheckpoint(db, { now: world.clock.now(), seal: audit.lastSeal });
  const finishedAt = world.clock.now();
  await finishIntegrityCheck(db, check.id, {
    at: finishedAt,
    entries,
    sealed: audit.sealed,
    results,
  });
  return true;
}

function integrityCheckOf(row: IntegrityCheckRow): IntegrityCheck {
  const { id, results, entries, sealed } = row;
  const isFinished = row.finished_at !== null;
  return {
    id,
    results,
    entries,
    sealed,
    state: isFinished ? 'finished' : row.started_at === null ? 'asked' : 'running',
    requestedAt: row.asked_at,
    requestedBy: row.asked_by,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    isIntact: isFinished && results.every(({ broken }) => broken === 0),
  };
}
