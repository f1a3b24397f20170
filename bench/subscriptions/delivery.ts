// Measures the time from the commit of a story to its arrival at a loopback channel. Measures the
// deliveries that one worker sends in a second. The database is durable.
import { openServices } from '../../demo/receivers/open-services.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { addChannel } from '../../src/notifications/channels.ts';
import { openNotificationSender } from '../../src/notifications/open-sender.ts';
import { addSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { createInstantNotifications } from '../../src/radar/subscriptions/create-notifications.ts';
import { matchBatch, openMatcher } from '../../src/radar/subscriptions/match-log.ts';
import { notificationContent } from '../../src/radar/subscriptions/notification-content.ts';
import { openSubscriptions } from '../../src/radar/subscriptions/open-subscriptions.ts';
import { openStoryPublisher } from '../../tests/support/published-stories.ts';
import { type BenchDatabase, openBenchDatabase } from '../open-database.ts';
import type { BenchRow, Slices } from '../row.ts';

const STORIES = 200;
const GAP_MS = 100;
const CHANNELS = 32;
const BURST = 60;
const PAUSE_MS = 20;

const site = { url: 'https://radar.example', wireItem: (item: object) => item };

export async function benchDelivery({ report }: Pick<Slices, 'report'>): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const addRow = (row: BenchRow) => {
    rows.push(row);
    report(row);
  };
  for (const [count, goal] of [
    [1_000, 2_000],
    [10_000, 3_000],
  ] as const) {
    await withBench(async (bench) => addRow(await measureLatency(bench, count, goal)));
  }
  return rows;
}

export async function benchThroughput({ report }: Pick<Slices, 'report'>): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  await withBench(async (bench) => {
    const row = await measureThroughput(bench);
    rows.push(row);
    report(row);
  });
  return rows;
}

type DeliveryBench = BenchDatabase & {
  readonly services: Awaited<ReturnType<typeof openServices>>;
  readonly publisher: ReturnType<typeof openStoryPublisher>;
  readonly channels: readonly string[];
};

async function withBench(work: (bench: DeliveryBench) => Promise<void>): Promise<void> {
  const database = await openBenchDatabase();
  const { world, db } = database;
  const services = await openServices({ now: world.clock.now });
  try {
    const publisher = openStoryPublisher(world, db);
    await publisher.addSource({ id: 'press', name: 'The press' });
    const channels: string[] = [];
    for (let index = 0; index < CHANNELS; index += 1) {
      const fields = services.fieldsOf('webhook');
      const input = { kind: 'webhook', name: `Hook ${index}`, fields } as const;
      const addedChannel = await addChannel(world, db, input, { hasSmtp: false });
      if (addedChannel.kind !== 'added') throw new Error(JSON.stringify(addedChannel));
      channels.push(addedChannel.id);
    }
    await work({ ...database, services, publisher, channels });
  } finally {
    await services.close();
    await database.close();
  }
}

/** One subscription for each word. Each story contains the word of one subscription. */
async function subscribe({ world, db, channels }: DeliveryBench, words: readonly string[]) {
  for (const [index, word] of words.entries()) {
    const channel = requirePresent(channels[index % channels.length], 'a channel');
    const subscription = { name: word, kind: 'news', channel, match: { any: [word] } };
    const addedSubscription = await addSubscription(world, db, subscription, { categories: [] });
    if (addedSubscription.kind !== 'added') throw new Error(JSON.stringify(addedSubscription));
  }
}

const wordOf = (index: number) => `word${String(index).padStart(5, '0')}`;

const openSender = ({ world, db }: DeliveryBench) =>
  openNotificationSender(world, db, {
    content: (request) => notificationContent(db, site, request),
    smtp: null,
    mailsPerMinute: 60,
  });

async function measureLatency(
  bench: DeliveryBench,
  count: number,
  goalMs: number,
): Promise<BenchRow> {
  const { world, db, services, publisher } = bench;
  await subscribe(
    bench,
    Array.from({ length: count }, (_, index) => wordOf(index)),
  );
  const subscriptions = openSubscriptions(world, db);
  const sender = openSender(bench);
  const committedAt = new Map<string, number>();
  for (let index = 0; index < STORIES; index += 1) {
    const word = wordOf((index * 37) % count);
    await publisher.publish({ source: 'press', title: `News of ${word}`, story: `sty_${index}` });
    committedAt.set(word, world.clock.now());
    await world.clock.sleep(GAP_MS);
  }
  while (services.received.length < STORIES) await world.clock.sleep(PAUSE_MS);
  await subscriptions.close();
  await sender.close();
  const times = services.received
    .map(({ text, at }) => at - (committedAt.get(/word\d+/.exec(text)?.[0] ?? '') ?? Number.NaN))
    .sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.ceil(share * times.length) - 1] ?? Number.NaN;
  return {
    name: `${count.toLocaleString('en')} subscriptions: commit to a channel, p95`,
    value: quantile(0.95),
    unit: 'ms',
    goal: { atMost: goalMs },
    note: `p50 ${quantile(0.5)} ms; goal with 1,000 subscriptions: p50 500 ms`,
  };
}

async function measureThroughput(bench: DeliveryBench): Promise<BenchRow> {
  const { world, db, services, publisher, channels } = bench;
  await subscribe(
    bench,
    channels.map((_, index) => `burst ${wordOf(index)}`),
  );
  const matcher = openMatcher();
  // A new consumer starts at the head of the log.
  await matchBatch(world, db, matcher);
  const words = channels.map((_, index) => wordOf(index)).join(' ');
  for (let index = 0; index < BURST; index += 1) {
    await publisher.publish({
      source: 'press',
      title: `Burst ${index} ${words}`,
      story: `sty_${index}`,
    });
  }
  while (await matchBatch(world, db, matcher));
  while ((await createInstantNotifications(world, db)) !== null);
  const deliveryCount = BURST * channels.length;
  const start = performance.now();
  const sender = openSender(bench);
  while (services.received.length < deliveryCount) await world.clock.sleep(PAUSE_MS);
  const seconds = (performance.now() - start) / 1_000;
  await sender.close();
  return {
    name: 'deliveries to fast loopback channels, one worker, durable',
    value: deliveryCount / seconds,
    unit: 'deliveries/s',
    goal: { atLeast: 200 },
    note: `${deliveryCount} deliveries to ${channels.length} webhooks at 20/s each`,
  };
}
