// A third-party program that uses the SDK on its own page. The browser runs this file, so
// TypeScript does not compile it. The test replaces the paths of the SDK's modules by addresses.
import { isProblem } from '../../packages/sdk/src/errors.ts';
import { createFeed } from '../../packages/sdk/src/feed.ts';
import { createGateway } from '../../packages/sdk/src/gateway.ts';
import { openMemoryStore } from '../../packages/sdk/src/mirror.ts';

const errorOf = (error) => ({
  name: error.name,
  code: error.code,
  status: error.status,
  hasRequestId: typeof error.requestId === 'string',
});

/** Reads every item page by page, and repeats a request. */
export async function readFeed(baseUrl, { merged }) {
  const feed = createFeed({ baseUrl });
  const ids = [];
  for await (const item of feed.items({ mode: 'all', limit: 2 })) ids.push(item.id);
  const first = await feed.hotTopics();
  const again = await feed.hotTopics();
  const story = await feed.story(merged);
  const nothing = await feed.story('none').catch(errorOf);
  return { ids, isCached: first === again, topics: first.count, story: story.publicId, nothing };
}

let store = openMemoryStore();
/** Mirrors the selected set with its changes. */
export async function mirror(baseUrl, { isNew }) {
  if (isNew) store = openMemoryStore();
  const synced = await createFeed({ baseUrl }).mirror({ store, pageSize: 2 }).sync();
  return { synced, ids: [...store.items.keys()].sort() };
}

/** Sends a call, the same call again as after a lost connection, and a refused call. */
export async function call(baseUrl, { apiKey, idempotencyKey }) {
  const gateway = createGateway({ baseUrl, apiKey });
  const first = await gateway.run('paid', { text: 'from a browser' }, { idempotencyKey });
  const again = await gateway.run('paid', { text: 'from a browser' }, { idempotencyKey });
  const refused = await gateway.run('paid', {}).catch(errorOf);
  const overMaxCharge = await gateway
    .run('paid', { text: 'too expensive' }, { maxCharge: '0.001' })
    .catch((error) => isProblem(error, error.code) && error.code);
  const { calls } = await gateway.callsPage();
  const { balance } = await gateway.account();
  return {
    isReplay: [first.isReplay, again.isReplay],
    isSame: first.request_id === again.request_id && first.charge.total === again.charge.total,
    data: again.data,
    refused,
    overMaxCharge,
    calls: calls.length,
    balance: typeof balance.total,
  };
}

/** Reads a chat. `end`: the page reads it all, leaves it or aborts it, or the stream breaks. */
export async function chat(relayUrl, { agentKey, end }) {
  const { chat } = createGateway({ baseUrl: relayUrl, agentKey });
  const messages = (content) => [{ role: 'user', content }];
  const requestOf = (content) => ({ model: 'demo-chat', messages: messages(content) });
  const models = (await chat.models()).map(({ id }) => id);
  let reply = '';
  const pieces = [];
  if (end === 'leave') {
    for await (const { choices } of chat.stream(requestOf('Hi upstream:holds-2'))) {
      pieces.push(choices[0]?.delta.content ?? '');
      break;
    }
    return { pieces: pieces.length };
  }
  if (end === 'abort') {
    const stop = new AbortController();
    const { signal } = stop;
    try {
      for await (const _chunk of chat.stream(requestOf('Hi upstream:holds-2'), { signal }))
        stop.abort();
    } catch (error) {
      return { name: error.name };
    }
  }
  if (end === 'die') {
    try {
      // A response in a fixed format cannot continue at another attempt, so its break is an error.
      const fixed = {
        ...requestOf('Hi upstream:dies-2'),
        response_format: { type: 'json_object' },
      };
      for await (const { choices } of chat.stream(fixed)) {
        reply += choices[0]?.delta.content ?? '';
      }
    } catch (error) {
      return { hasReply: reply.length > 0, error: errorOf(error) };
    }
  }
  for await (const { choices } of chat.stream(requestOf('Good morning'))) {
    reply += choices[0]?.delta.content ?? '';
    pieces.push(performance.now());
  }
  const whole = await chat.complete(requestOf('Good morning'));
  const refused = await chat.complete({ ...requestOf('x'), model: 'none' }).catch(errorOf);
  return { models, reply, whole: whole.choices[0].message.content, refused, pieces: pieces.length };
}
