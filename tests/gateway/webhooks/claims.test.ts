// Claims of webhook deliveries by several processes at the same moment.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addEndpoint } from '../../../src/gateway/webhooks/endpoints.ts';
import type { Db } from '../../../src/kernel/ports/db.ts';
import { MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import {
  claimDeliveries,
  raiseEvent,
  saveAttempt,
} from '../../../src/store/gateway/webhook-events.ts';
import { inTransaction, sqlOf } from '../../../src/store/platform/db.ts';
import { openTestGateway } from '../../support/test-gateway.ts';
import { until } from '../../support/until.ts';

const { world, clock, db, newAccount } = await openTestGateway();

test('eight concurrent claims take each delivery once before its next attempt is due', async () => {
  const { accountId } = await newAccount();
  const owner = { accountId, livemode: true };
  const events = ['job.finished'];
  const endpoint = await addEndpoint(world, db, { owner, url: 'https://hook.example/', events });
  if (endpoint.kind !== 'added') throw new Error(endpoint.kind);
  const now = clock.now();
  const deliveryCount = 100;
  for (let index = 0; index < deliveryCount; index += 1) {
    const event = { id: world.ids.next(), type: 'job.finished', subject: `job ${index}` } as const;
    await raiseEvent(db, { ...event, ...owner, body: '{}', now });
  }
  const limits = { now, until: now + MINUTE_MS, max: 3, perEndpoint: 1_000, perAccount: 1_000 };
  const claims = new Map<string, number>();
  const claimAndFail = async () => {
    for (;;) {
      const claimedDeliveries = await claimDeliveries(db, limits);
      if (claimedDeliveries.length === 0) return;
      for (const delivery of claimedDeliveries) {
        claims.set(delivery.eventId, (claims.get(delivery.eventId) ?? 0) + 1);
        await saveAttempt(db, delivery, {
          state: 'waiting',
          tries: 1,
          at: now,
          status: 500,
          error: 'status 500',
          dueAt: now + MINUTE_MS,
        });
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, claimAndFail));
  expect(claims.size).toBe(deliveryCount);
  expect([...claims.values()].filter((count) => count > 1)).toEqual([]);
});

test('an account has one share for all its endpoints, and the next account is served', async () => {
  const events = ['job.finished'];
  const now = clock.now() + 2 * MINUTE_MS;
  const addEndpointsOf = async (endpoints: number) => {
    const { accountId } = await newAccount();
    const owner = { accountId, livemode: true };
    for (let index = 0; index < endpoints; index += 1) {
      const url = `https://hook.example/${accountId}/${index}`;
      await addEndpoint(world, db, { owner, url, events });
    }
    const event = { id: world.ids.next(), type: 'job.finished', subject: 'a job' } as const;
    await raiseEvent(db, { ...event, ...owner, body: '{}', now });
    return accountId;
  };
  const [accountWithMany, accountWithOne] = [await addEndpointsOf(9), await addEndpointsOf(1)];
  const limits = { now, until: now + MINUTE_MS, max: 8, perEndpoint: 2, perAccount: 4 };
  const claimedDeliveries = await claimDeliveries(db, limits);
  const countOf = (accountId: string) =>
    claimedDeliveries.filter(({ url }) => url.includes(accountId)).length;
  expect([countOf(accountWithMany), countOf(accountWithOne)]).toEqual([4, 1]);
  // Deliveries in progress count towards the share.
  expect(
    (await claimDeliveries(db, limits)).filter(({ url }) => url.includes(accountWithMany)),
  ).toEqual([]);
});

test('a claim waits for a concurrent claim and counts its deliveries', async () => {
  const { accountId } = await newAccount();
  const owner = { accountId, livemode: true };
  const now = clock.now() + 3 * MINUTE_MS;
  const url = `https://hook.example/${accountId}`;
  await addEndpoint(world, db, { owner, url, events: ['job.finished'] });
  const raise = (id: string) =>
    raiseEvent(db, { id, type: 'job.finished', subject: id, ...owner, body: '{}', now });
  const limits = { now, until: now + MINUTE_MS, max: 8, perEndpoint: 2, perAccount: 4 };
  const claim = async (client: Db) =>
    (await claimDeliveries(client, limits)).filter((delivery) => delivery.url === url);
  const isWaiting = async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(sqlOf(db));
    return rows.length > 0 || null;
  };
  await raise('msg_claim_3');
  const { first, second } = await inTransaction(db, async (tx) => {
    const claimedFirst = await claim(tx);
    // Deliveries of one time are claimed in the order of their ids, so these precede the first.
    for (const id of ['msg_claim_1', 'msg_claim_2']) await raise(id);
    const claimedLater = claim(db);
    await Promise.race([claimedLater, until(isWaiting)]);
    return { first: claimedFirst, second: claimedLater };
  });
  expect([first.length, (await second).length]).toEqual([1, 1]);
});
