// Simulates a provider of chat completions on loopback. Words in the last message, such as
// `upstream:busy`, make it fail. It writes streams event by event.
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { runningClock } from '../../../src/kernel/time/clock.ts';
import { type ChatBody, lastText, streamOf, wholeCompletion } from './chat-format.ts';
import { messageEvents, wholeMessage } from './messages-format.ts';
import { type ResponsesBody, responseEvents, turnsOf, wholeResponse } from './responses-format.ts';

export const chatKey = 'demo-chat-key';

export type ChatServer = {
  /** `http://127.0.0.1:port/v1`. */
  readonly url: string;
  /** Bodies of all completion requests so far. */
  readonly requests: ChatBody[];
  /** The same bodies as raw text. */
  readonly texts: string[];
  /** Headers of these requests, in the same order. */
  readonly headers: IncomingHttpHeaders[];
  /** Number of exchanges that the client ended before the response was complete. */
  readonly aborted: () => number;
  /** Number of running exchanges. */
  readonly running: () => number;
  /** Sets the fault of every request until the next call; null: no fault. */
  setFault(fault: string | null): void;
  close(): Promise<void>;
};

export type ChatServerOptions = {
  readonly models: readonly string[];
  /**
   * False: words such as `upstream:busy` have no effect, so that visitors of a demonstration cannot
   * make the server fail.
   */
  readonly hasPromptFaults?: boolean;
  /** Delay between two events of a stream. */
  readonly pauseMs?: number;
};

const jsonHeaders = { 'content-type': 'application/json' };

