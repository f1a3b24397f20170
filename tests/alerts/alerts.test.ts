// Alerts from the rows of the database to a channel: one message when a condition begins, one when
// it ends. Without a database or a worker, each process sends its own alerts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { alertContent } from '../../src/alerts/alert-content.ts';
import { type AlertDeps, evaluateAlerts } from '../../src/alerts/evaluate-alerts.ts';
import { openAlerts } from '../../src/alerts/open-alerts.ts';
import {
  createSourceReports,
  SOURCE_REPORT,
  sourceReportContent,
} from '../../src/alerts/source-report.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { microFen } from '../../src/kernel/money.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { addChannel } from '../../src/notifications/channels.ts';
import { openNotificationSender } from '../../src/notifications/open-sender.ts';
import { addSubscription } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { insertBackup } from '../../src/store/backup/backups.ts';
import { insertModelPrices, insertPriceProposal } from '../../src/store/gateway/model-prices.ts';
import { insertPriceVersion } from '../../src/store/gateway/price-lists.ts';
import { saveProviderHealth } from '../../src/store/gateway/provider-health.ts';
import { insertRelayUsage } from '../../src/store/gateway/relay-usage.ts';
import { listDeliveryRows } from '../../src/store/notifications/deliveries.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { saveWorkerTick } from '../../src/store/platform/worker-ticks.ts';
import { runStatement } from '../support/database-server.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const { world, clock } = testWorld(8);
const { db, connection } = await openTestDatabase();
const services = await openServices({ now: clock.now });
const site = { url: 'https://radar.example' };

beforeAll(async () => {
  const fields = services.fieldsOf('webhook');
  const input = { kind: 'webhook', name: 'Operators', whenUnsure: 'send', fields } as const;
  const addedChannel = await addChannel(world, db, input, { hasSmtp: false });
  if (addedChannel.kind !== 'added') throw new Error(JSON.stringify(addedChannel));
  const match = { severity: 'warn' };
  const alerts = { name: 'Alerts', kind: 'alerts', channel: addedChannel.id, match };
  await addSubscription(world, db, alerts, { categories: [] });
});
afterAll(services.close);
beforeEach(() => {
  services.received.length = 0;
});

const state = { oldestJobMs: null as number | null, isBudgetSpent: false, lostReplies: 0 };
const deps: AlertDeps = {
  dataDir: null,
  startedAt: clock.now() - DAY_MS,
  zone: 'Europe/Paris',
  oldestJobMs: async () => state.oldestJobMs,
  model: async () => ({
    spentBudgets: state.isBudgetSpent ? [{ model: 'gpt', span: 'day' }] : [],
    lostReplies: state.lostReplies,
  }),
};

/** Evaluates twice, one minute apart, and sends. Returns the delivered messages. */
async function evaluateTwice(): Promise<readonly unknown[]> {
  services.received.length = 0;
  for (let count = 0; count < 2; count += 1) {
    clock.set(clock.now() + MINUTE_MS);
    await evaluateAlerts(world, db, deps);
    const sender = openNotificationSender(world, db, {
      content: (request) =>
        request.subject === SOURCE_REPORT
          ? sourceReportContent(db, site, request)
          : alertContent(db, site, request),
      smtp: null,
      mailsPerMinute: 60,
    });
    await until(async () => {
      const rows = await listDeliveryRows(db, { limit: 1_000 });
      return rows.every(({ state: deliveryState }) => deliveryState === 'delivered') ? true : null;
    });
    await sender.close();
  }
  return services.received.map(messageOf);
}

const messageOf = ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => {
  const data = body.data as { readonly alerts: readonly { readonly condition: string }[] };
  return [body.type, ...data.alerts.map(({ condition }) => condition)];
};

const recordBackup = (error: string | null) =>
  insertBackup(db, {
    id: world.ids.next(),
    started_at: clock.now(),
    finished_at: clock.now(),
    bytes: error === null ? 1_000 : null,
    error,
  });

const recordUpstreamHealth = (isRefused: boolean) =>
  saveProviderHealth(
    db,
    [
      {
        node: 'test:1',
        capability: 'chat',
        provider: 'up',
        circuit: isRefused ? 'open' : 'closed',
        at: clock.now() + 2 * MINUTE_MS,
        calls: 1,
        failures: 0,
        latency_ms: null,
        last_success_at: null,
        last_failure_at: null,
        is_account_refused: isRefused,
      },
    ],
    0,
  );

