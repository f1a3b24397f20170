// Calls with test keys take the same path, but reach a sandbox. A stopping process gives its
// streams a limited time to end.
import { expect, test } from 'vitest';
import { json } from '../support/http-request.ts';
import { until } from '../support/until.ts';
import {
  chatRequest,
  contentIn,
  errorIn,
  eventsIn,
  openTestRelay,
  streamedText,
} from './test-relay.ts';

const relay = await openTestRelay();
const sandbox = { authorization: `Bearer ${relay.keys.akTest}` };
const SANDBOX_TEXT = 'This is the sandbox: no model was asked.';

test('the sandbox serves a test key, whole and as a stream, from separate balances', async () => {
  const wholeResponse = await relay.chat(chatRequest('Hi'), sandbox);
  expect(json(wholeResponse)).toMatchObject({
    model: 'demo-chat',
    usage: { completion_tokens: 10 },
  });
  expect(contentIn(wholeResponse)).toBe(SANDBOX_TEXT);
  const events = eventsIn((await relay.chat(chatRequest('Hi', { stream: true }), sandbox)).text);
  expect([streamedText(events), events.at(-1)]).toEqual([SANDBOX_TEXT, '[DONE]']);
  expect(relay.chats[0]?.requests).toHaveLength(0);
  expect(await relay.usageOf(wholeResponse)).toMatchObject({
    livemode: false,
    upstream: 'sandbox',
  });
  expect(json(await relay.get('/relay/v1/models', relay.keys.akTest))).toEqual({
    object: 'list',
    data: [{ id: 'sandbox', object: 'model', created: 0, owned_by: 'sandbox' }],
  });
});

test.each([
  ['upstream_error', 502],
  ['upstream_timeout', 504],
  ['duplicate_idempotency_key', 409],
  ['insufficient_balance', 402],
  ['rate_limited', 429],
  ['capability_unavailable', 503],
  ['402', 402],
  ['nonsense', 400],
])('sandbox:%s returns %d', async (code, status) => {
  const response = await relay.chat(chatRequest(`sandbox:${code}`), sandbox);
  /** The codes of messages that do not name an error code. */
  const codes: Record<string, string> = {
    nonsense: 'invalid_request',
    402: 'insufficient_balance',
  };
  const expected = codes[code] ?? code;
  expect([response.status, errorIn(response).code]).toEqual([status, expected]);
  const hasRetryAfter = [429, 503].includes(status);
  expect(response.headers['retry-after'] !== undefined).toBe(hasRetryAfter);
});

test('sandbox:empty returns no text, sandbox:slow-5 takes five seconds', async () => {
  const emptyResponse = await relay.chat(chatRequest('sandbox:empty'), sandbox);
  expect(contentIn(emptyResponse)).toBe('');
  let hasResponse = false;
  const slowResponse = relay.chat(chatRequest('sandbox:slow-5'), sandbox).then((response) => {
    hasResponse = true;
    return response;
  });
  await until(async () => {
    relay.clock.advance(5_000);
    return hasResponse || null;
  });
  expect(contentIn(await slowResponse)).toBe(SANDBOX_TEXT);
});

test('a stopping process refuses new requests, ends streams after 7 s and closes', async () => {
  const stoppingRelay = await openTestRelay();
  const client = await stoppingRelay.openStream(
    chatRequest('Hi upstream:holds-3', { stream: true }),
  );
  await client.readBytes(10);
  const closing = stoppingRelay.server.close();
  let isClosed = false;
  const finished = closing.then(() => {
    isClosed = true;
  });
  await expect(stoppingRelay.openStream(chatRequest('Hi'))).rejects.toThrow();
  expect(isClosed).toBe(false);
  stoppingRelay.clock.advance(7_000);
  const events = eventsIn(await client.readAll());
  expect(events.at(-1)).toEqual({
    error: {
      message: 'This process is stopping. Retry: another process will respond.',
      type: 'server_error',
      param: null,
      code: 'temporarily_unavailable',
    },
  });
  await finished;
  expect(await stoppingRelay.usageOf(client)).toMatchObject({
    ended: 'failed',
    counted: 'estimated',
  });
  expect(stoppingRelay.chats[0]?.running()).toBe(0);
});
