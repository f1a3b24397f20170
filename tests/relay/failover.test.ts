// Several upstreams of a model. The relay uses them in order until the first visible event, and
// pauses a failing upstream.
import { expect, test } from 'vitest';
import { json } from '../support/http-request.ts';
import { until } from '../support/until.ts';
import {
  chatRequest,
  contentIn,
  errorIn,
  eventsIn,
  modelsIn,
  openTestRelay,
  streamedText,
} from './test-relay.ts';
import { finishWithoutAdvance } from './without-more-time.ts';

const relay = await openTestRelay({ upstreams: [{ priority: 0 }, { priority: 1 }] });
const [firstServer, secondServer] = relay.chats;
/** Advances the clock until the response has arrived. */
async function advanceUntilDone<T>(pending: Promise<T>, ms: number): Promise<T> {
  let isOver = false;
  const result = pending.finally(() => {
    isOver = true;
  });
  await until(async () => {
    relay.clock.advance(ms);
    return isOver || null;
  });
  return result;
}

const requestCounts = () => [firstServer?.requests.length, secondServer?.requests.length];

test('merges model lists, and keeps the last list of a failing upstream', async () => {
  const ids = async () => modelsIn(await relay.get('/relay/v1/models')).map(({ id }) => id);
  expect(await ids()).toEqual(['demo-chat', 'demo-only-0', 'demo-only-1']);
  firstServer?.setFault('broken');
  relay.clock.advance(61_000);
  expect(await ids()).toEqual(['demo-chat', 'demo-only-0', 'demo-only-1']);
  firstServer?.setFault(null);
});

// The numbers are attempts at the first upstream. Some faults are tried twice there.
test.each([
  ['broken', 2],
  ['busy', 1],
  ['locked', 1],
  ['changed', 2],
  ['error-first', 2],
  ['dies-0', 2],
])(
  'before the first visible event the next upstream replaces one with the fault %s',
  async (fault, tries) => {
    relay.clock.advance(301_000);
    firstServer?.setFault(fault);
    const counts = requestCounts();
    const pending = relay.chat(chatRequest('Hi', { stream: true }));
    const response = await finishWithoutAdvance(relay.clock, pending);
    expect(streamedText(eventsIn(response.text))).toBe('You said: Hi – 好的.');
    expect(requestCounts()).toEqual([(counts[0] ?? 0) + tries, (counts[1] ?? 0) + 1]);
    expect(await relay.usageOf(response)).toMatchObject({ upstream: 'chat-1' });
    firstServer?.setFault(null);
    relay.clock.advance(301_000);
    await relay.chat(chatRequest('Hi'));
  },
);

test('waits for an upstream that recovers within 3 s, and retries it once', async () => {
  firstServer?.setFault('busy-2');
  const counts = requestCounts();
  const pending = relay.chat(chatRequest('Hi'));
  await until(async () => ((requestCounts()[0] ?? 0) > (counts[0] ?? 0) ? true : null));
  firstServer?.setFault(null);
  const response = await advanceUntilDone(pending, 500);
  expect(response.status).toBe(200);
  expect(requestCounts()).toEqual([(counts[0] ?? 0) + 2, counts[1]]);
  expect(await relay.usageOf(response)).toMatchObject({ upstream: 'chat-0' });
});

test('does not use an upstream again in the call after 10 s of silence', async () => {
  firstServer?.setFault('slow');
  const counts = requestCounts();
  const pending = relay.chat(chatRequest('Hi', { stream: true }));
  await until(async () => ((requestCounts()[0] ?? 0) > (counts[0] ?? 0) ? true : null));
  relay.clock.advance(10_000);
  const response = await finishWithoutAdvance(relay.clock, pending);
  expect(streamedText(eventsIn(response.text))).toBe('You said: Hi – 好的.');
  expect(requestCounts()).toEqual([(counts[0] ?? 0) + 1, (counts[1] ?? 0) + 1]);
  firstServer?.setFault(null);
  await relay.chat(chatRequest('Hi'));
});

test('five failures in a row open the circuit of one model only, for 5 s', async () => {
  const otherRelay = await openTestRelay({
    upstreams: [{ models: { 'demo-chat': 'demo-chat', other: 'demo-only-0' } }],
  });
  const [server] = otherRelay.chats;
  server?.setFault('broken');
  // Each call tries twice, and the fifth failure opens the circuit.
  for (let call = 0; call < 3; call += 1) await otherRelay.chat(chatRequest('Hi'));
  server?.setFault(null);
  const count = server?.requests.length;
  const refusal = await otherRelay.chat(chatRequest('Hi'));
  expect([refusal.status, errorIn(refusal).code]).toEqual([503, 'capability_unavailable']);
  expect((await otherRelay.chat({ ...chatRequest('Hi'), model: 'other' })).status).toBe(200);
  expect(server?.requests.length).toBe((count ?? 0) + 1);
  otherRelay.clock.advance(5_001);
  expect((await otherRelay.chat(chatRequest('Hi'))).status).toBe(200);
});

test('a 429 for one model pauses that model only', async () => {
  const otherRelay = await openTestRelay({
    upstreams: [{ models: { 'demo-chat': 'demo-chat', other: 'demo-only-0' } }],
  });
  const busyResponse = await otherRelay.chat(chatRequest('Hi upstream:busy'));
  expect([busyResponse.status, busyResponse.headers['retry-after']]).toEqual([503, '7']);
  expect((await otherRelay.chat(chatRequest('Hi'))).status).toBe(503);
  expect((await otherRelay.chat({ ...chatRequest('Hi'), model: 'other' })).status).toBe(200);
});