/** The version of the first price list, which this program contains. */
let priceVersion = 1;
/** Sets the price of input tokens of a model, from two hours ago. */
const setPrice = (amount: string) =>
  inTransaction(db, async (tx) => {
    priceVersion += 1;
    const version = priceVersion;
    await insertPriceVersion(tx, {
      version,
      startsAt: clock.now() - 2 * HOUR_MS,
      madeAt: clock.now() - 2 * HOUR_MS,
      actor: 'Ada',
      reason: 'test',
      figures: { 'chat-input': microFen('1') },
      modelVersion: version,
    });
    const price = { model: 'gpt', class: 'input', from: 0, variant: '', origin: 'manual' } as const;
    await insertModelPrices(tx, version, [{ ...price, microFen: microFen(amount) }]);
  });

/** With a margin of 20 %, the cost is 100. */
const importCost = () =>
  insertPriceProposal(db, {
    id: 'prp_1',
    madeAt: clock.now() - 2 * HOUR_MS,
    sha256: 'a'.repeat(64),
    ratePpm: 7_000_000,
    marginPpm: 200_000,
    rows: [
      {
        model: 'gpt',
        class: 'input',
        from: 0,
        variant: '',
        microFen: microFen('120'),
        origin: 'import',
      },
    ],
  });

/** Adds a call of another model than `gpt`, with its charge and cost. */
const addSoldCall = async (charge: number | null, cost: number | null) =>
  insertRelayUsage(db, [{ ...usageRow('upstream'), model: 'other', charge, cost }]);

const usageRow = (counted: 'upstream' | 'estimated' | 'contradictory') => ({
  request_id: world.ids.next(),
  account_id: 'acc_1',
  livemode: true,
  key_id: 'key_1',
  model: 'gpt',
  upstream: 'up',
  is_stream: false,
  ended: 'completed' as const,
  counted,
  prompt_tokens: 1,
  completion_tokens: 1,
  started_at: clock.now(),
  duration_ms: 1,
  charge: null,
  cost: null,
  attempt_costs: null,
});

const addCalls = (counted: 'upstream' | 'estimated' | 'contradictory', count: number) =>
  insertRelayUsage(
    db,
    Array.from({ length: count }, () => usageRow(counted)),
  );

const recordTick = (ageMs: number) => saveWorkerTick(db, clock.now() - ageMs);

test.each<[string, () => unknown, () => unknown]>([
  ['worker', () => recordTick(5 * MINUTE_MS), () => recordTick(0)],
  ['queue', () => (state.oldestJobMs = 16 * MINUTE_MS), () => (state.oldestJobMs = null)],
  ['model_budget', () => (state.isBudgetSpent = true), () => (state.isBudgetSpent = false)],
  ['model_replies', () => (state.lostReplies = 2), () => (state.lostReplies = 0)],
  ['backup', () => recordBackup('no space left on device'), () => recordBackup(null)],
  ['upstream_account', () => recordUpstreamHealth(true), () => recordUpstreamHealth(false)],
  [
    'negative_margin',
    async () => {
      await importCost();
      await setPrice('90');
    },
    () => setPrice('130'),
  ],
  [
    'negative_margin',
    async () => {
      // Calls without a price, and calls without a cost, show no margin.
      await addSoldCall(null, 900);
      await addSoldCall(100, null);
      await addSoldCall(50, 60);
      await addSoldCall(50, 60);
    },
    () => addSoldCall(50, 20),
  ],
  [
    'usage_absent',
    async () => {
      await addCalls('upstream', 98);
      await addCalls('estimated', 1);
      await addCalls('contradictory', 1);
    },
    () => addCalls('upstream', 400),
  ],
])(
  '%s: sends one message when the condition begins and one when it ends',
  async (condition, startCondition, endCondition) => {
    await recordTick(0);
    await startCondition();
    expect(await evaluateTwice()).toEqual([['alert.raised', condition]]);
    await recordTick(0);
    await endCondition();
    expect(await evaluateTwice()).toEqual([['alert.cleared', condition]]);
  },
);

test('an alert that lasts is repeated after a day', async () => {
  state.lostReplies = 1;
  await recordTick(0);
  expect(await evaluateTwice()).toEqual([['alert.raised', 'model_replies']]);
  await recordBackup(null);
  clock.set(clock.now() + DAY_MS);
  await recordBackup(null);
  await recordTick(0);
  expect(await evaluateTwice()).toEqual([['alert.raised', 'model_replies']]);
  state.lostReplies = 0;
  expect(await evaluateTwice()).toEqual([['alert.cleared', 'model_replies']]);
});

