// Creates notifications from matches. An instant notification waits until the item has a story;
// other notifications are created at the scheduled runs. Each transaction creates notifications and
// marks their matches.
import type { Db } from '../../kernel/ports/db.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import { type QuietHours, quietUntil } from '../../kernel/time/local-times.ts';
import type { World } from '../../kernel/world.ts';
import { createNotifications, listNotifiedItems } from '../../store/notifications/deliveries.ts';
import { listPublicItemsOfStories } from '../../store/notifications/public-subjects.ts';
import {
  deleteMatches,
  findUnassignedItems,
  listWaitingSubscriptions,
  lockMatchesOf,
  markMatchesDone,
  type WaitingMatch,
} from '../../store/notifications/subscription-matches.ts';
import {
  lockDueSubscription,
  lockSubscriptionRow,
  saveNextRun,
} from '../../store/notifications/subscriptions.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { listPublicDocuments } from '../../store/radar/publication/public-documents.ts';
import { listPublicItemRows } from '../../store/radar/publication/public-items.ts';
import type { MergedBody, StoryBody } from '../publication/documents/bodies.ts';
import { subscriptionFromRow } from './change-subscriptions.ts';
import { createNotification } from './match-log.ts';
import { nextRun } from './schedule.ts';
import type { Subscription } from './subscription.ts';

/** Maximum time for which an item waits for its story. */
const CLUSTERING_WAIT_MS = 2 * MINUTE_MS;
/** Interval of checks for matches that wait for their story. */
const RECHECK_MS = 1_000;

/**
 * Each subscription has its own transaction, which commits before the next subscription is
 * processed. Returns the time of the next check of waiting matches; null: no match waits.
 */
export async function createInstantNotifications(
  world: World,
  db: Db,
  signal?: AbortSignal,
): Promise<number | null> {
  const now = world.clock.now();
  let retryAt: number | null = null;
  const scheduleRetry = (at: number) => {
    retryAt = Math.min(retryAt ?? at, at);
  };
  for (const { id, quiet, readySince } of await listWaitingSubscriptions(
    db,
    now - CLUSTERING_WAIT_MS,
  )) {
    if (signal?.aborted === true) break;
    const quietEnd = quietUntil(quiet as QuietHours | null, now);
    if (quietEnd !== null) scheduleRetry(quietEnd);
    else if (readySince === null) scheduleRetry(now + RECHECK_MS);
    else if (!(await createReadyNotifications(world, db, id))) scheduleRetry(now + RECHECK_MS);
  }
  return retryAt;
}

/**
 * False when another process has locked the subscription, when it was paused or edited meanwhile,
 * or when some of its matches still wait.
 */
async function createReadyNotifications(world: World, db: Db, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // The lock prevents two processes from announcing one event at the same time.
    const row = await lockSubscriptionRow(tx, id);
    if (row === null) return false;
    const subscription = subscriptionFromRow(row);
    const now = world.clock.now();
    const isSilent = row.state !== 'on' || quietUntil(subscription.quiet, now) !== null;
    // The subscription was paused or edited meanwhile, or its quiet hours began. The next round
    // reads it again.
    if (isSilent || row.next_at !== null) return false;
    const matches = await lockMatchesOf(tx, id);
    const unassignedItems = await findUnassignedItems(
      tx,
      matches.flatMap(({ items }) => items),
    );
    const readyMatches = matches.filter(
      ({ items, matchedAt }) =>
        now - matchedAt >= CLUSTERING_WAIT_MS || !items.some((item) => unassignedItems.has(item)),
    );
    await createFromReadyMatches(world, tx, subscription, readyMatches);
    return readyMatches.length === matches.length;
  });
}

