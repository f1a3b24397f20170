// A provider that always sends the same text of sixty words, in each dialect. It injects the faults
// of Failover Bench (methodology v0.1). Relay contract, 3.5.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../support/at-end.ts';

const WORDS = Array.from({ length: 60 }, (_word, index) => `word-${index} `);
export const TEXT = WORDS.join('');

export type FaultDialect = 'chat' | 'messages' | 'responses';

/** The behaviour for a request. Several faults apply in order, and the last fault repeats. */
export type InjectedFault =
  | 'none'
  | 'busy-2s'
  | 'busy'
  | 'broken'
  | 'overloaded'
  | 'reset'
  | 'no-response'
  | 'no-token'
  | 'disconnect-at-40'
  | 'silent-at-20'
  | 'not-json'
  | 'no-end-marker'
  | 'prompt-too-long'
  | 'filtered';

type RequestBody = { readonly messages?: unknown[]; readonly input?: unknown; model: string };

export async function openFaultServer(dialect: FaultDialect, model: string) {
  const bodies: RequestBody[] = [];
  let faults: readonly InjectedFault[] = ['none'];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as RequestBody;
    bodies.push(body);
    res.on('error', () => {});
    const fault = faults[Math.min(bodies.length, faults.length) - 1] ?? 'none';
    if (hasPrefill(body)) return refuse(res, 400, 'No prefill.', 'invalid_request_error');
    await respond(res, formats[dialect](model), fault);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    inject: (...nextFaults: InjectedFault[]) => {
      bodies.length = 0;
      faults = nextFaults;
    },
  };
}

/** Whether the last turn of the conversation belongs to the assistant. */
function hasPrefill({ messages, input }: RequestBody): boolean {
  const turns = messages ?? (Array.isArray(input) ? input : []);
  return (turns.at(-1) as { readonly role?: string } | undefined)?.role === 'assistant';
}

function refuse(res: ServerResponse, status: number, message: string, type: string, code?: string) {
  const retryAfter = code === 'rate_limit_2s' ? { 'retry-after': '2' } : {};
  res.writeHead(status, { 'content-type': 'application/json', ...retryAfter });
  res.end(JSON.stringify({ type: 'error', error: { type, message, code } }));
}

type Format = {
  readonly opening: readonly string[];
  /** The event of one word of text. */
  readonly wordEvent: (word: string) => string;
  /** The last event is the end marker. */
  closing(): readonly string[];
};

async function respond(res: ServerResponse, format: Format, fault: InjectedFault): Promise<void> {
  const { opening, wordEvent, closing } = format;
  switch (fault) {
    case 'busy-2s':
      return refuse(res, 429, 'Slow down.', 'rate_limit_error', 'rate_limit_2s');
    case 'busy':
      return refuse(res, 429, 'Slow down.', 'rate_limit_error');
    case 'broken':
      return refuse(res, 500, 'Oops.', 'api_error');
    case 'overloaded':
      return refuse(res, 503, 'Overloaded.', 'overloaded_error');
    case 'prompt-too-long':
      return refuse(res, 400, 'prompt is too long: 9 > 8', 'invalid_request_error');
    case 'filtered':
      return refuse(
        res,
        400,
        'Refused by policy.',
        'invalid_request_error',
        'content_policy_violation',
      );
    case 'reset':
      res.destroy();
      return;
    case 'no-response':
      return;
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of opening) res.write(event);
  if (fault === 'no-token') return;
  for (const [index, text] of WORDS.entries()) {
    if (index === 20 && fault === 'silent-at-20') return;
    if (index === 20 && fault === 'not-json') res.write('data: {"choi\n\n');
    if (index === 40 && fault === 'disconnect-at-40') {
      // Waits until the written bytes are flushed.
      await new Promise((resolve) => setImmediate(resolve));
      res.destroy();
      return;
    }
    res.write(wordEvent(text));
  }
  const endEvents = fault === 'no-end-marker' ? closing().slice(0, -1) : closing();
  res.end(endEvents.join(''));
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const eventText = (value: { readonly type: string }) => `event: ${value.type}\n${data(value)}`;

const formats: Readonly<Record<FaultDialect, (model: string) => Format>> = {
  chat: (model) => {
    const chunk = (delta: object, reason: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      return data({ id: `chatcmpl-${model}`, object: 'chat.completion.chunk', model, choices });
    };
    const usage = { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70 };
    return {
      opening: [chunk({ role: 'assistant', content: '' })],
      wordEvent: (content) => chunk({ content }),
      closing: () => [
        chunk({}, 'stop'),
        data({ id: `chatcmpl-${model}`, model, choices: [], usage }),
        'data: [DONE]\n\n',
      ],
    };
  },
  messages: (model) => {
    const message = { id: `msg_${model}`, type: 'message', role: 'assistant', model, content: [] };
    const usage = { input_tokens: 10, output_tokens: 1 };
    const text = { type: 'text', text: '' };
    const start = { ...message, stop_reason: null, stop_sequence: null, usage };
    const delta = { stop_reason: 'end_turn', stop_sequence: null };
    return {
      opening: [
        eventText({ type: 'message_start', message: start } as { type: string }),
        eventText({ type: 'content_block_start', index: 0, content_block: text } as {
          type: string;
        }),
      ],
      wordEvent: (word) => {
        const value = { type: 'content_block_delta', index: 0 };
        return eventText({ ...value, delta: { type: 'text_delta', text: word } } as {
          type: string;
        });
      },
      closing: () => [
        eventText({ type: 'content_block_stop', index: 0 } as { type: string }),
        eventText({ type: 'message_delta', delta, usage: { output_tokens: 60 } } as {
          type: string;
        }),
        eventText({ type: 'message_stop' }),
      ],
    };
  },
  responses: (model) => {
    let sequenceNumber = 0;
    const event = (value: { readonly type: string; readonly [name: string]: unknown }) => {
      const withNumber = { ...value, sequence_number: sequenceNumber };
      sequenceNumber += 1;
      return eventText(withNumber);
    };
    const id = `msg_${model}`;
    const position = { item_id: id, output_index: 0, content_index: 0 };
    const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
    const item = (status: string, content: object[]) => {
      return { id, type: 'message', role: 'assistant', status, content };
    };
    const response = (status: string, output: object[], usage: object | null) => {
      return {
        id: `resp_${model}`,
        object: 'response',
        created_at: 1,
        status,
        model,
        output,
        usage,
      };
    };
    const addedItem = item('in_progress', []);
    const doneItem = item('completed', [part(TEXT)]);
    const usage = { input_tokens: 10, output_tokens: 60, total_tokens: 70 };
    return {
      opening: [
        event({ type: 'response.created', response: response('in_progress', [], null) }),
        event({ type: 'response.output_item.added', output_index: 0, item: addedItem }),
        event({ type: 'response.content_part.added', ...position, part: part('') }),
      ],
      wordEvent: (delta) => event({ type: 'response.output_text.delta', ...position, delta }),
      closing: () => [
        event({ type: 'response.output_text.done', ...position, text: TEXT }),
        event({ type: 'response.content_part.done', ...position, part: part(TEXT) }),
        event({ type: 'response.output_item.done', output_index: 0, item: doneItem }),
        event({ type: 'response.completed', response: response('completed', [doneItem], usage) }),
      ],
    };
  },
};
