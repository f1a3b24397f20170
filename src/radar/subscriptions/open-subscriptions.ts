// Runs subscriptions in the worker: it reads the log, waits for clustering, and runs schedules.
// Several workers can run; each transaction skips rows that another worker has locked.
import { openPoller } from '../../kernel/concurrency/poller.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { isConsumerBehind } from '../../store/notifications/log-consumers.ts';
import { deleteOldMatches } from '../../store/notifications/subscription-matches.ts';
import {
  findNextScheduledAt,
  SUBSCRIPTIONS_CHANNEL,
} from '../../store/notifications/subscriptions.ts';
import { listen } from '../../store/platform/notifications.ts';
import { PUBLICATION_CHANNEL } from '../../store/radar/publication/publication-head.ts';
import { endSettledSubscriptions } from './change-subscriptions.ts';
import { createInstantNotifications, runSchedules } from './create-notifications.ts';
import { CONSUMER, matchBatch, openMatcher } from './match-log.ts';

export type SubscriptionService = { close(): Promise<void> };

const POLL_INTERVAL_MS = 30_000;
const CLEAN_UP_INTERVAL_MS = 3_600_000;
const MATCH_RETENTION_MS = 30 * DAY_MS;

export function openSubscriptions(world: World, db: Db): SubscriptionService {
  const matcher = openMatcher();
  let recheckAt: number | null = null;
  let cleanedUpAt = Number.NEGATIVE_INFINITY;
  const poller = openPoller(world, {
    taskName: 'subscriptions',
    intervalMs: POLL_INTERVAL_MS,
    nextDueAt: async () => {
      const scheduledAt = await findNextScheduledAt(db);
      return recheckAt === null ? scheduledAt : Math.min(recheckAt, scheduledAt ?? recheckAt);
    },
    poll: async (signal) => {
      const now = world.clock.now();
      if (now - cleanedUpAt >= CLEAN_UP_INTERVAL_MS) {
        cleanedUpAt = now;
        await deleteOldMatches(db, now - MATCH_RETENTION_MS);
        await endSettledSubscriptions(world, db);
      }
      while (!signal.aborted && (await isConsumerBehind(db, CONSUMER))) {
        if (!(await matchBatch(world, db, matcher))) break;
      }
      recheckAt = await createInstantNotifications(world, db, signal);
      await runSchedules(world, db);
    },
  });
  const listenTo = (channel: string, onNotice: () => void) =>
    listen(world, db, { channel, applicationName: 'radar subscriptions' }, onNotice);
  const listeners = [
    listenTo(PUBLICATION_CHANNEL, poller.wake),
    listenTo(SUBSCRIPTIONS_CHANNEL, poller.wake),
  ];
  return {
    close: async () => {
      await poller.close();
      await Promise.all(listeners.map((listener) => listener.close()));
    },
  };
}