/** Several matches during quiet hours become one digest notification. */
async function createFromReadyMatches(
  world: World,
  tx: Db,
  subscription: Subscription,
  readyMatches: readonly WaitingMatch[],
): Promise<void> {
  const quietMatches = readyMatches.filter(
    ({ matchedAt }) => quietUntil(subscription.quiet, matchedAt) !== null,
  );
  const isDigest = quietMatches.length > 1;
  for (const match of readyMatches) {
    if (isDigest && quietMatches.includes(match)) continue;
    await createFromMatches(world, tx, subscription, [match], null);
  }
  if (isDigest) await createFromMatches(world, tx, subscription, quietMatches, world.clock.now());
}

/** Runs the due schedules, each in its own transaction. Returns the number of runs. */
export async function runSchedules(world: World, db: Db): Promise<number> {
  for (let count = 0; ; count += 1) {
    const hasRun = await inTransaction(db, async (tx) => {
      const row = await lockDueSubscription(tx, world.clock.now());
      if (row === null) return false;
      const subscription = subscriptionFromRow(row);
      const now = world.clock.now();
      const slot = row.next_at ?? now;
      const matches = await lockMatchesOf(tx, row.id);
      if (matches.length > 0) await createFromMatches(world, tx, subscription, matches, slot);
      // A slot is not repeated when the clock is set back.
      const after = Math.max(now, slot);
      await saveNextRun(tx, row.id, nextRun(subscription.schedule, row.id, after));
      return true;
    });
    if (!hasRun) return count;
  }
}

/** `slot`: the scheduled time of a digest; null for the notification of a single match. */
async function createFromMatches(
  world: World,
  tx: Db,
  subscription: Subscription,
  matches: readonly WaitingMatch[],
  slot: number | null,
): Promise<void> {
  const newSubjects: Subject[] = [];
  const withdrawnMatches: WaitingMatch[] = [];
  for (const match of matches) {
    const subject = await findCurrentSubject(tx, subscription, match);
    if (subject === null) withdrawnMatches.push(match);
    else if (!newSubjects.some((candidate) => candidate.subject === subject.subject)) {
      const notified = await listNotifiedItems(tx, subscription.id, subject.items);
      if (notified.size === 0) newSubjects.push(subject);
    }
  }
  await deleteMatches(tx, withdrawnMatches);
  await markMatchesDone(tx, matches);
  const [firstSubject] = newSubjects;
  if (firstSubject === undefined) return;
  const isSingle = slot === null;
  const recipient = {
    subscriptionId: subscription.id,
    channelId: subscription.channel,
    subject: isSingle ? firstSubject.subject : 'digest',
  };
  const reason = isSingle ? 'new' : `digest:${slot}`;
  const contradictions = isSingle ? firstSubject.contradictions : 0;
  await createNotifications(tx, [
    {
      ...createNotification(world, recipient, reason, contradictions),
      subjects: newSubjects.map(({ subject }) => subject),
      items: newSubjects.flatMap(({ items }) => items),
    },
  ]);
}

type Subject = {
  readonly subject: string;
  /** All current public items of the event. */
  readonly items: readonly string[];
  readonly contradictions: number;
};

/** The current story of the items, or the subject of the match; null: no item is public. */
async function findCurrentSubject(
  tx: Db,
  { kind }: Subscription,
  { subject, items }: WaitingMatch,
): Promise<Subject | null> {
  const rows = await listPublicItemRows(tx, items);
  if (rows.length === 0) return null;
  const storyId = rows.find((row) => row.story_id !== null)?.story_id ?? null;
  // Each new report of a followed story is announced.
  if (kind === 'story' || storyId === null) {
    return { subject, items: rows.map(({ id }) => id), contradictions: 0 };
  }
  const [document] = await listPublicDocuments(tx, [{ kind: 'story', key: storyId }]);
  const body = document?.body as StoryBody | MergedBody | undefined;
  const storyItems = await listPublicItemsOfStories(tx, [storyId]);
  return {
    subject: `story:${storyId}`,
    items: storyItems.map(({ id }) => id),
    contradictions: body?.kind === 'story' ? body.contradictions.length : 0,
  };
}
