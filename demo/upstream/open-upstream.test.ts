import { afterAll, expect, test } from 'vitest';
import { openUpstream } from './open-upstream.ts';

const upstream = await openUpstream();
afterAll(upstream.close);

const requests: Readonly<Record<string, readonly [path: string, body: object]>> = {
  'anthropic-messages': ['/messages', { messages: [{ role: 'user', content: 'upstream:busy' }] }],
  'openai-responses': ['/responses', { input: 'upstream:busy' }],
  embeddings: ['/embeddings', { input: 'upstream:busy' }],
};
const chat = ['/chat/completions', { messages: [{ role: 'user', content: 'upstream:busy' }] }];

test('a message with the name of a fault affects only the models for faults', async () => {
  const statuses: [string, number][] = [];
  for (const { url, key, ...otherFields } of upstream.relay.upstreams) {
    const headers = { authorization: `Bearer ${key}`, 'x-api-key': key };
    const modelList = (await (await fetch(`${url}/models`, { headers })).json()) as {
      readonly data: readonly { readonly id: string }[];
    };
    const [path, body] = ('kind' in otherFields && requests[String(otherFields.kind)]) || chat;
    for (const { id } of modelList.data) {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ model: id, max_tokens: 9, ...(body as object) }),
      });
      statuses.push([id, response.status]);
      await response.body?.cancel();
    }
  }
  expect(statuses.map(([id]) => id)).toEqual(expect.arrayContaining(['demo-chat', 'claude-demo']));
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([
    ['demo-faults', 429],
    ['claude-faults', 429],
    ['demo-responses-faults', 429],
    ['demo-embeddings-faults', 429],
  ]);
});
