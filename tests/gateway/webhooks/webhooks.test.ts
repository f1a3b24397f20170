// Webhooks to customers: signed, sent once, retried after a failure, and only for subscribed
// events.
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { creditAccount } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  deliveriesOf,
  type EndpointOwner,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  repeatDelivery,
  sendTest,
} from '../../../src/gateway/webhooks/endpoints.ts';
import { openWebhookSender } from '../../../src/gateway/webhooks/open-sender.ts';
import { findBalanceAlert, saveBalanceAlert } from '../../../src/gateway/webhooks/raise-alerts.ts';
import { runningClock } from '../../../src/kernel/time/clock.ts';
import { MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import type { World } from '../../../src/kernel/world.ts';
import { jobStatuses } from '../../../src/store/gateway/gateway-jobs.ts';
import { raiseEvent, WAITING_MAX } from '../../../src/store/gateway/webhook-events.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, type TestKeys } from '../../support/test-gateway.ts';
import { until } from '../../support/until.ts';
import { openReceiver, type Receiver } from './webhook-receiver.ts';

const gateway = await openTestGateway();
const { world, clock, db } = gateway;
const CNY = 100_000_000n;

async function customer(events: readonly string[]) {
  const keys = await gateway.newAccount();
  const receiver = await openReceiver();
  const owner: EndpointOwner = { accountId: keys.accountId, livemode: true };
  const added = await addEndpoint(world, db, { owner, url: receiver.url, events });
  if (added.kind !== 'added') throw new Error(added.kind);
  return { keys, receiver, owner, ...added };
}

/** Number of senders that wait for at least a second. */
let asleep = 0;
/** Running requests. Moving the clock meanwhile would end them by their time limit. */
let sending = 0;
const realClock = runningClock();
const watched: World = {
  ...world,
  clock: {
    now: clock.now,
    sleep: async (ms, signal) => {
      // A lost LISTEN connection is reopened in real time, because a test moves the clock too
      // rarely.
      if (ms < 1_000) return realClock.sleep(ms, signal);
      asleep += 1;
      try {
        await clock.sleep(ms, signal);
      } finally {
        asleep -= 1;
      }
    },
  },
  net: {
    ...world.net,
    request: async (request) => {
      sending += 1;
      try {
        return await world.net.request(request);
      } finally {
        sending -= 1;
      }
    },
  },
};

/** Two nodes, so that a duplicate delivery would be visible. */
const senders = [openWebhookSender(watched, db), openWebhookSender(watched, db)];
for (const sender of senders) afterAll(sender.close);

/** Moves the clock. A sender that starts to wait later would not notice the move and never wake. */
const goTo = (instant: number) =>
  until(async () => {
    if (asleep < senders.length || sending > 0) return null;
    clock.set(instant);
    return true;
  });
const pass = (ms: number) => goTo(clock.now() + ms);

const receivedAtLeast = ({ received }: Receiver, count: number) =>
  until(async () => (received.length >= count ? received : null));

const endpointView = async (owner: EndpointOwner, id: string) =>
  (await deliveriesOf(db, owner, { id, before: null }))?.deliveries ?? [];

/** Resolves after this number of attempts of the only delivery. */
const waitForTries = (owner: EndpointOwner, id: string, tries: number) =>
  until(async () => {
    const [delivery] = await endpointView(owner, id);
    return delivery?.tries === tries ? delivery : null;
  });

const beginJob = async ({ sk }: TestKeys) => {
  const response = await gateway.call(
    'paid',
    { text: 'later' },
    { prefer: 'respond-async', key: sk },
  );
  return (json(response).data as { id: string }).id;
};

const succeededEvent = (job: string) =>
  until(async () => ((await jobStatuses(db, [job])).get(job) === 'succeeded' ? true : null));

const call = ({ sk }: TestKeys) => gateway.call('paid', { text: 'now' }, { key: sk });

describe('a finished job', () => {
  test('is delivered once, signed, with its address and without its result', async () => {
    const { keys, receiver, secret, owner, id } = await customer(['job.finished']);
    const job = await beginJob(keys);
    const [message] = await receivedAtLeast(receiver, 1);
    expect(message?.signedBy([secret])).toEqual([0]);
    expect(message?.timestamp).toBe(String(clock.now() / 1000));
    const { request_id: requestId, ...rest } = JSON.parse(message?.body ?? '').data.job;
    expect(requestId).toMatch(/^req_/);
    expect({ ...JSON.parse(message?.body ?? ''), data: { job: rest } }).toEqual({
      type: 'job.finished',
      timestamp: '2026-08-22T12:00:00.000Z',
      livemode: true,
      data: {
        job: { id: job, capability: 'paid', status: 'succeeded', url: `/api/v1/jobs/${job}` },
      },
    });
    const { body, ...delivery } = await waitForTries(owner, id, 1);
    expect(body).toBe(message?.body);
    expect(delivery).toEqual({
      eventId: message?.id,
      type: 'job.finished',
      state: 'delivered',
      tries: 1,
      createdAt: clock.now(),
      dueAt: clock.now(),
      lastAt: clock.now(),
      lastStatus: 204,
      lastError: null,
    });
    expect(receiver.received).toHaveLength(1);
  });

  test('is not delivered to other accounts, modes or event types', async () => {
    const other = await customer(['balance.low']);
    const subscriber = await customer(['job.finished']);
    const test = { accountId: subscriber.keys.accountId, livemode: false };
    const otherReceiver = await openReceiver();
    const events = ['job.finished'];
    await addEndpoint(world, db, { owner: test, url: otherReceiver.url, events });
    await beginJob(subscriber.keys);
    await receivedAtLeast(subscriber.receiver, 1);
    expect([other.receiver.received, otherReceiver.received]).toEqual([[], []]);
    const { owner } = other;
    expect(await findEndpoint(db, owner, subscriber.id)).toBeNull();
    expect(await deliveriesOf(db, owner, { id: subscriber.id, before: null })).toBeNull();
    expect(await removeEndpoint(db, owner, subscriber.id)).toBe(false);
    expect(await sendTest(world, db, owner, subscriber.id)).toEqual({ kind: 'not_found' });
  });
});

describe('a failing server', () => {
  test('is retried eight times within a day under one id, and then no more', async () => {
    const { receiver, owner, id, secret } = await customer(['job.finished']);
    receiver.respond(500);
    const began = clock.now();
    await sendTest(world, db, owner, id);
    const minutes: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      const { lastAt, dueAt, state, lastStatus, lastError } = await waitForTries(owner, id, tries);
      minutes.push(((lastAt ?? 0) - began) / MINUTE_MS);
      expect({ lastStatus, lastError }).toEqual({ lastStatus: 500, lastError: 'status 500' });
      expect(state).toBe(tries < 8 ? 'waiting' : 'failed');
      if (tries < 8) await goTo(dueAt);
    }
    expect(minutes).toEqual([0, 1, 6, 36, 156, 456, 936, 1440]);
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(1);
    expect(receiver.received.map((message) => message.signedBy([secret])[0])).toEqual(
      Array(8).fill(0),
    );
    // The operator sends it again.
    receiver.respond(200);
    const eventId = receiver.received[0]?.id ?? '';
    expect(await repeatDelivery(world, db, owner, { id, eventId })).toBe(true);
    expect((await waitForTries(owner, id, 1)).state).toBe('delivered');
    expect(receiver.received).toHaveLength(9);
  });

  test('that redirects is not followed, and one that returns 410 is disabled', async () => {
    const { receiver, owner, id, keys } = await customer(['job.finished']);
    receiver.respond(302, { location: 'http://127.0.0.1:9/other' });
    await sendTest(world, db, owner, id);
    const { lastError, state } = await waitForTries(owner, id, 1);
    expect({ lastError, state }).toEqual({
      lastError: 'a redirect to http://127.0.0.1:9/other, which is not followed',
      state: 'waiting',
    });
    receiver.respond(410);
    await pass(MINUTE_MS);
    expect((await waitForTries(owner, id, 2)).state).toBe('failed');
    await until(async () => ((await findEndpoint(db, owner, id))?.state === 'gone' ? true : null));
    await beginJob(keys);
    expect(receiver.received).toHaveLength(2);
  });

  test('may request a longer delay', async () => {
    const { receiver, owner, id } = await customer(['job.finished']);
    receiver.respond(429, { 'retry-after': '600' });
    await sendTest(world, db, owner, id);
    expect((await waitForTries(owner, id, 1)).dueAt).toBe(clock.now() + 10 * MINUTE_MS);
  });
});