const refusals: Readonly<Record<string, readonly [number, object, Record<string, string>?]>> = {
  busy: [
    429,
    { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' },
    { 'retry-after': '7' },
  ],
  'busy-2': [
    429,
    { message: 'Rate limit reached.', type: 'requests', code: 'rate_limit_exceeded' },
    { 'retry-after': '2' },
  ],
  broken: [500, { message: 'The server had an error.', type: 'server_error' }],
  locked: [401, { message: 'Incorrect API key: sk-secret.', code: 'invalid_api_key' }],
  resting: [503, { message: 'Overloaded.', type: 'server_error' }, { 'retry-after': '12' }],
  'too-long': [
    400,
    {
      message: "This model's maximum context length is 8 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  ],
};

export async function openChatServer(options: ChatServerOptions): Promise<ChatServer> {
  const state = {
    requests: [] as ChatBody[],
    texts: [] as string[],
    headers: [] as IncomingHttpHeaders[],
    aborted: 0,
    running: 0,
    fault: null as string | null,
  };
  const server = createServer((req, res) => {
    state.running += 1;
    res.on('error', () => {});
    res.on('close', () => {
      state.running -= 1;
      if (!res.writableFinished) state.aborted += 1;
    });
    handleRequest(req, res, { options, state }).catch(() => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: state.requests,
    texts: state.texts,
    headers: state.headers,
    aborted: () => state.aborted,
    running: () => state.running,
    setFault: (fault) => {
      state.fault = fault;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Format = {
  turns(body: ChatBody): ChatBody['messages'];
  completeBody(body: ChatBody): object;
  events(body: ChatBody): readonly string[];
};

const turns = ({ messages }: ChatBody) => messages;

/** Handlers by request path. */
const formats: Readonly<Record<string, Format>> = {
  '/v1/chat/completions': { turns, completeBody: wholeCompletion, events: streamOf },
  '/v1/messages': { turns, completeBody: wholeMessage, events: messageEvents },
  '/v1/messages/count_tokens': {
    turns,
    completeBody: ({ messages }) => ({ input_tokens: messages.length * 7 }),
    events: () => [],
  },
  '/v1/responses': {
    turns: (body) => turnsOf(body as unknown as ResponsesBody),
    completeBody: (body) => wholeResponse(body as unknown as ResponsesBody),
    events: (body) => responseEvents(body as unknown as ResponsesBody),
  },
  '/v1/embeddings': {
    turns: (body) => [{ role: 'user', content: inputsOf(body).at(-1) }],
    completeBody: embeddingsOf,
    events: () => [],
  },
};

const inputsOf = (body: object): readonly unknown[] => {
  const { input } = body as { readonly input?: unknown };
  return Array.isArray(input) ? input : [input];
};

function embeddingsOf(body: ChatBody): object {
  const data = inputsOf(body).map((_, index) => ({
    object: 'embedding',
    index,
    embedding: [0.6, 0.8],
  }));
  const usage = { prompt_tokens: data.length * 3, total_tokens: data.length * 3 };
  return { object: 'list', data, model: body.model, usage };
}

type ServerState = {
  readonly options: ChatServerOptions;
  readonly state: {
    requests: ChatBody[];
    texts: string[];
    headers: IncomingHttpHeaders[];
    fault: string | null;
  };
};

async function handleRequest(
  req: IncomingMessage,
  res: ServerResponse,
  { options, state }: ServerState,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const isAnthropic = req.headers['x-api-key'] !== undefined;
  const key = isAnthropic ? `Bearer ${req.headers['x-api-key']}` : req.headers.authorization;
  if (key !== `Bearer ${chatKey}`) return refuse(res, 'locked', isAnthropic);
  if (req.method === 'GET' && req.url === '/v1/models') {
    if (state.fault !== null && state.fault in refusals) return refuse(res, state.fault);
    const data = options.models.map((id) => ({
      id,
      object: 'model',
      created: 1_740_000_000,
      owned_by: 'demo',
    }));
    return sendJson(res, 200, { object: 'list', data });
  }
  const format = req.method === 'POST' ? formats[req.url ?? ''] : undefined;
  if (format === undefined) {
    return sendJson(res, 404, { error: { message: 'Unknown address.', type: 'not_found' } });
  }
  const text = Buffer.concat(chunks).toString();
  const body = JSON.parse(text) as ChatBody;
  state.requests.push(body);
  state.texts.push(text);
  state.headers.push(req.headers);
  const promptText =
    options.hasPromptFaults === false ? '' : lastText({ messages: format.turns(body) });
  const fault = state.fault ?? /upstream:([a-z0-9-]+)/.exec(promptText)?.[1] ?? '';
  if (fault in refusals) return refuse(res, fault, isAnthropic);
  if (fault === 'slow') return;
  if (fault === 'changed') return sendJson(res, 200, { id: 'x', results: [] });
  if (body.stream !== true) {
    const completeBody = format.completeBody(body);
    if (fault !== 'truncated') return sendJson(res, 200, completeBody);
    res.writeHead(200, { ...jsonHeaders, 'content-length': '100000' });
    res.write(JSON.stringify(completeBody), () => res.destroy());
    return;
  }
  await writeStream(res, events(format, body, fault), { fault, pauseMs: options.pauseMs ?? 0 });
}

/** The events of a stream, changed by the current fault. */
function events({ events: eventsOf }: Format, body: ChatBody, fault: string): readonly string[] {
  const normalEvents = eventsOf(body);
  const error = { message: 'Overloaded in the middle.', type: 'server_error', code: null };
  switch (fault) {
    case 'error-first':
      return [`data: ${JSON.stringify({ error })}\n\n`];
    case 'error-inside':
      return [...normalEvents.slice(0, 3), `data: ${JSON.stringify({ error })}\n\n`];
    case 'comments':
      return normalEvents.flatMap((event) => [': keep-alive\n\n', event]);
    case 'null-choices':
      return normalEvents.map((event) => event.replace('"choices":[],', '"choices":null,'));
    case 'no-done':
      return normalEvents.slice(0, -1);
    case 'ends-early':
      return normalEvents.slice(0, 3);
    case 'crlf':
      return normalEvents.map((event) => event.replaceAll('\n', '\r\n'));
    case 'not-json':
      return [...normalEvents.slice(0, 2), 'data: {"choi\n\n'];
    case 'no-usage':
      return normalEvents.filter((event) => !event.includes('prompt_tokens'));
    default:
      return normalEvents;
  }
}

type StreamOptions = { readonly fault: string; readonly pauseMs: number };

async function writeStream(
  res: ServerResponse,
  streamEvents: readonly string[],
  { fault, pauseMs }: StreamOptions,
): Promise<void> {
  const [, faultKind, count] = /^(dies|holds)-(\d+)$/.exec(fault) ?? [];
  const clock = runningClock();
  // `endless`: after the opening events, one long event repeats as fast as the client reads.
  const textIndex =
    fault === 'endless' ? streamEvents.findIndex((event) => event.includes('You said')) : -1;
  const longDelta = streamEvents[textIndex]?.replace('You said', 'word '.repeat(2_000));
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  res.flushHeaders();
  for (const event of streamEvents.slice(0, Math.max(0, textIndex))) res.write(event);
  while (longDelta !== undefined && !res.destroyed) {
    if (!res.write(longDelta)) await waitForDrain(res);
  }
  for (const [index, event] of streamEvents.entries()) {
    if (faultKind !== undefined && index === Number(count)) {
      if (faultKind === 'holds') return;
      // Waits until the written bytes are flushed.
      await new Promise((resolve) => setImmediate(resolve));
      res.destroy();
      return;
    }
    if (res.destroyed) return;
    if (!res.write(event)) await waitForDrain(res);
    if (pauseMs > 0) await clock.sleep(pauseMs);
    else await new Promise((resolve) => setImmediate(resolve));
  }
  res.end();
}

const waitForDrain = (res: ServerResponse) =>
  new Promise<void>((resolve) => {
    const finish = () => {
      res.off('drain', finish).off('close', finish);
      resolve();
    };
    res.on('drain', finish).on('close', finish);
  });

function refuse(res: ServerResponse, fault: string, isAnthropic = false): void {
  const [status, error, headers] = refusals[fault] ?? [500, {}];
  res.writeHead(status, { ...jsonHeaders, ...headers });
  const { message, type } = error as { readonly message: string; readonly type?: string };
  const anthropic = { type: 'error', error: { type: anthropicType(status, type), message } };
  res.end(JSON.stringify(isAnthropic ? anthropic : { error }));
}

function anthropicType(status: number, type = 'api_error'): string {
  if (status === 429) return 'rate_limit_error';
  return status === 503 ? 'overloaded_error' : type;
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, jsonHeaders);
  res.end(JSON.stringify(body));
}
