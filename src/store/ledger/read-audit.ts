// Reads the violations of the ledger's invariants. The audit has one view per invariant.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { inSnapshot, sqlOf } from '../platform/db.ts';
import {
  listExportedLedgerMonths,
  type RetiredFiles,
  withExportedLedger,
} from '../platform/retention.ts';

export const auditViews = [
  'balanced',
  'never_negative',
  'cache_is_replay',
  'resolved_once',
  'captured_once_per_key',
  'allocations_are_the_charge',
  'spending_order',
  'charged_what_was_answered',
  'revenue_is_price_times_quantity',
  'allowance_within_its_day',
  'chain_intact',
  'top_ups_are_in_the_books',
  'refunds_within_the_charge',
  'usage_is_the_calls',
  'lines_are_the_usage',
] as const;

export type AuditView = (typeof auditViews)[number];

export type Violation = { readonly subject: string; readonly detail: string };

/** The journal in the snapshot of an audit. Entries are counted by their sequence numbers. */
export type AuditedJournal = {
  readonly entries: number;
  /** Entries covered by the hash chain. */
  readonly sealed: number;
  /** The last seal; 0: none. */
  readonly lastSeal: number;
  /** The checkpoint at which the audit started; 0: it replayed the whole journal. */
  readonly checkpoint: number;
  /** The last entry before the start. */
  readonly startSeq: number;
};

export type AuditResult = {
  readonly violations: ReadonlyMap<AuditView, readonly Violation[]>;
  readonly journal: AuditedJournal;
};

type AuditLimits = {
  /** Maximum number of rows of each invariant. */
  readonly max: number;
  readonly isFull: boolean;
  /** The files of exported months; null: not configured. */
  readonly files: RetiredFiles | null;
};

/**
 * Violations of each invariant in one snapshot, at most `max` rows of each. `onRead` is awaited
 * after each invariant. Unless `isFull`, the audit starts at the latest checkpoint.
 */
export async function readAudit(
  db: Db,
  { max, isFull, files }: AuditLimits,
  onRead: (view: AuditView, violations: readonly Violation[]) => Promise<void> = async () => {},
): Promise<AuditResult> {
  const needsFiles = isFull && (await listExportedLedgerMonths(db)).length > 0;
  const runInSnapshot: <T>(work: (tx: Db) => Promise<T>) => Promise<T> = needsFiles
    ? (work) => withExportedLedger(db, files, work)
    : (work) => inSnapshot(db, work);
  return runInSnapshot(async (tx) => {
    // Reading the whole journal may exceed the statement timeout.
    await sql`SET LOCAL statement_timeout = 0`.execute(sqlOf(tx));
    if (!isFull) await sql`SELECT ledger_audit.start_at_checkpoint()`.execute(sqlOf(tx));
    const journal = await measureJournal(tx);
    const violationsByView = new Map<AuditView, readonly Violation[]>();
    for (const view of auditViews) {
      // Without the CTE the limit favours nested loops: 136 s instead of 1.7 s for 20,000 calls.
      const { rows } = await sql<Violation>`
        WITH found AS MATERIALIZED (SELECT subject, detail FROM ${sql.id('ledger_audit', view)})
        SELECT subject, detail FROM found LIMIT ${max}`.execute(sqlOf(tx));
      violationsByView.set(view, rows);
      await onRead(view, rows);
    }
    return { violations: violationsByView, journal };
  });
}

/** Each seal stores the number of its entries, so only entries without a seal are counted. */
async function measureJournal(db: Db): Promise<AuditedJournal> {
  const { rows } = await sql<AuditedJournal>`
    SELECT s.sealed + (SELECT count(*) FROM entries WHERE seq > s.last_seq) AS entries, s.sealed,
      s.last_seal AS "lastSeal", ledger_audit.checkpoint() AS checkpoint,
      ledger_audit.start_seq() AS "startSeq"
    FROM (
      SELECT coalesce(sum(entries), 0)::bigint AS sealed, coalesce(max(last_seq), 0) AS last_seq,
        coalesce(max(number), 0) AS last_seal
      FROM seals
    ) AS s`.execute(sqlOf(db));
  return rows[0] ?? { entries: 0, sealed: 0, lastSeal: 0, checkpoint: 0, startSeq: 0 };
}
