// Routes choose and order the upstreams of a model. Embeddings stay in one vector space. Relay
// contract, 1.4 and 3.1.
import { expect, test } from 'vitest';
import { relaySchema } from '../../src/gateway/relay/relay-config.ts';
import { json } from '../support/http-request.ts';
import { chatRequest, openTestRelay } from './test-relay.ts';

const shared = ['ordered', 'open'];
const upstreamWith = (models: readonly string[]) =>
  Object.fromEntries(models.map((model) => [model, 'demo-chat']));
const embeddingUpstream = { kind: 'embeddings', models: upstreamWith(['vectors']) };
const relay = await openTestRelay({
  upstreams: [
    { models: upstreamWith(shared), priority: 0 },
    { models: upstreamWith(shared), priority: 1 },
    { models: upstreamWith(shared), priority: 2 },
    { ...embeddingUpstream, priority: 5 },
    { ...embeddingUpstream, priority: 4 },
    { ...embeddingUpstream, priority: 6 },
    { kind: 'embeddings', models: upstreamWith(['others']) },
  ],
  models: {
    ordered: { upstreams: ['chat-2', 'chat-1'] },
    vectors: {
      fallbacks: ['others'],
      space: { 'chat-3': 'old', 'chat-4': 'new', 'chat-5': 'new' },
    },
  },
});
const callsOf = (index: number) => relay.chats[index]?.requests.length ?? 0;
const requestCounts = () => relay.chats.map((_chat, index) => callsOf(index));
const injectFault = (index: number, fault: string | null) => relay.chats[index]?.setFault(fault);
/** The number of requests at each upstream that `action` causes. */
async function requestsOf(action: () => Promise<unknown>): Promise<readonly number[]> {
  const previousCounts = requestCounts();
  await action();
  return requestCounts().map((count, index) => count - (previousCounts[index] ?? 0));
}

test('the first upstream of a route is used first, whatever its priority', async () => {
  const sendChat = () => relay.chat({ ...chatRequest('Hi'), model: 'ordered' });
  expect(await requestsOf(sendChat)).toEqual([0, 0, 1, 0, 0, 0, 0]);
  const chatWithOpenModel = () => relay.chat({ ...chatRequest('Hi'), model: 'open' });
  expect(await requestsOf(chatWithOpenModel)).toEqual([1, 0, 0, 0, 0, 0, 0]);
});

test('fails over to the next upstream of the route and to no other upstream', async () => {
  const chatWithBusyUpstream = () =>
    relay.chat({ ...chatRequest('upstream:busy'), model: 'ordered' });
  const [other, second, first] = await requestsOf(chatWithBusyUpstream);
  expect([other, second, first].map((count) => (count ?? 0) > 0)).toEqual([false, true, true]);
});

test('embeddings fail over only to upstreams with the same vector space', async () => {
  const embed = (input: string) =>
    relay.send({
      method: 'POST',
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${relay.keys.ak}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'vectors', input }),
    });
  expect(await requestsOf(() => embed('Hi'))).toEqual([0, 0, 0, 0, 1, 0, 0]);
  injectFault(4, 'busy');
  const [, , , old, first, second] = await requestsOf(() => embed('Hi'));
  expect([old, (first ?? 0) > 0, second]).toEqual([0, true, 1]);
  injectFault(5, 'busy');
  relay.clock.advance(61_000);
  const [, , , stillOld, , , otherModel] = await requestsOf(async () => {
    const response = await embed('Hi');
    expect(response.status).toBe(503);
  });
  expect([stillOld, otherModel]).toEqual([0, 0]);
  injectFault(4, null);
  injectFault(5, null);
});

test('the list of models has the models of routes', async () => {
  const ids = (json(await relay.get('/v1/models')) as { data: { id: string }[] }).data;
  expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining(['ordered', 'open', 'vectors']));
});

test('one error lists all names that do not exist', () => {
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
])('refuses %s as an upstream price', (_what, price, words) => {
  const upstream = { name: 'n', url: 'http://127.0.0.1/v1', upstreamPrices: { a: [price] } };
  const { error } = relaySchema.safeParse({ upstreams: [upstream] });
  expect(error?.issues.map(({ message }) => message).join()).toContain(words);
});
