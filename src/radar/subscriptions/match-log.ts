// The log consumer of subscriptions: what became public is matched against all news and story
// subscriptions, reports and updates of sent stories become notifications. Position and result are
// written in one transaction.
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  createNotifications,
  deliveredSubjects,
  type NewNotification,
  reviveVoid,
  type SentSubject,
  voidOpenDeliveries,
} from '../../store/notifications/deliveries.ts';
import { type LogEntry, takeLogBatch } from '../../store/notifications/log-consumers.ts';
import {
  countCorrections,
  groupsByItem,
  publicItemsOfGroup,
} from '../../store/notifications/public-subjects.ts';
import { addMatches, type NewMatch } from '../../store/notifications/subscription-matches.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { publicDocuments } from '../../store/radar/publication/public-documents.ts';
import { publicItemRows } from '../../store/radar/publication/public-items.ts';
import type { DocumentKind } from '../../store/schema/stories.ts';
import type { MergedBody, StoryBody } from '../publication/documents/bodies.ts';
import type { DailyBody, MonthlyBody, WeeklyBody } from '../publication/documents/report-body.ts';
import type { PublicItem } from '../publication/item.ts';
import { fromRow } from '../publication/public-row.ts';
import { listSubscriptions } from './change-subscriptions.ts';
import { type MatchIndex, openMatchIndex } from './match-index.ts';
import type { Subscription } from './subscription.ts';

export const CONSUMER = 'subscriptions';

const CONTRADICTION_PAUSE_MS = 6 * 3_600_000;
/** What is older when it becomes public is no news. */
const NEWS_MS = 2 * 86_400_000;

/** All subscriptions as the matcher needs them, loaded again after each change. */
export type Matcher = {
  readonly news: MatchIndex;
  readonly byStory: ReadonlyMap<string, readonly Subscription[]>;
  readonly reports: readonly Subscription[];
};

export async function loadMatcher(db: Db): Promise<Matcher> {
  const on = (await listSubscriptions(db)).filter(({ state }) => state === 'on');
  const news = on.flatMap((one) =>
    one.kind === 'news' ? [{ id: one.id, match: one.match, createdAt: one.createdAt }] : [],
  );
  const stories = on.filter((one) => one.kind === 'story');
  return {
    news: openMatchIndex(news),
    byStory: Map.groupBy(stories, ({ match }) => match.story),
    reports: on.filter(({ kind }) => kind === 'report'),
  };
}

/** True: another batch may follow at once. */
export async function matchBatch(world: World, db: Db, matcher: Matcher): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const batch = await takeLogBatch(world, tx, CONSUMER);
    if (batch === null) return false;
    if (batch.isRestored) await voidOpenDeliveries(tx, world.clock.now());
    const keysOf = (kind: LogEntry['kind']) =>
      batch.entries.filter((entry) => entry.kind === kind).map(({ key }) => key);
    await matchItems(world, tx, matcher, keysOf('item'));
    await updateStories(world, tx, keysOf('story'));
    for (const kind of ['daily', 'weekly', 'monthly'] as const) {
      await announceReports(world, tx, matcher, kind, keysOf(kind));
    }
    return batch.hasMore;
  });
}

async function matchItems(
  world: World,
  tx: Db,
  { news, byStory }: Matcher,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const now = world.clock.now();
  const items = (await publicItemRows(tx, ids)).map(fromRow);
  const found = items.flatMap((item) => {
    if (item.timelineAt < now - NEWS_MS) return [];
    const followers = byStory.get(item.storyId ?? '') ?? [];
    return [
      ...news.matching(item).map((id) => ({ id, item, isNews: true })),
      ...followers
        .filter(({ createdAt }) => item.timelineAt >= createdAt)
        .map(({ id }) => ({ id, item, isNews: false })),
    ];
  });
  const groups = await groupsByItem(
    tx,
    found.map(({ item }) => item.id),
  );
  const matches: readonly NewMatch[] = found.map(({ id, item, isNews }) => {
    const group = `group:${groups.get(item.id) ?? item.id}`;
    const subject = isNews && item.storyId !== null ? `story:${item.storyId}` : group;
    return { subscriptionId: id, subject, itemId: item.id };
  });
  await addMatches(tx, matches, now);
  for (const { subscriptionId, subject } of matches) {
    await reviveVoid(tx, subscriptionId, subject, now);
  }
  await withdrawItems(world, tx, ids, items);
}

