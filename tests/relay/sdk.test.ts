// Public client libraries, unmodified, against the relay over the demonstration's chat server:
// OpenAI's SDK and the Vercel AI SDK.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import OpenAI, { APIError, APIUserAbortError, AuthenticationError, NotFoundError } from 'openai';
import { describe, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { openTestRelay } from './test-relay.ts';

const relay = await openTestRelay();
const [chat] = relay.chats;
const baseURL = `${relay.origin}/relay/v1`;
const messages = [{ role: 'user' as const, content: 'Good morning' }];
const request = { model: 'demo-chat', messages };
const REPLY = 'You said: Good morning – 好的.';
async function collect<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const piece of pieces) list.push(piece);
  return list;
}

const rejectionOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe("OpenAI's SDK", () => {
  const client = new OpenAI({ baseURL, apiKey: relay.keys.ak, maxRetries: 0 });
  const weatherTool = {
    type: 'function' as const,
    function: { name: 'weather', parameters: { type: 'object', properties: {} } },
  };

  test('reads a whole response', async () => {
    const response = await client.chat.completions.create(request);
    expect(response.choices[0]?.message.content).toBe(REPLY);
    expect(response.usage).toMatchObject({ prompt_tokens: 7, total_tokens: 13 });
    expect(response._request_id).toMatch(/^req_/);
  });

  test('reads a stream, and its usage on request', async () => {
    const options = { stream: true, stream_options: { include_usage: true } } as const;
    const stream = await client.chat.completions.create({ ...request, ...options });
    const chunks = await collect(stream);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    expect([text, chunks.at(-1)?.usage?.total_tokens]).toEqual([REPLY, 13]);
  });

  test('collects tool calls by its own helper', async () => {
    const completion = await client.chat.completions
      .stream({ ...request, tools: [weatherTool] })
      .finalChatCompletion();
    expect(completion.choices[0]?.message.tool_calls?.[0]).toMatchObject({
      id: 'call_demo',
      type: 'function',
      function: { name: 'weather', arguments: '{"place":"Harbour Street"}' },
    });
  });

  test('lists models and reads one', async () => {
    const models = await collect(client.models.list());
    expect(models.map(({ id }) => id)).toEqual(['demo-chat', 'demo-only-0']);
    expect(await client.models.retrieve('demo-chat')).toMatchObject({ owned_by: 'demo' });
  });

  test('throws errors of its classes', async () => {
    const unknownKeyClient = new OpenAI({ baseURL, apiKey: 'ak-wrong', maxRetries: 0 });
    expect(await rejectionOf(unknownKeyClient.chat.completions.create(request))).toBeInstanceOf(
      AuthenticationError,
    );
    const unknownModelError = await rejectionOf(
      client.chat.completions.create({ ...request, model: 'none' }),
    );
    expect(unknownModelError).toBeInstanceOf(NotFoundError);
    expect(unknownModelError).toMatchObject({ status: 404, code: 'not_found', param: 'model' });
    const longRequest = [{ role: 'user' as const, content: 'upstream:too-long' }];
    expect(
      await rejectionOf(
        client.chat.completions.create({ model: 'demo-chat', messages: longRequest }),
      ),
    ).toMatchObject({ status: 400, code: 'context_length_exceeded', param: 'messages' });
  });

  test('throws an error in the middle of a stream', async () => {
    const brokenChat = [{ role: 'user' as const, content: 'Hi upstream:dies-2' }];
    const stream = await client.chat.completions.create(
      { model: 'demo-chat', messages: brokenChat, stream: true },
      { headers: { 'x-relay-continue': 'never' } },
    );
    const error = await rejectionOf(collect(stream));
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: 'upstream_error' });
  });

  test('an aborted call ends the request to the upstream', async () => {
    const abortedCount = chat?.aborted() ?? 0;
    const holdingMessages = [{ role: 'user' as const, content: 'Hi upstream:holds-2' }];
    const stream = await client.chat.completions.create({
      model: 'demo-chat',
      messages: holdingMessages,
      stream: true,
    });
    for await (const _chunk of stream) break;
    await until(async () => (chat?.aborted() === abortedCount + 1 ? true : null));
    const abortLater = new AbortController();
    const slowRequest = [{ role: 'user' as const, content: 'upstream:slow' }];
    const requestCount = chat?.requests.length ?? 0;
    const abortedCall = rejectionOf(
      client.chat.completions.create(
        { model: 'demo-chat', messages: slowRequest },
        { signal: abortLater.signal },
      ),
    );
    await until(async () => ((chat?.requests.length ?? 0) > requestCount ? true : null));
    abortLater.abort();
    expect(await abortedCall).toBeInstanceOf(APIUserAbortError);
    await until(async () => (chat?.aborted() === abortedCount + 2 ? true : null));
  });
});

describe('the Vercel AI SDK', () => {
  const provider = createOpenAICompatible({ name: 'radar', baseURL, apiKey: relay.keys.ak });
  const model = provider('demo-chat');
  const prompt = 'Good morning';
  const weatherTool = tool({
    inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
    execute: async () => 'fine',
  });

  test('reads a whole response', async () => {
    const { text, usage } = await generateText({ model, prompt, maxRetries: 0 });
    expect([text, usage.totalTokens]).toEqual([REPLY, 13]);
  });

  test('reads a stream', async () => {
    const { textStream } = streamText({ model, prompt, maxRetries: 0 });
    expect((await collect(textStream)).join('')).toBe(REPLY);
  });

  test('reads tool calls', async () => {
    const { toolCalls } = await generateText({
      model,
      prompt,
      maxRetries: 0,
      tools: { weather: weatherTool },
    });
    expect(toolCalls).toMatchObject([{ toolName: 'weather', input: { place: 'Harbour Street' } }]);
  });

  test('reports errors before and inside a stream', async () => {
    const wrongKeyClient = createOpenAICompatible({ name: 'radar', baseURL, apiKey: 'ak-wrong' });
    expect(
      await rejectionOf(
        generateText({ model: wrongKeyClient('demo-chat'), prompt, maxRetries: 0 }),
      ),
    ).toMatchObject({ statusCode: 401, message: 'This API key is malformed.' });
    const errors: unknown[] = [];
    const { textStream } = streamText({
      model,
      maxRetries: 0,
      prompt: 'Hi upstream:dies-2',
      headers: { 'x-relay-continue': 'never' },
      onError: ({ error }) => void errors.push(error),
    });
    await collect(textStream);
    expect(errors).toHaveLength(1);
    expect(String(errors[0])).toContain('failed in the middle of the answer');
  });

  test('an aborted call ends the request to the upstream', async () => {
    const abortedCount = chat?.aborted() ?? 0;
    const abortController = new AbortController();
    const { textStream } = streamText({
      model,
      maxRetries: 0,
      prompt: 'Hi upstream:holds-3',
      abortSignal: abortController.signal,
    });
    for await (const _text of textStream) abortController.abort();
    await until(async () => (chat?.aborted() === abortedCount + 1 ? true : null));
  });
});
