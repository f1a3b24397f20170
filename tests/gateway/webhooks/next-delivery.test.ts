// The time of the next webhook delivery, which ends the pause of the sender.
import { expect, test } from 'vitest';
import { addEndpoint, changeEndpoint, sendTest } from '../../../src/gateway/webhooks/endpoints.ts';
import { MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import {
  claimDeliveries,
  findNextDeliveryAt,
  raiseEvent,
} from '../../../src/store/gateway/webhook-events.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const { world, clock, db, newAccount } = await openTestGateway();

test('the next delivery is that of an enabled endpoint, after the end of its claim', async () => {
  const { accountId } = await newAccount();
  const owner = { accountId, livemode: true };
  const input = { url: 'https://hook.example/', events: ['job.finished'] };
  const endpoint = await addEndpoint(world, db, { owner, ...input });
  if (endpoint.kind !== 'added') throw new Error(endpoint.kind);
  const { id } = endpoint;
  expect(await findNextDeliveryAt(db)).toBeNull();
  const now = clock.now();
  const event = { id: 'msg_1', type: 'job.finished', subject: 'a job', body: '{}', now } as const;
  await raiseEvent(db, { ...event, ...owner });
  expect(await findNextDeliveryAt(db)).toBe(now);

  await changeEndpoint(db, { owner, id, version: 1 }, { ...input, isOn: false });
  expect(await findNextDeliveryAt(db)).toBeNull();
  clock.advance(MINUTE_MS);
  await sendTest(world, db, owner, id);
  expect(await findNextDeliveryAt(db)).toBe(now + MINUTE_MS);

  await changeEndpoint(db, { owner, id, version: 2 }, { ...input, isOn: true });
  expect(await findNextDeliveryAt(db)).toBe(now);
  const until = now + 2 * MINUTE_MS;
  const limits = { now: now + MINUTE_MS, until, max: 9, perEndpoint: 9, perAccount: 9 };
  expect(await claimDeliveries(db, limits)).toHaveLength(2);
  expect(await findNextDeliveryAt(db)).toBe(until);
});
