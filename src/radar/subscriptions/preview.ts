// Computes the notifications that a news subscription would have sent in the last seven days. It
// uses public data only.
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { listPublicItemsSince } from '../../store/radar/publication/public-items.ts';
import type { PublicItem } from '../publication/item.ts';
import { fromPublicRow } from '../publication/public-row.ts';
import { listOf, type ReadModel } from '../publication/read-model/read-model.ts';
import { visitFromEnd } from '../publication/read-model/sorted-list.ts';
import { openMatchIndex } from './match-index.ts';
import { nextRun } from './schedule.ts';
import type { NewsMatch, Schedule } from './subscription.ts';

export type Preview = {
  readonly notifications: number;
  /** Number of stories, and of items without a story. */
  readonly subjects: number;
  /** The newest subjects, each represented by its earliest item. */
  readonly newest: readonly PublicItem[];
};

const PREVIEW_DAYS = 7;
const NEWEST_MAX = 10;
const PAGE_SIZE = 2_000;

type NewsQuery = { readonly match: NewsMatch; readonly schedule: Schedule };

/** A preview from the database, for commands. */
export async function previewFromDatabase(
  { clock }: World,
  db: Db,
  query: NewsQuery,
): Promise<Preview> {
  const now = clock.now();
  const items: PublicItem[] = [];
  for (let after = ''; ; ) {
    const rows = await listPublicItemsSince(db, now - PREVIEW_DAYS * DAY_MS, after, PAGE_SIZE);
    items.push(...rows.map(fromPublicRow));
    const lastRow = rows.at(-1);
    if (lastRow === undefined || rows.length < PAGE_SIZE) break;
    after = lastRow.id;
  }
  return previewItems(items, query, now);
}

/** A preview from the read model, without a request to the database. */
export function previewFromReadModel(
  { clock }: Pick<World, 'clock'>,
  readModel: ReadModel,
  query: NewsQuery,
): Preview {
  const now = clock.now();
  const items: PublicItem[] = [];
  const timeline = listOf(readModel, { by: 'timeline', mode: 'all', category: null });
  visitFromEnd(timeline, ({ item }) => {
    if (item.timelineAt >= now - PREVIEW_DAYS * DAY_MS) items.push(item);
    return item.timelineAt >= now - PREVIEW_DAYS * DAY_MS;
  });
  return previewItems(items, query, now);
}

function previewItems(
  items: readonly PublicItem[],
  { match, schedule }: NewsQuery,
  now: number,
): Preview {
  const index = openMatchIndex([{ id: 'preview', match, createdAt: now - PREVIEW_DAYS * DAY_MS }]);
  const subjects = new Map<string, PublicItem>();
  for (const item of items) {
    if (index.matching(item).length === 0) continue;
    const subject = item.storyId ?? item.id;
    // The earliest report is the one that would have been sent.
    const existingSubject = subjects.get(subject);
    if (existingSubject === undefined || item.timelineAt < existingSubject.timelineAt)
      subjects.set(subject, item);
  }
  const subjectItems = [...subjects.values()].sort((a, b) => b.timelineAt - a.timelineAt);
  return {
    notifications: countNotifications(subjectItems, schedule),
    subjects: subjectItems.length,
    newest: subjectItems.slice(0, NEWEST_MAX),
  };
}

/** Items between two runs are one notification. */
function countNotifications(items: readonly PublicItem[], schedule: Schedule): number {
  if ('at' in schedule) return items.length;
  return new Set(items.map(({ timelineAt }) => nextRun(schedule, 'preview', timelineAt))).size;
}
