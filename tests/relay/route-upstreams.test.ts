// Routes choose and order the upstreams of a model. Embeddings stay in one vector space. Relay
// contract, 1.4 and 3.1.
import { expect, test } from 'vitest';
import { relaySchema } from '../../src/gateway/relay/relay-config.ts';
import { json } from '../support/http-request.ts';
import { chatRequest, openTestRelay } from './test-relay.ts';

const shared = ['ordered', 'open'];
const serve = (models: readonly string[]) =>
  Object.fromEntries(models.map((model) => [model, 'demo-chat']));
const embedder = { kind: 'embeddings', models: serve(['vectors']) };
const relay = await openTestRelay({
  upstreams: [
    { models: serve(shared), priority: 0 },
    { models: serve(shared), priority: 1 },
    { models: serve(shared), priority: 2 },
    { ...embedder, priority: 5 },
    { ...embedder, priority: 4 },
    { ...embedder, priority: 6 },
    { kind: 'embeddings', models: serve(['others']) },
  ],
  models: {
    ordered: { upstreams: ['chat-2', 'chat-1'] },
    vectors: {
      fallbacks: ['others'],
      space: { 'chat-3': 'old', 'chat-4': 'new', 'chat-5': 'new' },
    },
  },
});
const callsOf = (at: number) => relay.chats[at]?.requests.length ?? 0;
const counts = () => relay.chats.map((_chat, index) => callsOf(index));
const inject = (at: number, fault: string | null) => relay.chats[at]?.setFault(fault);
/** Requests at each upstream that `act` causes. */
async function requestsOf(act: () => Promise<unknown>): Promise<readonly number[]> {
  const before = counts();
  await act();
  return counts().map((count, index) => count - (before[index] ?? 0));
}

test('the first upstream of a route is used first, whatever its priority', async () => {
  const ask = () => relay.chat({ ...chatRequest('Hi'), model: 'ordered' });
  expect(await requestsOf(ask)).toEqual([0, 0, 1, 0, 0, 0, 0]);
  const open = () => relay.chat({ ...chatRequest('Hi'), model: 'open' });
  expect(await requestsOf(open)).toEqual([1, 0, 0, 0, 0, 0, 0]);
});

test('the next upstream of the route follows, and no other upstream', async () => {
  const failing = () => relay.chat({ ...chatRequest('upstream:busy'), model: 'ordered' });
  const [other, second, first] = await requestsOf(failing);
  expect([other, second, first].map((count) => (count ?? 0) > 0)).toEqual([false, true, true]);
});

test('embeddings fail over in the space of the first upstream, to no other model', async () => {
  const embed = (input: string) =>
    relay.send({
      method: 'POST',
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${relay.keys.ak}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'vectors', input }),
    });
  expect(await requestsOf(() => embed('Hi'))).toEqual([0, 0, 0, 0, 1, 0, 0]);
  inject(4, 'busy');
  const [, , , old, first, second] = await requestsOf(() => embed('Hi'));
  expect([old, (first ?? 0) > 0, second]).toEqual([0, true, 1]);
  inject(5, 'busy');
  relay.clock.advance(61_000);
  const [, , , stillOld, , , otherModel] = await requestsOf(async () => {
    const response = await embed('Hi');
    expect(response.status).toBe(503);
  });
  expect([stillOld, otherModel]).toEqual([0, 0]);
  inject(4, null);
  inject(5, null);
});

test('the list of models has the models of routes', async () => {
  const ids = (json(await relay.get('/v1/models')) as { data: { id: string }[] }).data;
  expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining(['ordered', 'open', 'vectors']));
});

test('names that do not exist are refused, all at once', () => {
  const upstream = { name: 'north', url: 'http://127.0.0.1/v1', models: { a: 'a' } };
  const result = relaySchema.safeParse({
    upstreams: [{ ...upstream, upstreamPrices: { b: [{ class: 'input', cny: '1' }] } }],
    models: {
      a: { upstreams: ['north', 'south'] },
      c: { upstreams: ['north'], space: { west: 'x' } },
    },
  });
  expect(result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
    'upstreams.0.upstreamPrices.b: the upstream has no such model',
    'models.a.upstreams.1: there is no upstream "south"',
    'models.c.upstreams.0: the upstream "north" does not have the model',
    'models.c.space.west: there is no upstream "west"',
  ]);
});

test.each([
  ['a class that does not exist', { class: 'words', cny: '1' }, 'token class'],
  ['a negative amount', { class: 'input', cny: '-1' }, 'amount in CNY'],
  ['a number in place of text', { class: 'input', cny: 1 }, 'string'],
])('%s is no upstream price', (_what, price, words) => {
  const upstream = { name: 'n', url: 'http://127.0.0.1/v1', upstreamPrices: { a: [price] } };
  const { error } = relaySchema.safeParse({ upstreams: [upstream] });
  expect(error?.issues.map(({ message }) => message).join()).toContain(words);
});
