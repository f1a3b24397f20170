// The classes of an upstream's failures, the circuit breaker, and what ends a continuation, each
// against two upstreams that a test commands. Relay contract, 3.2 to 3.4.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { chatRequest, errorIn, eventsIn, openTestRelay, streamedText } from './test-relay.ts';
import { withoutMoreTime } from './without-more-time.ts';

type Reply = (res: ServerResponse) => void;

/** Responds with `replies` one after the other; the last one repeats. */
async function openCommanded() {
  const requests: IncomingMessage['headers'][] = [];
  let replies: readonly Reply[] = [];
  const server = createServer((req, res) => {
    res.on('error', () => {});
    req.resume().on('end', () => {
      requests.push(req.headers);
      (replies[Math.min(requests.length, replies.length) - 1] ?? (() => res.destroy()))(res);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const command = (...next: Reply[]) => {
    requests.length = 0;
    replies = next;
  };
  return { url, requests, command };
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] });
const usage = data({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });
const END = `${delta('', 'stop')}${usage}data: [DONE]\n\n`;
const stream =
  (...events: string[]): Reply =>
  (res) =>
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
/** The connection breaks after these events. */
const cut =
  (...events: string[]): Reply =>
  (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(events.join(''), () => setImmediate(() => res.destroy()));
  };
const refuse =
  (status: number, error: object = { message: 'No.' }, headers: object = {}): Reply =>
  (res) =>
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error }));
const well = stream(delta('Well'), END);

const first = await openCommanded();
const second = await openCommanded();
const served = { 'demo-chat': 'm', permissive: 'p' };
const relay = await openTestRelay({
  upstreams: [first, second].map(({ url }, priority) => ({ url, priority, models: served })),
  models: { permissive: { contentFallback: true } },
});
async function ask(more: object = {}, { afterMs = 0, headers = {} } = {}) {
  relay.clock.advance(afterMs);
  const body = { ...chatRequest('Hi', { stream: true }), ...more };
  return withoutMoreTime(relay.clock, relay.chat(body, headers));
}
const counts = () => [first.requests.length, second.requests.length];

/** Whether the next call uses the first upstream, which then serves it. */
async function isFirstUsed(afterMs: number): Promise<boolean> {
  first.command(well);
  second.command(well);
  expect((await ask({}, { afterMs })).status).toBe(200);
  return first.requests.length > 0;
}

/** Ends every pause, and closes the circuit of the first upstream by a call that it serves. */
async function endPauses(): Promise<void> {
  expect(await isFirstUsed(301_000)).toBe(true);
}
beforeEach(endPauses);

test.each([
  ['408', refuse(408), 2],
  ['500', refuse(500), 2],
  ['502', refuse(502), 2],
  ['504', refuse(504), 2],
  ['429 without a time', refuse(429), 2],
  ['503 without a time', refuse(503), 2],
  ['529 without a time', refuse(529), 2],
  ['429 with a long time', refuse(429, {}, { 'retry-after': '4' }), 1],
  ['503 with a long time', refuse(503, {}, { 'retry-after': '4' }), 1],
  ['529 with a long time', refuse(529, {}, { 'retry-after': '4' }), 1],
  ['401', refuse(401), 1],
  ['402', refuse(402), 1],
  ['403', refuse(403), 1],
  ['429 insufficient_quota', refuse(429, { code: 'insufficient_quota' }), 1],
  ['429 at a spend limit', refuse(429, { code: 'enforced_spend_limit_reached' }), 1],
  ['400 with a low credit', refuse(400, { message: 'Your credit balance is too low' }), 1],
  ['404', refuse(404), 1],
  ['a code in place of the status', refuse(500, { code: 'insufficient_quota' }), 1],
])('%s: the next upstream serves', async (_name, reply, tries) => {
  first.command(reply);
  second.command(well);
  const response = await ask();
  expect(streamedText(eventsIn(response.text).slice(0, 1))).toBe('Well');
  expect(counts()).toEqual([tries, 1]);
});

test.each([
  ['400', refuse(400, { message: 'Wrong.', type: 'invalid_request_error' })],
  ['413', refuse(413, { message: 'Wrong.' })],
  ['422', refuse(422, { message: 'Wrong.' })],
  ['a filter', refuse(400, { message: 'Wrong.', code: 'content_filter' })],
])('%s: the upstream’s words, and no other attempt', async (_name, reply) => {
  first.command(reply);
  second.command(well);
  const response = await ask();
  expect([response.status >= 400, errorIn(response).message]).toEqual([true, 'Wrong.']);
  expect(counts()).toEqual([1, 0]);
});