describe('an endpoint', () => {
  test('is refused when it is invalid, and above ten', async () => {
    const { accountId } = await gateway.newAccount();
    const owner = { accountId, livemode: true };
    const events = ['job.finished'];
    const add = (url: string, eventTypes: readonly string[] = events) =>
      addEndpoint(world, db, { owner, url, events: eventTypes });
    const invalid = (problem: string) => ({ kind: 'invalid', problem });
    for (const url of [
      '',
      'hook',
      'https://user:secret@hook.example/',
      `https://a/${'x'.repeat(500)}`,
    ]) {
      expect(await add(url)).toEqual(invalid('url'));
    }
    expect(await add('http://hook.example/')).toEqual(invalid('https'));
    expect(await add('ftp://hook.example/')).toEqual(invalid('https'));
    expect(await add('https://hook.example:22/')).toEqual(invalid('port'));
    expect(await add('https://hook.example/', [])).toEqual(invalid('events'));
    expect(await add('https://hook.example/', ['test'])).toEqual(invalid('events'));
    const added = await Promise.all(
      Array.from({ length: 12 }, (_, n) => add(`https://hook.example:${n % 2 ? 443 : 8443}/${n}`)),
    );
    expect(added.filter(({ kind }) => kind === 'too_many')).toHaveLength(2);
    expect(await listEndpoints(db, owner)).toHaveLength(10);
  });

  test('changes its secret with one day of both, and reports a concurrent edit', async () => {
    const { receiver, owner, id, secret } = await customer(['job.finished']);
    const changed = await changeSecret(world, db, { owner, id, version: 1 });
    if (changed.kind !== 'changed' || changed.secret === null) throw new Error(changed.kind);
    const stale = { owner, id, version: 1 };
    expect(await changeSecret(world, db, stale)).toEqual({ kind: 'stale' });
    const input = { url: receiver.url, events: ['job.finished'], isOn: false };
    expect(await changeEndpoint(db, stale, input)).toEqual({ kind: 'stale' });
    await sendTest(world, db, owner, id);
    const both = [changed.secret, secret];
    expect((await receivedAtLeast(receiver, 1))[0]?.signedBy(both)).toEqual([0, 1]);
    await pass(24 * 60 * MINUTE_MS);
    await sendTest(world, db, owner, id);
    expect((await receivedAtLeast(receiver, 2))[1]?.signedBy(both)).toEqual([0]);
  });

  test('has its secrets encrypted in the database; an earlier plain one still signs', async () => {
    const { receiver, owner, id, secret } = await customer(['job.finished']);
    const changed = await changeSecret(world, db, { owner, id, version: 1 });
    if (changed.kind !== 'changed' || changed.secret === null) throw new Error(changed.kind);
    const tables = await dumpTables(db);
    expect(tables).toContain(id);
    for (const text of [secret, changed.secret]) {
      expect(tables).not.toContain(text.replace('whsec_', '').slice(0, 40));
    }
    const secretBytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    await sql`UPDATE webhook_endpoints SET secret = ${secretBytes}, old_secret = NULL
      WHERE id = ${id}`.execute(sqlOf(db));
    await sendTest(world, db, owner, id);
    expect((await receivedAtLeast(receiver, 1))[0]?.signedBy([secret])).toEqual([0]);
  });

  test('receives missed events when it is enabled again, and only subscribed ones', async () => {
    const { receiver, owner, id, keys } = await customer(['job.finished']);
    receiver.respond(500);
    const job = await beginJob(keys);
    await waitForTries(owner, id, 1);
    const input = { url: receiver.url, events: ['job.finished'] };
    await changeEndpoint(db, { owner, id, version: 1 }, { ...input, isOn: false });
    receiver.respond(204);
    await pass(MINUTE_MS);
    // Nothing about the second job, which ended while the endpoint was off.
    await succeededEvent(await beginJob(keys));
    await sendTest(world, db, owner, id);
    await receivedAtLeast(receiver, 2);
    await changeEndpoint(db, { owner, id, version: 2 }, { ...input, isOn: true });
    await pass(MINUTE_MS);
    const events = await receivedAtLeast(receiver, 3);
    expect(events.map(({ body }) => JSON.parse(body).data.job?.id ?? null)).toEqual([
      job,
      null,
      job,
    ]);
  });
});

