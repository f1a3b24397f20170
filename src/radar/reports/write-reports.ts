// Writes the editions that are due, each in one transaction under the publication's head: two
// nodes at the same moment write one, and what is written is public when it is committed.
import { assert } from '../../kernel/errors/assert.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { lockPublication } from '../../store/radar/publication/publication-head.ts';
import { citesOf, type ReportContent } from '../../store/radar/publication/report-content.ts';
import {
  actionsOnItems,
  firstItemAt,
  isMaterialAwaited,
} from '../../store/radar/publication/report-material.ts';
import {
  addReportRun,
  emptyReports,
  isKnownEmpty,
} from '../../store/radar/publication/report-runs.ts';
import { findReport, insertReport, reportKeys } from '../../store/radar/publication/reports.ts';
import { composeDaily } from './compose-daily.ts';
import { composePeriod } from './compose-period.ts';
import type { Desk } from './desk.ts';
import { dueReports, type Existing } from './due-reports.ts';
import type { ReportEdition } from './editions.ts';
import { dailyMaterial, periodMaterial } from './gather-material.ts';
import { type ProseParts, type ReportProse, withProse, writeProse } from './write-prose.ts';

export type ReportDesk = Desk & {
  /** Headline, overview and introductions by a model; null or absent: none is configured. */
  readonly prose?: ProseParts | null;
  /** Publication's `publishDocuments`, part of the given transaction. */
  readonly publish: (
    world: World,
    tx: Db,
    refs: readonly { readonly kind: ReportEdition['kind']; readonly key: string }[],
  ) => Promise<number>;
};

export type Written = {
  readonly edition: ReportEdition;
  /** `standing`: it was there already. `empty`: there was nothing to tell, and so none is. */
  readonly outcome: 'written' | 'empty' | 'standing';
};

export async function editionsDue(world: World, db: Db): Promise<readonly ReportEdition[]> {
  return dueReports(world.clock.now(), await existing(db));
}

/**
 * Oldest first. One that fails ends the round, since later ones may rest on it; the next round
 * begins with it, as it does with one that came too soon. `signal` ends it between two editions.
 */
export async function writeDueReports(
  world: World,
  db: Db,
  desk: ReportDesk,
  signal: AbortSignal,
): Promise<readonly Written[]> {
  const written: Written[] = [];
  for (const edition of await editionsDue(world, db)) {
    if (signal.aborted || (await isTooSoon(world, db, edition))) break;
    written.push(await writeReport(world, db, desk, edition));
  }
  return written;
}

/** What came in the last minutes may be with the desk still: it is waited for, but not long. */
const PATIENCE_MS = 3 * 60_000;

async function isTooSoon(world: World, db: Db, edition: ReportEdition): Promise<boolean> {
  const { windowStart, windowEnd, dueAt } = edition;
  if (world.clock.now() - dueAt >= PATIENCE_MS) return false;
  return isMaterialAwaited(db, windowStart, windowEnd);
}

/**
 * The caller has made sure that the edition is due. `isSent`: somebody wants it looked at again
 * although its window was found empty once.
 */
export async function writeReport(
  world: World,
  db: Db,
  desk: ReportDesk,
  edition: ReportEdition,
  isSent = false,
): Promise<Written> {
  const prose = await proseFor(world, db, desk, edition);
  return inTransaction(db, async (tx) => {
    await lockPublication(world, tx);
    const outcome = await write(world, tx, desk, { edition, isSent, prose });
    const run = { id: world.ids.next(), at: world.clock.now(), outcome, detail: null };
    await addReportRun(tx, { ...run, kind: edition.kind, key: edition.key });
    return { edition, outcome };
  });
}

/** Asked before the head is locked: a model takes seconds, and readers' changes wait behind it. */
async function proseFor(
  world: World,
  db: Db,
  desk: ReportDesk,
  edition: ReportEdition,
): Promise<ReportProse | null> {
  const { kind, key } = edition;
  if (!desk.prose || kind === 'daily' || (await findReport(db, kind, key)) !== null) return null;
  const content = await compose(db, desk, edition);
  if (content === null) return null;
  return writeProse(world, desk.prose, { key: `${kind} ${key}`, content });
}

type ToWrite = {
  readonly edition: ReportEdition;
  readonly isSent: boolean;
  readonly prose: ReportProse | null;
};

async function write(
  world: World,
  tx: Db,
  desk: ReportDesk,
  { edition, isSent, prose }: ToWrite,
): Promise<Written['outcome']> {
  const { kind, key } = edition;
  if ((await findReport(tx, kind, key)) !== null) return 'standing';
  if (!isSent && (await isKnownEmpty(tx, kind, key))) return 'standing';
  const composed = await compose(tx, desk, edition);
  if (composed === null) return 'empty';
  const content = withProse(composed, prose);
  const acts = await actionsOnItems(tx, citesOf(content));
  const isWritten = await insertReport(tx, {
    kind,
    key,
    window_start: edition.windowStart,
    window_end: edition.windowEnd,
    generated_at: world.clock.now(),
    content: { ...content, knownActions: acts.map((act) => act.id) },
    version: 1,
  });
  assert(isWritten, 'whoever holds the head is the only one who writes');
  await desk.publish(world, tx, [{ kind, key }]);
  return 'written';
}

/** What an edition would say now; null: nothing. */
export async function compose(
  tx: Db,
  desk: ReportDesk,
  edition: ReportEdition,
): Promise<ReportContent | null> {
  return edition.kind === 'daily'
    ? composeDaily(desk, edition, await dailyMaterial(tx, edition, desk.rules.daily.remembersDays))
    : composePeriod(desk, edition, await periodMaterial(tx, edition));
}

async function existing(db: Db): Promise<Existing> {
  const settled = {
    daily: new Set<string>(),
    weekly: new Set<string>(),
    monthly: new Set<string>(),
  };
  for (const { kind, key } of [...(await reportKeys(db)), ...(await emptyReports(db))]) {
    settled[kind].add(key);
  }
  return { firstItemAt: await firstItemAt(db), settled };
}
