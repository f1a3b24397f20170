// A client that disconnects at any byte, and an upstream that fails at any event. The upstream is
// released at once, usage is written once, and no request hangs. The upstream's policy decides what
// counts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { until } from '../support/until.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

const upstreams = (['estimate', 'free', 'drain'] as const).map((onClientDisconnect) => ({
  onClientDisconnect,
  models: { [onClientDisconnect]: 'demo-chat' },
}));
const relay = await openTestRelay({ upstreams });
const [estimate, free, drain] = relay.chats;
const stream = { stream: true };
const readCall = async (requestId: string) =>
  (await relay.usageRows()).filter((row) => row.request_id === requestId);

const SHORT = 'Hi upstream:holds-3';
const complete = await relay.chat({ ...chatRequest('Hi', stream), model: 'estimate' });
const seed = proofSeed();

test(`a client that disconnects at any byte is counted once (seed ${seed})`, async () => {
  const client = await relay.openStream({ ...chatRequest(SHORT, stream), model: 'estimate' });
  const length = Buffer.byteLength(await client.readBytes(450));
  client.leave();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: length }), async (bytes) => {
      const aborted = estimate?.aborted() ?? 0;
      const leaving = await relay.openStream({ ...chatRequest(SHORT, stream), model: 'estimate' });
      await leaving.readBytes(bytes);
      leaving.leave();
      await until(async () => ((estimate?.aborted() ?? 0) > aborted ? true : null));
      const rows = await until(async () => {
        const found = await readCall(leaving.requestId);
        return found.length > 0 ? found : null;
      });
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ ended: 'client_left', counted: 'estimated' });
      expect(await relay.callOf(leaving)).toMatchObject({ state: 'captured', status: 499 });
    }),
    { seed, numRuns: proofSize(25, 500) },
  );
  expect(estimate?.running()).toBe(0);
}, 1_800_000);

test('an upstream that disconnects at any event gives an error event, counted once', async () => {
  const events = eventsIn(complete.text).length;
  // Before the first event the relay may retry; afterwards the client receives the error.
  for (let index = 2; index < events; index += 1) {
    // Later than the pause of an upstream after repeated failures.
    relay.clock.advance(31_000);
    const response = await relay.chat(
      { ...chatRequest(`Hi upstream:dies-${index}`, stream), model: 'free' },
      { 'x-relay-continue': 'never' },
    );
    const events = eventsIn(response.text);
    expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
    expect(events).toHaveLength(index + 1);
    expect(await readCall(String(response.headers['x-request-id']))).toMatchObject([
      { ended: 'failed', counted: 'estimated' },
    ]);
  }
  expect(free?.running()).toBe(0);
});

test('an upstream that disconnects before any event is retried once', async () => {
  // Enough consecutive failures would pause the upstream, so each one counts.
  const before = drain?.requests.length ?? 0;
  const response = await relay.chat({
    ...chatRequest('Hi upstream:dies-0', stream),
    model: 'drain',
  });
  expect([response.status, JSON.parse(response.text).error.code]).toEqual([502, 'upstream_error']);
  expect(drain?.requests.length).toBe(before + 2);
  expect(await relay.callOf(response)).toMatchObject({ state: 'released', status: 502 });
  expect(await relay.usageOf(response)).toBeNull();
});

test('mode free charges nothing for a disconnected client', async () => {
  relay.clock.advance(31_000);
  const client = await relay.openStream({ ...chatRequest(SHORT, stream), model: 'free' });
  await client.readBytes(10);
  client.leave();
  const row = await until(() => relay.usageOf(client));
  expect(row).toMatchObject({
    ended: 'client_left',
    counted: 'free',
    prompt_tokens: 0,
    completion_tokens: 0,
  });
  expect(await relay.callOf(client)).toMatchObject({
    state: 'released',
    status: 499,
    code: 'client_closed_request',
  });
});

test('mode drain reads the upstream to its end for its usage', async () => {
  const aborted = drain?.aborted();
  const client = await relay.openStream({
    ...chatRequest('word '.repeat(30), stream),
    model: 'drain',
  });
  client.leave();
  const row = await until(() => relay.usageOf(client));
  expect(row).toMatchObject({ ended: 'client_left', counted: 'upstream', prompt_tokens: 7 });
  expect(drain?.aborted()).toBe(aborted);
  expect(await relay.callOf(client)).toMatchObject({ state: 'captured' });
});

test('an unstreamed response stops when the client disconnects', async () => {
  const aborted = estimate?.aborted() ?? 0;
  const requestCount = estimate?.requests.length ?? 0;
  const leaving = relay.sendAndDisconnect({
    ...chatRequest('Hi upstream:slow'),
    model: 'estimate',
  });
  await until(async () => ((estimate?.requests.length ?? 0) > requestCount ? true : null));
  leaving();
  await until(async () => ((estimate?.aborted() ?? 0) > aborted ? true : null));
  const rows = await until(async () => {
    const found = (await relay.usageRows()).filter(({ is_stream: isStream }) => !isStream);
    return found.length > 0 ? found : null;
  });
  expect(rows).toMatchObject([{ ended: 'client_left', counted: 'estimated', model: 'estimate' }]);
});

test('a recorded stream equals what a client reads from the upstream', () => {
  expect(streamedText(eventsIn(complete.text))).toBe('You said: Hi – 好的.');
});