describe('a warning', () => {
  test('is sent when the balance falls below its threshold, and again after it rose', async () => {
    const { keys, receiver, owner } = await customer(['balance.low']);
    const { accountId } = keys;
    const credit = (amount: bigint, reference: string) =>
      creditAccount(world, db, {
        accountId,
        livemode: true,
        amount,
        reference: `${accountId} ${reference}`,
        reason: 'test',
        actor: 'test',
      });
    await credit(5n * CNY, 'one');
    expect(await saveBalanceAlert(db, owner, { below: 3n * CNY, version: 0 })).toBe(true);
    expect(await saveBalanceAlert(db, owner, { below: 4n * CNY, version: 0 })).toBe(false);
    await credit(-3n * CNY, 'two');
    await pass(MINUTE_MS);
    const at = clock.now();
    const [first] = await receivedAtLeast(receiver, 1);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      type: 'balance.low',
      timestamp: new Date(at).toISOString(),
      livemode: true,
      data: { balance: { total: '2', below: '3', currency: 'CNY' } },
    });
    const low = async (isLow: boolean) => {
      const alert = await findBalanceAlert(db, owner);
      return (alert?.lowSince !== null) === isLow ? true : null;
    };
    await until(() => low(true));
    await credit(5n * CNY, 'three');
    await pass(MINUTE_MS);
    await until(() => low(false));
    await credit(-6n * CNY, 'four');
    await pass(MINUTE_MS);
    expect(JSON.parse((await receivedAtLeast(receiver, 2))[1]?.body ?? '').data.balance.total).toBe(
      '1',
    );
    expect(await saveBalanceAlert(db, owner, { below: null, version: 1 })).toBe(true);
    expect(await findBalanceAlert(db, owner)).toBeNull();
  });

  test('is sent at 80 percent of a budget, and when a call is refused for it', async () => {
    const { keys, receiver, owner } = await customer(['budget.reached']);
    const { accountId } = owner;
    const key = await gateway.newKey({
      accountId,
      name: 'Shop',
      budget: { amount: CNY / 10n, period: 'day' },
    });
    const spend = () => call({ ...keys, sk: key.text });
    expect([(await spend()).status, (await spend()).status]).toEqual([200, 200]);
    await pass(MINUTE_MS);
    expect((await spend()).status).toBe(402);
    expect((await spend()).status).toBe(402);
    const percents = (events: readonly { body: string }[]) =>
      events.map(({ body }) => JSON.parse(body).data.budget.percent).sort((a, b) => a - b);
    expect(percents(await receivedAtLeast(receiver, 2))).toEqual([80, 100]);
    const body = JSON.parse(receiver.received[0]?.body ?? '');
    expect(body.data.key).toEqual({ id: key.id, name: 'Shop', last4: key.text.slice(-4) });
    expect(body.data.budget).toMatchObject({
      period: 'day',
      amount: '0.1',
      spent: '0.072',
      currency: 'CNY',
    });
    // A new day starts the period again.
    await pass(24 * 60 * MINUTE_MS);
    expect([(await spend()).status, (await spend()).status, (await spend()).status]).toEqual([
      200, 200, 402,
    ]);
    expect(percents(await receivedAtLeast(receiver, 4))).toEqual([80, 80, 100, 100]);
  });
});

