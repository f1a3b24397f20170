// Idempotency keys on the relay, and the charge path of calls with a price.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { json } from '../support/http-request.ts';
import { until } from '../support/until.ts';
import {
  chatRequest,
  errorIn,
  eventsIn,
  openTestRelay,
  type Relay,
  streamedText,
} from './test-relay.ts';

const freeRelay = await openTestRelay();
const paidRelay = await openTestRelay({ price: { perCall: '0.5', version: 1 } });
const cheapRelay = await openTestRelay({ price: { perCall: '0.01', version: 1 } });
const key = (name: string) => ({ 'idempotency-key': name });
const readFen = async ({ world, db, keys }: Relay) =>
  (await readAccountMoney(world, db, { accountId: keys.accountId, livemode: true })).allowance
    .remaining / 1_000_000n;

test('replays a response byte for byte only with Prefer: idempotent-replay', async () => {
  const first = await freeRelay.chat(chatRequest('Once'), key('k1'));
  expect(first.status).toBe(200);
  const requestCount = freeRelay.chats[0]?.requests.length;
  const repeat = await freeRelay.chat(chatRequest('Once'), key('k1'));
  const url = `/api/v1/calls/${first.headers['x-request-id']}`;
  const { location, 'x-should-retry': shouldRetry } = repeat.headers;
  expect([repeat.status, location, shouldRetry]).toEqual([409, url, 'false']);
  expect(json(repeat)).toEqual({
    error: {
      message: `The call of this Idempotency-Key was completed before, with 200: see ${url}.`,
      type: 'invalid_request_error',
      param: null,
      code: 'duplicate_idempotency_key',
      original: { request_id: first.headers['x-request-id'], status: 200, url },
    },
  });
  const replay = await freeRelay.chat(chatRequest('Once'), {
    ...key('k1'),
    prefer: 'idempotent-replay',
  });
  expect([replay.status, replay.headers['idempotent-replayed']]).toEqual([200, 'true']);
  expect(replay.headers['x-relay-receipt']).toBe(first.headers['x-request-id']);
  expect(replay.bytes.equals(first.bytes)).toBe(true);
  const otherResponse = await freeRelay.chat(chatRequest('Otherwise'), key('k1'));
  expect([otherResponse.status, errorIn(otherResponse).code]).toEqual([
    422,
    'idempotency_key_reused',
  ]);
  expect(freeRelay.chats[0]?.requests.length).toBe(requestCount);
});

test.each([
  ['a free call', freeRelay, false],
  ['a priced call', cheapRelay, false],
  ['a free stream', freeRelay, true],
  ['a priced stream', cheapRelay, true],
])('the text of %s is stored for an Idempotency-Key only', async (name, relay, isStream) => {
  const storedBody = async (headers: Readonly<Record<string, string>>) => {
    const body = chatRequest('Lanterns over Oderwick', { stream: isStream });
    const response = await relay.chat(body, headers);
    await relay.waitForWrites();
    expect(response.text).toContain('Lanterns');
    const requestId = String(response.headers['x-request-id']);
    const storedResponses = sqlOf(relay.db).selectFrom('answers').select('body');
    const row = await storedResponses.where('request_id', '=', requestId).executeTakeFirstOrThrow();
    return String(row.body);
  };
  const repeatableBody = await storedBody(key(name.replaceAll(' ', '-')));
  // A stream is never replayed.
  expect(repeatableBody.includes('Lanterns over Oderwick')).toBe(!isStream);
  const unrepeatableBody = await storedBody({});
  expect(unrepeatableBody).not.toContain('Lanterns');
  expect(JSON.parse(unrepeatableBody)).toMatchObject({ model: 'demo-chat' });
});

test('a stream is never replayed', async () => {
  const body = chatRequest('Once', { stream: true });
  expect(streamedText(eventsIn((await freeRelay.chat(body, key('k2'))).text))).toContain('Once');
  const repeat = await freeRelay.chat(body, { ...key('k2'), prefer: 'idempotent-replay' });
  expect([repeat.status, errorIn(repeat).original?.status]).toEqual([409, 200]);
});

