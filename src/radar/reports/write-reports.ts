// Writes due reports, each in one transaction under the publication lock. Two concurrent nodes
// write a report once. The report is public at the commit.
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import { citesOf, type ReportContent } from '../../store/radar/publication/report-content.ts';
import {
  findFirstItemAt,
  isMaterialAwaited,
  listActionsOnItems,
} from '../../store/radar/publication/report-material.ts';
import {
  addReportRun,
  isKnownEmpty,
  listEmptyReports,
} from '../../store/radar/publication/report-runs.ts';
import { findReport, insertReport, listReportKeys } from '../../store/radar/publication/reports.ts';
import { composeDaily } from './compose-daily.ts';
import { composePeriod } from './compose-period.ts';
import type { CompositionContext } from './composition-context.ts';
import { dueReports, type ExistingReports } from './due-reports.ts';
import { readDailyMaterial, readPeriodMaterial } from './read-material.ts';
import type { ReportPeriod } from './report-periods.ts';
import { applyProse, type ProseDeps, type ReportProse, writeProse } from './write-prose.ts';

export type ReportContext = CompositionContext & {
  /** What a model needs to write headline, overview and introductions; null or absent: no model. */
  readonly prose?: ProseDeps | null;
  /** `publishDocuments` of the publication. It runs in the given transaction. */
  readonly publish: (
    world: World,
    tx: Db,
    refs: readonly { readonly kind: ReportPeriod['kind']; readonly key: string }[],
  ) => Promise<number>;
};

export type WriteOutcome = {
  readonly period: ReportPeriod;
  /**
   * `empty`: there was no news, so no report exists. `standing`: the report existed already, or an
   * earlier attempt was `empty`.
   */
  readonly outcome: 'written' | 'empty' | 'standing';
};

export async function listDuePeriods(world: World, db: Db): Promise<readonly ReportPeriod[]> {
  return dueReports(world.clock.now(), await readExisting(db));
}

/**
 * Writes the oldest report first. A report that fails or waits for enrichment ends the round,
 * because later reports may depend on it. The next round begins with that report. `signal` ends the
 * round between reports.
 */
export async function writeDueReports(
  world: World,
  db: Db,
  context: ReportContext,
  signal: AbortSignal,
): Promise<readonly WriteOutcome[]> {
  const outcomes: WriteOutcome[] = [];
  for (const period of await listDuePeriods(world, db)) {
    if (signal.aborted || (await isAwaitingEnrichment(world, db, period))) break;
    outcomes.push(await writeReport(world, db, context, period));
  }
  return outcomes;
}

/**
 * Items of the last minutes may still be in enrichment. A report waits for them, at most this long.
 */
const ENRICHMENT_TIMEOUT_MS = 3 * 60_000;

async function isAwaitingEnrichment(world: World, db: Db, period: ReportPeriod): Promise<boolean> {
  const { windowStart, windowEnd, dueAt } = period;
  if (world.clock.now() - dueAt >= ENRICHMENT_TIMEOUT_MS) return false;
  return isMaterialAwaited(db, windowStart, windowEnd);
}

/**
 * The caller ensures that the period is due. `isRequested`: an operator requested the report, so it
 * is composed again although its window was empty once.
 */
export async function writeReport(
  world: World,
  db: Db,
  context: ReportContext,
  period: ReportPeriod,
  isRequested = false,
): Promise<WriteOutcome> {
  const prose = await writeProseFor(world, db, context, period);
  return inTransaction(db, async (tx) => {
    await lockPublication(world, tx);
    const outcome = await storeReport(world, tx, context, { period, isRequested, prose });
    const run = { id: world.ids.next(), at: world.clock.now(), outcome, detail: null };
    await addReportRun(tx, { ...run, kind: period.kind, key: period.key });
    return { period, outcome };
  });
}

/**
 * Runs before the publication lock is taken, because a model needs seconds and publishers wait for
 * the lock.
 */
async function writeProseFor(
  world: World,
  db: Db,
  context: ReportContext,
  period: ReportPeriod,
): Promise<ReportProse | null> {
  const { kind, key } = period;
  if (!context.prose || kind === 'daily' || (await findReport(db, kind, key)) !== null) return null;
  const content = await composeContent(db, context, period);
  if (content === null) return null;
  return writeProse(world, context.prose, { key: `${kind} ${key}`, content });
}

type DueReport = {
  readonly period: ReportPeriod;
  readonly isRequested: boolean;
  readonly prose: ReportProse | null;
};

async function storeReport(
  world: World,
  tx: Db,
  context: ReportContext,
  { period, isRequested, prose }: DueReport,
): Promise<WriteOutcome['outcome']> {
  const { kind, key } = period;
  if ((await findReport(tx, kind, key)) !== null) return 'standing';
  if (!isRequested && (await isKnownEmpty(tx, kind, key))) return 'standing';
  const composedContent = await composeContent(tx, context, period);
  if (composedContent === null) return 'empty';
  const content = applyProse(composedContent, prose);
  const itemActions = await listActionsOnItems(tx, citesOf(content));
  const isWritten = await insertReport(tx, {
    kind,
    key,
    window_start: period.windowStart,
    window_end: period.windowEnd,
    generated_at: world.clock.now(),
    content: { ...content, knownActions: itemActions.map((action) => action.id) },
    version: 1,
  });
  assert(isWritten, 'only the holder of the publication lock writes');
  await context.publish(world, tx, [{ kind, key }]);
  return 'written';
}

/** Composes the content of a report from the current items; null: there is no news. */
export async function composeContent(
  tx: Db,
  context: ReportContext,
  period: ReportPeriod,
): Promise<ReportContent | null> {
  return period.kind === 'daily'
    ? composeDaily(
        context,
        period,
        await readDailyMaterial(tx, period, context.rules.daily.remembersDays),
      )
    : composePeriod(context, period, await readPeriodMaterial(tx, period));
}

async function readExisting(db: Db): Promise<ExistingReports> {
  const completed = {
    daily: new Set<string>(),
    weekly: new Set<string>(),
    monthly: new Set<string>(),
  };
  for (const { kind, key } of [...(await listReportKeys(db)), ...(await listEmptyReports(db))]) {
    completed[kind].add(key);
  }
  return { firstItemAt: await findFirstItemAt(db), completedKeys: completed };
}
