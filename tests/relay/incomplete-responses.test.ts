// Upstreams that respond late or not completely: time limits of reasoning models, the deadline of a
// call, choices without a finish reason. Relay contract, 3.1 and 3.3.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { chatRequest, errorIn, eventsIn, openTestRelay, streamedText } from './test-relay.ts';
import { finishWithoutAdvance } from './without-more-time.ts';

const waitingResponses: ServerResponse[] = [];
const upstream = createServer((req, res) => {
  res.on('error', () => {});
  req.resume().on('end', () => waitingResponses.push(res));
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
const nextRequest = () => until(async () => waitingResponses.shift() ?? null);

const chunk = (index: number, content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({
    choices: [{ index, delta: { content }, finish_reason: reason }],
  })}\n\n`;
const doneEvent = 'data: [DONE]\n\n';

/**
 * Sends a stream's request and returns the response of the upstream, which has already sent its
 * head.
 */
async function openUpstreamStream(model: string, requestOptions: object = {}) {
  const response = relay.chat({ ...chatRequest('Hi', { stream: true, ...requestOptions }), model });
  const upstreamResponse = await nextRequest();
  upstreamResponse.writeHead(200, { 'content-type': 'text/event-stream' });
  return { response, upstreamResponse };
}

/** Writes a ping, and resolves when the relay has read it. */
async function ping(res: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => res.write(': ping\n\n', () => resolve()));
  for (let nextTurn = 0; nextTurn < 20; nextTurn += 1) await new Promise(setImmediate);
}

test('a ping restarts the 120 s of a reasoning model', async () => {
  const { response, upstreamResponse } = await openUpstreamStream('thinker');
  for (let index = 0; index < 4; index += 1) {
    await ping(upstreamResponse);
    relay.clock.advance(100_000);
  }
  upstreamResponse.end(`${chunk(0, 'Well', 'stop')}${doneEvent}`);
  const clientResponse = await response;
  expect(streamedText(eventsIn(clientResponse.text).slice(-2))).toBe('Well');
});

test('a stream of a reasoning model fails after 120 s without any event', async () => {
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
  const streamClient = relayOfTwo.chat(chatRequest('Hi', { stream: true }));
  await nextRequest();
  relayOfTwo.clock.advance(100_000);
  await nextRequest();
  // A last attempt may take 60 s, but 20 s of the call's 120 s remain.
  relayOfTwo.clock.advance(20_000);
  const events = eventsIn((await streamClient).text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
});

const streamHeaders = { 'content-type': 'text/event-stream' };

test('the last attempt has 60 s for its first token, and earlier attempts have 10 s', async () => {
  const relayOfFive = await openTestRelay({
    upstreams: Array.from({ length: 5 }, () => ({ url, models })),
  });
  const streamClient = relayOfFive.openStream(chatRequest('Hi', { stream: true }));
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    await nextRequest();
    relayOfFive.clock.advance(10_000);
  }
  // A call has at most four attempts, so the fifth upstream does not shorten the last time limit.
  const lastResponse = await nextRequest();
  relayOfFive.clock.advance(59_000);
  lastResponse.writeHead(200, streamHeaders).end(`${chunk(0, 'Late', 'stop')}${doneEvent}`);
  const read = streamClient.then((client) => client.readAll());
  const events = eventsIn(await finishWithoutAdvance(relayOfFive.clock, read));
  expect([
    streamedText(events.filter((event) => typeof event === 'object')),
    events.at(-1),
  ]).toEqual(['Late', '[DONE]']);
});

test.each([
  ['its circuit is open', { models: {} }, []],
  ['the key may not use its model', { models: { 'demo-chat': { fallbacks: ['other'] } } }, ['m']],
] as const)('an upstream does not shorten attempts when %s', async (_name, options, scopes) => {
  const isOpen = scopes.length === 0;
  const servingModels = isOpen ? [models, models] : [models, { other: 'other' }];
  const relayOfTwo = await openTestRelay({
    upstreams: servingModels.map((upstreamModels, priority) => ({
      url,
      models: upstreamModels,
      priority,
    })),
    ...options,
  });
  const restrictedKey = await relayOfTwo.newKey({ scopes: ['model:demo-chat'] });
  if (isOpen) {
    // The upstreams pause for 30 s and 60 s. After 31 s, only the first upstream can be used.
    const opening = relayOfTwo.chat(chatRequest('Hi', { stream: true }));
    (await nextRequest()).writeHead(429, { 'retry-after': '30' }).end('{}');
    (await nextRequest()).writeHead(429, { 'retry-after': '60' }).end('{}');
    expect((await opening).status).toBe(503);
    relayOfTwo.clock.advance(31_000);
  }
  const streamClient = relayOfTwo.openStream(chatRequest('Hi', { stream: true }), restrictedKey);
  const onlyResponse = await nextRequest();
  relayOfTwo.clock.advance(20_000);
  onlyResponse.writeHead(200, streamHeaders).end(`${chunk(0, 'Late', 'stop')}${doneEvent}`);
  expect(eventsIn(await (await streamClient).readAll()).at(-1)).toBe('[DONE]');
});

test('a stream that breaks after more than 120 s is continued', async () => {
  const relayOfTwo = await openTestRelay({
    upstreams: [0, 1].map((priority) => ({ url, models, priority })),
  });
  const streamClient = relayOfTwo.openStream(chatRequest('Hi', { stream: true }));
  const firstResponse = await nextRequest();
  const moreChunk = chunk(0, 'more ');
  firstResponse.writeHead(200, streamHeaders).write(moreChunk);
  const client = await streamClient;
  for (let index = 1; index <= 7; index += 1) {
    await client.readBytes(index * moreChunk.length);
    relayOfTwo.clock.advance(20_000);
    firstResponse.write(moreChunk);
  }
  await client.readBytes(8 * moreChunk.length);
  firstResponse.destroy();
  const nextResponse = await nextRequest();
  nextResponse.writeHead(200, streamHeaders).end(`${chunk(0, 'end', 'stop')}${doneEvent}`);
  expect(eventsIn(await client.readAll()).at(-1)).toBe('[DONE]');
});

test('a stream of two choices that ends after the first one is broken', async () => {
  relay.clock.advance(61_000);
  const { response, upstreamResponse } = await openUpstreamStream('demo-chat', { n: 2 });
  upstreamResponse.end(`${chunk(0, 'One', 'stop')}${chunk(1, 'Tw')}${doneEvent}`);
  const events = eventsIn((await response).text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
});

test('a stream of two choices is complete when both have ended', async () => {
  relay.clock.advance(61_000);
  const { response, upstreamResponse } = await openUpstreamStream('demo-chat', { n: 2 });
  const chunks = [chunk(0, 'One'), chunk(0, '', 'stop'), chunk(1, 'Two'), chunk(1, '', 'stop')];
  upstreamResponse.end(`${chunks.join('')}${doneEvent}`);
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
  const clientResponse = await response;
  expect([clientResponse.status, errorIn(clientResponse).code]).toEqual([502, 'upstream_error']);
});
