// The relay contract's table of invalid input (section 6), row by row. Other files test clients
// that stop reading, shutdown, and database outages: `stream`, `client-disconnects`,
// `sandbox-and-draining` and `database-outage`.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { setModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { atEnd } from '../support/at-end.ts';
import { json } from '../support/http-request.ts';
import { until } from '../support/until.ts';
import { chatRequest, errorIn, openTestRelay } from './test-relay.ts';

const MIB = 1024 * 1024;
const relay = await openTestRelay({
  upstreams: [
    { kind: 'openai-chat' },
    { kind: 'anthropic-messages' },
    { kind: 'openai-responses' },
    { kind: 'embeddings' },
  ],
});
const turns = [{ role: 'user', content: 'Hi' }];
const bodies = {
  'chat/completions': { model: 'demo-chat', messages: turns },
  messages: { model: 'demo-chat', messages: turns, max_tokens: 9 },
  responses: { model: 'demo-chat', input: 'Hi' },
  embeddings: { model: 'demo-chat', input: 'Hi' },
} as const;
type Path = keyof typeof bodies;
const paths = Object.keys(bodies) as Path[];

const post = (
  path: Path,
  body: object | string | Buffer,
  extraHeaders: Record<string, string> = {},
) =>
  relay.send({
    method: 'POST',
    path: `/relay/v1/${path}`,
    headers: {
      authorization: `Bearer ${relay.keys.ak}`,
      'content-type': 'application/json',
      ...extraHeaders,
    },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });

describe.each(paths)('%s', (path) => {
  const body = bodies[path];
  const deepBody = `{"model":"demo-chat","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  test.each([
    ['not JSON', '{'],
    ['a list', '[]'],
    ['a text', '"model"'],
    ['an object with a repeated member', '{"model":"demo-chat","model":"demo-chat"}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested too deeply', deepBody],
  ])('400: a body that is %s', async (_name, sentBody) => {
    expect((await post(path, sentBody)).status).toBe(400);
  });

  test.each([
    ['members', `{${'"":1,'.repeat(100_001)}"model":"demo-chat"}`],
    ['entries', `{"model":"demo-chat","x":[${'1,'.repeat(500_001)}1]}`],
    ['entries after a text', `{"x":"${'\\\\'.repeat(9)}","y":[${'1,'.repeat(500_001)}1]}`],
  ])('400: a body with too many %s', async (_name, sentBody) => {
    const response = await post(path, sentBody);
    expect([response.status, errorIn(response).message]).toEqual([
      400,
      'The body has too many values.',
    ]);
  });

  test('200: commas and colons within a text are no values', async () => {
    const text = `\\\\" ${',:'.repeat(600_000)}`;
    const sentBody = { ...body, metadata: { text } };
    expect((await post(path, sentBody)).status).toBe(200);
  });

  test.each([
    ['empty', ''],
    ['longer than 200', 'm'.repeat(201)],
    ['with U+0000', 'a\0b'],
    ['not a text', 7],
  ])('400: a model that is %s', async (_name, model) => {
    const response = await post(path, { ...body, model });
    expect([response.status, errorIn(response).param]).toEqual([400, 'model']);
  });

  test('403: a model that the key may not use', async () => {
    const restrictedKey = await relay.newKey({ scopes: ['model:other'] });
    const response = await post(path, body, { authorization: `Bearer ${restrictedKey}` });
    expect(response.status).toBe(403);
  });

  test('400: an option of the relay longer than 1 KiB', async () => {
    const response = await post(path, body, { 'x-relay-continue': 'n'.repeat(1_025) });
    expect([response.status, errorIn(response).message]).toEqual([
      400,
      'The header "x-relay-continue" may have at most 1024 bytes.',
    ]);
  });

  test('431: a header longer than 16 KiB', async () => {
    expect((await post(path, body, { 'x-long': 'n'.repeat(17_000) })).status).toBe(431);
  });

  test.each([
    ['unknown', 'lzma', Buffer.from('{}'), 415],
    ['stacked', 'gzip, br', Buffer.from('{}'), 415],
    ['broken', 'gzip', Buffer.from('not gzip'), 400],
    ['more than 200 : 1', 'gzip', gzipSync(Buffer.alloc(4_000_000, 32)), 413],
  ])('a content coding that is %s is refused', async (_name, coding, sentBody, status) => {
    const response = await post(path, sentBody, { 'content-encoding': coding });
    expect(response.status).toBe(status);
    if (status === 413) expect(response.headers.connection).toBe('close');
  });

  test('accepts an unknown anthropic-beta header', async () => {
    expect((await post(path, body, { 'anthropic-beta': 'unknown-2030' })).status).toBe(200);
  });

  test('refuses a request that passed three relays, and forwards one that passed two', async () => {
    const fourthHop = await post(path, body, { 'x-relay-hops': '3' });
    expect([fourthHop.status, json(fourthHop)]).toMatchObject([
      400,
      { error: { code: 'relay_loop' } },
    ]);
    expect((await post(path, body, { 'x-relay-hops': '2' })).status).toBe(200);
    const hops = relay.chats.flatMap(({ headers }) =>
      headers.map((requestHeaders) => requestHeaders['x-relay-hops']),
    );
    expect(hops).toContain('3');
    expect((await post(path, body, { 'x-relay-hops': 'many' })).status).toBe(400);
  });
});