describe('customers share the sender', () => {
  const raise = (owner: EndpointOwner, endpointId: string, n: number) => {
    const id = `msg_${world.ids.next()}`;
    const event = { id, ...owner, type: 'test', subject: id, body: `{"n":${n}}` } as const;
    return raiseEvent(db, { ...event, now: clock.now(), endpointId });
  };

  test('and stalled endpoints delay no message to another customer', async () => {
    const slow = await customer(['job.finished']);
    const fast = await customer(['job.finished']);
    const others = await Promise.all(senders.map(() => customer(['job.finished'])));
    // One after the other, so that each sender waits for a stalled endpoint.
    for (const { owner, id, receiver } of others) {
      receiver.stall();
      await raise(owner, id, 0);
      await receivedAtLeast(receiver, 1);
    }
    slow.receiver.stall();
    for (let n = 0; n < 60; n += 1) await raise(slow.owner, slow.id, n);
    await receivedAtLeast(slow.receiver, 2);
    // The clock stands still: every message to the fast endpoint leaves in its first round.
    const began = clock.now();
    for (let n = 1; n <= 10; n += 1) {
      await raise(fast.owner, fast.id, n);
      await receivedAtLeast(fast.receiver, n);
    }
    expect(clock.now()).toBe(began);
    // Two concurrent requests per endpoint, however many deliveries wait.
    expect(slow.receiver.received).toHaveLength(2);
    for (const { owner, id } of [slow, ...others]) await removeEndpoint(db, owner, id);
  });

  test('and one account sends five tests a minute', async () => {
    const { owner, id, receiver } = await customer(['job.finished']);
    for (let n = 0; n < 5; n += 1) {
      expect(await sendTest(world, db, owner, id)).toEqual({ kind: 'sent' });
    }
    expect(await sendTest(world, db, owner, id)).toEqual({ kind: 'too_many', waitMs: 12_000 });
    await receivedAtLeast(receiver, 5);
  });

  test('and an endpoint queues at most a thousand deliveries', async () => {
    const { owner, id } = await customer(['job.finished']);
    const input = { url: 'https://gone.example/hook', events: ['job.finished'], isOn: false };
    await changeEndpoint(db, { owner, id, version: 1 }, input);
    const body = '{}';
    const later = clock.now() + MINUTE_MS;
    for (let n = 0; n < WAITING_MAX + 5; n += 1) {
      const event = { ...owner, id: `msg_wait_${n}`, type: 'job.finished', body } as const;
      await raiseEvent(db, { ...event, subject: event.id, now: later, endpointId: id });
    }
    const { rows } = await sql`SELECT count(*)::int AS waiting FROM webhook_deliveries
      WHERE endpoint_id = ${id} AND state = 'waiting'`.execute(sqlOf(db));
    expect(rows).toEqual([{ waiting: WAITING_MAX }]);
  });

  test('and the reason for an unreachable address stays hidden', async () => {
    const { owner, id } = await customer(['job.finished']);
    const texts: (string | null)[] = [];
    for (const url of ['https://localhost/', 'https://10.0.0.1/', 'https://no-such.invalid/']) {
      const endpoint = await findEndpoint(db, owner, id);
      const target = { owner, id, version: endpoint?.version ?? 1 };
      await changeEndpoint(db, target, { url, events: ['job.finished'], isOn: true });
      const before = (await deliveriesOf(db, owner, { id, before: null }))?.deliveries ?? [];
      await sendTest(world, db, owner, id);
      const attempt = await until(async () => {
        const found = (await deliveriesOf(db, owner, { id, before: null }))?.deliveries ?? [];
        const [newest] = found;
        return found.length > before.length && newest?.tries === 1 ? newest : null;
      });
      texts.push(attempt.lastError);
    }
    const text = 'The address could not be reached, or did not respond within 15 s.';
    expect(texts).toEqual([text, text, text]);
  });
});