test('the Idempotency-Key of a failed stream can be used again', async () => {
  const body = chatRequest('Hi upstream:dies-2', { stream: true });
  for (let index = 0; index < 2; index += 1) {
    const response = await freeRelay.chat(body, { ...key('k3'), 'x-relay-continue': 'never' });
    expect(eventsIn(response.text).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
  }
});

test('charges a stream before its last byte', async () => {
  const balance = await readFen(paidRelay);
  const response = await paidRelay.chat(chatRequest('Hi', { stream: true }));
  expect(eventsIn(response.text).at(-1)).toBe('[DONE]');
  expect(await readFen(paidRelay)).toBe(balance - 50n);
  expect(await paidRelay.callOf(response)).toMatchObject({
    state: 'captured',
    status: 200,
    usage: { unit: 'per_call', quantity: 1 },
    charge: { total: parseCny('0.5') },
  });
});

test('a broken stream and a failed call cost nothing', async () => {
  const balance = await readFen(paidRelay);
  await paidRelay.chat(chatRequest('Hi upstream:dies-2', { stream: true }), {
    'x-relay-continue': 'never',
  });
  await paidRelay.chat(chatRequest('Hi upstream:broken'));
  await paidRelay.calls();
  expect(await readFen(paidRelay)).toBe(balance);
});

test('a client that disconnects pays for the generated text', async () => {
  const balance = await readFen(paidRelay);
  const client = await paidRelay.openStream(chatRequest('Hi upstream:holds-2', { stream: true }));
  await client.readBytes(10);
  client.disconnect();
  await until(() => paidRelay.usageOf(client));
  expect(await paidRelay.callOf(client)).toMatchObject({ state: 'captured' });
  expect(await readFen(paidRelay)).toBe(balance - 50n);
});

test('400: a body that is nested too deeply causes no charge and no hold', async () => {
  const balance = await readFen(paidRelay);
  const content = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const text = JSON.stringify(chatRequest('deep')).replace('"deep"', content);
  const refusals = [
    await freeRelay.chat(text),
    await freeRelay.chat(text, key('k4')),
    await paidRelay.chat(text),
  ];
  expect(refusals.map((response) => [response.status, errorIn(response).message])).toEqual(
    Array(3).fill([400, 'The body is nested too deeply.']),
  );
  expect((await paidRelay.calls()).filter(({ state }) => state === 'held')).toEqual([]);
  expect(await readFen(paidRelay)).toBe(balance);
});

test('an early connection sends nothing before the hold exists', async () => {
  const relay = await openTestRelay({ price: { perCall: '1.5', version: 1 } });
  const isWaiting = sql`SELECT FROM pg_stat_activity WHERE application_name = 'radar ledger'
    AND datname = current_database() AND wait_event_type = 'Lock'`;
  const observations: unknown[] = [];
  for (const _attempt of ['covered', 'not covered']) {
    const { answer } = await sqlOf(relay.db)
      .transaction()
      .execute(async (tx) => {
        await sql`LOCK TABLE wallets IN EXCLUSIVE MODE`.execute(tx);
        const pending = { answer: relay.chat(chatRequest('Hi')) };
        await until(async () => (await isWaiting.execute(sqlOf(relay.db))).rows[0] ?? null);
        relay.clock.advance(1);
        observations.push(relay.chats[0]?.requests.length);
        return pending;
      });
    observations.push((await answer).status, relay.chats[0]?.requests.length);
  }
  expect(observations).toEqual([0, 200, 1, 1, 402, 1]);
});

test('402: a price above max_charge or the balance reaches no upstream', async () => {
  const requestCount = paidRelay.chats[0]?.requests.length;
  const aboveMaxCharge = await paidRelay.chat(chatRequest('Hi', { max_charge: '0.4' }));
  expect([aboveMaxCharge.status, errorIn(aboveMaxCharge)]).toEqual([
    402,
    {
      message: 'The price, 0.5 CNY, is above max_charge. Nothing was charged, and nothing was run.',
      type: 'insufficient_quota',
      param: null,
      code: 'max_charge_exceeded',
      required: '0.5',
      available: '0.4',
      free_quota_resets_at: expect.any(String),
    },
  ]);
  const expensiveRelay = await openTestRelay({ price: { perCall: '3', version: 1 } });
  const response = await expensiveRelay.chat(chatRequest('Hi', { stream: true }));
  expect([response.status, errorIn(response)]).toMatchObject([
    402,
    { required: '3', available: '2' },
  ]);
  expect([paidRelay.chats[0]?.requests.length, expensiveRelay.chats[0]?.requests.length]).toEqual([
    requestCount,
    0,
  ]);
  const { world, db, keys } = expensiveRelay;
  const credit = { accountId: keys.accountId, livemode: true, amount: parseCny('5') ?? 0n };
  await topUp(world, db, { ...credit, reference: 'r', reason: null, actor: 'test' });
  expect((await expensiveRelay.chat(chatRequest('Hi'))).status).toBe(200);
});