test('refused requests are not recorded as calls', async () => {
  const calls = await relay.calls();
  expect(calls.every(({ status }) => status === 200)).toBe(true);
});

test.each([
  ['chat/completions', 8],
  ['embeddings', 8],
  ['messages', 32],
  ['responses', 32],
] as const)('413: %s above %i MiB', async (path, limit) => {
  const response = await post(path, Buffer.alloc(limit * MIB + 1, 32));
  expect([response.status, response.headers.connection]).toEqual([413, 'close']);
});

test.each([
  ['chat/completions', 'max_tokens'],
  ['chat/completions', 'max_completion_tokens'],
  ['messages', 'max_tokens'],
  ['responses', 'max_output_tokens'],
] as const)('400: %s with a length that is negative or not whole', async (path, name) => {
  for (const limit of [-1, 0, 1.5, 'many']) {
    const response = await post(path, { ...bodies[path], [name]: limit });
    expect([response.status, errorIn(response).param]).toEqual([400, name]);
  }
});

const tokens = (count: number) => Array.from({ length: count }, () => 1);

test.each([
  ['nothing', [], 'input'],
  ['an empty text', [''], 'input[0]'],
  ['2,049 texts', Array.from({ length: 2_049 }, () => 'a'), 'input'],
  ['8,193 tokens', tokens(8_193), 'input'],
  ['8,193 tokens in its second input', [[1], tokens(8_193)], 'input[1]'],
  ['300,001 tokens in all', [...Array.from({ length: 37 }, () => tokens(8_192))], 'input'],
])('400: embeddings of %s', async (_name, input, param) => {
  const response = await post('embeddings', { model: 'demo-chat', input });
  expect([response.status, errorIn(response).param]).toEqual([400, param]);
});

test('embeddings of a text that is too long return the upstream’s error', async () => {
  const response = await post('embeddings', { model: 'demo-chat', input: 'upstream:too-long' });
  expect([response.status, errorIn(response).code]).toEqual([400, 'context_length_exceeded']);
});

test.each([
  ['chat/completions', { input: 'Hi' }, '/relay/v1/responses or /relay/v1/embeddings'],
  ['messages', { input: 'Hi', max_tokens: 9 }, '/relay/v1/responses or /relay/v1/embeddings'],
  ['responses', { messages: turns }, '/relay/v1/chat/completions or /relay/v1/messages'],
  ['embeddings', { messages: turns }, '/relay/v1/chat/completions or /relay/v1/messages'],
] as const)('400: %s receives the body of another dialect', async (path, body, rightEndpoints) => {
  const response = await post(path, { model: 'demo-chat', ...body });
  expect([response.status, errorIn(response).message]).toMatchObject([
    400,
    expect.stringContaining(rightEndpoints),
  ]);
});

