// The log consumer of subscriptions. It matches newly public items against subscriptions, and
// creates notifications of reports and of updates to sent stories. Position and result are written
// in one transaction.
import type { Db } from '../../kernel/ports/db.ts';
import { type QuietHours, quietUntil } from '../../kernel/time/local-times.ts';
import type { World } from '../../kernel/world.ts';
import {
  cancelOpenDeliveries,
  createNotifications,
  listDeliveredSubjects,
  type NewNotification,
  restoreVoidNotifications,
  type SentSubject,
} from '../../store/notifications/deliveries.ts';
import { type LogEntry, readNextBatch } from '../../store/notifications/log-consumers.ts';
import {
  countCorrections,
  listPublicItemsOfGroup,
  listPublicItemsOfStories,
} from '../../store/notifications/public-subjects.ts';
import { addMatches, type NewMatch } from '../../store/notifications/subscription-matches.ts';
import { readSubscriptionRevision } from '../../store/notifications/subscriptions.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { listPublicDocuments } from '../../store/radar/publication/public-documents.ts';
import { listPublicItemRows } from '../../store/radar/publication/public-items.ts';
import { readGroupsByItem } from '../../store/radar/sources/duplicate-groups.ts';
import { listChainsInto, readSurvivors } from '../../store/radar/stories/stories.ts';
import { listMembersOfStories } from '../../store/radar/stories/story-members.ts';
import type { DocumentKind } from '../../store/schema/stories.ts';
import type { MergedBody, StoryBody } from '../publication/documents/bodies.ts';
import type { DailyBody, MonthlyBody, WeeklyBody } from '../publication/documents/report-body.ts';
import type { PublicItem } from '../publication/item.ts';
import { fromPublicRow } from '../publication/public-row.ts';
import { listSubscriptions } from './change-subscriptions.ts';
import { type MatchIndex, openMatchIndex } from './match-index.ts';
import { nextRun } from './schedule.ts';
import type { Subscription } from './subscription.ts';

export const CONSUMER = 'subscriptions';

/** Minimum time between two notifications about contradictions of one story. */
const CONTRADICTION_PAUSE_MS = 6 * 3_600_000;
/** Maximum age of an item at the time when it becomes public. Older items are not announced. */
const NEWS_AGE_MAX_MS = 2 * 86_400_000;

/** All active subscriptions, indexed for matching. */
type LoadedSubscriptions = {
  readonly revision: number;
  readonly news: MatchIndex;
  readonly byStory: ReadonlyMap<string, readonly Subscription[]>;
  readonly reports: readonly Subscription[];
};

/**
 * `current` reads the revision within each batch. A subscription that was added before an item was
 * published is therefore matched, and a removed subscription is not.
 */
export type Matcher = { current(tx: Db): Promise<LoadedSubscriptions> };

export function openMatcher(): Matcher {
  let loadedSubscriptions: LoadedSubscriptions | null = null;
  return {
    current: async (tx) => {
      const revision = await readSubscriptionRevision(tx);
      if (loadedSubscriptions?.revision !== revision)
        loadedSubscriptions = await loadSubscriptions(tx, revision);
      return loadedSubscriptions;
    },
  };
}

async function loadSubscriptions(db: Db, revision: number): Promise<LoadedSubscriptions> {
  const active = (await listSubscriptions(db)).filter(({ state }) => state === 'on');
  const news = active.flatMap((subscription) =>
    subscription.kind === 'news'
      ? [{ id: subscription.id, match: subscription.match, createdAt: subscription.createdAt }]
      : [],
  );
  const stories = active.filter((subscription) => subscription.kind === 'story');
  return {
    revision,
    news: openMatchIndex(news),
    byStory: Map.groupBy(stories, ({ match }) => match.story),
    reports: active.filter(({ kind }) => kind === 'report'),
  };
}

/** Returns true when more rows exist, so that the caller reads the next batch at once. */
export async function matchBatch(world: World, db: Db, matcher: Matcher): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const batch = await readNextBatch(world, tx, CONSUMER);
    if (batch === null) return false;
    if (batch.isRestored) await cancelOpenDeliveries(tx, world.clock.now());
    if (batch.entries.length === 0) return batch.hasMore;
    const subscriptions = await matcher.current(tx);
    const keysOf = (kind: LogEntry['kind']) =>
      batch.entries.filter((entry) => entry.kind === kind).map(({ key }) => key);
    await matchItems(world, tx, subscriptions, keysOf('item'));
    await announceUpdatesOfStories(world, tx, keysOf('story'));
    for (const kind of ['daily', 'weekly', 'monthly'] as const) {
      await announceReports(world, tx, subscriptions, kind, keysOf(kind));
    }
    return batch.hasMore;
  });
}

