// Requests of browsers and of other vendors' clients, with their addresses and headers, and
// requests for several choices of one response.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { openUpstream } from '../../demo/upstream/open-upstream.ts';
import { createHttpServer } from '../../src/gateway/api/http-server.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { json } from '../support/http-request.ts';
import { chatRequest, contentIn, errorIn, modelsIn, openTestRelay } from './test-relay.ts';

const relay = await openTestRelay({
  upstreams: [{ traceparent: true }, { models: { plain: 'x' } }],
});
const paidRelay = await openTestRelay({
  price: { perCall: '0.1', version: 1 },
  models: { 'demo-chat': { maxOutput: 1_000 } },
});
const contentType = { 'content-type': 'application/json' };
const post = (path: string, headers: Record<string, string>, body: object = chatRequest('Hi')) =>
  relay.send({
    method: 'POST',
    path,
    headers: { ...contentType, ...headers },
    body: JSON.stringify(body),
  });

test('serves every address under /v1 as well', async () => {
  const bearer = { authorization: `Bearer ${relay.keys.ak}` };
  const response = await post('/v1/chat/completions', bearer);
  expect([response.status, contentIn(response)]).toEqual([200, 'You said: Hi – 好的.']);
  const models = modelsIn(await relay.get('/v1/models')).map(({ id }) => id);
  expect(models).toEqual(modelsIn(await relay.get('/relay/v1/models')).map(({ id }) => id));
  expect((await relay.get('/v1/models/demo-chat')).status).toBe(200);
  expect((await relay.get('/v1/nothing')).status).toBe(404);
});

test('an Idempotency-Key used at the alias is refused at the canonical address', async () => {
  const headers = { authorization: `Bearer ${relay.keys.ak}`, 'idempotency-key': 'alias' };
  expect((await post('/v1/chat/completions', headers)).status).toBe(200);
  const repeat = await post('/relay/v1/chat/completions', headers);
  expect([repeat.status, errorIn(repeat).code]).toEqual([409, 'duplicate_idempotency_key']);
});

test('accepts the key as x-api-key, and refuses two different keys with 401', async () => {
  const path = '/v1/chat/completions';
  const { ak, sk } = relay.keys;
  expect((await post(path, { 'x-api-key': ak })).status).toBe(200);
  expect((await post(path, { 'x-api-key': ak, authorization: `Bearer ${ak}` })).status).toBe(200);
  const secondKey = await post(path, { 'x-api-key': ak, authorization: `Bearer ${sk}` });
  expect([secondKey.status, errorIn(secondKey).code]).toEqual([401, 'invalid_api_key']);
  const listResponse = await relay.send({ path: '/v1/models', headers: { 'x-api-key': ak } });
  expect(listResponse.status).toBe(200);
});

test('browsers may read the headers of the relay', async () => {
  const response = await relay.get('/v1/models', 'no key');
  const exposedHeaders = String(response.headers['access-control-expose-headers']).toLowerCase();
  for (const name of ['charge', 'attempts', 'hold', 'price-version', 'warning']) {
    expect(exposedHeaders).toContain(`x-relay-${name}`);
  }
  expect(exposedHeaders).toContain('x-relay-upstream-request-id');
});

test('forwards a well-formed traceparent when the configuration permits it', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const [tracedServer] = relay.chats;
  await relay.chat(chatRequest('Hi'), { traceparent });
  await relay.chat(chatRequest('Hi'), { traceparent: 'not a trace' });
  await paidRelay.chat(chatRequest('Hi'), { traceparent });
  const headersSeen = [
    tracedServer?.headers.at(-2),
    tracedServer?.headers.at(-1),
    paidRelay.chats[0]?.headers.at(-1),
  ];
  expect(headersSeen.map((headers) => headers?.traceparent)).toEqual([
    traceparent,
    undefined,
    undefined,
  ]);
});

test('charges each of n choices, and charges nothing for a refused request', async () => {
  const { world, db, keys } = paidRelay;
  const allowanceLeft = async () =>
    (await readAccountMoney(world, db, { accountId: keys.accountId, livemode: true })).allowance
      .remaining;
  const initial = await allowanceLeft();
  const response = await paidRelay.chat(chatRequest('Hi', { n: 3 }));
  expect(await paidRelay.callOf(response)).toMatchObject({
    usage: { unit: 'per_call', quantity: 3 },
  });
  expect(initial - (await allowanceLeft())).toBe(30_000_000n);
  const aboveMaxCharge = await paidRelay.chat(chatRequest('Hi', { n: 2, max_charge: '0.1' }));
  expect(aboveMaxCharge.status).toBe(402);
  expect(initial - (await allowanceLeft())).toBe(30_000_000n);
});

test.each([
  ['n', { n: 0 }],
  ['n', { n: 129 }],
  ['n', { n: '2' }],
  ['best_of', { best_of: 5 }],
  ['max_tokens', { max_tokens: 1_001 }],
  ['max_completion_tokens', { max_completion_tokens: 5_000 }],
  ['service_tier', { service_tier: 'priority' }],
  ['speed', { speed: 'fast' }],
  ['inference_geo', { inference_geo: 'us' }],
  ['web_search_options', { web_search_options: {} }],
])('400: the price does not cover the parameter %s: %j', async (param, fields) => {
  const requestCount = paidRelay.chats[0]?.requests.length;
  const response = await paidRelay.chat(chatRequest('Hi', fields));
  expect([response.status, errorIn(response).param]).toEqual([400, param]);
  expect(paidRelay.chats[0]?.requests.length).toBe(requestCount);
});

test('accepts limits within the price and unset fields', async () => {
  const fields = { n: 1, best_of: 1, max_tokens: 1_000, service_tier: 'default', speed: null };
  expect((await paidRelay.chat(chatRequest('Hi', fields))).status).toBe(200);
  expect(paidRelay.chats[0]?.requests.at(-1)).toMatchObject(fields);
});

test('a message with the name of a fault does not make a shared upstream fail', async () => {
  const upstreamServer = await openUpstream();
  const sharedUpstreams = upstreamServer.relay.upstreams.slice(0, 2);
  for (const { url, key } of sharedUpstreams) {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { ...contentType, authorization: `Bearer ${key}` },
      body: JSON.stringify(chatRequest('upstream:busy')),
    });
    expect(response.status).toBe(200);
  }
  await upstreamServer.close();
});

test('closes a connection whose request does not end in time', async () => {
  const server = createHttpServer(200, (_req, res) => res.end());
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST / HTTP/1.1\r\nhost: a\r\n');
  await once(socket, 'close');
  server.close();
});

test('errors at the alias address have the form of the canonical address', async () => {
  const response = await post('/v1/chat/completions', { 'x-api-key': relay.keys.ak }, {});
  expect(json(response)).toMatchObject({ error: { code: 'invalid_request', param: 'model' } });
});
