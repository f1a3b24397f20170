// Anthropic's SDK, and Responses and Embeddings of OpenAI's SDK, unmodified, against the relay with
// upstreams of the same dialect.
import Anthropic, { BadRequestError, PermissionDeniedError } from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { openTestRelay } from './test-relay.ts';

const relay = await openTestRelay({
  upstreams: [{ kind: 'anthropic-messages' }, { kind: 'openai-responses' }, { kind: 'embeddings' }],
});
const REPLY = 'You said: Good morning – 好的.';
const messages = [{ role: 'user' as const, content: 'Good morning' }];
const messageRequest = { model: 'demo-chat', max_tokens: 100, messages };

const rejectionOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe("Anthropic's SDK", () => {
  const client = new Anthropic({ baseURL: relay.origin, apiKey: relay.keys.ak, maxRetries: 0 });

  test('reads a whole message and its usage', async () => {
    const message = await client.messages.create(messageRequest);
    expect(message.content).toEqual([{ type: 'text', text: REPLY }]);
    expect(message.usage).toMatchObject({ input_tokens: 7, output_tokens: 6 });
  });

  test('collects a stream and its usage', async () => {
    const stream = client.messages.stream(messageRequest);
    expect(await stream.finalText()).toBe(REPLY);
    expect((await stream.finalMessage()).usage).toMatchObject({ output_tokens: 6 });
  });

  test('collects a tool call from a stream', async () => {
    const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }];
    const message = await client.messages.stream({ ...messageRequest, tools }).finalMessage();
    expect([message.stop_reason, message.content]).toEqual([
      'tool_use',
      [expect.objectContaining({ name: 'weather', input: { place: 'Harbour Street' } })],
    ]);
  });

  test('counts tokens and lists models', async () => {
    const result = await client.messages.countTokens({ model: 'demo-chat', messages });
    expect(result.input_tokens).toBe(7);
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toContain('demo-chat');
  });

  test('throws its own error classes', async () => {
    const rejection = await rejectionOf(
      client.messages.create({ ...messageRequest, messages: [] }),
    );
    expect(rejection).toBeInstanceOf(BadRequestError);
    const restrictedKey = await relay.newKey({ scopes: ['model:none'] });
    const otherClient = new Anthropic({
      baseURL: relay.origin,
      apiKey: restrictedKey,
      maxRetries: 0,
    });
    expect(await rejectionOf(otherClient.messages.create(messageRequest))).toBeInstanceOf(
      PermissionDeniedError,
    );
  });

  test('throws when a stream breaks', async () => {
    const brokenMessages = [{ role: 'user' as const, content: 'upstream:dies-5' }];
    const headers = { 'x-relay-continue': 'never' };
    const stream = client.messages.stream(
      { ...messageRequest, messages: brokenMessages },
      { headers },
    );
    const error = await rejectionOf(stream.finalText());
    expect(error).toMatchObject({ message: expect.stringContaining('api_error') });
  });
});

describe("OpenAI's SDK", () => {
  const client = new OpenAI({
    baseURL: `${relay.origin}/v1`,
    apiKey: relay.keys.ak,
    maxRetries: 0,
  });

  test('reads a whole response', async () => {
    const response = await client.responses.create({ model: 'demo-chat', input: 'Good morning' });
    expect([response.output_text, response.status]).toEqual([REPLY, 'completed']);
  });

  test('collects a stream of a response', async () => {
    const stream = client.responses.stream({ model: 'demo-chat', input: 'Good morning' });
    expect((await stream.finalResponse()).output_text).toBe(REPLY);
  });

  test('receives a broken stream as a failed response', async () => {
    const stream = await client.responses.create(
      { model: 'demo-chat', input: 'upstream:dies-6', stream: true },
      { headers: { 'x-relay-continue': 'never' } },
    );
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.at(-1)).toBe('response.failed');
  });

  test('reads embeddings', async () => {
    const { data, usage } = await client.embeddings.create({
      model: 'demo-chat',
      input: ['a', 'b'],
      encoding_format: 'float',
    });
    expect([data.length, usage.total_tokens]).toEqual([2, 6]);
  });
});