async function matchItems(
  world: World,
  tx: Db,
  { news, byStory }: LoadedSubscriptions,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const now = world.clock.now();
  const items = (await listPublicItemRows(tx, ids)).map(fromPublicRow);
  const bySurvivor = await findFollowersBySurvivor(tx, byStory, items);
  const candidates = items.flatMap((item) => {
    if (item.timelineAt < now - NEWS_AGE_MAX_MS) return [];
    const followers = bySurvivor.get(item.storyId ?? '') ?? [];
    return [
      ...news.matching(item).map((id) => ({ id, item, isNews: true })),
      ...followers
        .filter(({ createdAt }) => item.timelineAt >= createdAt)
        .map(({ id }) => ({ id, item, isNews: false })),
    ];
  });
  const groups = await readGroupsByItem(
    tx,
    candidates.map(({ item }) => item.id),
  );
  const matches: readonly NewMatch[] = candidates.map(({ id, item, isNews }) => {
    const group = `group:${groups.get(item.id) ?? item.id}`;
    const subject = isNews && item.storyId !== null ? `story:${item.storyId}` : group;
    return { subscriptionId: id, subject, itemId: item.id };
  });
  await addMatches(tx, matches, now);
  for (const { subscriptionId, subject } of matches) {
    await restoreVoidNotifications(tx, { subscriptionId, subject, reasons: 'announced' }, now);
  }
  await announceUpdatesOfGroups(world, tx, ids);
}

/** After a merge, the subscription follows the surviving story. */
async function findFollowersBySurvivor(
  tx: Db,
  byStory: LoadedSubscriptions['byStory'],
  items: readonly PublicItem[],
): Promise<ReadonlyMap<string, readonly Subscription[]>> {
  if (byStory.size === 0 || items.every(({ storyId }) => storyId === null)) return new Map();
  const survivors = await readSurvivors(tx, [...byStory.keys()]);
  const followers = [...byStory].flatMap(([story, subscriptions]) =>
    subscriptions.map((subscription) => ({
      subscription,
      survivor: survivors.get(story) ?? story,
    })),
  );
  const followersByStory = Map.groupBy(followers, ({ survivor }) => survivor);
  return new Map(
    [...followersByStory].map(([story, storyFollowers]) => [
      story,
      storyFollowers.map(({ subscription }) => subscription),
    ]),
  );
}

/** Announces corrections of sent items, and the withdrawal of the last public item of a group. */
async function announceUpdatesOfGroups(
  world: World,
  tx: Db,
  ids: readonly string[],
): Promise<void> {
  const groups = new Set((await readGroupsByItem(tx, ids)).values());
  const deliveredSubjects = await listDeliveredSubjects(
    tx,
    [...groups].map((group) => `group:${group}`),
  );
  for (const message of deliveredSubjects) {
    const rows = await listPublicItemsOfGroup(tx, message.subject.slice('group:'.length));
    if (rows.length === 0) await announceWithdrawal(world, tx, message);
    else {
      const itemIds = rows.map(({ id }) => id);
      await announceCorrections(
        world,
        tx,
        message,
        await countCorrections(tx, itemIds, message.sentAt),
      );
    }
  }
}

async function announceUpdatesOfStories(
  world: World,
  tx: Db,
  ids: readonly string[],
): Promise<void> {
  // Recipients of a message about a merged story receive the updates of the surviving story.
  const chain = await listChainsInto(tx, ids);
  const deliveredSubjects = await listDeliveredSubjects(
    tx,
    [...new Set([...ids, ...chain])].map((id) => `story:${id}`),
  );
  if (deliveredSubjects.length === 0) return;
  const survivors = await readSurvivors(
    tx,
    deliveredSubjects.map(({ subject }) => storyOf(subject)),
  );
  const survivorOf = ({ subject }: SentSubject) =>
    survivors.get(storyOf(subject)) ?? storyOf(subject);
  const names = deliveredSubjects.map((subject) => ({
    kind: 'story' as const,
    key: survivorOf(subject),
  }));
  const documents = await listPublicDocuments(tx, names);
  const bodies = new Map(documents.map(({ key, body }) => [key, body as StoryBody | MergedBody]));
  for (const subject of deliveredSubjects) {
    const survivor = survivorOf(subject);
    const body = bodies.get(survivor);
    if (body?.kind === 'story') await announceUpdatesOfStory(world, tx, subject, body);
    else if (body === undefined && (await listMembersOfStories(tx, [survivor])).length > 0) {
      // A story whose reports all moved elsewhere is not withdrawn.
      await announceWithdrawal(world, tx, subject);
    }
  }
}

