// Each attempt has a cost at the prices of its upstream. The row of a call contains the charge and
// the cost, and the sums by model, key and day contain both too. Relay contract, 2.5.
import { describe, expect, test } from 'vitest';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { foldChatUsage, readChatUsage } from '../../src/gateway/relay/usage-report.ts';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { formatCny, parseCny } from '../../src/kernel/money.ts';
import { shanghaiDay } from '../../src/kernel/time/calendar.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { until } from '../support/until.ts';
import { openFaultServer, TEXT } from './fault-server.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

const firstServer = await openFaultServer('chat', 'first');
const secondServer = await openFaultServer('chat', 'second');
const servedModels = { 'demo-chat': 'fixed' };
const price = (name: string, cny: string) => ({ class: name, cny });
const relay = await openTestRelay({
  upstreams: [
    {
      url: firstServer.url,
      models: { ...servedModels, 'across-priced': 'fixed', 'across-unpriced': 'fixed' },
      upstreamPrices: { 'demo-chat': [price('input', '10'), price('output', '100')] },
    },
    {
      url: secondServer.url,
      priority: 1,
      models: { ...servedModels, free: 'fixed', sold: 'fixed' },
      upstreamPrices: { 'demo-chat': [price('output', '400'), price('request', '0.01')] },
    },
    // The demonstration's provider: its calls have a price and no cost.
    { models: { unpriced: 'demo-chat' } },
  ],
  models: {
    'demo-chat': { maxOutput: 1_000 },
    unpriced: { maxOutput: 1_000 },
    'across-priced': { maxOutput: 1_000, fallbacks: ['sold'], continue: 'across' },
    'across-unpriced': { maxOutput: 1_000, fallbacks: ['free'], continue: 'across' },
  },
});
const { world, db, clock } = relay;

const soldModels = ['demo-chat', 'unpriced', 'across-priced', 'across-unpriced', 'sold'];
const rows = soldModels.flatMap((model) =>
  [
    ['input', '20'],
    ['output', '200'],
  ].map(([name, cny]) => ({
    model,
    class: name ?? '',
    from: 0,
    variant: '',
    microFen: parseCny(cny ?? '') ?? 0n,
    origin: 'manual' as const,
  })),
);
await inTransaction(db, (tx) =>
  planPrices(world, tx, {
    startsAt: clock.now() + 61_000,
    prices: shippedPrices.prices,
    models: rows,
    actor: 'Ada',
    reason: 'models',
    expectedVersion: 1,
  }),
);
clock.advance(62_000);

const costOf = (tokens: number, cny: string) => (tokens * Number(parseCny(cny))) / 1_000_000;

describe('the cost of a call', () => {
  test('is its usage at the prices of its upstream', async () => {
    firstServer.inject('none');
    const response = await relay.chat(chatRequest('Hi', { stream: true }));
    expect(streamedText(eventsIn(response.text))).toBe(TEXT);
    const row = await relay.usageOf(response);
    const cost = costOf(10, '10') + costOf(60, '100');
    const charge = costOf(10, '20') + costOf(60, '200');
    expect(row).toMatchObject({ charge, cost, attempt_costs: [String(cost)] });
    expect((await relay.callOf(response))?.charge?.total).toBe(BigInt(charge));
  });

  test('includes an attempt that broke, which is not billed', async () => {
    firstServer.inject('disconnect-at-40', 'overloaded');
    secondServer.inject('none');
    const response = await relay.chat(chatRequest('Hi', { stream: true }));
    expect(streamedText(eventsIn(response.text))).toBe(TEXT);
    const row = await relay.usageOf(response);
    const [brokenAttempt, refusedAttempt, finishingAttempt] = row?.attempt_costs ?? [];
    // The relay counts one token for four bytes of the forty words and of the request.
    const writtenTokens = Math.ceil(TEXT.split(' ').slice(0, 40).join(' ').length / 4);
    expect(Number(brokenAttempt)).toBeGreaterThanOrEqual(costOf(writtenTokens, '100'));
    expect(Number(brokenAttempt)).toBeLessThan(costOf(writtenTokens + 2, '100') + costOf(20, '10'));
    expect(refusedAttempt).toBe('0');
    expect(Number(finishingAttempt)).toBe(costOf(60, '400') + Number(parseCny('0.01')));
    expect(row?.cost).toBe(Number(brokenAttempt) + Number(finishingAttempt));
    expect(row?.charge).toBeLessThan(row?.cost ?? 0);
    // The receipt has the usage of each attempt. The lines of the charge belong to the finishing
    // attempt.
    const { accountId } = relay.keys;
    const requestId = String(response.headers['x-request-id']);
    const receipt = await readRelayReceipt(db, { accountId, livemode: true, requestId });
    expect(receipt?.attempts).toMatchObject([
      { failure: 'reset', usage: { counted: 'estimated' }, isBilled: false },
      { failure: 'busy', usage: null, isBilled: false },
      { failure: null, usage: { counted: 'upstream', input: 10, output: 60 }, isBilled: true },
    ]);
    expect(receipt?.attempts[0]?.usage?.output).toBeGreaterThanOrEqual(writtenTokens);
    expect(receipt?.lines.map(({ attempt }) => attempt)).toEqual([3, 3]);
  });

  test('is unknown where the upstream has no price for the model', async () => {
    const response = await relay.chat({ ...chatRequest('Hi'), model: 'unpriced' });
    expect(response.status).toBe(200);
    const row = await relay.usageOf(response);
    expect(row).toMatchObject({ cost: null, attempt_costs: null });
    expect(row?.charge).toBeGreaterThan(0);
  });

  test('of a failed call is known, and its charge is zero', async () => {
    clock.advance(61_000);
    firstServer.inject('disconnect-at-40');
    const body = chatRequest('Hi', { stream: true });
    const response = await relay.chat(body, { 'x-relay-continue': 'never' });
    expect(response.text).toContain('upstream_error');
    const row = await relay.usageOf(response);
    expect(row).toMatchObject({ ended: 'failed', charge: 0 });
    expect(row?.cost).toBeGreaterThan(0);
  });
});

