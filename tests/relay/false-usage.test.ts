// Impossible usage reports of an upstream, and a response of a model outside of the route.
// Relay contract, 2.4 and 6.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { chatRequest, openTestRelay } from './test-relay.ts';

let report: object = {};
const upstream = createServer((req, res) => {
  req.resume().on('end', () => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const choices = [{ index: 0, message: { content: 'Well' }, finish_reason: 'stop' }];
    res.end(JSON.stringify({ choices, ...report }));
  });
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const relay = await openTestRelay({ upstreams: [{ url, models: { 'demo-chat': 'm' } }] });
const { world, db, clock } = relay;

const row = (model: string, name: string, cny: string) => ({
  model,
  class: name,
  from: 0,
  variant: '',
  microFen: parseCny(cny) ?? 0n,
  origin: 'manual' as const,
});
await inTransaction(db, (tx) =>
  planPrices(world, tx, {
    startsAt: clock.now() + 61_000,
    prices: shippedPrices.prices,
    models: [
      row('demo-chat', 'input', '10'),
      row('demo-chat', 'output', '40'),
      row('third', 'input', '900'),
      row('third', 'output', '900'),
    ],
    actor: 'Ada',
    reason: 'reports',
    expectedVersion: 1,
  }),
);
clock.advance(62_000);

const request = chatRequest('Hi', { max_tokens: 100 });
/** Each byte of a request has at most one token. */
const inputMax = JSON.stringify(request).length;
const usage = (prompt: number, completion: number, fields: object = {}) => ({
  usage: { prompt_tokens: prompt, completion_tokens: completion, ...fields },
});

test.each([
  ['10⁹ tokens', usage(1e9, 1e9), inputMax, 100],
  ['input above the bytes of the request', usage(1e6, 7), inputMax, 7],
  ['output above the limit by more than 5 %', usage(3, 106), 3, 100],
  [
    'a part above its total',
    usage(3, 7, { completion_tokens_details: { reasoning_tokens: 9 } }),
    3,
    7,
  ],
  [
    'a part that is not whole',
    usage(3, 7, { prompt_tokens_details: { cached_tokens: 1.5 } }),
    3,
    7,
  ],
])('a report of %s is contradictory and limited', async (_name, reported, input, output) => {
  report = reported;
  const response = await relay.chat(request);
  const call = await relay.callOf(response);
  expect(call?.usage).toMatchObject({ counted: 'contradictory', tokens: { input, output } });
  expect(await relay.usageOf(response)).toMatchObject({ counted: 'contradictory' });
  expect(relay.logged.some((line) => line.includes('contradictory usage'))).toBe(true);
});

test('output within 5 % above the limit is charged as reported', async () => {
  report = usage(3, 105);
  const call = await relay.callOf(await relay.chat(request));
  expect(call?.usage).toMatchObject({ counted: 'upstream', tokens: { input: 3, output: 105 } });
});

test('a response of another model costs what the requested model costs', async () => {
  report = { model: 'third', ...usage(3, 7) };
  const call = await relay.callOf(await relay.chat(request));
  expect(call?.usage).toMatchObject({
    model: 'demo-chat',
    lines: [
      { class: 'input', tokens: 3, price: String(parseCny('10')) },
      { class: 'output', tokens: 7, price: String(parseCny('40')) },
    ],
  });
});

test('usage above the hold is a shortfall, which a metric counts', async () => {
  const largeRequest = { ...request, max_tokens: 100, messages: [{ role: 'user', content: 'a' }] };
  // The hold assumes fewer tokens than bytes; the provider reports one token for each byte.
  report = usage(JSON.stringify(largeRequest).length, 100);
  const response = await relay.chat(largeRequest);
  const call = await relay.callOf(response);
  expect(call?.charge?.total).toBe(parseCny(String(response.headers['x-relay-hold'])));
  expect(call?.usage).toMatchObject({ shortfall: expect.stringMatching(/^[1-9]\d*$/) });
  const { text } = await relay.get('/metrics');
  expect(text).toMatch(/relay_shortfall_calls_total [1-9]/);
});

test('the audit finds no violation', async () => {
  await relay.calls();
  const { invariants } = await auditLedger(world, db, 'full');
  expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
});
