// OpenAI's SDK uses a tool over Responses with streams. The client collects the call and sends its
// result.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';
import { openTestRelay } from './test-relay.ts';

const ARGUMENTS = ['{"place":', '"Harbour Street"}'];
const TEXT = 'It rains.';
const usage = { input_tokens: 9, output_tokens: 5, total_tokens: 14 };

const functionCall = (status: string, args: string) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'weather',
  arguments: args,
  status,
});
const part = { type: 'output_text', text: TEXT, annotations: [] };
const message = { type: 'message', id: 'm_1', role: 'assistant', status: 'completed' };
const position = { item_id: 'fc_1', output_index: 0 };
const textPosition = { item_id: 'm_1', output_index: 0, content_index: 0 };

const response = (status: string, output: object[]) => ({
  id: 'resp_1',
  object: 'response',
  status,
  model: 'demo-chat',
  output,
  ...(status === 'completed' && { usage }),
});

const callEvents = [
  { type: 'response.created', response: response('in_progress', []) },
  { type: 'response.output_item.added', output_index: 0, item: functionCall('in_progress', '') },
  ...ARGUMENTS.map((delta) => ({
    type: 'response.function_call_arguments.delta',
    ...position,
    delta,
  })),
  { type: 'response.function_call_arguments.done', ...position, arguments: ARGUMENTS.join('') },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: functionCall('completed', ARGUMENTS.join('')),
  },
  {
    type: 'response.completed',
    response: response('completed', [functionCall('completed', ARGUMENTS.join(''))]),
  },
];

const textEvents = [
  { type: 'response.created', response: response('in_progress', []) },
  { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
  { type: 'response.content_part.added', ...textPosition, part: { ...part, text: '' } },
  { type: 'response.output_text.delta', ...textPosition, delta: TEXT },
  { type: 'response.output_text.done', ...textPosition, text: TEXT },
  { type: 'response.content_part.done', ...textPosition, part },
  { type: 'response.output_item.done', output_index: 0, item: { ...message, content: [part] } },
  {
    type: 'response.completed',
    response: response('completed', [{ ...message, content: [part] }]),
  },
];

type ReceivedBody = { readonly input: unknown; readonly tools: unknown };
const bodies: ReceivedBody[] = [];
const upstream = createServer(async (req, res) => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedBody;
  bodies.push(body);
  const events = JSON.stringify(body.input).includes('function_call_output')
    ? textEvents
    : callEvents;
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const lines = events.map((event, index) => {
    const data = JSON.stringify({ ...event, sequence_number: index });
    return `event: ${event.type}\ndata: ${data}\n\n`;
  });
  res.end(lines.join(''));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');
afterAll(() => {
  upstream.close();
  upstream.closeAllConnections();
});
const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`;
const relay = await openTestRelay({
  upstreams: [{ kind: 'openai-responses', url, models: { 'demo-chat': 'demo-chat' } }],
});

const tools = [
  {
    type: 'function' as const,
    name: 'weather',
    strict: false,
    parameters: { type: 'object', properties: { place: { type: 'string' } } },
  },
];

test.each(['/relay/v1', '/v1'])(
  'a tool is called and its result is sent, under %s',
  async (base) => {
    const baseURL = `${relay.origin}${base}`;
    const client = new OpenAI({ baseURL, apiKey: relay.keys.ak, maxRetries: 0 });
    const first = client.responses.stream({ model: 'demo-chat', input: 'Does it rain?', tools });
    const deltas: string[] = [];
    first.on('response.function_call_arguments.delta', ({ delta }) => deltas.push(delta));
    const { output } = await first.finalResponse();
    expect(deltas).toEqual(ARGUMENTS);
    expect(output).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: ARGUMENTS.join('') },
    ]);
    const result = { type: 'function_call_output' as const, call_id: 'call_1', output: 'rain' };
    const second = client.responses.stream({
      model: 'demo-chat',
      tools,
      input: [
        { role: 'user', content: 'Does it rain?' },
        { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: deltas.join('') },
        result,
      ],
    });
    expect((await second.finalResponse()).output_text).toBe(TEXT);
    expect(bodies.at(-1)?.tools).toEqual(tools);
    expect(bodies.at(-1)?.input).toMatchObject([{}, { call_id: 'call_1' }, result]);
  },
);