async function announceUpdatesOfStory(
  world: World,
  tx: Db,
  subject: SentSubject,
  body: StoryBody,
): Promise<void> {
  const count = body.contradictions.length;
  if (count > subject.contradictions) {
    const pausedUntil = (subject.contradictionAt ?? 0) + CONTRADICTION_PAUSE_MS;
    const reason = `contradiction:${count}`;
    await createNotifications(tx, [
      createUpdate(world, subject, reason, { count, notBefore: pausedUntil }),
    ]);
  }
  const sentItems = new Set(subject.items);
  const revisions = (body.revisions ?? []).filter(({ reportIds }) =>
    reportIds.some((id) => !sentItems.has(id)),
  );
  const items = await listPublicItemsOfStories(tx, [body.id]);
  const operatorCorrections = await countCorrections(
    tx,
    items.map(({ id }) => id),
    subject.sentAt,
  );
  await announceCorrections(world, tx, subject, operatorCorrections + revisions.length);
}

/** The reason contains the count, so each later correction becomes one more notification. */
async function announceCorrections(
  world: World,
  tx: Db,
  subject: SentSubject,
  count: number,
): Promise<void> {
  if (count === 0) return;
  await createNotifications(tx, [createUpdate(world, subject, `correction:${count}`)]);
}

async function announceWithdrawal(world: World, tx: Db, message: SentSubject): Promise<void> {
  const created = await createNotifications(tx, [createUpdate(world, message, 'withdrawn')]);
  if (created.length > 0) return;
  const { subscriptionId, subject } = message;
  await restoreVoidNotifications(
    tx,
    { subscriptionId, subject, reasons: 'withdrawn' },
    world.clock.now(),
  );
}

/** The delivery is sent after quiet hours, and not before `notBefore`. */
function createUpdate(
  world: World,
  subject: SentSubject,
  reason: string,
  { count = subject.contradictions, notBefore = 0 } = {},
): NewNotification {
  const now = world.clock.now();
  const quietEnd = quietUntil(subject.quiet as QuietHours | null, Math.max(now, notBefore)) ?? 0;
  return {
    ...createNotification(world, subject, reason, count),
    dueAt: Math.max(now, notBefore, quietEnd),
  };
}

const storyOf = (subject: string) => subject.slice('story:'.length);

async function announceReports(
  world: World,
  tx: Db,
  { reports }: LoadedSubscriptions,
  kind: Extract<DocumentKind, 'daily' | 'weekly' | 'monthly'>,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0 || reports.length === 0) return;
  const documents = await listPublicDocuments(
    tx,
    keys.map((key) => ({ kind, key })),
  );
  for (const { key, body } of documents) {
    const report = body as DailyBody | WeeklyBody | MonthlyBody;
    const subject = `report:${kind}:${key}`;
    const corrections = report.corrections.length;
    if (corrections > 0) {
      for (const message of await listDeliveredSubjects(tx, [subject])) {
        await announceCorrections(world, tx, message, corrections);
      }
      continue;
    }
    const recipients = reports.filter(
      (subscription) =>
        subscription.kind === 'report' &&
        subscription.match.reports.includes(kind) &&
        subscription.createdAt <= report.generatedAt,
    );
    await createNotifications(
      tx,
      recipients.map((subscription) => ({
        ...createNotification(
          world,
          { subscriptionId: subscription.id, channelId: subscription.channel, subject },
          `report:${key}`,
          0,
        ),
        dueAt: reportDeliveryAt(subscription, world.clock.now()),
      })),
    );
  }
}

/** The time of the delivery: now or the next scheduled run, moved to the end of quiet hours. */
function reportDeliveryAt({ id, schedule, quiet }: Subscription, now: number): number {
  const at = nextRun(schedule, id, now) ?? now;
  return quietUntil(quiet, at) ?? at;
}

export function createNotification(
  world: World,
  recipient: Pick<SentSubject, 'subscriptionId' | 'channelId' | 'subject'>,
  reason: string,
  contradictions: number,
): NewNotification {
  return {
    id: `ntf_${world.ids.next()}`,
    deliveryId: `dlv_${world.ids.next()}`,
    channelId: recipient.channelId,
    subscription_id: recipient.subscriptionId,
    subject: recipient.subject,
    reason,
    subjects: [recipient.subject],
    items: [],
    contradictions,
    created_at: world.clock.now(),
  };
}
