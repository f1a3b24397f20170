// Upstreams that respond late or not completely: time limits of reasoning models, the deadline of a
// call, choices without an end. Relay contract, 3.1 and 3.3.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { chatRequest, errorIn, eventsIn, openTestRelay, streamedText } from './test-relay.ts';
import { withoutMoreTime } from './without-more-time.ts';

const waiting: ServerResponse[] = [];
const upstream = createServer((req, res) => {
  res.on('error', () => {});
  req.resume().on('end', () => waiting.push(res));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const models = { 'demo-chat': 'slow', thinker: 'thinker' };
const relay = await openTestRelay({
  upstreams: [{ url, models }],
  models: { thinker: { reasoning: true, continue: 'never' }, 'demo-chat': { continue: 'never' } },
});
const nextRequest = () => until(async () => waiting.shift() ?? null);

const chunk = (index: number, content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({
    choices: [{ index, delta: { content }, finish_reason: reason }],
  })}\n\n`;
const done = 'data: [DONE]\n\n';

/** Sends a stream's request and returns its upstream's response, whose head is written. */
async function openUpstreamStream(model: string, more: object = {}) {
  const response = relay.chat({ ...chatRequest('Hi', { stream: true, ...more }), model });
  const upstreamResponse = await nextRequest();
  upstreamResponse.writeHead(200, { 'content-type': 'text/event-stream' });
  return { response, upstreamResponse };
}

/** Writes a ping, and continues when the relay has read it. */
async function ping(res: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => res.write(': ping\n\n', () => resolve()));
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

test('a ping restarts the 120 s of a reasoning model', async () => {
  const { response, upstreamResponse } = await openUpstreamStream('thinker');
  for (let n = 0; n < 4; n += 1) {
    await ping(upstreamResponse);
    relay.clock.advance(100_000);
  }
  upstreamResponse.end(`${chunk(0, 'Well', 'stop')}${done}`);
  const received = await response;
  expect(streamedText(eventsIn(received.text).slice(-2))).toBe('Well');
});

test('a reasoning model is silent after 120 s without any event', async () => {
  const { response, upstreamResponse } = await openUpstreamStream('thinker');
  await ping(upstreamResponse);
  relay.clock.advance(120_000);
  const events = eventsIn((await response).text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
});

test('the deadline of a call limits the first token of its last attempt', async () => {
  const relayOfTwo = await openTestRelay({
    upstreams: [
      { url, models },
      { url, models },
    ],
    models: { 'demo-chat': { firstTokenMs: 100_000 } },
  });
  const sent = relayOfTwo.chat(chatRequest('Hi', { stream: true }));
  await nextRequest();
  relayOfTwo.clock.advance(100_000);
  await nextRequest();
  // A last attempt may take 60 s, but 20 s of the call's 120 s remain.
  relayOfTwo.clock.advance(20_000);
  const events = eventsIn((await sent).text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
});

const chunked = { 'content-type': 'text/event-stream' };

test('the last of the attempts has 60 s for its first token, and each other one 10 s', async () => {
  const five = await openTestRelay({
    upstreams: Array.from({ length: 5 }, () => ({ url, models })),
  });
  const sent = five.openStream(chatRequest('Hi', { stream: true }));
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await nextRequest();
    five.clock.advance(10_000);
  }
  // Four attempts are the limit, so the fifth upstream shortens no time.
  const last = await nextRequest();
  five.clock.advance(59_000);
  last.writeHead(200, chunked).end(`${chunk(0, 'Late', 'stop')}${done}`);
  const read = sent.then((client) => client.readAll());
  const events = eventsIn(await withoutMoreTime(five.clock, read));
  expect([
    streamedText(events.filter((event) => typeof event === 'object')),
    events.at(-1),
  ]).toEqual(['Late', '[DONE]']);
});

test.each([
  ['its circuit is open', { models: {} }, []],
  ['the key may not use its model', { models: { 'demo-chat': { fallbacks: ['other'] } } }, ['m']],
] as const)('an upstream shortens no attempt when %s', async (_name, options, scopes) => {
  const isOpen = scopes.length === 0;
  const served = isOpen ? [models, models] : [models, { other: 'other' }];
  const two = await openTestRelay({
    upstreams: served.map((each, priority) => ({ url, models: each, priority })),
    ...options,
  });
  const narrow = await two.newKey({ scopes: ['model:demo-chat'] });
  if (isOpen) {
    // The second upstream is busy for 30 s; the first one is slow to begin.
    const opening = two.chat(chatRequest('Hi', { stream: true }));
    (await nextRequest()).writeHead(429, { 'retry-after': '30' }).end('{}');
    (await nextRequest()).writeHead(429, { 'retry-after': '60' }).end('{}');
    expect((await opening).status).toBe(503);
    two.clock.advance(31_000);
  }
  const sent = two.openStream(chatRequest('Hi', { stream: true }), narrow);
  const only = await nextRequest();
  two.clock.advance(20_000);
  only.writeHead(200, chunked).end(`${chunk(0, 'Late', 'stop')}${done}`);
  expect(eventsIn(await (await sent).readAll()).at(-1)).toBe('[DONE]');
});

test('a stream that breaks after more than 120 s is continued', async () => {
  const two = await openTestRelay({
    upstreams: [0, 1].map((priority) => ({ url, models, priority })),
  });
  const sent = two.openStream(chatRequest('Hi', { stream: true }));
  const first = await nextRequest();
  const more = chunk(0, 'more ');
  first.writeHead(200, chunked).write(more);
  const client = await sent;
  for (let n = 1; n <= 7; n += 1) {
    await client.readBytes(n * more.length);
    two.clock.advance(20_000);
    first.write(more);
  }
  await client.readBytes(8 * more.length);
  first.destroy();
  const next = await nextRequest();
  next.writeHead(200, chunked).end(`${chunk(0, 'end', 'stop')}${done}`);
  expect(eventsIn(await client.readAll()).at(-1)).toBe('[DONE]');
});

test('a stream of two choices that ends after the first one is broken', async () => {
  relay.clock.advance(61_000);
  const { response, upstreamResponse } = await openUpstreamStream('demo-chat', { n: 2 });
  upstreamResponse.end(`${chunk(0, 'One', 'stop')}${chunk(1, 'Tw')}${done}`);
  const events = eventsIn((await response).text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
});

test('a stream of two choices is complete when both have ended', async () => {
  relay.clock.advance(61_000);
  const { response, upstreamResponse } = await openUpstreamStream('demo-chat', { n: 2 });
  const chunks = [chunk(0, 'One'), chunk(0, '', 'stop'), chunk(1, 'Two'), chunk(1, '', 'stop')];
  upstreamResponse.end(`${chunks.join('')}${done}`);
  expect(eventsIn((await response).text).at(-1)).toBe('[DONE]');
});

test.each([
  ['no choice', []],
  ['a choice without its reason', [{ index: 0, message: { content: 'Well' } }]],
])('a whole response with %s is a failure of the upstream', async (_name, choices) => {
  relay.clock.advance(61_000);
  const response = relay.chat(chatRequest('Hi'));
  for (let tries = 0; tries < 2; tries += 1) {
    const upstreamResponse = await nextRequest();
    upstreamResponse.writeHead(200, { 'content-type': 'application/json' });
    upstreamResponse.end(JSON.stringify({ choices }));
  }
  const received = await response;
  expect([received.status, errorIn(received).code]).toEqual([502, 'upstream_error']);
});

test('browsers may read the headers of the relay', async () => {
  const response = await relay.get('/v1/models', 'no key');
  const exposed = String(response.headers['access-control-expose-headers']).toLowerCase();
  for (const name of ['charge', 'attempts', 'hold', 'price-version', 'warning']) {
    expect(exposed).toContain(`x-relay-${name}`);
  }
  expect(exposed).toContain('x-relay-upstream-request-id');
});