describe('a stream that continues across models', () => {
  const continueAcross = async (model: string) => {
    clock.advance(61_000);
    firstServer.inject('disconnect-at-40', 'overloaded');
    secondServer.inject('none');
    return relay.chat({ ...chatRequest('Hi', { stream: true }), model });
  };

  test('uses a fallback that has a price', async () => {
    const response = await continueAcross('across-priced');
    expect(streamedText(eventsIn(response.text))).toBe(TEXT);
  });

  test('does not use a fallback without a price', async () => {
    const response = await continueAcross('across-unpriced');
    expect(response.text).toContain('upstream_error');
    expect(secondServer.bodies).toEqual([]);
    expect((await relay.usageOf(response))?.charge).toBe(0);
  });
});

test('a client that disconnects before the response is charged its estimated input', async () => {
  clock.advance(61_000);
  firstServer.inject('no-response');
  const disconnect = relay.sendAndDisconnect(chatRequest('Good morning', { stream: true }));
  await until(async () => (firstServer.bodies.length > 0 ? true : null));
  disconnect();
  const row = await until(async () => {
    const storedRow = (await relay.usageRows()).find(({ ended }) => ended === 'client_left');
    return storedRow ?? null;
  });
  const input = Math.ceil('Good morning'.length / 4);
  expect(row).toMatchObject({ counted: 'estimated', prompt_tokens: input, completion_tokens: 0 });
  expect(row.charge).toBe(costOf(input, '20'));
  expect(row.cost).toBe(costOf(input, '10'));
});

test('sums by model, day and key are the same before and after compaction', async () => {
  const day = shanghaiDay(clock.now()).day;
  const sums = (groupBy: 'model' | 'day' | 'key') =>
    readChatUsage(db, { wallet: null, from: day, to: day, groupBy });
  const sumsBefore = await Promise.all((['model', 'day', 'key'] as const).map(sums));
  const stored = await relay.usageRows();
  const sumOf = (values: readonly (number | null)[]) =>
    values.reduce<bigint>((sum, value) => sum + BigInt(value ?? 0), 0n);
  expect(sumsBefore[1]).toMatchObject([
    {
      group: day,
      calls: stored.length,
      charge: sumOf(stored.map(({ charge }) => charge)),
      cost: sumOf(stored.map(({ cost }) => cost)),
      costed: stored.filter(({ cost }) => cost !== null).length,
    },
  ]);
  const costedGroups = new Map(sumsBefore[0]?.map(({ group, costed }) => [group, costed]));
  expect([costedGroups.get('demo-chat'), costedGroups.get('unpriced')]).toEqual([4, 0]);
  expect(formatCny(sumsBefore[1]?.[0]?.cost ?? 0n)).not.toBe('0');
  clock.advance(9 * DAY_MS);
  await foldChatUsage(world, db);
  expect(await relay.usageRows()).toEqual([]);
  expect(await Promise.all((['model', 'day', 'key'] as const).map(sums))).toEqual(sumsBefore);
});
