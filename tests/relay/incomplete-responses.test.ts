// Upstreams that respond late or not completely: time limits of reasoning models, the deadline of a
// call, choices without an end. Relay contract, 3.1 and 3.3.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { chatRequest, errorIn, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

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
