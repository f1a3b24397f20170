// Calls that are charged by token: the hold, the exact charge, its lines, the audit, and the models
// that can be called. Relay contract, 2.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { readModelUsage } from '../../src/gateway/relay/read-model-usage.ts';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { shanghaiDay } from '../../src/kernel/time/calendar.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { json } from '../support/http-request.ts';
import { until } from '../support/until.ts';
import { modelsIn, openTestRelay } from './test-relay.ts';

const relay = await openTestRelay({
  upstreams: [{ kind: 'openai-chat' }, { kind: 'anthropic-messages' }],
  models: { 'demo-chat': { maxOutput: 1_000 } },
});
const { world, db, clock } = relay;

const row = (model: string, name: string, cny: string) => ({
  model,
  class: name,
  from: 0,
  variant: '',
  microFen: parseCny(cny) ?? 0n,
  origin: 'manual' as const,
});
const models = [
  row('demo-chat', 'input', '30'),
  row('demo-chat', 'cache_read', '3'),
  row('demo-chat', 'output', '150'),
  row('demo-chat', 'request', '0.001'),
  row('demo-only-0', 'output', '9000'),
];
const addedPrices = await inTransaction(db, (tx) =>
  planPrices(world, tx, {
    startsAt: clock.now() + 61_000,
    prices: shippedPrices.prices,
    models,
    actor: 'Ada',
    reason: 'models',
    expectedVersion: 1,
  }),
);
clock.advance(62_000);

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  relay.send({
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${relay.keys.sk}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ model: 'demo-chat', ...body }),
  });
const messages = [{ role: 'user', content: 'Good morning' }];

test('charges a whole chat call by its usage, at the version of the list', async () => {
  expect(addedPrices).toEqual({ kind: 'planned', version: 2 });
  const response = await post('/v1/chat/completions', { messages, max_tokens: 100 });
  expect(response.status).toBe(200);
  const call = await relay.callOf(response);
  // 7 input at 30, 6 output at 150 CNY a million, and 0.001 for the request.
  expect(call).toMatchObject({
    state: 'captured',
    charge: { total: parseCny('0.00211') },
    usage: {
      unit: 'per_token',
      quantity: 13,
      model: 'demo-chat',
      counted: 'upstream',
      lines: [
        { class: 'input', tokens: 7, price: String(parseCny('30')) },
        { class: 'output', tokens: 6, price: String(parseCny('150')) },
        { class: 'request', tokens: 1, price: String(parseCny('0.001')) },
      ],
    },
  });
});

test('cached tokens of a messages stream have their own price', async () => {
  const cachedTurn = [{ type: 'text', text: 'Good morning', cache_control: { type: 'ephemeral' } }];
  const response = await post('/v1/messages', {
    max_tokens: 50,
    stream: true,
    messages: [{ role: 'user', content: cachedTurn }],
  });
  const call = await relay.callOf(response);
  expect(call?.usage).toMatchObject({
    lines: [
      { class: 'input', tokens: 7 },
      { class: 'cache_read', tokens: 11 },
      { class: 'output', tokens: 6 },
      { class: 'request', tokens: 1 },
    ],
  });
});

test('classes without a price are free', async () => {
  const response = await post('/v1/chat/completions', {
    model: 'demo-only-0',
    messages,
    max_tokens: 10,
  });
  const call = await relay.callOf(response);
  expect(call?.usage).toMatchObject({ lines: [{ class: 'output' }] });
});

test('refuses a hold above max_charge and runs nothing', async () => {
  const requestCount = relay.chats[0]?.requests.length;
  const response = await post('/v1/chat/completions', { messages, max_charge: '0.002' });
  expect([response.status, json(response)]).toMatchObject([
    402,
    { error: { code: 'max_charge_exceeded' } },
  ]);
  expect(relay.chats[0]?.requests.length).toBe(requestCount);
});

test('a model without a price is not offered once another model has a price', async () => {
  expect(modelsIn(await relay.get('/v1/models')).map(({ id }) => id)).toEqual([
    'demo-chat',
    'demo-only-0',
  ]);
  const response = await post('/v1/messages', { model: 'demo-only-1', max_tokens: 5, messages });
  expect(response.status).toBe(404);
});

test('a failed call is free', async () => {
  const brokenMessages = [{ role: 'user', content: 'upstream:dies-4' }];
  const body = { max_tokens: 50, stream: true, messages: brokenMessages };
  const response = await post('/v1/messages', body, { 'x-relay-continue': 'never' });
  expect(await relay.callOf(response)).toMatchObject({ state: 'released', charge: null });
});

