// A client disconnects at any byte, or an upstream fails at any event. The relay disconnects the
// upstream at once, writes usage once, and never hangs. The configuration of the upstream decides
// what is charged.
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
const [estimateServer, freeServer, drainServer] = relay.chats;
const streamOption = { stream: true };
const readCall = async (requestId: string) =>
  (await relay.usageRows()).filter((row) => row.request_id === requestId);

const SHORT_PROMPT = 'Hi upstream:holds-3';
const completeResponse = await relay.chat({
  ...chatRequest('Hi', streamOption),
  model: 'estimate',
});
const seed = proofSeed();

test(`a client that disconnects at any byte is counted once (seed ${seed})`, async () => {
  const client = await relay.openStream({
    ...chatRequest(SHORT_PROMPT, streamOption),
    model: 'estimate',
  });
  const length = Buffer.byteLength(await client.readBytes(450));
  client.disconnect();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: length }), async (bytes) => {
      const abortedCount = estimateServer?.aborted() ?? 0;
      const client = await relay.openStream({
        ...chatRequest(SHORT_PROMPT, streamOption),
        model: 'estimate',
      });
      await client.readBytes(bytes);
      client.disconnect();
      await until(async () => ((estimateServer?.aborted() ?? 0) > abortedCount ? true : null));
      const rows = await until(async () => {
        const callRows = await readCall(client.requestId);
        return callRows.length > 0 ? callRows : null;
      });
      expect(rows).toHaveLength(1);
      expect(rows[0]).toMatchObject({ ended: 'client_left', counted: 'estimated' });
      expect(await relay.callOf(client)).toMatchObject({ state: 'captured', status: 499 });
    }),
    { seed, numRuns: proofSize(25, 500) },
  );
  expect(estimateServer?.running()).toBe(0);
}, 1_800_000);

test('an upstream that disconnects at any event causes one error and one record', async () => {
  const eventCount = eventsIn(completeResponse.text).length;
  // Before the first event the relay may retry; afterwards the client receives the error.
  for (let index = 2; index < eventCount; index += 1) {
    // The relay pauses an upstream after repeated failures. The clock passes that pause.
    relay.clock.advance(31_000);
    const response = await relay.chat(
      { ...chatRequest(`Hi upstream:dies-${index}`, streamOption), model: 'free' },
      { 'x-relay-continue': 'never' },
    );
    const events = eventsIn(response.text);
    expect(events.at(-1)).toMatchObject({ error: { code: 'upstream_error' } });
    expect(events).toHaveLength(index + 1);
    expect(await readCall(String(response.headers['x-request-id']))).toMatchObject([
      { ended: 'failed', counted: 'estimated' },
    ]);
  }
  expect(freeServer?.running()).toBe(0);
});

test('an upstream that disconnects before any event is retried once', async () => {
  // Two requests show the retry. After several failures the upstream would be paused and receive
  // none.
  const requestCount = drainServer?.requests.length ?? 0;
  const response = await relay.chat({
    ...chatRequest('Hi upstream:dies-0', streamOption),
    model: 'drain',
  });
  expect([response.status, JSON.parse(response.text).error.code]).toEqual([502, 'upstream_error']);
  expect(drainServer?.requests.length).toBe(requestCount + 2);
  expect(await relay.callOf(response)).toMatchObject({ state: 'released', status: 502 });
  expect(await relay.usageOf(response)).toBeNull();
});

test('mode free charges nothing for a disconnected client', async () => {
  relay.clock.advance(31_000);
  const client = await relay.openStream({
    ...chatRequest(SHORT_PROMPT, streamOption),
    model: 'free',
  });
  await client.readBytes(10);
  client.disconnect();
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
  const abortedCount = drainServer?.aborted();
  const client = await relay.openStream({
    ...chatRequest('word '.repeat(30), streamOption),
    model: 'drain',
  });
  client.disconnect();
  const row = await until(() => relay.usageOf(client));
  expect(row).toMatchObject({ ended: 'client_left', counted: 'upstream', prompt_tokens: 7 });
  expect(drainServer?.aborted()).toBe(abortedCount);
  expect(await relay.callOf(client)).toMatchObject({ state: 'captured' });
});

test('an unstreamed response stops when the client disconnects', async () => {
  const abortedCount = estimateServer?.aborted() ?? 0;
  const requestCount = estimateServer?.requests.length ?? 0;
  const disconnect = relay.sendAndDisconnect({
    ...chatRequest('Hi upstream:slow'),
    model: 'estimate',
  });
  await until(async () => ((estimateServer?.requests.length ?? 0) > requestCount ? true : null));
  disconnect();
  await until(async () => ((estimateServer?.aborted() ?? 0) > abortedCount ? true : null));
  const rows = await until(async () => {
    const unstreamedRows = (await relay.usageRows()).filter(({ is_stream: isStream }) => !isStream);
    return unstreamedRows.length > 0 ? unstreamedRows : null;
  });
  expect(rows).toMatchObject([{ ended: 'client_left', counted: 'estimated', model: 'estimate' }]);
});

test('a stream that is read to its end has the whole text of the upstream', () => {
  expect(streamedText(eventsIn(completeResponse.text))).toBe('You said: Hi – 好的.');
});
