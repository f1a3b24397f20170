// Keys of both kinds may call the relay when the call has a price. A call with an option or a tool
// without a price is refused.
import { expect, test } from 'vitest';
import { parseCny } from '../../src/kernel/money.ts';
import { json } from '../support/http-request.ts';
import { openTestRelay } from './test-relay.ts';

const relay = await openTestRelay({
  upstreams: [
    { kind: 'anthropic-messages' },
    { kind: 'openai-responses' },
    { kind: 'openai-chat' },
    { kind: 'embeddings' },
  ],
  price: { perCall: '0.01', version: 3 },
});

const post = (path: string, body: object, key = relay.keys.sk) =>
  relay.send({
    method: 'POST',
    path,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'demo-chat', ...body }),
  });

const messages = [{ role: 'user', content: 'Hi' }];

test.each(['sk', 'ak'] as const)(
  'a call with an %s key is charged once, after its last event',
  async (kind) => {
    const key = relay.keys[kind];
    const streamResponse = await post(
      '/v1/messages',
      { max_tokens: 9, messages, stream: true },
      key,
    );
    expect(streamResponse.text).toContain('message_stop');
    expect(await relay.callOf(streamResponse)).toMatchObject({
      state: 'captured',
      charge: { total: parseCny('0.01') },
    });
    const wholeResponse = await post('/v1/responses', { input: 'Hi' }, key);
    expect(await relay.callOf(wholeResponse)).toMatchObject({ state: 'captured' });
  },
);

test.each([
  ['/v1/messages', { max_tokens: 9, messages, speed: 'fast' }, 'unpriced_variant', 'speed'],
  [
    '/v1/messages',
    { max_tokens: 9, messages, tools: [{}, { type: 'web_search_20250305' }] },
    'unpriced_tool',
    'tools[1]',
  ],
  ['/v1/responses', { input: 'Hi', service_tier: 'priority' }, 'unpriced_variant', 'service_tier'],
  ['/v1/responses', { input: 'Hi', tools: [{ type: 'mcp' }] }, 'unpriced_tool', 'tools[0]'],
])('%s with %j is refused', async (path, body, code, param) => {
  const response = await post(path, body);
  expect([response.status, json(response)]).toMatchObject([400, { error: { code, param } }]);
});

const bodies = [
  ['/v1/chat/completions', { messages }],
  ['/v1/messages', { max_tokens: 9, messages }],
  ['/v1/responses', { input: 'Hi' }],
  ['/v1/embeddings', { input: 'Hi' }],
] as const;

test.each(
  bodies.flatMap(([path, body]) =>
    ['speed', 'inference_geo'].map((field) => [path, field, { ...body, [field]: 'us' }] as const),
  ),
)('%s with "%s" is refused, because it would change the price', async (path, param, body) => {
  const response = await post(path, body);
  expect([response.status, json(response)]).toMatchObject([
    400,
    { error: { code: 'unpriced_variant', param } },
  ]);
});