test('usage by model and class adds up the lines of all calls', async () => {
  const calls = await relay.calls();
  const { accountId } = relay.keys;
  const today = shanghaiDay(relay.clock.now()).day;
  const range = { accountId, livemode: true, from: today, to: today };
  const usage = await readModelUsage(relay.db, range);
  const cost = usage.reduce((sum, { amount }) => sum + amount, 0n);
  const charged = calls.reduce((sum, { charge }) => sum + (charge?.total ?? 0n), 0n);
  // Each charge is rounded down once.
  expect(cost - charged).toBeGreaterThanOrEqual(0n);
  expect(cost - charged).toBeLessThanOrEqual(BigInt(calls.length));
  expect(charged).toBeGreaterThan(0n);
  expect(usage.map(({ class: name }) => name)).toEqual(
    expect.arrayContaining(['input', 'cache_read', 'output']),
  );
  const otherAccount = { ...range, accountId: 'someone' };
  expect(await readModelUsage(relay.db, otherAccount)).toEqual([]);
});

test('input has its full price after twenty calls without usage numbers in an hour', async () => {
  const [chat] = relay.chats;
  chat?.setFault('slow');
  const chargesOf = async () => {
    const rows = await relay.usageRows();
    const leftCalls = rows.filter(({ ended }) => ended === 'client_left');
    return leftCalls.map(({ charge }) => Number(charge)).sort((a, b) => a - b);
  };
  for (let call = 1; call <= 21; call += 1) {
    const requestCount = chat?.requests.length ?? 0;
    const body = { model: 'demo-chat', stream: true, max_tokens: 9, messages };
    const disconnect = relay.sendAndDisconnect(body);
    await until(async () => ((chat?.requests.length ?? 0) > requestCount ? true : null));
    disconnect();
    await until(async () => ((await chargesOf()).length === call ? true : null));
  }
  chat?.setFault(null);
  const charges = await chargesOf();
  const input = Math.ceil('Good morning'.length / 4);
  const chargeAt = (cny: string) =>
    (input * Number(parseCny(cny))) / 1_000_000 + Number(parseCny('0.001'));
  expect(charges).toEqual([...Array(20).fill(chargeAt('3')), chargeAt('30')]);
});

const violations = async () =>
  (await auditLedger(world, db, 'full')).invariants.flatMap((invariant) => invariant.violations);

test('the lines of a call name the billed attempt, and the receipt has its usage', async () => {
  const content = [{ type: 'text', text: 'Good morning', cache_control: { type: 'ephemeral' } }];
  const messages = [{ role: 'user', content }];
  const response = await post('/v1/messages', { max_tokens: 50, messages });
  await relay.callOf(response);
  const requestId = String(response.headers['x-request-id']);
  const { accountId } = relay.keys;
  const receipt = await readRelayReceipt(db, { accountId, livemode: true, requestId });
  expect(receipt?.lines.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1]);
  const usage = { counted: 'upstream', input: 18, output: 6, parts: { cache_read: 11 } };
  expect(receipt?.attempts).toMatchObject([{ usage, isBilled: true }]);
});

// Each change makes a line of the charge, the billed usage and the counted usage disagree.
test.each([
  ['a line of another attempt', `'{lines,0,attempt}', '2'`],
  ['billed usage without a line', `'{lines}', (usage -> 'lines') - 0`],
  ['less counted than billed', `'{tokens,input}', '1'`],
  ['other billed usage', `'{relay,attempts,0,billed,output}', '5'`],
])('the audit reports %s', async (_name, change) => {
  const undo = new Error('undo');
  let details: readonly string[] = [];
  const lineChange = inTransaction(db, async (tx) => {
    await sql`UPDATE calls SET usage = jsonb_set(usage, ${sql.raw(change)})
      WHERE unit = 'per_token' AND state = 'captured'
        AND usage ->> 'model' = 'demo-chat'`.execute(sqlOf(tx));
    const { rows } = await sql<{ detail: string }>`
      SELECT detail FROM ledger_audit.lines_are_the_usage`.execute(sqlOf(tx));
    details = rows.map(({ detail }) => detail);
    throw undo;
  });
  await expect(lineChange).rejects.toThrow(undo);
  expect(details.join('\n')).toMatch(/billed/);
});

test('the audit adds up the lines of every call and reports a changed line', async () => {
  await relay.calls();
  expect(await violations()).toEqual([]);
  // The changes add a line that is in no price list, and a sum that differs from the charge.
  await sql`UPDATE calls SET usage = jsonb_set(usage, '{lines,0,price}', '"1"')
    WHERE unit = 'per_token' AND state = 'captured'`.execute(sqlOf(db));
  const details = (await violations()).map(({ detail }) => detail);
  expect(details.some((detail) => /for lines of/.test(detail))).toBe(true);
  expect(details.some((detail) => /is no price of version 2/.test(detail))).toBe(true);
});
