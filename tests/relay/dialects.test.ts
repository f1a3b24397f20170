// The dialects `messages`, `responses` and `embeddings` with upstreams of the same dialect: bytes,
// errors, failover before the first visible event, records, charges. Relay contract, 1.1 to 1.3.
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { json, type TestResponse } from '../support/http-request.ts';
import { openTestRelay } from './test-relay.ts';

const kinds = ['openai-chat', 'anthropic-messages', 'openai-responses', 'embeddings'] as const;
const relay = await openTestRelay({
  upstreams: kinds.map((kind) => ({ kind, forwardSession: true })),
});
const [, anthropic, openai, embeddings] = relay.chats;
if (!anthropic || !openai || !embeddings) throw new Error('an upstream is missing');

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  relay.send({
    method: 'POST',
    path,
    headers: {
      'x-api-key': relay.keys.ak,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
  });

const turn = (content: unknown) => [{ role: 'user', content }];
const messagesRequest = (content: unknown, fields: object = {}) => ({
  model: 'demo-chat',
  max_tokens: 100,
  messages: turn(content),
  ...fields,
});
const responsesRequest = (input: unknown, fields: object = {}) => ({
  model: 'demo-chat',
  input,
  ...fields,
});

const errorOf = (response: TestResponse) =>
  (json(response) as { readonly error: Record<string, unknown> }).error;

describe('request bytes', () => {
  test('a messages request passes unchanged, with the version and beta headers', async () => {
    const text =
      '{ "model":"demo-chat","max_tokens": 1e2,\n"messages":[{"role":"user","content":' +
      '[{"type":"text","text":"Hi \\u00e9","cache_control":{"type":"ephemeral"}}]}] }';
    const response = await post('/v1/messages?beta=true', text, {
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'context-1m',
      'x-claude-code-session-id': 'session-1',
      cookie: 'secret=1',
    });
    expect(response.status).toBe(200);
    expect(anthropic.texts.at(-1)).toBe(text);
    const sentHeaders = anthropic.headers.at(-1);
    expect(sentHeaders).toMatchObject({
      'x-api-key': 'demo-chat-key',
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'context-1m',
      'x-claude-code-session-id': 'session-1',
    });
    expect([sentHeaders?.authorization, sentHeaders?.cookie]).toEqual([undefined, undefined]);
  });

  test('sends a default version to the upstream when the client names no version', async () => {
    await post('/relay/v1/messages', messagesRequest('Hi'));
    expect(anthropic.headers.at(-1)?.['anthropic-version']).toBe('2023-06-01');
  });

  test('a responses request is sent with store false, and the client is warned', async () => {
    const text = '{"model":"demo-chat", "store" : true,"input":"Hi","seed":12345678901234567890}';
    const response = await post('/relay/v1/responses', text);
    expect([response.status, response.headers['x-relay-warning']]).toEqual([200, 'store=false']);
    expect(openai.texts.at(-1)).toBe(text.replace('true', 'false'));
    const withoutStoring = await post(
      '/relay/v1/responses',
      responsesRequest('Hi', { store: false }),
    );
    expect(withoutStoring.headers['x-relay-warning']).toBeUndefined();
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('a body compressed with %s arrives as plain JSON', async (coding, compress) => {
    const body = JSON.stringify(responsesRequest('Compressed, and longer than a byte'));
    const response = await post('/relay/v1/responses', compress(body), {
      'content-encoding': coding,
    });
    expect(response.status).toBe(200);
    expect(openai.requests.at(-1)).toMatchObject({ input: 'Compressed, and longer than a byte' });
  });

  test('forwards every event of a stream, including the last event', async () => {
    const response = await post('/relay/v1/messages', messagesRequest('Hi', { stream: true }));
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const types = [...response.text.matchAll(/^event: (\S+)$/gm)].map(([, type]) => type);
    expect([types[0], types.at(-1)]).toEqual(['message_start', 'message_stop']);
    const streamResponse = await post(
      '/relay/v1/responses',
      responsesRequest('Hi', { stream: true }),
    );
    expect(streamResponse.text).toContain('"type":"response.completed"');
    expect(streamResponse.text).not.toContain('[DONE]');
  });
});

describe('refusals', () => {
  test.each([
    [messagesRequest('Hi', { max_tokens: undefined }), 'The field "max_tokens" is required.'],
    [
      messagesRequest('Hi', { max_tokens: -1 }),
      'The field "max_tokens" must be a whole number of at least 1.',
    ],
    [
      { model: 'demo-chat', max_tokens: 1, input: 'Hi' },
      'The field "input" belongs to another endpoint: send this request to ' +
        '/relay/v1/responses or /relay/v1/embeddings.',
    ],
  ])('an invalid messages request has an error of its dialect: %j', async (body, detail) => {
    const response = await post('/relay/v1/messages', body);
    expect([response.status, json(response)]).toMatchObject([
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: detail, code: 'invalid_request' },
        request_id: response.headers['x-request-id'],
      },
    ]);
  });

  test.each([
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ conversation: { id: 'conv_1' } }, 'conversation'],
    [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
    [{ background: true }, 'background'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0]'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] },
      'input[0].content[0].file_id',
    ],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'tools[0].vector_store_ids'],
  ])('a reference to the provider’s storage fails as stateless_only: %j', async (fields, param) => {
    const response = await post('/relay/v1/responses', responsesRequest('Hi', fields));
    expect([response.status, errorOf(response)]).toMatchObject([
      400,
      { code: 'stateless_only', param },
    ]);
  });

  const fileParts = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
  const source = { type: 'file', file_id: 'file_1' };
  test.each([
    ['chat/completions', fileParts({ type: 'file', file: { file_id: 'f' } }), 'file.file_id'],
    ['messages', fileParts({ type: 'document', source }), 'source.file_id'],
    ['messages/count_tokens', fileParts({ type: 'document', source }), 'source.file_id'],
    ['messages', fileParts({ type: 'container_upload', file_id: 'file_1' }), 'file_id'],
  ])(
    '%s: a reference to the provider’s storage fails as stateless_only: %j',
    async (path, fields, field) => {
      const body = { model: 'demo-chat', max_tokens: 9, ...fields };
      const response = await post(`/relay/v1/${path}`, body);
      expect([response.status, errorOf(response)]).toMatchObject([
        400,
        { code: 'stateless_only', param: `messages[0].content[0].${field}` },
      ]);
    },
  );

  test('a container and a file in a tool’s result fail as stateless_only', async () => {
    const container = {
      max_tokens: 9,
      container: 'c',
      messages: [{ role: 'user', content: 'Hi' }],
    };
    const containerResponse = await post('/relay/v1/messages', {
      model: 'demo-chat',
      ...container,
    });
    expect(errorOf(containerResponse)).toMatchObject({
      code: 'stateless_only',
      param: 'container',
    });
    const output = [{ type: 'input_file', file_id: 'file_1' }];
    const result = { type: 'function_call_output', call_id: 'c', output };
    const response = await post('/relay/v1/responses', responsesRequest('', { input: [result] }));
    expect(errorOf(response)).toMatchObject({
      code: 'stateless_only',
      param: 'input[0].output[0].file_id',
    });
  });

  test('a function’s parameter may have the name of a reference', async () => {
    const parameters = { type: 'object', properties: { file_id: { type: 'string' } } };
    const tools = [{ type: 'function', name: 'read', parameters }];
    const response = await post('/relay/v1/responses', responsesRequest('Hi', { tools }));
    expect(response.status).toBe(200);
  });

  test('a duplicate member is refused', async () => {
    const text = '{"model":"demo-chat","input":"Hi","mod\\u0065l":"dear"}';
    const response = await post('/relay/v1/responses', text);
    expect([response.status, errorOf(response)]).toMatchObject([
      400,
      { message: 'The field "model" occurs twice.', param: 'model' },
    ]);
  });

  test.each([
    ['lzma', Buffer.from('{}'), 415],
    ['gzip, br', Buffer.from('{}'), 415],
    ['gzip', Buffer.from('not gzip'), 400],
    ['gzip', gzipSync(Buffer.alloc(4_000_000, 32)), 413],
  ])('the coding %s of this body is refused', async (coding, body, status) => {
    const response = await post('/relay/v1/responses', body, { 'content-encoding': coding });
    expect(response.status).toBe(status);
  });

  test('the error for a model of another dialect names the right endpoint', async () => {
    const response = await post(
      '/relay/v1/messages',
      messagesRequest('Hi', { model: 'demo-only-2' }),
    );
    expect([response.status, errorOf(response).message]).toEqual([
      404,
      'This model is not served at this endpoint: send the request to /relay/v1/responses.',
    ]);
  });

  test('embeddings without input, with an empty entry and as a stream are refused', async () => {
    const paramOf = async (body: object) =>
      errorOf(await post('/relay/v1/embeddings', { model: 'demo-chat', ...body })).param;
    expect(await paramOf({ input: [] })).toBe('input');
    expect(await paramOf({ input: ['a', ''] })).toBe('input[1]');
    expect(await paramOf({ input: 'a', stream: true })).toBe('stream');
    expect(await paramOf({ input: Array(2_049).fill('a') })).toBe('input');
  });

  test('the client receives the upstream’s refusal in the client’s dialect', async () => {
    const response = await post('/relay/v1/messages', messagesRequest('upstream:too-long'));
    expect([response.status, json(response)]).toMatchObject([
      400,
      { type: 'error', error: { type: 'invalid_request_error' } },
    ]);
  });
});

