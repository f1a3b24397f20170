// Webhooks to customers: signed, sent once, retried after a failure, and only for subscribed
// events.
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { creditAccount } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import {
  addEndpoint,
  changeEndpoint,
  changeSecret,
  type EndpointOwner,
  findEndpoint,
  listEndpointDeliveries,
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
import { readJobStatuses } from '../../../src/store/gateway/gateway-jobs.ts';
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

async function openCustomer(events: readonly string[]) {
  const keys = await gateway.newAccount();
  const receiver = await openReceiver();
  const owner: EndpointOwner = { accountId: keys.accountId, livemode: true };
  const addedEndpoint = await addEndpoint(world, db, { owner, url: receiver.url, events });
  if (addedEndpoint.kind !== 'added') throw new Error(addedEndpoint.kind);
  return { keys, receiver, owner, ...addedEndpoint };
}

/** The number of senders that wait for at least a second. */
let waitingSenders = 0;
/**
 * The number of running requests. When the clock moves during a request, its time limit ends the
 * request.
 */
let runningRequests = 0;
const realClock = runningClock();
const watchedWorld: World = {
  ...world,
  clock: {
    now: clock.now,
    sleep: async (ms, signal) => {
      // A lost LISTEN connection is reopened in real time, because a test moves the clock too
      // rarely.
      if (ms < 1_000) return realClock.sleep(ms, signal);
      waitingSenders += 1;
      try {
        await clock.sleep(ms, signal);
      } finally {
        waitingSenders -= 1;
      }
    },
  },
  net: {
    ...world.net,
    request: async (request) => {
      runningRequests += 1;
      try {
        return await world.net.request(request);
      } finally {
        runningRequests -= 1;
      }
    },
  },
};

/** Two nodes send, because a duplicate delivery could then occur. */
const senders = [openWebhookSender(watchedWorld, db), openWebhookSender(watchedWorld, db)];
for (const sender of senders) afterAll(sender.close);

/**
 * Moves the clock when all senders wait. A sender that starts to wait later would miss the move and
 * never continue.
 */
const moveClockTo = (instant: number) =>
  until(async () => {
    if (waitingSenders < senders.length || runningRequests > 0) return null;
    clock.set(instant);
    return true;
  });
const passTime = (ms: number) => moveClockTo(clock.now() + ms);

const waitForReceived = ({ receivedWebhooks: received }: Receiver, count: number) =>
  until(async () => (received.length >= count ? received : null));

const readDeliveries = async (owner: EndpointOwner, id: string) =>
  (await listEndpointDeliveries(db, owner, { id, before: null }))?.deliveries ?? [];

/** Resolves after this number of attempts of the only delivery. */
const waitForTries = (owner: EndpointOwner, id: string, tries: number) =>
  until(async () => {
    const [delivery] = await readDeliveries(owner, id);
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

const waitForSuccess = (job: string) =>
  until(async () => ((await readJobStatuses(db, [job])).get(job) === 'succeeded' ? true : null));

const call = ({ sk }: TestKeys) => gateway.call('paid', { text: 'now' }, { key: sk });

describe('a finished job', () => {
  test('is delivered once, signed, with its address and without its result', async () => {
    const { keys, receiver, secret, owner, id } = await openCustomer(['job.finished']);
    const job = await beginJob(keys);
    const [message] = await waitForReceived(receiver, 1);
    expect(message?.signedBy([secret])).toEqual([0]);
    expect(message?.timestamp).toBe(String(clock.now() / 1000));
    const { request_id: requestId, ...jobFields } = JSON.parse(message?.body ?? '').data.job;
    expect(requestId).toMatch(/^req_/);
    expect({ ...JSON.parse(message?.body ?? ''), data: { job: jobFields } }).toEqual({
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
    expect(receiver.receivedWebhooks).toHaveLength(1);
  });

  test('is not delivered to other accounts, modes or event types', async () => {
    const otherCustomer = await openCustomer(['balance.low']);
    const subscriber = await openCustomer(['job.finished']);
    const testOwner = { accountId: subscriber.keys.accountId, livemode: false };
    const events = ['job.finished'];
    const url = 'https://hook.example/';
    const addedTestEndpoint = await addEndpoint(world, db, { owner: testOwner, url, events });
    if (addedTestEndpoint.kind !== 'added') throw new Error(addedTestEndpoint.kind);
    await beginJob(subscriber.keys);
    await waitForReceived(subscriber.receiver, 1);
    // All deliveries of an event are stored at once, before the first one is sent.
    const { owner } = otherCustomer;
    expect(await readDeliveries(owner, otherCustomer.id)).toEqual([]);
    expect(await readDeliveries(testOwner, addedTestEndpoint.id)).toEqual([]);
    expect(await findEndpoint(db, owner, subscriber.id)).toBeNull();
    expect(await listEndpointDeliveries(db, owner, { id: subscriber.id, before: null })).toBeNull();
    expect(await removeEndpoint(db, owner, subscriber.id)).toBe(false);
    expect(await sendTest(world, db, owner, subscriber.id)).toEqual({ kind: 'not_found' });
  });
});

describe('a failing server', () => {
  test('is retried eight times within a day under one id, and then no more', async () => {
    const { receiver, owner, id, secret } = await openCustomer(['job.finished']);
    receiver.respond(500);
    const beganAt = clock.now();
    await sendTest(world, db, owner, id);
    const minutes: number[] = [];
    for (let tries = 1; tries <= 8; tries += 1) {
      const { lastAt, dueAt, state, lastStatus, lastError } = await waitForTries(owner, id, tries);
      minutes.push(((lastAt ?? 0) - beganAt) / MINUTE_MS);
      expect({ lastStatus, lastError }).toEqual({ lastStatus: 500, lastError: 'status 500' });
      expect(state).toBe(tries < 8 ? 'waiting' : 'failed');
      if (tries < 8) await moveClockTo(dueAt);
    }
    expect(minutes).toEqual([0, 1, 6, 36, 156, 456, 936, 1440]);
    expect(new Set(receiver.receivedWebhooks.map((message) => message.id)).size).toBe(1);
    expect(receiver.receivedWebhooks.map((message) => message.signedBy([secret])[0])).toEqual(
      Array(8).fill(0),
    );
    // The customer requests the delivery again.
    receiver.respond(200);
    const eventId = receiver.receivedWebhooks[0]?.id ?? '';
    expect(await repeatDelivery(world, db, owner, { id, eventId })).toBe(true);
    expect((await waitForTries(owner, id, 1)).state).toBe('delivered');
    expect(receiver.receivedWebhooks).toHaveLength(9);
  });

  test('that redirects is not followed, and one that returns 410 is disabled', async () => {
    const { receiver, owner, id, keys } = await openCustomer(['job.finished']);
    receiver.respond(302, { location: 'http://127.0.0.1:9/other' });
    await sendTest(world, db, owner, id);
    const { lastError, state } = await waitForTries(owner, id, 1);
    expect({ lastError, state }).toEqual({
      lastError: 'a redirect to http://127.0.0.1:9/other, which is not followed',
      state: 'waiting',
    });
    receiver.respond(410);
    await passTime(MINUTE_MS);
    expect((await waitForTries(owner, id, 2)).state).toBe('failed');
    await until(async () => ((await findEndpoint(db, owner, id))?.state === 'gone' ? true : null));
    // The job's event creates no delivery, so the only delivery is the test's.
    await waitForSuccess(await beginJob(keys));
    expect(await readDeliveries(owner, id)).toHaveLength(1);
    expect(receiver.receivedWebhooks).toHaveLength(2);
  });

  test('may request a longer delay', async () => {
    const { receiver, owner, id } = await openCustomer(['job.finished']);
    receiver.respond(429, { 'retry-after': '600' });
    await sendTest(world, db, owner, id);
    expect((await waitForTries(owner, id, 1)).dueAt).toBe(clock.now() + 10 * MINUTE_MS);
  });
});

describe('an endpoint', () => {
  test('is refused when it is invalid or the eleventh of its account', async () => {
    const { accountId } = await gateway.newAccount();
    const owner = { accountId, livemode: true };
    const events = ['job.finished'];
    const add = (url: string, eventTypes: readonly string[] = events) =>
      addEndpoint(world, db, { owner, url, events: eventTypes });
    const invalidEndpoint = (problem: string) => ({ kind: 'invalid', problem });
    for (const url of [
      '',
      'hook',
      'https://user:secret@hook.example/',
      `https://a/${'x'.repeat(500)}`,
    ]) {
      expect(await add(url)).toEqual(invalidEndpoint('url'));
    }
    expect(await add('http://hook.example/')).toEqual(invalidEndpoint('https'));
    expect(await add('ftp://hook.example/')).toEqual(invalidEndpoint('https'));
    expect(await add('https://hook.example:22/')).toEqual(invalidEndpoint('port'));
    expect(await add('https://hook.example/', [])).toEqual(invalidEndpoint('events'));
    expect(await add('https://hook.example/', ['test'])).toEqual(invalidEndpoint('events'));
    const addResults = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        add(`https://hook.example:${index % 2 ? 443 : 8443}/${index}`),
      ),
    );
    expect(addResults.filter(({ kind }) => kind === 'too_many')).toHaveLength(2);
    expect(await listEndpoints(db, owner)).toHaveLength(10);
  });

  test('signs with both secrets for a day after a change, and reports a conflict', async () => {
    const { receiver, owner, id, secret } = await openCustomer(['job.finished']);
    const changedSecret = await changeSecret(world, db, { owner, id, version: 1 });
    if (changedSecret.kind !== 'changed' || changedSecret.secret === null)
      throw new Error(changedSecret.kind);
    const staleChange = { owner, id, version: 1 };
    expect(await changeSecret(world, db, staleChange)).toEqual({ kind: 'conflict' });
    const input = { url: receiver.url, events: ['job.finished'], isOn: false };
    expect(await changeEndpoint(db, staleChange, input)).toEqual({ kind: 'conflict' });
    await sendTest(world, db, owner, id);
    const bothSecrets = [changedSecret.secret, secret];
    expect((await waitForReceived(receiver, 1))[0]?.signedBy(bothSecrets)).toEqual([0, 1]);
    await passTime(24 * 60 * MINUTE_MS);
    await sendTest(world, db, owner, id);
    expect((await waitForReceived(receiver, 2))[1]?.signedBy(bothSecrets)).toEqual([0]);
  });

  test('stores its secrets encrypted, and an earlier unencrypted secret still signs', async () => {
    const { receiver, owner, id, secret } = await openCustomer(['job.finished']);
    const changedSecret = await changeSecret(world, db, { owner, id, version: 1 });
    if (changedSecret.kind !== 'changed' || changedSecret.secret === null)
      throw new Error(changedSecret.kind);
    const tables = await dumpTables(db);
    expect(tables).toContain(id);
    for (const text of [secret, changedSecret.secret]) {
      expect(tables).not.toContain(text.replace('whsec_', '').slice(0, 40));
    }
    const secretBytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    await sql`UPDATE webhook_endpoints SET secret = ${secretBytes}, old_secret = NULL
      WHERE id = ${id}`.execute(sqlOf(db));
    await sendTest(world, db, owner, id);
    expect((await waitForReceived(receiver, 1))[0]?.signedBy([secret])).toEqual([0]);
  });

  test('enabled again receives waiting deliveries, but no event that it missed', async () => {
    const { receiver, owner, id, keys } = await openCustomer(['job.finished']);
    receiver.respond(500);
    const job = await beginJob(keys);
    await waitForTries(owner, id, 1);
    const input = { url: receiver.url, events: ['job.finished'] };
    await changeEndpoint(db, { owner, id, version: 1 }, { ...input, isOn: false });
    receiver.respond(204);
    await passTime(MINUTE_MS);
    // No event of the second job arrives, because it ended while the endpoint was off.
    await waitForSuccess(await beginJob(keys));
    await sendTest(world, db, owner, id);
    await waitForReceived(receiver, 2);
    await changeEndpoint(db, { owner, id, version: 2 }, { ...input, isOn: true });
    await passTime(MINUTE_MS);
    const events = await waitForReceived(receiver, 3);
    expect(events.map(({ body }) => JSON.parse(body).data.job?.id ?? null)).toEqual([
      job,
      null,
      job,
    ]);
  });
});

describe('an alert', () => {
  test('is sent each time when the balance falls below its threshold', async () => {
    const { keys, receiver, owner } = await openCustomer(['balance.low']);
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
    await passTime(MINUTE_MS);
    const at = clock.now();
    const [first] = await waitForReceived(receiver, 1);
    expect(JSON.parse(first?.body ?? '')).toEqual({
      type: 'balance.low',
      timestamp: new Date(at).toISOString(),
      livemode: true,
      data: { balance: { total: '2', below: '3', currency: 'CNY' } },
    });
    const waitForState = (isLow: boolean) =>
      until(async () => {
        const alert = await findBalanceAlert(db, owner);
        return (alert?.lowSince !== null) === isLow ? true : null;
      });
    await waitForState(true);
    await credit(5n * CNY, 'three');
    await passTime(MINUTE_MS);
    await waitForState(false);
    await credit(-6n * CNY, 'four');
    await passTime(MINUTE_MS);
    expect(JSON.parse((await waitForReceived(receiver, 2))[1]?.body ?? '').data.balance.total).toBe(
      '1',
    );
    expect(await saveBalanceAlert(db, owner, { below: null, version: 1 })).toBe(true);
    expect(await findBalanceAlert(db, owner)).toBeNull();
  });

  test('is sent at 80 percent of a budget, and when a call is refused for it', async () => {
    const { keys, receiver, owner } = await openCustomer(['budget.reached']);
    const { accountId } = owner;
    const key = await gateway.newKey({
      accountId,
      name: 'Shop',
      budget: { amount: CNY / 10n, period: 'day' },
    });
    const callWithKey = () => call({ ...keys, sk: key.text });
    expect([(await callWithKey()).status, (await callWithKey()).status]).toEqual([200, 200]);
    await passTime(MINUTE_MS);
    expect((await callWithKey()).status).toBe(402);
    expect((await callWithKey()).status).toBe(402);
    const percents = (events: readonly { body: string }[]) =>
      events.map(({ body }) => JSON.parse(body).data.budget.percent).sort((a, b) => a - b);
    expect(percents(await waitForReceived(receiver, 2))).toEqual([80, 100]);
    const body = JSON.parse(receiver.receivedWebhooks[0]?.body ?? '');
    expect(body.data.key).toEqual({ id: key.id, name: 'Shop', last4: key.text.slice(-4) });
    expect(body.data.budget).toMatchObject({
      period: 'day',
      amount: '0.1',
      spent: '0.072',
      currency: 'CNY',
    });
    // A new day starts the period again.
    await passTime(24 * 60 * MINUTE_MS);
    expect([
      (await callWithKey()).status,
      (await callWithKey()).status,
      (await callWithKey()).status,
    ]).toEqual([200, 200, 402]);
    expect(percents(await waitForReceived(receiver, 4))).toEqual([80, 80, 100, 100]);
  });
});

describe('customers share the sender', () => {
  const addEvents = (owner: EndpointOwner, endpointId: string, n: number) => {
    const id = `msg_${world.ids.next()}`;
    const event = { id, ...owner, type: 'test', subject: id, body: `{"n":${n}}` } as const;
    return raiseEvent(db, { ...event, now: clock.now(), endpointId });
  };

  test('and stalled endpoints delay no message to another customer', async () => {
    const slowCustomer = await openCustomer(['job.finished']);
    const fastCustomer = await openCustomer(['job.finished']);
    const otherCustomers = await Promise.all(senders.map(() => openCustomer(['job.finished'])));
    // The endpoints are added one after the other, so each sender waits for a stalled endpoint.
    for (const { owner, id, receiver } of otherCustomers) {
      receiver.stall();
      await addEvents(owner, id, 0);
      await waitForReceived(receiver, 1);
    }
    slowCustomer.receiver.stall();
    for (let index = 0; index < 60; index += 1)
      await addEvents(slowCustomer.owner, slowCustomer.id, index);
    await waitForReceived(slowCustomer.receiver, 2);
    // The clock does not move, so every message to the fast endpoint is sent in its first round.
    const beganAt = clock.now();
    for (let index = 1; index <= 10; index += 1) {
      await addEvents(fastCustomer.owner, fastCustomer.id, index);
      await waitForReceived(fastCustomer.receiver, index);
    }
    expect(clock.now()).toBe(beganAt);
    // Two concurrent requests per endpoint, however many deliveries wait.
    expect(slowCustomer.receiver.receivedWebhooks).toHaveLength(2);
    for (const { owner, id } of [slowCustomer, ...otherCustomers])
      await removeEndpoint(db, owner, id);
  });

  test('and one account sends five tests a minute', async () => {
    const { owner, id, receiver } = await openCustomer(['job.finished']);
    for (let index = 0; index < 5; index += 1) {
      expect(await sendTest(world, db, owner, id)).toEqual({ kind: 'sent' });
    }
    expect(await sendTest(world, db, owner, id)).toEqual({ kind: 'too_many', waitMs: 12_000 });
    await waitForReceived(receiver, 5);
  });

  test('and an endpoint queues at most a thousand deliveries', async () => {
    const { owner, id } = await openCustomer(['job.finished']);
    const input = { url: 'https://gone.example/hook', events: ['job.finished'], isOn: false };
    await changeEndpoint(db, { owner, id, version: 1 }, input);
    const body = '{}';
    const raisedAt = clock.now() + MINUTE_MS;
    for (let index = 0; index < WAITING_MAX + 5; index += 1) {
      const event = { ...owner, id: `msg_wait_${index}`, type: 'job.finished', body } as const;
      await raiseEvent(db, { ...event, subject: event.id, now: raisedAt, endpointId: id });
    }
    const { rows } = await sql`SELECT count(*)::int AS waiting FROM webhook_deliveries
      WHERE endpoint_id = ${id} AND state = 'waiting'`.execute(sqlOf(db));
    expect(rows).toEqual([{ waiting: WAITING_MAX }]);
  });

  test('and the reason for an unreachable address stays hidden', async () => {
    const { owner, id } = await openCustomer(['job.finished']);
    const texts: (string | null)[] = [];
    for (const url of ['https://localhost/', 'https://10.0.0.1/', 'https://no-such.invalid/']) {
      const endpoint = await findEndpoint(db, owner, id);
      const target = { owner, id, version: endpoint?.version ?? 1 };
      await changeEndpoint(db, target, { url, events: ['job.finished'], isOn: true });
      const deliveriesBefore = await readDeliveries(owner, id);
      await sendTest(world, db, owner, id);
      const attempt = await until(async () => {
        const deliveries = await readDeliveries(owner, id);
        const [newest] = deliveries;
        const isNew = deliveries.length > deliveriesBefore.length;
        return isNew && newest?.tries === 1 ? newest : null;
      });
      texts.push(attempt.lastError);
    }
    const text = 'The address could not be reached, or did not respond within 15 s.';
    expect(texts).toEqual([text, text, text]);
  });
});