test('errors that the caller causes open no circuit', async () => {
  const relay = await openTestRelay();
  for (let attempt = 0; attempt < 8; attempt += 1) {
    expect((await relay.chat(chatRequest('Hi upstream:too-long'))).status).toBe(400);
  }
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const client = await relay.openStream(chatRequest('Hi upstream:holds-3', { stream: true }));
    await client.readBytes(10);
    client.disconnect();
    await until(() => relay.usageOf(client));
  }
  expect((await relay.chat(chatRequest('Hi'))).status).toBe(200);
});

/** Each upstream has one model of its own. */
const oneModelOnly = ['demo-chat', 'demo-only-1'].map((model) => ({ models: { [model]: model } }));

test('a request that is too long for a model is sent once to its context fallback', async () => {
  const models = { 'demo-chat': { contextFallbacks: ['demo-only-1'] } };
  const relay = await openTestRelay({ upstreams: oneModelOnly, models });
  relay.chats[0]?.setFault('too-long');
  const response = await relay.chat(chatRequest('Hi'));
  expect([response.status, contentIn(response)]).toEqual([200, 'You said: Hi – 好的.']);
  expect(relay.chats.map((chat) => chat.requests.map(({ model }) => model))).toEqual([
    ['demo-chat'],
    ['demo-only-1'],
  ]);
  const restrictedKey = await relay.newKey({ scopes: ['model:demo-chat'] });
  const refusal = await relay.chat(chatRequest('Hi'), { authorization: `Bearer ${restrictedKey}` });
  expect([refusal.status, errorIn(refusal).code]).toEqual([400, 'context_length_exceeded']);
  const forbiddenResponse = await relay.chat(chatRequest('Hi'), { 'x-relay-fallback': 'never' });
  expect(forbiddenResponse.status).toBe(400);
});

test('a context fallback whose own context is too small is skipped', async () => {
  const models = {
    'demo-chat': { contextFallbacks: ['demo-only-1', 'demo-only-2'] },
    'demo-only-1': { maxInput: 5 },
  };
  const relay = await openTestRelay({
    upstreams: [...oneModelOnly, { models: { 'demo-only-2': 'demo-only-2' } }],
    models,
  });
  relay.chats[0]?.setFault('too-long');
  const response = await relay.chat(chatRequest('Hi, this is longer than five tokens'));
  expect(json(response)).toMatchObject({ model: 'demo-only-2' });
  expect(relay.chats[1]?.requests).toEqual([]);
});

test('the size of a request for a context fallback is counted in bytes', async () => {
  const models = {
    'demo-chat': { contextFallbacks: ['demo-only-1'] },
    'demo-only-1': { maxInput: 100 },
  };
  const relay = await openTestRelay({ upstreams: oneModelOnly, models });
  relay.chats[0]?.setFault('too-long');
  expect((await relay.chat(chatRequest('x'.repeat(200)))).status).toBe(200);
  // The same number of characters has three times as many bytes.
  expect((await relay.chat(chatRequest('好'.repeat(200)))).status).toBe(400);
});

test('a fallback model is used when every upstream of the model fails', async () => {
  const models = { 'demo-chat': { fallbacks: ['demo-only-1'] } };
  const relay = await openTestRelay({ upstreams: oneModelOnly, models });
  relay.chats[0]?.setFault('resting');
  const response = await relay.chat(chatRequest('Hi'));
  expect(json(response)).toMatchObject({ model: 'demo-only-1' });
  const withoutFallback = await relay.chat(chatRequest('Hi'), { 'x-relay-fallback': 'never' });
  expect(withoutFallback.status).toBe(503);
});

test('a refused account pauses the upstream for 5 min, and clients receive no reason', async () => {
  const relay = await openTestRelay();
  const lockedResponse = await relay.chat(chatRequest('Hi upstream:locked'));
  expect([lockedResponse.status, lockedResponse.text.includes('sk-secret')]).toEqual([503, false]);
  expect((await relay.chat({ ...chatRequest('Hi'), model: 'demo-only-0' })).status).toBe(503);
  relay.clock.advance(300_001);
  expect((await relay.chat(chatRequest('Hi'))).status).toBe(200);
});

test('an upstream with a Retry-After is not used before that time', async () => {
  firstServer?.setFault('busy');
  await relay.chat(chatRequest('Hi'));
  firstServer?.setFault(null);
  const pausedCounts = requestCounts();
  relay.clock.advance(6_000);
  await relay.chat(chatRequest('Hi'));
  expect(requestCounts()[0]).toBe(pausedCounts[0]);
  relay.clock.advance(2_000);
  await relay.chat(chatRequest('Hi'));
  expect(requestCounts()[0]).toBe((pausedCounts[0] ?? 0) + 1);
});

test('the client receives a Retry-After when every upstream pauses', async () => {
  for (const chat of relay.chats) chat.setFault('resting');
  await relay.chat(chatRequest('Hi'));
  const response = await relay.chat(chatRequest('Hi'));
  expect([response.status, errorIn(response).code, response.headers['retry-after']]).toEqual([
    503,
    'capability_unavailable',
    expect.stringMatching(/^1[0-2]$/),
  ]);
  for (const chat of relay.chats) chat.setFault(null);
});

test('a model can have another name at each upstream', async () => {
  const renamingRelay = await openTestRelay({ upstreams: [{ models: { clever: 'demo-chat' } }] });
  expect((await renamingRelay.chat({ ...chatRequest('Hi'), model: 'clever' })).status).toBe(200);
  expect(renamingRelay.chats[0]?.requests[0]?.model).toBe('demo-chat');
  expect(modelsIn(await renamingRelay.get('/relay/v1/models'))).toEqual([
    { id: 'clever', object: 'model', created: 0, owned_by: 'chat-0' },
  ]);
});