test('sends the weekly source report on Monday at 09:00 in the operator’s zone', async () => {
  const publisher = openStoryPublisher(world, db);
  for (const id of ['press', 'wire', 'post']) await publisher.addSource({ id, name: `The ${id}` });
  const monday = Date.parse('2026-09-07T07:00:00Z');
  clock.set(monday - DAY_MS);
  await publisher.publish({ source: 'press', title: 'A mill opens', story: 'sty_mill' });
  await publisher.publish({ source: 'wire', title: 'A mill opened', story: 'sty_mill' });
  clock.set(monday - 1);
  await recordTick(0);
  await recordBackup(null);
  expect(await createSourceReports(world, db, 'Europe/Paris')).toBe(0);
  clock.set(monday);
  expect(await createSourceReports(world, db, 'Europe/Paris')).toBe(1);
  expect(await createSourceReports(world, db, 'Europe/Paris')).toBe(0);
  const [row] = await listDeliveryRows(db, { limit: 1 });
  const request = { ...requirePresent(row, 'a delivery'), createdAt: monday };
  const content = await sourceReportContent(db, site, request);
  expect(content).toMatchObject({
    event: 'digest',
    title: 'Sources of the week: 2 items from 3 sources',
    entries: [
      { title: 'The press', lines: ['1 item · 1 selected · 1 first to report · 0 min median lag'] },
      { title: 'The wire', lines: ['1 item · 1 selected · 0 first to report · 0 min median lag'] },
      { title: 'Without an item in 30 days', lines: ['The post'] },
    ],
    data: { reason: 'weekly:2026-09-07' },
  });
});

type OtherProcess = {
  readonly heartbeatCount: () => number;
  /** Moves the clock by `minutes`, and resolves when the process waits for its next round. */
  runRound(minutes: number): Promise<void>;
  close(): Promise<void>;
};

/** Opens a process without a worker, and counts the requests of its heartbeat. */
async function openOtherProcess(): Promise<OtherProcess> {
  let heartbeatCount = 0;
  let pauses = 0;
  let rounds = 1;
  const sleep: typeof clock.sleep = (ms, signal) => {
    if (ms === MINUTE_MS) pauses += 1;
    return clock.sleep(ms, signal);
  };
  const monitor = createServer((_req, res) => {
    heartbeatCount += 1;
    res.end('ok');
  });
  await new Promise<void>((resolve) => monitor.listen(0, '127.0.0.1', resolve));
  const { port } = monitor.address() as AddressInfo;
  const alerts = openAlerts({ ...world, clock: { ...clock, sleep } }, db, {
    evaluation: null,
    smtp: null,
    heartbeat: `http://127.0.0.1:${port}/beat`,
    name: 'Radar (radar)',
    url: site.url,
  });
  const waitForPause = () => waitUntil(() => pauses === rounds);
  await waitForPause();
  return {
    heartbeatCount: () => heartbeatCount,
    runRound: async (minutes) => {
      rounds += 1;
      clock.set(clock.now() + minutes * MINUTE_MS);
      await waitForPause();
    },
    close: async () => {
      await alerts.close();
      monitor.closeAllConnections();
      await new Promise((resolve) => monitor.close(resolve));
    },
  };
}

const waitUntil = (condition: () => boolean) => until(async () => (condition() ? true : null));

test('a process without a worker reports when no worker runs and when one runs again', async () => {
  await recordTick(0);
  const otherProcess = await openOtherProcess();
  await otherProcess.runRound(6);
  expect(services.received).toHaveLength(1);
  await recordTick(0);
  await otherProcess.runRound(1);
  expect(otherProcess.heartbeatCount()).toBe(2);
  await otherProcess.close();
  expect(services.received.map(messageOf)).toEqual([
    ['alert.raised', 'worker'],
    ['alert.cleared', 'worker'],
  ]);
});

test('a database outage is reported after two minutes, every hour, and at its end', async () => {
  await recordTick(0);
  const otherProcess = await openOtherProcess();
  const server = inject('databaseServer');
  const { database } = connection as { readonly database: string };
  await runStatement(server, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await runStatement(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
  );
  const begunAt = clock.now();
  for (let minute = 1; minute <= 70; minute += 1) await otherProcess.runRound(1);
  expect(services.received).toHaveLength(2);
  await runStatement(server, `ALTER DATABASE ${database} ALLOW_CONNECTIONS true`);
  await saveWorkerTick(db, clock.now());
  await otherProcess.runRound(1);
  await otherProcess.close();
  expect(services.received.map(messageOf)).toEqual([
    ['alert.raised', 'database_away'],
    ['alert.raised', 'database_away'],
    ['alert.cleared', 'database_away'],
  ]);
  const minutesAfter = services.received.map(({ at }) => Math.round((at - begunAt) / MINUTE_MS));
  expect(minutesAfter).toEqual([2, 62, 71]);
});