describe('failures in streams that cannot continue', () => {
  const neverContinue = { 'x-relay-continue': 'never' };

  test('a broken messages stream ends with an error of its dialect and is free', async () => {
    const response = await post(
      '/relay/v1/messages',
      messagesRequest('upstream:dies-5', { stream: true }),
      neverContinue,
    );
    const lastEvent = response.text.trimEnd().split('\n\n').at(-1) ?? '';
    expect(lastEvent).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"api_error"/);
    expect(response.text).not.toContain('message_stop');
    expect(await relay.callOf(response)).toMatchObject({ state: 'released' });
  });

  test('a broken responses stream ends with response.failed and the next number', async () => {
    const response = await post(
      '/relay/v1/responses',
      responsesRequest('upstream:dies-6', { stream: true }),
      neverContinue,
    );
    const lastEvent = response.text.trimEnd().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(lastEvent.replace(/^event: response.failed\ndata: /, ''))).toMatchObject({
      type: 'response.failed',
      sequence_number: 6,
      response: { id: 'resp_demo', status: 'failed', error: { code: 'upstream_error' } },
    });
  });

  test('an overloaded upstream without an alternative causes an overloaded_error', async () => {
    const response = await post(
      '/relay/v1/messages',
      messagesRequest('upstream:resting', { model: 'demo-only-1' }),
    );
    expect([response.status, errorOf(response).type]).toEqual([503, 'overloaded_error']);
  });
});