/** Sent items without a story: the last public item of their group is gone. */
async function withdrawItems(
  world: World,
  tx: Db,
  ids: readonly string[],
  items: readonly PublicItem[],
): Promise<void> {
  const shown = new Set(items.map(({ id }) => id));
  const groups = await groupsByItem(
    tx,
    ids.filter((id) => !shown.has(id)),
  );
  const sent = await deliveredSubjects(
    tx,
    [...groups.values()].map((group) => `group:${group}`),
  );
  for (const one of sent) {
    const group = one.subject.slice('group:'.length);
    if ((await publicItemsOfGroup(tx, group)).length > 0) continue;
    await createNotifications(tx, [notificationOf(world, one, 'withdrawn', 0)]);
  }
}

async function updateStories(world: World, tx: Db, ids: readonly string[]): Promise<void> {
  const sent = await deliveredSubjects(
    tx,
    ids.map((id) => `story:${id}`),
  );
  if (sent.length === 0) return;
  const names = sent.map(({ subject }) => ({ kind: 'story' as const, key: storyOf(subject) }));
  const documents = await publicDocuments(tx, names);
  const bodies = new Map(documents.map(({ key, body }) => [key, body as StoryBody | MergedBody]));
  const now = world.clock.now();
  for (const one of sent) {
    const body = bodies.get(storyOf(one.subject));
    if (body === undefined) {
      await createNotifications(tx, [notificationOf(world, one, 'withdrawn', 0)]);
    } else if (body.kind === 'story') {
      const count = body.contradictions.length;
      const isLate = now - (one.contradictionAt ?? 0) >= CONTRADICTION_PAUSE_MS;
      if (count > one.contradictions && isLate) {
        const reason = `contradiction:${count}`;
        await createNotifications(tx, [notificationOf(world, one, reason, count)]);
      }
      const corrections = await countCorrections(tx, body.id, one.sentAt);
      if (corrections > 0) {
        const reason = `correction:${corrections}`;
        await createNotifications(tx, [notificationOf(world, one, reason, count)]);
      }
    }
  }
}

const storyOf = (subject: string) => subject.slice('story:'.length);

async function announceReports(
  world: World,
  tx: Db,
  { reports }: Matcher,
  kind: Extract<DocumentKind, 'daily' | 'weekly' | 'monthly'>,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0 || reports.length === 0) return;
  const documents = await publicDocuments(
    tx,
    keys.map((key) => ({ kind, key })),
  );
  for (const { key, body } of documents) {
    const report = body as DailyBody | WeeklyBody | MonthlyBody;
    const corrections = report.corrections.length;
    const published = Math.min(report.generatedAt, report.corrections.at(-1)?.at ?? Infinity);
    const wanted = reports.filter(
      (one) =>
        one.kind === 'report' && one.match.reports.includes(kind) && one.createdAt <= published,
    );
    const reason = corrections === 0 ? `report:${key}` : `correction:${corrections}`;
    await createNotifications(
      tx,
      wanted
        .filter(({ updates }) => corrections === 0 || updates)
        .map(({ id, channel }) =>
          notificationOf(
            world,
            { subscriptionId: id, channelId: channel, subject: `report:${kind}:${key}` },
            reason,
            0,
          ),
        ),
    );
  }
}

export function notificationOf(
  world: World,
  to: Pick<SentSubject, 'subscriptionId' | 'channelId' | 'subject'>,
  reason: string,
  contradictions: number,
): NewNotification {
  return {
    id: `ntf_${world.ids.next()}`,
    deliveryId: `dlv_${world.ids.next()}`,
    channelId: to.channelId,
    subscription_id: to.subscriptionId,
    subject: to.subject,
    reason,
    subjects: [to.subject],
    items: [],
    contradictions,
    created_at: world.clock.now(),
  };
}
