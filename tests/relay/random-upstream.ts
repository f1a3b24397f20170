// A provider of four dialects that responds as planned: whole or streamed, complete, broken,
// failing, or without usage numbers. The text of a request identifies its plan.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

import { runningClock } from '../../src/kernel/time/clock.ts';
import { atEnd } from '../support/at-end.ts';
import {
  laterReplyOf,
  numbersOf,
  type PlannedCall,
  replyOf,
  type ServedText,
} from './random-calls.ts';

type Turn = { readonly role: string; readonly content: string };

/** One request of the relay. */
type UpstreamCall = {
  readonly call: PlannedCall;
  readonly model: string;
  /** Turns that the relay added to continue a stream: the delivered text and an instruction. */
  readonly added: readonly Turn[];
  readonly reply: string;
};

export type RandomUpstream = {
  readonly url: string;
  /** The number of requests until now. */
  requestCount(): number;
  /** The last complete response to a call. */
  served(n: number): ServedText | undefined;
};

export async function openRandomUpstream(calls: readonly PlannedCall[]): Promise<RandomUpstream> {
  let requestCount = 0;
  const served = new Map<number, ServedText>();
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    res.on('error', () => {});
    try {
      for await (const chunk of req) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const text = Buffer.concat(chunks).toString();
    const call = calls[Number(/call (\d+)\./.exec(text)?.[1])];
    if (call === undefined) {
      res.writeHead(404).end();
      return;
    }
    requestCount += 1;
    const upstreamCall = readCall(call, JSON.parse(text));
    const { added, model, reply } = upstreamCall;
    if (call.fault === 'failing' && model === call.model) {
      res.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"-"}}');
      return;
    }
    const breaksOnce = call.fault === 'spliced' || call.fault === 'restarted';
    const isBroken = call.fault === 'broken' || (breaksOnce && added.length === 0);
    if (!isBroken) {
      const [delivered] = added;
      served.set(call.n, { model, delivered: delivered?.content ?? null, text: reply });
    }
    if (call.isStream) await streamTo(res, upstreamCall, isBroken);
    else sendWhole(res, upstreamCall, isBroken);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requestCount: () => requestCount,
    served: (n) => served.get(n),
  };
}

type ReceivedBody = {
  readonly model: string;
  readonly messages?: readonly Turn[];
  readonly input?: string | readonly Turn[];
};

function readCall(call: PlannedCall, { model, messages, input }: ReceivedBody): UpstreamCall {
  const turns = messages ?? (typeof input === 'object' ? input : []);
  const added = turns.slice(1);
  const isLater = added.length > 0 && call.fault === 'spliced';
  return { call, model, added, reply: isLater ? laterReplyOf(call) : replyOf(call) };
}

/** Builds the usage report in the provider's format. Anthropic's input excludes cached tokens. */
function reportUsage({ call, added }: UpstreamCall) {
  const numbers = numbersOf(call);
  if (numbers === null) return null;
  const { cached, written, output, reasoning } = numbers;
  const addedTurns =
    call.fault === 'spliced' ? added.map(({ content }) => countTokens(content)) : [];
  const input = addedTurns.reduce((sum, tokens) => sum + tokens, numbers.input);
  const details = { cached_tokens: cached, cache_write_tokens: written };
  switch (call.dialect) {
    case 'chat':
      return {
        prompt_tokens: input,
        completion_tokens: output,
        prompt_tokens_details: details,
        completion_tokens_details: { reasoning_tokens: reasoning },
      };
    case 'embeddings':
      return { prompt_tokens: input, total_tokens: input };
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
        service_tier: call.tiers.served === '' ? 'standard' : call.tiers.served,
      };
  }
}

const tierOf = ({ tiers }: PlannedCall) => ({
  service_tier: tiers.served === '' ? 'default' : tiers.served,
});

function wholeResponseOf(upstreamCall: UpstreamCall): object {
  const usage = reportUsage(upstreamCall);
  const { call, model, reply } = upstreamCall;
  switch (call.dialect) {
    case 'chat': {
      const message = { role: 'assistant', content: reply };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      return { id: 'c', model, choices, usage, ...tierOf(call) };
    }
    case 'messages': {
      const content = [{ type: 'text', text: reply }];
      return { type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage };
    }
    case 'responses': {
      const content = [{ type: 'output_text', text: reply, annotations: [] }];
      const output = [{ type: 'message', role: 'assistant', content }];
      return { id: 'r', status: 'completed', output, usage, ...tierOf(call) };
    }
    case 'embeddings':
      return { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage };
  }
}

function sendWhole(res: ServerResponse, call: UpstreamCall, isBroken: boolean): void {
  const text = JSON.stringify(wholeResponseOf(call));
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  if (!isBroken) res.end(text);
  else res.write(text.slice(0, 20), () => res.destroy());
}

const PIECE_CHARACTERS = 300;

const piecesOf = (reply: string) =>
  Array.from({ length: Math.ceil(reply.length / PIECE_CHARACTERS) }, (_, index) =>
    reply.slice(index * PIECE_CHARACTERS, (index + 1) * PIECE_CHARACTERS),
  );

type EventParts = {
  readonly opening: readonly object[];
  readonly chunkOf: (text: string) => object;
  readonly closing: readonly object[];
};

function eventsOf(upstreamCall: UpstreamCall): EventParts {
  const usage = reportUsage(upstreamCall);
  const { call, model } = upstreamCall;
  switch (call.dialect) {
    case 'messages': {
      const block = { type: 'text', text: '' };
      const start = { type: 'message', role: 'assistant', content: [], ...(usage && { usage }) };
      return {
        opening: [
          { type: 'message_start', message: start },
          { type: 'content_block_start', index: 0, content_block: block },
        ],
        chunkOf: (text) => {
          return { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
        },
        closing: [
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            ...(usage && { usage: { output_tokens: numbersOf(call)?.output } }),
          },
          { type: 'message_stop' },
        ],
      };
    }
    case 'responses':
      return {
        opening: [
          { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
        ],
        chunkOf: (delta) => {
          return { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta };
        },
        closing: [{ type: 'response.completed', response: wholeResponseOf(upstreamCall) }],
      };
    default: {
      const chunk = (delta: object, reason: string | null) => {
        return { id: 'c', model, choices: [{ index: 0, delta, finish_reason: reason }] };
      };
      return {
        opening: [],
        chunkOf: (content) => chunk({ content }, null),
        closing: [
          chunk({}, 'stop'),
          ...(usage === null ? [] : [{ id: 'c', choices: [], usage, ...tierOf(call) }]),
        ],
      };
    }
  }
}

/** Time for the relay to forward the events before the break. */
const BREAK_MS = 20;

async function streamTo(res: ServerResponse, call: UpstreamCall, isBroken: boolean) {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const { opening, chunkOf, closing } = eventsOf(call);
  const write = (events: readonly object[]) =>
    res.write(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  const { reply } = call;
  const sentText = isBroken ? reply.slice(0, reply.length / 2) : reply;
  write(opening);
  for (const piece of piecesOf(sentText)) {
    write([chunkOf(piece)]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (isBroken) {
    await runningClock().sleep(BREAK_MS);
    res.destroy();
    return;
  }
  write(closing);
  res.end(call.call.dialect === 'chat' ? 'data: [DONE]\n\n' : '');
}
