// The classes of an upstream's failures, the circuit breaker, and the limits of a continuation.
// Each test sets the replies of two upstreams. Relay contract, 3.2 to 3.4.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { atEnd } from '../support/at-end.ts';
import { chatRequest, errorIn, eventsIn, openTestRelay, streamedText } from './test-relay.ts';
import { finishWithoutAdvance } from './without-more-time.ts';

type Reply = (res: ServerResponse) => void;

/** Sends the `replies` in order, and repeats the last reply. */
async function openScriptedServer() {
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
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const setReplies = (...nextReplies: Reply[]) => {
    requests.length = 0;
    replies = nextReplies;
  };
  return { url, requests, setReplies };
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] });
const usage = data({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });
const END_EVENTS = `${delta('', 'stop')}${usage}data: [DONE]\n\n`;
const replyWithStream =
  (...events: string[]): Reply =>
  (res) =>
    res.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
/** The connection breaks after these events. */
const breakAfter =
  (...events: string[]): Reply =>
  (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(events.join(''), () => setImmediate(() => res.destroy()));
  };
const refuseWith =
  (status: number, error: object = { message: 'No.' }, headers: object = {}): Reply =>
  (res) =>
    res
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error }));
const goodReply = replyWithStream(delta('Well'), END_EVENTS);

const firstServer = await openScriptedServer();
const secondServer = await openScriptedServer();
const servedModels = { 'demo-chat': 'm', permissive: 'p' };
const relay = await openTestRelay({
  upstreams: [firstServer, secondServer].map(({ url }, priority) => ({
    url,
    priority,
    models: servedModels,
  })),
  models: { permissive: { contentFallback: true } },
});
async function sendChat(options: object = {}, { afterMs = 0, headers = {} } = {}) {
  relay.clock.advance(afterMs);
  const body = { ...chatRequest('Hi', { stream: true }), ...options };
  return finishWithoutAdvance(relay.clock, relay.chat(body, headers));
}
const requestCounts = () => [firstServer.requests.length, secondServer.requests.length];

/** Whether the next call reaches the first upstream. Both upstreams send a good reply. */
async function isFirstUsed(afterMs: number): Promise<boolean> {
  firstServer.setReplies(goodReply);
  secondServer.setReplies(goodReply);
  expect((await sendChat({}, { afterMs })).status).toBe(200);
  return firstServer.requests.length > 0;
}

/** Ends every pause, and closes the circuit of the first upstream with a successful call. */
async function endPauses(): Promise<void> {
  expect(await isFirstUsed(301_000)).toBe(true);
}
beforeEach(endPauses);

test.each([
  ['408', refuseWith(408), 2],
  ['500', refuseWith(500), 2],
  ['502', refuseWith(502), 2],
  ['504', refuseWith(504), 2],
  ['429 without Retry-After', refuseWith(429), 2],
  ['503 without Retry-After', refuseWith(503), 2],
  ['529 without Retry-After', refuseWith(529), 2],
  ['429 with a long Retry-After', refuseWith(429, {}, { 'retry-after': '4' }), 1],
  ['503 with a long Retry-After', refuseWith(503, {}, { 'retry-after': '4' }), 1],
  ['529 with a long Retry-After', refuseWith(529, {}, { 'retry-after': '4' }), 1],
  ['401', refuseWith(401), 1],
  ['402', refuseWith(402), 1],
  ['403', refuseWith(403), 1],
  ['429 insufficient_quota', refuseWith(429, { code: 'insufficient_quota' }), 1],
  ['429 at a spend limit', refuseWith(429, { code: 'enforced_spend_limit_reached' }), 1],
  ['400 with a low credit', refuseWith(400, { message: 'Your credit balance is too low' }), 1],
  ['404', refuseWith(404), 1],
  ['500 with a code that takes precedence', refuseWith(500, { code: 'insufficient_quota' }), 1],
])('%s: the next upstream serves the call', async (_name, reply, tries) => {
  firstServer.setReplies(reply);
  secondServer.setReplies(goodReply);
  const response = await sendChat();
  expect(streamedText(eventsIn(response.text).slice(0, 1))).toBe('Well');
  expect(requestCounts()).toEqual([tries, 1]);
});

test.each([
  ['400', refuseWith(400, { message: 'Wrong.', type: 'invalid_request_error' })],
  ['413', refuseWith(413, { message: 'Wrong.' })],
  ['422', refuseWith(422, { message: 'Wrong.' })],
  ['a filter', refuseWith(400, { message: 'Wrong.', code: 'content_filter' })],
])('%s: returns the upstream’s message without another attempt', async (_name, reply) => {
  firstServer.setReplies(reply);
  secondServer.setReplies(goodReply);
  const response = await sendChat();
  expect([response.status >= 400, errorIn(response).message]).toEqual([true, 'Wrong.']);
  expect(requestCounts()).toEqual([1, 0]);
});

