// A provider of three dialects whose responses have planned usage: whole or streamed, complete,
// broken, or without numbers. The text of a call identifies its plan.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { type TokenUsage, tokenUsage } from '../../src/gateway/relay/token-usage.ts';
import type { Random } from '../../src/kernel/crypto/random.ts';

export type PlannedCall = {
  readonly n: number;
  readonly path: string;
  readonly dialect: 'chat' | 'messages' | 'responses';
  readonly model: string;
  readonly body: object;
  readonly isStream: boolean;
  /** The client disconnects after this number of chunks; 0: never. */
  readonly leavesAfter: number;
  readonly end: 'complete' | 'broken' | 'no-usage';
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly reasoning: number;
};

const paths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
} as const;
const dialects = ['chat', 'messages', 'responses'] as const;

export function planCall(random: Random, n: number): PlannedCall {
  const upTo = (count: number) => Math.floor(random.next() * count);
  const dialect = dialects[upTo(dialects.length)] ?? 'chat';
  const text = `call ${n}. ${'word '.repeat(upTo(3) === 0 ? 900 + upTo(600) : upTo(60))}`;
  const isStream = upTo(2) === 0;
  // A request has at most one token per byte.
  const input = 5 + upTo(Math.floor(text.length * 0.7));
  const output = 1 + upTo(1_200);
  const model = `m${upTo(3)}`;
  const turns = [{ role: 'user', content: text }];
  const limit = 1_200 + upTo(1_000);
  const body = {
    chat: { messages: turns, max_tokens: limit },
    messages: { messages: turns, max_tokens: limit },
    responses: { input: text, max_output_tokens: limit },
  }[dialect];
  const cached = upTo(2) === 0 ? upTo(input) : 0;
  return {
    n,
    path: paths[dialect],
    dialect,
    model,
    body: { model, ...body, stream: isStream },
    isStream,
    leavesAfter: isStream && upTo(10) === 0 ? 1 + upTo(2) : 0,
    end: upTo(12) === 0 ? 'broken' : upTo(12) === 0 ? 'no-usage' : 'complete',
    input,
    cached,
    written: upTo(2) === 0 ? upTo(input - cached) : 0,
    output,
    reasoning: upTo(2) === 0 ? upTo(output) : 0,
  };
}

/** The provider's report, in the classes of the contract. */
export const usageOf = ({ input, cached, written, output, reasoning }: PlannedCall): TokenUsage =>
  tokenUsage({
    prompt: input,
    completion: output,
    cacheRead: cached,
    cacheWrite: written,
    reasoning,
  });

export async function openRandomUpstream(calls: readonly PlannedCall[]) {
  let requestCount = 0;
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const [, n] = /call (\d+)\./.exec(Buffer.concat(chunks).toString()) ?? [];
    const call = calls[Number(n)];
    res.on('error', () => {});
    if (call === undefined) {
      res.writeHead(404).end();
      return;
    }
    requestCount += 1;
    if (call.isStream) streamTo(res, call);
    else sendWhole(res, call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: () => requestCount,
  };
}

/** In the provider's format: Anthropic's input excludes cached tokens. */
function reportUsage({ dialect, input, cached, written, output, reasoning, end }: PlannedCall) {
  if (end === 'no-usage') return null;
  const details = { cached_tokens: cached, cache_write_tokens: written };
  switch (dialect) {
    case 'chat':
      return {
        prompt_tokens: input,
        completion_tokens: output,
        prompt_tokens_details: details,
        completion_tokens_details: { reasoning_tokens: reasoning },
      };
    case 'responses':
      return {
        input_tokens: input,
        output_tokens: output,
        input_tokens_details: details,
        output_tokens_details: { reasoning_tokens: reasoning },
      };
    case 'messages':
      return {
        input_tokens: input - cached - written,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: written,
        output_tokens: output,
        output_tokens_details: { thinking_tokens: reasoning },
      };
  }
}

const TEXT = 'A short reply.';

function wholeResponseOf(call: PlannedCall): object {
  const usage = reportUsage(call);
  switch (call.dialect) {
    case 'chat': {
      const message = { role: 'assistant', content: TEXT };
      return { id: 'c', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
    }
    case 'messages':
      return {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'text', text: TEXT }],
        stop_reason: 'end_turn',
        usage,
      };
    case 'responses': {
      const content = [{ type: 'output_text', text: TEXT, annotations: [] }];
      const output = [{ type: 'message', role: 'assistant', content }];
      return { id: 'r', status: 'completed', output, usage };
    }
  }
}

function sendWhole(res: ServerResponse, call: PlannedCall): void {
  const text = JSON.stringify(wholeResponseOf(call));
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  if (call.end !== 'broken') res.end(text);
  else res.write(text.slice(0, 20), () => res.destroy());
}

function eventsOf(call: PlannedCall): readonly object[] {
  const usage = reportUsage(call);
  switch (call.dialect) {
    case 'chat':
      return [
        { choices: [{ index: 0, delta: { content: TEXT }, finish_reason: null }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        ...(usage === null ? [] : [{ choices: [], usage }]),
      ];
    case 'messages': {
      const block = { type: 'text', text: '' };
      const delta = { type: 'text_delta', text: TEXT };
      const start = { type: 'message', role: 'assistant', content: [], ...(usage && { usage }) };
      return [
        { type: 'message_start', message: start },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_delta', index: 0, delta },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn' },
          ...(usage && { usage: { output_tokens: call.output } }),
        },
        { type: 'message_stop' },
      ];
    }
    case 'responses':
      return [
        { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: TEXT },
        { type: 'response.completed', response: wholeResponseOf(call) },
      ];
  }
}

function streamTo(res: ServerResponse, call: PlannedCall): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = eventsOf(call);
  const sentEvents = call.end === 'broken' ? events.slice(0, 3) : events;
  for (const event of sentEvents) res.write(`data: ${JSON.stringify(event)}\n\n`);
  if (call.end === 'broken') setImmediate(() => res.destroy());
  else res.end(call.dialect === 'chat' ? 'data: [DONE]\n\n' : '');
}
