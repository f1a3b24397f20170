// Three workers send to services that fail a fifth of the time, and are killed -9 one by one.
// Nothing is lost. Duplicates of a webhook have the same id, and duplicates of a chat message are
// marked as unsure. A story that is withdrawn before its delivery is never sent.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { addChannel } from '../../src/notifications/channels.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { addSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { matchBatch, openMatcher } from '../../src/radar/subscriptions/match-log.ts';
import { listDeliveryRows } from '../../src/store/notifications/deliveries.ts';
import { sharedWorld } from '../support/accelerated-jobs.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const NODES = 3;
const KILLS = proofSize(5, 200);
const ROUNDS = proofSize(3, 60);
/** Stories of one round, of which the last story is withdrawn. */
const STORIES = 8;
/**
 * The next round begins when at most this number of stories and deliveries is unfinished. A chat
 * would receive more of them as one digest.
 */
const UNFINISHED_MAX = 24;
/**
 * Consecutive failures of one story. A third failure would delay it for half an hour, and a fifth
 * failure for five hours.
 */
const FAILURES_MAX = 2;
/** A request from before the withdrawal may still arrive within one second of real time. */
const IN_FLIGHT_MS = 15_000;
const LIMIT_MS = proofSize(600_000, 1_800_000);

const random = seededRandom(proofSeed());
const begunAt = runningClock().now();
const net = openNet({
  clock: runningClock(),
  privateHosts: ['127.0.0.1'],
  politenessMs: 0,
  userAgent: 'ContentRadar/test',
});
const world = { ...sharedWorld(begunAt), net };
const { db, connection } = await openTestDatabase();
const services = await openServices({ now: world.clock.now });
const publisher = openStoryPublisher(world, db);
await publisher.addSource({ id: 'press', name: 'The press' });

const script = join(import.meta.dirname, 'delivery-node.ts');
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/radar'),
};

/** Resolves when the process is ready. */
async function startNode(): Promise<ChildProcess> {
  const args = [script, JSON.stringify(connection), String(begunAt)];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(requirePresent(child.stdout, 'a pipe'), 'data');
  return child;
}

const nodes: ChildProcess[] = [];
afterAll(async () => {
  for (const node of nodes) node.kill('SIGKILL');
  await services.close();
  await net.close();
});

async function addSubscribedChannel(kind: 'webhook' | 'bark'): Promise<string> {
  const input = { kind, name: kind, fields: services.fieldsOf(kind) };
  const addedChannel = await addChannel(world, db, input, { hasSmtp: false });
  if (addedChannel.kind !== 'added') throw new Error(JSON.stringify(addedChannel));
  const match = { any: ['chips'] };
  const subscription = {
    name: kind,
    kind: 'news',
    channel: addedChannel.id,
    match,
    updates: false,
  };
  await addSubscription(world, db, subscription, { categories: [] });
  return addedChannel.id;
}

const pauseRandomly = () => runningClock().sleep(Math.floor(random.next() * 400));

async function killOneNode(): Promise<void> {
  const index = Math.floor(random.next() * NODES);
  const child = requirePresent(nodes[index], 'a node');
  child.kill('SIGKILL');
  nodes[index] = await startNode();
}

type DeliveryRow = Awaited<ReturnType<typeof listDeliveryRows>>[number];

/** The item of each kept story, by name. Notifications have items also before a story is known. */
type KeptStories = ReadonlyMap<string, string>;

/** The number of stories that a channel has not received, and of deliveries that are still open. */
async function countUnfinished(
  channels: readonly string[],
  keptStories: KeptStories,
): Promise<number> {
  const rows = await listDeliveryRows(db, { limit: 100_000 });
  const isOpen = ({ state }: DeliveryRow) => state === 'waiting' || state === 'sending';
  const missingStories = channels.flatMap((channel) => {
    const deliveredItems = rows.filter(
      (row) => row.channelId === channel && row.state === 'delivered',
    );
    const items = new Set(deliveredItems.flatMap((row) => row.items));
    return [...keptStories.values()].filter((item) => !items.has(item));
  });
  return missingStories.length + rows.filter(isOpen).length;
}