test('a route can permit another attempt after a filter', async () => {
  firstServer.setReplies(refuseWith(400, { message: 'No.', code: 'content_policy_violation' }));
  secondServer.setReplies(goodReply);
  expect((await sendChat({ model: 'permissive' })).status).toBe(200);
  expect(requestCounts()).toEqual([1, 1]);
});

describe('pauses', () => {
  test('the relay does not request an unknown model at its upstream for a minute', async () => {
    firstServer.setReplies(refuseWith(404));
    secondServer.setReplies(goodReply);
    await sendChat();
    expect([await isFirstUsed(59_000), await isFirstUsed(1_001)]).toEqual([false, true]);
  });

  test('a refused account is not used for five minutes', async () => {
    firstServer.setReplies(refuseWith(401));
    secondServer.setReplies(goodReply);
    await sendChat();
    expect([await isFirstUsed(299_000), await isFirstUsed(1_001)]).toEqual([false, true]);
  });

  test('refusals of one account’s calls do not pause the upstream for other accounts', async () => {
    secondServer.setReplies(goodReply);
    for (let call = 0; call < 4; call += 1) {
      firstServer.setReplies(refuseWith(403));
      await sendChat();
      expect(firstServer.requests.length).toBe(1);
    }
  });

  test.each([
    [429, true],
    [503, false],
    [529, false],
  ])(
    'after three calls that received two responses %i each, the upstream is used: %s',
    async (status, isUsed) => {
      for (let call = 0; call < 3; call += 1) {
        firstServer.setReplies(refuseWith(status));
        secondServer.setReplies(goodReply);
        await sendChat();
      }
      expect(await isFirstUsed(0)).toBe(isUsed);
    },
  );

  test('a probe of a half-open circuit is not retried', async () => {
    for (let call = 0; call < 3; call += 1) {
      firstServer.setReplies(refuseWith(500));
      secondServer.setReplies(goodReply);
      await sendChat();
    }
    firstServer.setReplies(refuseWith(500));
    await sendChat({}, { afterMs: 20_001 });
    expect(firstServer.requests.length).toBe(1);
  });
});

describe('events that are not JSON', () => {
  const neverContinue = { headers: { 'x-relay-continue': 'never' } };
  const brokenEvent = 'data: {"choi\n\n';

  test('three are skipped, and the receipt has their number', async () => {
    firstServer.setReplies(
      replyWithStream(delta('Well'), brokenEvent, brokenEvent, brokenEvent, END_EVENTS),
    );
    const response = await sendChat({}, neverContinue);
    expect(eventsIn(response.text).at(-1)).toBe('[DONE]');
    await relay.callOf(response);
    const requestId = String(response.headers['x-request-id']);
    const { accountId } = relay.keys;
    const receipt = await readRelayReceipt(relay.db, { accountId, livemode: true, requestId });
    expect(receipt?.skippedEvents).toBe(3);
  });

  test.each([
    [
      'a fourth such event',
      [delta('Well'), brokenEvent, brokenEvent, brokenEvent, brokenEvent, END_EVENTS],
    ],
    [
      'one such event together with missing usage',
      [delta('Well'), brokenEvent, delta('', 'stop'), 'data: [DONE]\n\n'],
    ],
  ])('%s interrupts the stream', async (_name, events) => {
    firstServer.setReplies(replyWithStream(...events));
    const response = await sendChat({}, neverContinue);
    expect(eventsIn(response.text).at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
  });
});

describe('a continuation ends with an error', () => {
  const isContinued = async (text: string, options: object = {}) => {
    await endPauses();
    firstServer.setReplies(breakAfter(delta(text)), breakAfter());
    secondServer.setReplies(goodReply);
    const response = await sendChat(options);
    return response.text.endsWith('data: [DONE]\n\n');
  };

  test('at the third break', async () => {
    const words = ['one ', 'two ', 'three '];
    firstServer.setReplies(breakAfter(delta('one ')), breakAfter(delta('two ')));
    secondServer.setReplies(breakAfter(delta('three ')), goodReply);
    const response = await sendChat();
    const events = eventsIn(response.text);
    expect(events.filter((event) => String(event).startsWith(': relay-continuation'))).toEqual([
      ': relay-continuation 1',
      ': relay-continuation 2',
    ]);
    expect(streamedText(events.filter((event) => typeof event === 'object'))).toBe(words.join(''));
    expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
    expect(requestCounts()).toEqual([2, 1]);
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

test('session and trace headers pass only if the configuration permits it', async () => {
  const sentHeaders = {
    session_id: 's',
    conversation_id: 'c',
    'x-claude-code-session-id': 'x',
    'openai-beta': 'b',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  };
  firstServer.setReplies(goodReply);
  await sendChat({}, { headers: sentHeaders });
  const receivedHeaders = firstServer.requests[0] ?? {};
  expect(Object.keys(sentHeaders).filter((name) => name in receivedHeaders)).toEqual([]);
});
