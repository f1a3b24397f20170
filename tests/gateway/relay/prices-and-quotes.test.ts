// GET /api/v1/relay/prices and POST /api/v1/relay/quote, before and after models have prices.
import { expect, test } from 'vitest';
import { setModelPrices } from '../../../src/gateway/calls/plan-model-prices.ts';
import { parseCny } from '../../../src/kernel/money.ts';
import { inTransaction } from '../../../src/store/platform/db.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const { world, db, clock, keys } = gateway;

const requestQuote = (body: unknown, query = '') =>
  gateway.sendRequest({
    method: 'POST',
    path: `/api/v1/relay/quote${query}`,
    headers: { authorization: `Bearer ${keys.sk}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const chatBody = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] };

test('without prices the list is empty and a call holds nothing', async () => {
  const prices = await gateway.sendRequest({ path: '/api/v1/relay/prices' });
  expect(json(prices)).toEqual({
    version: null,
    currency: 'CNY',
    unit: 'million_tokens',
    models: [],
  });
  const freeQuote = await requestQuote({ path: '/relay/v1/messages', body: chatBody });
  expect(json(freeQuote)).toMatchObject({ model: 'm', hold: '0', lines: [] });
});

test('new prices apply a minute later, and a quote has the hold', async () => {
  const price = (name: 'input' | 'output', cny: string) => ({
    class: name,
    from: 0,
    variant: '',
    microFen: parseCny(cny) ?? 0n,
  });
  const newPrices = { model: 'm', prices: [price('input', '10'), price('output', '50')] };
  const change = { ...newPrices, actor: 'Ada', reason: 'launch' };
  const { outcome } = await inTransaction(db, (tx) => setModelPrices(world, tx, change));
  expect(outcome).toEqual({ kind: 'planned', version: 2 });
  clock.advance(62_000);
  const prices = await gateway.sendRequest({ path: '/api/v1/relay/prices' });
  expect(json(prices)).toMatchObject({
    version: 2,
    models: [
      {
        id: 'm',
        prices: [
          { class: 'input', from: 0, price: '10' },
          { class: 'output', from: 0, price: '50' },
        ],
      },
    ],
  });
  const body = JSON.stringify(chatBody);
  const quoteResponse = await requestQuote(`{"path":"/v1/messages","body":${body}}`);
  // 0.75 tokens per byte, 8 tokens for the turn, and 100 tokens of output.
  const input = Math.ceil(Buffer.byteLength(body) * 0.75) + 8;
  expect(json(quoteResponse)).toMatchObject({
    price_version: 2,
    bounds: { ratio: 0.75, input_tokens: input, output_tokens: 100, responses: 1 },
    hold: ((input * 10 + 100 * 50) / 1_000_000).toFixed(8).replace(/0+$/, ''),
  });
});

test('quotes a body that is longer than the limit of capability calls', async () => {
  const content = 'x'.repeat(300 * 1024);
  const longBody = { ...chatBody, messages: [{ role: 'user', content }] };
  const response = await requestQuote({ path: '/relay/v1/messages', body: longBody });
  expect(response.status).toBe(200);
  const { bounds } = json(response) as { bounds: { input_tokens: number } };
  expect(bounds.input_tokens).toBeGreaterThan(content.length * 0.75);
});

test.each([
  ['{', 400],
  ['{"path":"/relay/v1/messages","body":{"model":"demo-chat"', 400],
  ['{"path":"/relay/v1/messages","body":{"model":]}}', 400],
  ['{"path":"/relay/v1/messages","body":{"model":[1}]}', 400],
  ['["path","/relay/v1/messages","body",{}]', 400],
  ['{"pa\\x":"/relay/v1/messages","body":{}}', 400],
  [{ path: '/relay/v1/messages', body: [chatBody] }, 400],
  [{ path: '/relay/v1/messages' }, 400],
  [{ path: '/relay/v1/images', body: chatBody }, 400],
  [{ path: '/relay/v1/messages', body: { model: 'm' } }, 400],
  [{ path: '/relay/v1/messages', body: { ...chatBody, model: 'unknown' } }, 404],
])('refuses the quote %j', async (body, status) => {
  expect((await requestQuote(body)).status).toBe(status);
});

test('refuses a query parameter, and a body of more than 500 levels', async () => {
  const quote = { path: '/relay/v1/messages', body: chatBody };
  const withParameter = await requestQuote(quote, '?currency=CNY');
  expect([withParameter.status, json(withParameter).detail]).toEqual([
    400,
    'Unknown query parameter: "currency".',
  ]);
  const list = `${'['.repeat(501)}${']'.repeat(501)}`;
  const deepQuote = await requestQuote(JSON.stringify(quote).replace('"Hello"', list));
  expect([deepQuote.status, json(deepQuote).detail]).toEqual([
    400,
    'The body is nested too deeply.',
  ]);
});

test.each([
  ['stateless_only', '/relay/v1/responses', { model: 'm', input: 'Hello', background: true }],
  ['unpriced_variant', '/relay/v1/messages', { ...chatBody, speed: 'fast' }],
  [
    'unpriced_tool',
    '/relay/v1/responses',
    { model: 'm', input: 'Hello', tools: [{ type: 'web_search' }] },
  ],
])('the type of the problem %s is the address of a page', async (code, path, body) => {
  const problem = json(await requestQuote({ path, body }));
  expect(problem.code).toBe(code);
  expect((await gateway.sendRequest({ path: String(problem.type) })).status).toBe(200);
});