test('no delivery is lost, and receivers can recognize duplicates', {
  timeout: LIMIT_MS,
}, async () => {
  const webhook = await addSubscribedChannel('webhook');
  const bark = await addSubscribedChannel('bark');
  const channels = [webhook, bark];
  await matchBatch(world, db, openMatcher());
  /** Number of accepted requests per kind and story. */
  const acceptedCounts = new Map<string, number>();
  const failures = new Map<string, number>();
  for (const kind of ['webhook', 'bark'] as const) {
    services.respond(kind, ({ text }) => {
      const name = `${kind} ${/Chips (\w+)/.exec(text)?.[1] ?? ''}`;
      const failureCount = failures.get(name) ?? 0;
      if (failureCount < FAILURES_MAX && random.next() < 0.2) {
        failures.set(name, failureCount + 1);
        return { status: 503, body: '' };
      }
      acceptedCounts.set(name, (acceptedCounts.get(name) ?? 0) + 1);
      return { status: 200, body: '{"code":200}' };
    });
  }
  nodes.push(...(await Promise.all(Array.from({ length: NODES }, startNode))));
  let kills = 0;
  let isFinished = false;
  const killer = (async () => {
    while (!isFinished || kills < KILLS) {
      await pauseRandomly();
      await killOneNode();
      kills += 1;
    }
  })();
  const keptStories = new Map<string, string>();
  /** Time at which the withdrawal was complete, by name. */
  const withdrawalTimes = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let index = 0; index < STORIES; index += 1) {
      const name = `w${round}n${index}`;
      const item = await publisher.publish({
        source: 'press',
        title: `Chips ${name}`,
        story: `sty_${name}`,
      });
      const isWithdrawn = index === STORIES - 1;
      if (isWithdrawn) {
        await pauseRandomly();
        await changeItem(world, db, item, { action: 'withdraw', actor: 'Ada', note: null });
        withdrawalTimes.set(name, world.clock.now());
      } else keptStories.set(name, item);
    }
    await until(async () =>
      (await countUnfinished(channels, keptStories)) <= UNFINISHED_MAX ? true : null,
    );
  }
  isFinished = true;
  await killer;
  await until(async () => ((await countUnfinished(channels, keptStories)) === 0 ? true : null));
  const rows = await listDeliveryRows(db, { limit: 100_000 });
  const requestsOf = (name: string) =>
    services.received.filter(({ text }) => text.includes(`Chips ${name}`));
  for (const name of keptStories.keys()) {
    const webhookRequests = requestsOf(name).filter(({ kind }) => kind === 'webhook');
    const ids = new Set(webhookRequests.map(({ headers }) => headers['webhook-id']));
    expect([name, ids.size, (acceptedCounts.get(`webhook ${name}`) ?? 0) > 0]).toEqual([
      name,
      1,
      true,
    ]);
  }
  const unsureRows = rows.filter(({ isUnsure }) => isUnsure);
  const markedItems = new Set(
    unsureRows.filter(({ channelId }) => channelId === bark).flatMap(({ items }) => items),
  );
  const duplicateStories = [...keptStories].filter(
    ([name]) => (acceptedCounts.get(`bark ${name}`) ?? 0) > 1,
  );
  expect(duplicateStories.filter(([, item]) => !markedItems.has(item))).toEqual([]);
  expect(rows.filter(({ state }) => state === 'failed' || state === 'expired')).toEqual([]);
  const lateDeliveries = [...withdrawalTimes].flatMap(([name, at]) =>
    requestsOf(name).filter((request) => request.at > at + IN_FLIGHT_MS),
  );
  expect(lateDeliveries.map(({ text }) => text)).toEqual([]);
  process.stdout.write(
    `${kills} kills: ${rows.length} deliveries, ${unsureRows.length} unsure, ` +
      `${duplicateStories.length} doubled in the chat, ${withdrawalTimes.size} withdrawn\n`,
  );
});
