// Streams are forwarded event by event. Fields that only the relay requested are removed.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

const relay = await openTestRelay();
const stream = { stream: true };
/** A stream that breaks is not continued. */
const neverContinue = { 'x-relay-continue': 'never' };

test('ends a stream with [DONE], without an unrequested usage chunk', async () => {
  const response = await relay.chat(chatRequest('Hello there', stream));
  expect(response.status).toBe(200);
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-request-id': expect.stringMatching(/^req_[0-9a-f]{24}$/),
  });
  const events = eventsIn(response.text);
  expect(streamedText(events)).toBe('You said: Hello there – 好的.');
  expect(events.at(-1)).toBe('[DONE]');
  expect(events.filter((event) => (event as { usage?: unknown }).usage)).toEqual([]);
  expect(relay.chats[0]?.requests.at(-1)?.stream_options).toEqual({ include_usage: true });
  expect(await relay.usageOf(response)).toMatchObject({
    request_id: response.headers['x-request-id'],
    account_id: relay.keys.accountId,
    livemode: true,
    model: 'demo-chat',
    upstream: 'chat-0',
    is_stream: true,
    ended: 'completed',
    counted: 'upstream',
    prompt_tokens: 7,
    completion_tokens: 6,
  });
});

test('removes null usage that only the relay requested from every chunk', async () => {
  const response = await relay.chat(chatRequest('Hello', stream));
  expect(relay.chats[0]?.requests.at(-1)?.stream_options).toEqual({ include_usage: true });
  expect(response.text).not.toContain('usage');
  const requestedUsage = await relay.chat(
    chatRequest('Hello', { ...stream, stream_options: { include_usage: true } }),
  );
  expect(requestedUsage.text).toContain('"usage":null');
});

test('sends requested usage once, before [DONE]', async () => {
  const options = { stream_options: { include_usage: true } };
  const events = eventsIn((await relay.chat(chatRequest('Hello', { ...stream, ...options }))).text);
  expect(events.at(-2)).toMatchObject({ choices: [], usage: { prompt_tokens: 7 } });
  expect(events.filter((event) => (event as { usage?: unknown }).usage)).toHaveLength(1);
});

test.each(['comments', 'null-choices', 'crlf', 'no-done', 'no-usage'])(
  'accepts a server with the behaviour %s',
  async (fault) => {
    const events = eventsIn(
      (await relay.chat(chatRequest(`Hello upstream:${fault}`, stream))).text,
    );
    expect(streamedText(events)).toBe('You said: Hello – 好的.');
    expect(events.at(-1)).toBe('[DONE]');
    expect(events.filter((event) => event === ': keep-alive')).toHaveLength(
      fault === 'comments' ? 9 : 0,
    );
    expect(events.filter((event) => (event as { usage?: unknown }).usage)).toEqual([]);
  },
);

test.each(['error-inside', 'ends-early', 'not-json', 'dies-3'])(
  'the fault %s causes an error event without [DONE] and without a charge',
  async (fault) => {
    relay.clock.advance(31_000);
    const response = await relay.chat(
      chatRequest(`Hello upstream:${fault}`, stream),
      neverContinue,
    );
    expect(response.status).toBe(200);
    const events = eventsIn(response.text);
    expect(events.at(-1)).toEqual({
      error: {
        message: 'The model’s provider failed in the middle of the answer.',
        type: 'server_error',
        param: null,
        code: 'upstream_error',
      },
    });
    expect(events).not.toContain('[DONE]');
    expect(await relay.callOf(response)).toMatchObject({
      capability: 'chat',
      state: 'released',
      status: 200,
      code: 'upstream_error',
      charge: null,
    });
    expect(await relay.usageOf(response)).toMatchObject({ ended: 'failed', counted: 'estimated' });
  },
);

test('an error in place of a stream is returned as an error', async () => {
  const response = await relay.chat(chatRequest('Hello upstream:error-first', stream));
  expect([response.status, JSON.parse(response.text).error.code]).toEqual([502, 'upstream_error']);
});

test('ends a silent upstream and sends the client an error', async () => {
  relay.clock.advance(31_000);
  const abortedCount = relay.chats[0]?.aborted() ?? 0;
  const client = await relay.openStream(chatRequest('Hello upstream:holds-3', stream));
  await client.readBytes(100);
  relay.clock.advance(60_000);
  const events = eventsIn(await client.readAll());
  expect(events.at(-1)).toEqual({
    error: {
      message: 'The model’s provider fell silent in the middle of the answer.',
      type: 'server_error',
      param: null,
      code: 'upstream_timeout',
    },
  });
  await until(async () => (relay.chats[0]?.aborted() === abortedCount + 1 ? true : null));
  expect(await relay.usageOf(client)).toMatchObject({ ended: 'failed', counted: 'estimated' });
});

test('a client that stops reading releases its upstream after a time limit', async () => {
  relay.clock.advance(31_000);
  const abortedCount = relay.chats[0]?.aborted() ?? 0;
  const client = await relay.openStream(chatRequest('Hello upstream:endless', stream));
  // The client reads nothing. When its buffers are full, the relay stops reading from the upstream.
  // After that, only the time limit can end the stream.
  await until(async () => {
    relay.clock.advance(10_000);
    return relay.chats[0]?.aborted() === abortedCount + 1 ? true : null;
  });
  const row = await until(() => relay.usageOf(client));
  expect(row).toMatchObject({ ended: 'client_left', counted: 'estimated' });
  client.disconnect();
});

test('reuses a stream’s connection to its upstream', async () => {
  let connections = 0;
  let lastResponse = null as ServerResponse | null;
  const upstream = createServer((req, res) => {
    lastResponse = res;
    req.resume();
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write('data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n');
  }).on('connection', () => {
    connections += 1;
  });
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  const { port } = upstream.address() as AddressInfo;
  const otherRelay = await openTestRelay({
    upstreams: [{ url: `http://127.0.0.1:${port}/v1`, models: { 'demo-chat': 'demo-chat' } }],
  });
  for (const ending of ['data: [DONE]\n\n', '', 'data: [DONE]\n\n']) {
    const client = await otherRelay.openStream(chatRequest('Hello', stream));
    await client.readBytes(10);
    // The upstream ends its response with or without `[DONE]`, after the client has received the
    // text. In each case the connection is reused.
    lastResponse?.end(ending);
    expect(eventsIn(await client.readAll()).at(-1)).toBe('[DONE]');
  }
  upstream.close();
  upstream.closeAllConnections();
  expect(connections).toBe(1);
});

test('an invalid pipelined request ends the stream before it, without a response', async () => {
  relay.clock.advance(31_000);
  const body = JSON.stringify(chatRequest('Hello upstream:holds-3', stream));
  const head = [
    'POST /relay/v1/chat/completions HTTP/1.1',
    `host: relay\r\nauthorization: Bearer ${relay.keys.ak}`,
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(Number(new URL(relay.origin).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    const textBefore = text;
    text += chunk;
    if (!textBefore.includes('data: ') && text.includes('data: '))
      socket.write('no request\r\n\r\n');
  });
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
});
