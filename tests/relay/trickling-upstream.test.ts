// Upstreams that send parts of events: half an event, an event above the limit, one byte at a time.
// A stream that fails is free.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { atEnd } from '../support/at-end.ts';
import { until } from '../support/until.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';
import { finishWithoutAdvance } from './without-more-time.ts';

const MAX_MS = 600_000;
const MIB = 1024 * 1024;
const waitingResponses: ServerResponse[] = [];
const upstream = createServer((req, res) => {
  res.on('error', () => {});
  req.resume().on('end', () => waitingResponses.push(res));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
atEnd(() => {
  upstream.close();
  upstream.closeAllConnections();
});
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const models = { 'demo-chat': 'm', thinker: 'thinker' };
const relay = await openTestRelay({
  upstreams: [{ url, models, maxMs: MAX_MS }],
  models: { thinker: { reasoning: true, continue: 'never' }, 'demo-chat': { continue: 'never' } },
  price: { perCall: '0.001', version: 1 },
});

const eventOf = (content: string, reason: string | null = null) => {
  const choices = [{ index: 0, delta: { content }, finish_reason: reason }];
  return `data: ${JSON.stringify({ choices })}\n\n`;
};
const doneEvent = 'data: [DONE]\n\n';
const firstEvent = eventOf('Well, ');

/** Writes the bytes, and resolves when the relay has read them. */
async function write(res: ServerResponse, bytes: string | Buffer): Promise<void> {
  await new Promise<void>((resolve) => res.write(bytes, () => resolve()));
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
}

/** Starts a stream, of which the client has received the first event. */
async function startStream() {
  relay.clock.advance(61_000);
  const opening = relay.openStream(chatRequest('Hi', { stream: true }));
  const res = await until(async () => waitingResponses.shift() ?? null);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  await write(res, firstEvent);
  const client = await opening;
  await client.readBytes(firstEvent.length);
  /** The events after the first one, and what the client paid. */
  const finish = async () => {
    const text = await client.readAll();
    const events = eventsIn(text.slice(firstEvent.length));
    const call = await relay.callOf(client);
    return { events, charge: call?.charge?.total ?? null };
  };
  return { res, finish };
}

const failure = { error: { code: 'upstream_error' } };

test.each([
  ['ends its response', (res: ServerResponse) => res.end()],
  ['closes its connection', (res: ServerResponse) => res.destroy()],
])('half an event is not forwarded, and the stream fails: an upstream %s', async (_name, end) => {
  const { res, finish } = await startStream();
  await write(res, eventOf('half').slice(0, 30));
  end(res);
  expect(await finish()).toMatchObject({ events: [failure], charge: null });
});

test('an event of 2 MB is not forwarded, and the stream fails', async () => {
  const { res, finish } = await startStream();
  res.write(eventOf('x'.repeat(2 * MIB)));
  expect(await finish()).toMatchObject({ events: [failure], charge: null });
});

test('an event that is split inside a character arrives whole, and is charged', async () => {
  const { res, finish } = await startStream();
  for (const byte of Buffer.from(eventOf('好的 🚀', 'stop'))) await write(res, Buffer.of(byte));
  res.end(doneEvent);
  const { events, charge } = await finish();
  expect([streamedText(events.slice(0, -1)), events.at(-1)]).toEqual(['好的 🚀', '[DONE]']);
  expect(charge).toBe(100_000n);
});

test('bytes of an unfinished event do not extend the time between two events', async () => {
  const { res, finish } = await startStream();
  for (const byte of firstEvent.slice(0, 3)) {
    await write(res, byte);
    relay.clock.advance(10_000);
  }
  expect(await finishWithoutAdvance(relay.clock, finish())).toMatchObject({
    events: [{ error: { code: 'upstream_timeout' } }],
    charge: null,
  });
});

test('pings of a reasoning model end with the time limit of a stream', async () => {
  const response = relay.chat({ ...chatRequest('Hi', { stream: true }), model: 'thinker' });
  const res = await until(async () => waitingResponses.shift() ?? null);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let passedMs = 0; passedMs < MAX_MS; passedMs += 100_000) {
    await write(res, ': ping\n\n');
    relay.clock.advance(100_000);
  }
  const events = eventsIn((await finishWithoutAdvance(relay.clock, response)).text);
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
});

test('the time limit of a stream begins with its call', async () => {
  const opening = relay.openStream({ ...chatRequest('Hi', { stream: true }), model: 'thinker' });
  const res = await until(async () => waitingResponses.shift() ?? null);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  let passedMs = 0;
  for (; passedMs < MAX_MS / 2; passedMs += 100_000) {
    await write(res, ': ping\n\n');
    relay.clock.advance(100_000);
  }
  await write(res, firstEvent);
  const client = await opening;
  for (; passedMs < MAX_MS; passedMs += 20_000) {
    await write(res, firstEvent);
    relay.clock.advance(20_000);
  }
  const events = eventsIn(await finishWithoutAdvance(relay.clock, client.readAll()));
  expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_timeout' } });
});

test('recovery leaves the hold of a stream at a fallback with a longer time limit', async () => {
  const relayOfTwo = await openTestRelay({
    upstreams: [
      { url, models: { 'demo-chat': 'm' }, maxMs: 60_000, responseTimeoutMs: 60_000 },
      { url, models: { other: 'other' }, maxMs: MAX_MS },
    ],
    models: { 'demo-chat': { fallbacks: ['other'], continue: 'never' } },
    price: { perCall: '0.001', version: 1 },
  });
  const opening = relayOfTwo.openStream(chatRequest('Hi', { stream: true }));
  const nextResponse = () => until(async () => waitingResponses.shift() ?? null);
  (await nextResponse()).writeHead(404, { 'content-type': 'application/json' }).end('{}');
  const res = await nextResponse();
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  await write(res, firstEvent);
  const client = await opening;
  for (let events = 2; events < 20; events += 1) {
    relayOfTwo.clock.advance(20_000);
    await write(res, firstEvent);
    await client.readBytes(events * firstEvent.length);
  }
  expect(await recoverHolds(relayOfTwo.world, relayOfTwo.db)).toMatchObject({ released: 0 });
  res.end(`${eventOf('end', 'stop')}${doneEvent}`);
  expect(eventsIn(await client.readAll()).at(-1)).toBe('[DONE]');
  expect((await relayOfTwo.callOf(client))?.charge?.total).toBe(100_000n);
});