test('a route can permit another attempt after a filter', async () => {
  first.command(refuse(400, { message: 'No.', code: 'content_policy_violation' }));
  second.command(well);
  expect((await ask({ model: 'permissive' })).status).toBe(200);
  expect(counts()).toEqual([1, 1]);
});

describe('pauses', () => {
  test('an unknown model leaves its upstream for a minute', async () => {
    first.command(refuse(404));
    second.command(well);
    await ask();
    expect([await isFirstUsed(59_000), await isFirstUsed(1_001)]).toEqual([false, true]);
  });

  test('a refused account is not used for five minutes', async () => {
    first.command(refuse(401));
    second.command(well);
    await ask();
    expect([await isFirstUsed(299_000), await isFirstUsed(1_001)]).toEqual([false, true]);
  });

  test('the refusals that one account causes do not take an upstream from the others', async () => {
    second.command(well);
    for (let call = 0; call < 4; call += 1) {
      first.command(refuse(403));
      await ask();
      expect(first.requests.length).toBe(1);
    }
  });

  test.each([
    [429, true],
    [503, false],
    [529, false],
  ])('after three calls with two %i each the upstream is used: %s', async (status, isUsed) => {
    for (let call = 0; call < 3; call += 1) {
      first.command(refuse(status));
      second.command(well);
      await ask();
    }
    expect(await isFirstUsed(0)).toBe(isUsed);
  });

  test('a probe of a half-open circuit is not retried', async () => {
    for (let call = 0; call < 3; call += 1) {
      first.command(refuse(500));
      second.command(well);
      await ask();
    }
    first.command(refuse(500));
    await ask({}, { afterMs: 20_001 });
    expect(first.requests.length).toBe(1);
  });
});

describe('events that are not JSON', () => {
  const never = { headers: { 'x-relay-continue': 'never' } };
  const broken = 'data: {"choi\n\n';

  test('three are skipped, and the receipt counts them', async () => {
    first.command(stream(delta('Well'), broken, broken, broken, END));
    const response = await ask({}, never);
    expect(eventsIn(response.text).at(-1)).toBe('[DONE]');
    await relay.callOf(response);
    const requestId = String(response.headers['x-request-id']);
    const { accountId } = relay.keys;
    const receipt = await readRelayReceipt(relay.db, { accountId, livemode: true, requestId });
    expect(receipt?.skippedEvents).toBe(3);
  });

  test.each([
    ['a fourth one', [delta('Well'), broken, broken, broken, broken, END]],
    [
      'one, and the usage is missing',
      [delta('Well'), broken, delta('', 'stop'), 'data: [DONE]\n\n'],
    ],
  ])('%s is an interruption', async (_name, events) => {
    first.command(stream(...events));
    const response = await ask({}, never);
    expect(eventsIn(response.text).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
  });
});

describe('a continuation ends with an error', () => {
  const isContinued = async (text: string, more: object = {}) => {
    await endPauses();
    first.command(cut(delta(text)), cut());
    second.command(well);
    const response = await ask(more);
    return response.text.endsWith('data: [DONE]\n\n');
  };

  test('at the third break', async () => {
    const words = ['one ', 'two ', 'three '];
    first.command(cut(delta('one ')), cut(delta('two ')));
    second.command(cut(delta('three ')), well);
    const response = await ask();
    const events = eventsIn(response.text);
    expect(events.filter((event) => String(event).startsWith(': relay-continuation'))).toEqual([
      ': relay-continuation 1',
      ': relay-continuation 2',
    ]);
    expect(streamedText(events.filter((event) => typeof event === 'object'))).toBe(words.join(''));
    expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
    expect(counts()).toEqual([2, 1]);
  });

  test('when more than 256 KiB were delivered', async () => {
    expect(await isContinued('a'.repeat(200 * 1024))).toBe(true);
    expect(await isContinued('a'.repeat(256 * 1024 + 1))).toBe(false);
  });

  test('when the request has more than 1 MiB', async () => {
    const messages = (bytes: number) => [{ role: 'user', content: 'a'.repeat(bytes) }];
    expect(await isContinued('Well', { messages: messages(1_000_000) })).toBe(true);
    expect(await isContinued('Well', { messages: messages(1_048_576) })).toBe(false);
  });
});

test('session and trace headers pass only where the upstream’s rules permit it', async () => {
  const sent = {
    session_id: 's',
    conversation_id: 'c',
    'x-claude-code-session-id': 'x',
    'openai-beta': 'b',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  first.command(well);
  await ask({}, { headers: sent });
  const received = first.requests[0] ?? {};
  expect(Object.keys(sent).filter((name) => name in received)).toEqual([]);
});
