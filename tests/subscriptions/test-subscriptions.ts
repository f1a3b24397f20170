// Subscriptions over a test's database: public stories, services on loopback, and rounds of the
// matcher that a test runs. The sender runs as in a worker.

import { openServices, type ServiceKind } from '../../demo/receivers/open-services.ts';
import type { Smtp } from '../../src/kernel/net/smtp.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { addChannel, listChannels } from '../../src/notifications/channels.ts';
import { openNotificationSender } from '../../src/notifications/open-sender.ts';
import { addSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import {
  createInstantNotifications,
  runSchedules,
} from '../../src/radar/subscriptions/create-notifications.ts';
import { matchBatch, openMatcher } from '../../src/radar/subscriptions/match-log.ts';
import { notificationContent } from '../../src/radar/subscriptions/notification-content.ts';
import { listDeliveryRows } from '../../src/store/notifications/deliveries.ts';
import { atEnd } from '../support/at-end.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const site = { url: 'https://radar.example', wireItem: (item: object) => item };

/** Call at the top of a test file. */
export async function openTestSubscriptions({
  smtp = null,
  mailsPerMinute = 60,
}: {
  readonly smtp?: Smtp | null;
  readonly mailsPerMinute?: number;
} = {}) {
  const { world, clock, logged } = testWorld(23);
  const { db } = await openTestDatabase();
  const services = await openServices({ now: clock.now });
  atEnd(services.close);
  const publisher = openStoryPublisher(world, db);
  const deps = {
    content: (request: Parameters<typeof notificationContent>[2]) =>
      notificationContent(db, site, request),
    smtp,
    mailsPerMinute,
  };
  const addTestChannel = async (
    kind: ServiceKind | 'email',
    whenUnsure: 'send' | 'drop' = 'send',
    chosenFields: Readonly<Record<string, string>> | null = null,
  ) => {
    const fields =
      chosenFields ?? (kind === 'email' ? { to: 'desk@example.com' } : services.fieldsOf(kind));
    const addedChannel = await addChannel(
      world,
      db,
      { kind, name: kind, whenUnsure, fields },
      { hasSmtp: smtp !== null },
    );
    if (addedChannel.kind !== 'added') throw new Error(JSON.stringify(addedChannel));
    return addedChannel.id;
  };
  const matcher = openMatcher();
  const match = async () => {
    while (await matchBatch(world, db, matcher));
    await createInstantNotifications(world, db);
    await runSchedules(world, db);
  };
  return {
    world,
    clock,
    logged,
    db,
    services,
    publisher,
    addChannel: addTestChannel,
    /** Adds a subscription; returns its id. */
    subscribe: async (channel: string, changes: object = {}) => {
      const definition = { name: 'Chips', kind: 'news', channel, match: { any: ['chips'] } };
      const addedSubscription = await addSubscription(
        world,
        db,
        { ...definition, ...changes },
        { categories: [] },
      );
      if (addedSubscription.kind !== 'added') throw new Error(JSON.stringify(addedSubscription));
      return addedSubscription.id;
    },
    match,
    openSender: () => openNotificationSender(world, db, deps),
    /** Runs a sender until no due delivery waits. */
    send: async () => {
      const sender = openNotificationSender(world, db, deps);
      await until(async () => ((await countDueDeliveries(db, clock.now())) === 0 ? true : null));
      await sender.close();
    },
    deliveries: () => listDeliveryRows(db, { limit: 1_000 }),
  };
}

/** The number of due deliveries. Deliveries of a broken channel are not due. */
async function countDueDeliveries(db: Db, now: number): Promise<number> {
  const channels = await listChannels(db);
  const activeChannels = new Set(
    channels.filter(({ state }) => state === 'on').map(({ id }) => id),
  );
  const rows = await listDeliveryRows(db, { limit: 1_000 });
  return rows.filter(
    ({ state, dueAt, channelId }) =>
      activeChannels.has(channelId) &&
      (state === 'sending' || (state === 'waiting' && dueAt <= now)),
  ).length;
}
