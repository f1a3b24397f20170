// Images, reasoning and compressed bodies of the official SDKs pass through the relay unchanged.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText } from 'ai';
import OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';
import { openTestRelay } from './test-relay.ts';

const THOUGHT = 'The image has one pixel.';
const TEXT = 'One pixel.';
const SIGNATURE = 'c2lnbmVk';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5Er' +
  'kJggg==';
const IMAGE = `data:image/png;base64,${PIXEL}`;

const message = { type: 'output_text', text: TEXT, annotations: [] };
const wholeResponses: Readonly<Record<string, object>> = {
  '/v1/chat/completions': {
    id: 'c',
    object: 'chat.completion',
    model: 'demo-chat',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: TEXT, reasoning_content: THOUGHT },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  },
  '/v1/responses': {
    id: 'r',
    object: 'response',
    status: 'completed',
    output: [
      { type: 'reasoning', id: 'rs', summary: [{ type: 'summary_text', text: THOUGHT }] },
      { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [message] },
    ],
    usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 },
  },
};

const messageEvents = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 9, output_tokens: 1 },
    },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking: THOUGHT },
  },
  {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'signature_delta', signature: SIGNATURE },
  },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: TEXT } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { output_tokens: 9 },
  },
  { type: 'message_stop' },
];

/** Bodies of the requests, as they reached the upstream. */
const bodies: string[] = [];
const upstream = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  bodies.push(Buffer.concat(chunks).toString());
  const recordedResponse = wholeResponses[req.url ?? ''];
  if (recordedResponse !== undefined) {
    res
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(recordedResponse));
    return;
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = messageEvents.map((event) => {
    return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
  res.end(events.join(''));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const kinds = ['openai-chat', 'openai-responses', 'anthropic-messages'];
const relay = await openTestRelay({
  upstreams: kinds.map((kind) => ({ kind, url, models: { 'demo-chat': 'demo-chat' } })),
});
const baseURL = `${relay.origin}/relay/v1`;

/** A client that compresses its bodies, as Codex does. */
const sendCompressed: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('content-encoding', 'gzip');
  headers.delete('content-length');
  return fetch(input, { ...init, headers, body: gzipSync(String(init?.body)) });
};

const openai = new OpenAI({ baseURL, apiKey: relay.keys.ak, maxRetries: 0, fetch: sendCompressed });
const anthropic = new Anthropic({
  baseURL: relay.origin,
  apiKey: relay.keys.ak,
  maxRetries: 0,
  fetch: sendCompressed,
});

test('Chat Completions forwards an image to the upstream and reasoning to the client', async () => {
  const image = { type: 'image_url' as const, image_url: { url: IMAGE } };
  const response = await openai.chat.completions.create({
    model: 'demo-chat',
    reasoning_effort: 'low',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Look' }, image] }],
  });
  expect(response.choices[0]?.message).toMatchObject({ reasoning_content: THOUGHT, content: TEXT });
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({
    reasoning_effort: 'low',
    messages: [{ content: [{}, image] }],
  });
});

test('Responses forwards an image to the upstream and reasoning to the client', async () => {
  const image = { type: 'input_image' as const, image_url: IMAGE, detail: 'auto' as const };
  const response = await openai.responses.create({
    model: 'demo-chat',
    reasoning: { effort: 'low', summary: 'auto' },
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'Look' }, image] }],
  });
  expect(response.output[0]).toMatchObject({ type: 'reasoning', summary: [{ text: THOUGHT }] });
  expect(response.output_text).toBe(TEXT);
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({
    reasoning: { effort: 'low', summary: 'auto' },
    input: [{ content: [{}, image] }],
  });
});

test('Messages forwards an image and thoughts to the upstream, and thoughts back', async () => {
  const source = { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL };
  const image = { type: 'image' as const, source };
  const earlierThought = { type: 'thinking' as const, thinking: 'Hm.', signature: SIGNATURE };
  const stream = anthropic.messages.stream({
    model: 'demo-chat',
    max_tokens: 2_048,
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    messages: [
      { role: 'user', content: [image] },
      { role: 'assistant', content: [earlierThought, { type: 'text', text: 'A pixel?' }] },
      { role: 'user', content: 'Look again' },
    ],
  });
  const { content } = await stream.finalMessage();
  expect(content).toMatchObject([
    { type: 'thinking', thinking: THOUGHT, signature: SIGNATURE },
    { type: 'text', text: TEXT },
  ]);
  expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    messages: [{ content: [image] }, { content: [earlierThought, {}] }, {}],
  });
});

test('the Vercel AI SDK sends an image to the upstream and receives reasoning', async () => {
  const provider = createOpenAICompatible({
    name: 'radar',
    baseURL,
    apiKey: relay.keys.ak,
    fetch: sendCompressed,
  });
  const { text, reasoningText } = await generateText({
    model: provider('demo-chat'),
    maxRetries: 0,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'file', data: Buffer.from(PIXEL, 'base64'), mediaType: 'image/png' },
        ],
      },
    ],
  });
  expect([text, reasoningText]).toEqual([TEXT, THOUGHT]);
  expect(bodies.at(-1)).toContain(IMAGE);
});