describe('records', () => {
  test('cached tokens of a messages response are part of the input', async () => {
    const cachedText = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }];
    for (const stream of [false, true]) {
      const response = await post('/relay/v1/messages', messagesRequest(cachedText, { stream }));
      expect(await relay.usageOf(response)).toMatchObject({
        upstream: 'chat-1',
        prompt_tokens: 18,
        counted: 'upstream',
      });
    }
  });

  test('usage of responses and of embeddings is recorded', async () => {
    const complete = await post('/relay/v1/responses', responsesRequest('Hi'));
    const streamResponse = await post(
      '/relay/v1/responses',
      responsesRequest('Hi', { stream: true }),
    );
    for (const response of [complete, streamResponse]) {
      expect(await relay.usageOf(response)).toMatchObject({
        prompt_tokens: 7,
        counted: 'upstream',
      });
    }
    const input = ['a', 'b'];
    const vectors = await post('/relay/v1/embeddings', { model: 'demo-chat', input });
    expect(json(vectors)).toMatchObject({ data: [{ index: 0 }, { index: 1 }] });
    expect(await relay.usageOf(vectors)).toMatchObject({ prompt_tokens: 6, completion_tokens: 0 });
  });
});

describe('counting tokens', () => {
  test('uses the count of an upstream, and records no call', async () => {
    const callCount = (await relay.calls()).length;
    const body = { model: 'demo-chat', messages: turn('Hi') };
    const response = await post('/relay/v1/messages/count_tokens', body);
    expect(json(response)).toEqual({ input_tokens: 7 });
    expect((await relay.calls()).length).toBe(callCount);
  });

  test('returns an estimate with a warning when no upstream counts', async () => {
    const body = { model: 'demo-chat', messages: turn('upstream:broken 12345678') };
    const response = await post('/relay/v1/messages/count_tokens', body);
    expect([json(response), response.headers['x-relay-warning']]).toEqual([
      { input_tokens: 6 },
      'estimated-count',
    ]);
  });
});

test('lists models in Anthropic’s form for its clients', async () => {
  const response = await relay.send({
    path: '/v1/models',
    headers: { 'x-api-key': relay.keys.ak, 'anthropic-version': '2023-06-01' },
  });
  expect(json(response)).toMatchObject({
    data: [{ type: 'model', id: 'demo-chat', display_name: 'demo-chat' }, {}, {}, {}, {}],
    has_more: false,
    first_id: 'demo-chat',
    last_id: 'demo-only-3',
  });
});

test.each([
  ['messages', messagesRequest('sandbox:slow-0')],
  ['messages', messagesRequest('sandbox:slow-0', { stream: true })],
  ['responses', responsesRequest('sandbox:slow-0')],
  ['responses', responsesRequest('sandbox:slow-0', { stream: true })],
  ['embeddings', { model: 'demo-chat', input: 'sandbox:slow-0' }],
])('the sandbox serves a test key at /%s', async (path, body) => {
  const key = { 'x-api-key': relay.keys.akTest };
  const response = await post(`/relay/v1/${path}`, { ...body, model: 'sandbox' }, key);
  expect(response.status).toBe(200);
  const failingRequest =
    path === 'messages'
      ? messagesRequest('sandbox:upstream_error')
      : responsesRequest('sandbox:upstream_error');
  expect(
    (await post(`/relay/v1/${path}`, { ...failingRequest, model: 'sandbox' }, key)).status,
  ).toBe(502);
});
