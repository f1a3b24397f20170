// A provider for real clients: it supports Messages and Responses, and its replies are scripted. A
// request without tools is auxiliary (for a title or a summary) and receives a short text.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/at-end.ts';

export type ToolUse = { readonly name: string; readonly input: object };

export type ScriptedReply =
  | { readonly kind: 'text'; readonly text: string; readonly cachedTokens?: number }
  | { readonly kind: 'tools'; readonly tools: readonly ToolUse[] }
  | { readonly kind: 'error'; readonly status: number }
  /** The connection is cut after this part of a text. */
  | { readonly kind: 'cut'; readonly text: string }
  /** The response stalls after this part of a text. */
  | { readonly kind: 'silent'; readonly text: string };

export type ProviderRequest = {
  readonly path: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
};

export async function openScriptedProvider() {
  const requests: ProviderRequest[] = [];
  let script: ScriptedReply[] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    res.on('error', () => {});
    const path = (req.url ?? '').replace(/\?.*$/, '');
    if (req.method === 'GET') return sendJson(res, 200, { object: 'list', data: listedModels });
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text) as ProviderRequest['body'];
    requests.push({ path, text, body });
    if (path.endsWith('/count_tokens')) return sendJson(res, 200, { input_tokens: 100 });
    const isMain = Array.isArray(body.tools) && body.tools.length > 0;
    const reply = (isMain && script.shift()) || ({ kind: 'text', text: 'Done.' } as const);
    if (reply.kind === 'error') {
      const error = { type: 'overloaded_error', message: 'Overloaded.' };
      return sendJson(res, reply.status, { type: 'error', error });
    }
    const events = path.endsWith('/messages') ? messageEvents(reply) : responseEvents(reply);
    if (body.stream !== true) return sendJson(res, 200, wholeResponseOf(path, reply));
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) {
      res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    if (reply.kind === 'cut') setImmediate(() => res.destroy());
    else if (reply.kind !== 'silent') res.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    /** Sets the replies to the next main requests. Later requests receive a short text. */
    setReplies: (...replies: ScriptedReply[]) => {
      requests.length = 0;
      script = replies;
    },
  };
}

const listedModels = ['claude-demo', 'demo-codex'].map((id) => ({
  id,
  object: 'model',
  created: 1_750_000_000,
  owned_by: 'demo',
}));

function sendJson(res: ServerResponse, status: number, value: object): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}

type ProviderEvent = { readonly type: string; readonly [name: string]: unknown };

const textOf = (reply: ScriptedReply) => ('text' in reply ? reply.text : '');
const cachedOf = (reply: ScriptedReply) => (reply.kind === 'text' ? (reply.cachedTokens ?? 0) : 0);
const isComplete = ({ kind }: ScriptedReply) => kind === 'text' || kind === 'tools';

let toolCallCount = 0;

const toolCallsOf = (reply: ScriptedReply) =>
  reply.kind === 'tools'
    ? reply.tools.map(({ name, input }) => {
        toolCallCount += 1;
        return { id: `call_${toolCallCount}`, name, input };
      })
    : [];

const usageOf = (reply: ScriptedReply) => ({
  input_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedOf(reply),
  output_tokens: 5,
});

function messageEvents(reply: ScriptedReply): readonly ProviderEvent[] {
  const calls = toolCallsOf(reply);
  const usage = usageOf(reply);
  const message = { id: 'msg_demo', type: 'message', role: 'assistant', model: 'claude-demo' };
  const start = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
  const blocks =
    calls.length > 0
      ? calls.map(({ id, name, input }) => ({
          block: { type: 'tool_use', id: id.replace('call', 'toolu'), name, input: {} },
          delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
        }))
      : [
          {
            block: { type: 'text', text: '' },
            delta: { type: 'text_delta', text: textOf(reply) },
          },
        ];
  const contentEvents = blocks.flatMap(({ block, delta }, index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_delta', index, delta },
    ...(isComplete(reply) ? [{ type: 'content_block_stop', index }] : []),
  ]);
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    { type: 'message_start', message: start },
    ...contentEvents,
    ...(isComplete(reply)
      ? [
          {
            type: 'message_delta',
            delta: { stop_reason: reason, stop_sequence: null },
            usage: { output_tokens: 5 },
          },
          { type: 'message_stop' },
        ]
      : []),
  ];
}

function responseEvents(reply: ScriptedReply): readonly ProviderEvent[] {
  const calls = toolCallsOf(reply);
  const status = 'completed';
  const items =
    calls.length > 0
      ? calls.map(({ id, name, input }) => {
          const call = { id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(input) };
          return { type: 'function_call', status, ...call };
        })
      : [
          {
            id: 'msg_demo',
            type: 'message',
            role: 'assistant',
            status,
            content: [{ type: 'output_text', text: textOf(reply), annotations: [] }],
          },
        ];
  const usage = {
    input_tokens: 20 + cachedOf(reply),
    input_tokens_details: { cached_tokens: cachedOf(reply) },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 25 + cachedOf(reply),
  };
  const response = { id: 'resp_demo', object: 'response', created_at: 1, model: 'demo-codex' };
  const position = { item_id: 'msg_demo', output_index: 0, content_index: 0 };
  const parts = items.flatMap((item, index) => [
    {
      type: 'response.output_item.added',
      output_index: index,
      item: { ...item, status: 'in_progress', ...('content' in item && { content: [] }) },
    },
    ...(calls.length === 0
      ? [{ type: 'response.output_text.delta', ...position, delta: textOf(reply) }]
      : []),
    ...(isComplete(reply)
      ? [{ type: 'response.output_item.done', output_index: index, item }]
      : []),
  ]);
  const events = [
    {
      type: 'response.created',
      response: { ...response, status: 'in_progress', output: [] },
    },
    ...parts,
    ...(isComplete(reply)
      ? [{ type: 'response.completed', response: { ...response, status, output: items, usage } }]
      : []),
  ];
  return events.map((event, number) => ({ ...event, sequence_number: number }));
}

function wholeResponseOf(path: string, reply: ScriptedReply): object {
  if (!path.endsWith('/messages')) {
    return (responseEvents(reply).at(-1) as { readonly response?: object }).response ?? {};
  }
  return {
    id: 'msg_demo',
    type: 'message',
    role: 'assistant',
    model: 'claude-demo',
    content: [{ type: 'text', text: textOf(reply) }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: usageOf(reply),
  };
}