const imageEvent = (bytes: number) => {
  const url = `data:image/png;base64,${'A'.repeat(bytes)}`;
  const delta = { images: [{ type: 'image_url', image_url: { url } }] };
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\n`;
};

test.each(paths)('413: %s that decompresses to more than its limit', async (path) => {
  const limit = path === 'messages' || path === 'responses' ? 32 : 8;
  // The text is partly random, because a body that grows more than 200 times is refused.
  const line = `${randomBytes(64).toString('hex')}${' '.repeat(1_900)}`;
  const body = gzipSync(line.repeat(Math.ceil(((limit + 1) * MIB) / line.length)), { level: 1 });
  const response = await post(path, body, { 'content-encoding': 'gzip' });
  expect([response.status, errorIn(response).message, response.headers.connection]).toEqual([
    413,
    `A body may have at most ${limit} MiB.`,
    'close',
  ]);
});

describe('an upstream whose response is out of bounds', async () => {
  const responses: Readonly<Record<string, (res: ServerResponse) => void>> = {
    'an image event above 16 MiB': (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(imageEvent(17 * MIB));
    },
    'an event above 1 MiB': (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`data: {"choices":[],"x":"${'x'.repeat(MIB)}"}\n\n`);
    },
    'a head above 64 KiB': (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'x-long': 'x'.repeat(65 * 1024) });
      res.end('data: [DONE]\n\n');
    },
    'another content type': (res) => {
      res.writeHead(200, { 'content-type': 'text/html' });
      res.end('<p>Hello</p>');
    },
    'a whole response above 32 MiB': (res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(`{"choices":[],"x":"${'x'.repeat(32 * MIB)}"}`);
    },
  };
  let respond: (res: ServerResponse) => void = () => {};
  const server = createServer((req, res) => {
    res.on('error', () => {});
    req.resume().on('end', () => respond(res));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const brokenRelay = await openTestRelay({ upstreams: [{ url, models: { 'demo-chat': 'm' } }] });

  const imageOptions = { stream: true, modalities: ['text', 'image'] };

  test.each(Object.keys(responses))('%s is a failure of the upstream', async (name) => {
    respond = responses[name] ?? respond;
    brokenRelay.clock.advance(61_000);
    const fields = name.includes('image') ? imageOptions : { stream: !name.includes('whole') };
    const response = await brokenRelay.chat(chatRequest('Hi', fields));
    expect([response.status, errorIn(response).code]).toEqual([502, 'upstream_error']);
  });

  test('an image event of 15 MiB passes where the request permits images', async () => {
    respond = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end(`${imageEvent(15 * MIB)}data: [DONE]\n\n`);
    };
    brokenRelay.clock.advance(61_000);
    const response = await brokenRelay.chat(chatRequest('Hi', imageOptions));
    expect([response.status, response.text.length > 15 * MIB]).toEqual([200, true]);
  });

  test('a response of another model passes, and the operator is warned once', async () => {
    const choices = [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }];
    respond = (res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ model: 'third', choices }));
    };
    brokenRelay.clock.advance(61_000);
    const responses = [
      await brokenRelay.chat(chatRequest('Hi')),
      await brokenRelay.chat(chatRequest('Hi')),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const warnings = brokenRelay.logged.filter((line) => line.includes('reports another model'));
    expect(warnings.map((line) => JSON.parse(line))).toMatchObject([
      { upstream: 'chat-0', model: 'm', reported: 'third' },
    ]);
  });
});

test('a limit above the model’s maximum passes, and the hold covers the maximum', async () => {
  const models = { 'demo-chat': { maxInput: 100, maxOutput: 1_000 } };
  const pricedRelay = await openTestRelay({ models });
  await inTransaction(pricedRelay.db, (tx) =>
    setModelPrices(pricedRelay.world, tx, {
      model: 'demo-chat',
      prices: [{ class: 'output', from: 0, variant: '', microFen: parseCny('100') ?? 0n }],
      actor: 'Ada',
      reason: 'a limit',
    }),
  );
  pricedRelay.clock.advance(62_000);
  const response = await pricedRelay.chat(chatRequest('Hi', { max_tokens: 5_000_000 }));
  expect([response.status, response.headers['x-relay-hold']]).toEqual([200, '0.1']);
});

test('a client that disconnects during its request causes no call', async () => {
  const readMetric = async (name: string) => {
    const lines = (await relay.get('/metrics')).text.split('\n');
    return Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1] ?? 0);
  };
  const refused = 'relay_http_requests_total{route="/relay/v1/messages",status="400"}';
  const [callCount, refusedBefore] = [(await relay.calls()).length, await readMetric(refused)];
  const headers = {
    authorization: `Bearer ${relay.keys.ak}`,
    'content-type': 'application/json',
    'content-length': 1_000,
    expect: '100-continue',
  };
  const target = `${relay.origin}/relay/v1/messages`;
  const clientRequest = request(target, { method: 'POST', headers });
  clientRequest.on('error', () => {});
  clientRequest.flushHeaders();
  // The relay now waits for the body.
  await once(clientRequest, 'continue');
  clientRequest.write('{"model"');
  clientRequest.destroy();
  await until(async () => ((await readMetric(refused)) > refusedBefore ? true : null));
  expect((await relay.calls()).length).toBe(callCount);
});
