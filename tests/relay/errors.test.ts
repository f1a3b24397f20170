// Every refusal has the form that chat clients parse, with the contract's codes.
import { expect, test } from 'vitest';
import { json } from '../support/http-request.ts';
import { chatRequest, errorIn, openTestRelay } from './test-relay.ts';

const relay = await openTestRelay();
const error = (message: string, type: string, code: string, fields: object = {}) => ({
  error: { message, type, param: null, code, ...fields },
});
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const restrictedKey = await relay.newKey({ scopes: ['model:demo-only-0'] });
const otherKey = await relay.newKey({ scopes: ['search'] });
const chatPath = '/relay/v1/chat/completions';

test.each([
  [
    'a body that is not JSON',
    '{',
    error('The body is not JSON.', 'invalid_request_error', 'invalid_request'),
  ],
  [
    'no model',
    { messages: [] },
    error(
      'The field "model" must be the id of a model.',
      'invalid_request_error',
      'invalid_request',
      {
        param: 'model',
      },
    ),
  ],
  [
    'a max_charge that is not an amount',
    chatRequest('Hi', { max_charge: 1 }),
    error(
      'The field "max_charge" must be an amount in CNY as text, like "0.036".',
      ...(['invalid_request_error', 'invalid_request', { param: 'max_charge' }] as const),
    ),
  ],
])('400: %s', async (_what, body, expected) => {
  const response = await relay.chat(body);
  expect([response.status, json(response)]).toEqual([400, expected]);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('a max_charge of null is no limit', async () => {
  expect((await relay.chat(chatRequest('Hi', { max_charge: null }))).status).toBe(200);
});

test('401: a missing or unknown key', async () => {
  const withoutKey = await relay.send({ method: 'POST', path: chatPath, body: '{}' });
  expect([withoutKey.status, withoutKey.headers['www-authenticate']]).toEqual([
    401,
    'Bearer realm="gateway"',
  ]);
  const unauthorized = await relay.chat(chatRequest('Hi'), bearer('ak-nonsense'));
  expect([unauthorized.status, json(unauthorized)]).toEqual([
    401,
    error('This API key is malformed.', 'authentication_error', 'invalid_api_key'),
  ]);
});

test('403: another kind of key, another scope, another model', async () => {
  const kindResponse = await relay.chat(chatRequest('Hi'), bearer(relay.keys.sk));
  expect([kindResponse.status, json(kindResponse)]).toEqual([
    403,
    error(
      'The chat relay must be called with an Agent API key (ak-…).',
      ...(['permission_error', 'key_not_allowed'] as const),
    ),
  ]);
  expect((await relay.chat(chatRequest('Hi'), bearer(otherKey))).status).toBe(403);
  const model = await relay.chat(chatRequest('Hi'), bearer(restrictedKey));
  expect([model.status, errorIn(model).param]).toEqual([403, 'model']);
});

test('a key with a list of models can use and list only these models', async () => {
  const allowedResponse = await relay.chat(
    { ...chatRequest('Hi'), model: 'demo-only-0' },
    bearer(restrictedKey),
  );
  expect(allowedResponse.status).toBe(200);
  expect(json(await relay.get('/relay/v1/models', restrictedKey))).toEqual({
    object: 'list',
    data: [{ id: 'demo-only-0', object: 'model', created: 1_740_000_000, owned_by: 'demo' }],
  });
});

test('404: an unknown model or address', async () => {
  const model = await relay.chat({ ...chatRequest('Hi'), model: 'none' });
  expect([model.status, json(model)]).toEqual([
    404,
    error(
      'There is no such model here: see GET /relay/v1/models.',
      ...(['invalid_request_error', 'not_found', { param: 'model' }] as const),
    ),
  ]);
  const address = await relay.get('/relay/v1/completions');
  expect([address.status, errorIn(address).code]).toEqual([404, 'not_found']);
});

test('405 lists the permitted methods, and OPTIONS permits web pages', async () => {
  const response = await relay.get(chatPath);
  expect([response.status, response.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  const headers = { 'access-control-request-headers': 'authorization, x-stainless-retry-count' };
  const preflight = await relay.send({ method: 'OPTIONS', path: chatPath, headers });
  expect([preflight.status, preflight.headers['access-control-allow-headers']]).toEqual([
    204,
    'Authorization, Content-Type, Idempotency-Key, Prefer, If-None-Match, x-stainless-retry-count',
  ]);
});

test('accepts 8 MiB, and returns 413 for more and 415 for other media types', async () => {
  const bodyOfSize = (bytes: number) =>
    chatRequest('x'.repeat(bytes - JSON.stringify(chatRequest('')).length));
  const maxBytes = 8 * 1024 * 1024;
  expect((await relay.chat(bodyOfSize(maxBytes))).status).toBe(200);
  const tooLarge = await relay.chat(bodyOfSize(maxBytes + 1));
  expect([tooLarge.status, errorIn(tooLarge).code]).toEqual([413, 'payload_too_large']);
  const text = await relay.chat(chatRequest('Hi'), { 'content-type': 'text/plain' });
  expect([text.status, errorIn(text).code]).toEqual([415, 'unsupported_media_type']);
});

test('returns the upstream’s refusal with its own message', async () => {
  const response = await relay.chat(chatRequest('upstream:too-long'));
  expect([response.status, json(response)]).toEqual([
    400,
    error(
      "This model's maximum context length is 8 tokens.",
      ...(['invalid_request_error', 'context_length_exceeded', { param: 'messages' }] as const),
    ),
  ]);
  expect(await relay.callOf(response)).toMatchObject({ state: 'released', status: 400 });
});

test('hides the reason when the upstream refuses the operator’s account', async () => {
  const response = await relay.chat(chatRequest('upstream:locked'));
  expect([response.status, json(response)]).toEqual([
    503,
    error(
      'The model’s provider is unavailable right now. Try again later.',
      ...(['server_error', 'capability_unavailable'] as const),
    ),
  ]);
  expect(response.headers['retry-after']).toBe('1');
  relay.clock.advance(300_001);
});

test.each(['changed', 'truncated'])('502: a response that is %s', async (fault) => {
  const response = await relay.chat(chatRequest(`upstream:${fault}`));
  expect([response.status, errorIn(response).code]).toEqual([502, 'upstream_error']);
});

test('429: more requests than the key permits', async () => {
  const limitedRelay = await openTestRelay({ limits: { rate: { perSecond: 1, burst: 1 } } });
  expect((await limitedRelay.chat(chatRequest('Hi'))).status).toBe(200);
  const response = await limitedRelay.chat(chatRequest('Hi'));
  expect([response.status, errorIn(response)]).toEqual([
    429,
    {
      message: 'Too many requests with this API key. Try again in 1 s.',
      type: 'rate_limit_error',
      param: null,
      code: 'rate_limited',
    },
  ]);
  expect(response.headers['retry-after']).toBe('1');
});

test('429: calls above the limit of the account cause no request to the upstream', async () => {
  const limitedRelay = await openTestRelay({ limits: { callsPerDay: 1 } });
  expect((await limitedRelay.chat(chatRequest('Hi'))).status).toBe(200);
  await limitedRelay.waitForWrites();
  // The second call may run before the ledger refuses; later calls do not.
  await limitedRelay.chat(chatRequest('Hi'));
  await limitedRelay.waitForWrites();
  const requestCount = limitedRelay.chats[0]?.requests.length;
  const response = await limitedRelay.chat(chatRequest('Hi'));
  expect([response.status, errorIn(response).code]).toEqual([429, 'quota_exceeded']);
  expect(limitedRelay.chats[0]?.requests.length).toBe(requestCount);
});

test('503: chat is not available when no upstream is configured', async () => {
  const relayWithoutUpstream = await openTestRelay({ upstreams: [] });
  const expected = error(
    'Chat completions are not available on this service. Nothing was charged.',
    ...(['server_error', 'capability_unavailable'] as const),
  );
  const response = await relayWithoutUpstream.chat(chatRequest('Hi'));
  expect([response.status, json(response)]).toEqual([503, expected]);
  expect(json(await relayWithoutUpstream.get('/relay/v1/models'))).toEqual(expected);
});
