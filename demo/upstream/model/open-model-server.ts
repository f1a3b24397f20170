// Simulates a server of chat completions and embeddings on loopback, in the real format. A test can
// set faults. The server records billable requests, so that a test sees requests that were paid
// twice.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, runningClock } from '../../../src/kernel/time/clock.ts';
import { answerQuestion } from './answer-question.ts';
import { dimensions, embedText } from './embed-text.ts';
import {
  findRequestError,
  jsonHeaders,
  type ModelFault,
  makeFaultyContent,
  refuse,
  sendFlood,
} from './faulty-replies.ts';
import { readQuestion } from './read-question.ts';

export const modelKey = 'demo-model-key';

export type BilledRequest = {
  readonly path: string;
  readonly model: string;
  /** The step of the request; `embed` for texts. */
  readonly step: string;
  /** Hash of the messages or texts: equal for equal requests. */
  readonly content: string;
  readonly idempotencyKey: string;
  /** Time by the clock of the server. */
  readonly at: number;
};

export type ModelServer = {
  /** `http://127.0.0.1:port/v1`. */
  readonly url: string;
  /** Bodies of all requests, including refused ones. */
  readonly requests: Readonly<Record<string, unknown>>[];
  /** The requests that the server processed, which are billable. */
  readonly billed: BilledRequest[];
  readonly refusedCount: () => number;
  /** Current and maximum number of concurrent requests. */
  readonly running: () => number;
  readonly maxRunning: () => number;
  /** Sets the fault of every request until the next call; null: no fault. */
  setFault(fault: ModelFault | null): void;
  /** Sets one fault for each of the next requests; later requests have that of `setFault`. */
  script(faults: readonly (ModelFault | null)[]): void;
  /** Sets what runs before each response, where a test can wait or stop a process. */
  onRequest(listener: ((request: BilledRequest) => Promise<void> | void) | null): void;
  close(): Promise<void>;
};

export type ModelServerOptions = {
  readonly port?: number;
  readonly clock?: Clock;
  /** Delay before each response; 0 when absent. */
  readonly latencyMs?: number;
  /** Requests above this rate get a 429; no limit when absent. */
  readonly requestsPerMinute?: number;
};

type ModelServerState = {
  readonly options: ModelServerOptions;
  readonly clock: Clock;
  readonly requests: Readonly<Record<string, unknown>>[];
  readonly billed: BilledRequest[];
  readonly times: number[];
  refusedCount: number;
  running: number;
  maxRunning: number;
  fault: ModelFault | null;
  script: (ModelFault | null)[];
  listener: ((request: BilledRequest) => Promise<void> | void) | null;
};

export async function openModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { clock = runningClock() } = options;
  const initialState = {
    refusedCount: 0,
    running: 0,
    maxRunning: 0,
    fault: null,
    script: [],
    listener: null,
  };
  const state: ModelServerState = {
    options,
    clock,
    requests: [],
    billed: [],
    times: [],
    ...initialState,
  };
  const server = createServer((req, res) => {
    state.running += 1;
    state.maxRunning = Math.max(state.maxRunning, state.running);
    res.on('error', () => {});
    res.on('close', () => {
      state.running -= 1;
    });
    handleRequest(req, res, state).catch(() => res.destroy());
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: state.requests,
    billed: state.billed,
    refusedCount: () => state.refusedCount,
    running: () => state.running,
    maxRunning: () => state.maxRunning,
    setFault: (fault) => {
      state.fault = fault;
    },
    script: (faults) => {
      state.script = [...faults];
    },
    onRequest: (listener) => {
      state.listener = listener;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Body = Readonly<Record<string, unknown>> & { readonly model: string };

async function handleRequest(
  req: IncomingMessage,
  res: ServerResponse,
  state: ModelServerState,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const path = req.url ?? '';
  if (req.headers.authorization !== `Bearer ${modelKey}`) return void refuse(res, 'locked');
  if (req.method === 'GET' && path === '/v1/models') {
    const data = ['demo-editor', 'demo-vectors'].map((id) => ({
      id,
      object: 'model',
      created: 1_740_000_000,
      owned_by: 'demo',
    }));
    return sendJson(res, 200, { object: 'list', data });
  }
  const isChat = path === '/v1/chat/completions';
  if (req.method !== 'POST' || !(isChat || path === '/v1/embeddings')) {
    return sendJson(res, 404, { error: { message: 'Unknown address.', type: 'not_found' } });
  }
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
  state.requests.push(body);
  const faultInName = /:([a-z0-9-]+)$/.exec(body.model)?.[1] ?? null;
  const fault =
    state.script.length > 0 ? (state.script.shift() ?? null) : (state.fault ?? faultInName);
  if (!admitRequest(res, state)) return;
  if (refuse(res, fault)) {
    state.refusedCount += 1;
    return;
  }
  const fieldError = findRequestError(fault, body);
  if (fieldError !== null) {
    state.refusedCount += 1;
    return sendJson(res, 400, { error: { message: fieldError, type: 'invalid_request_error' } });
  }
  const idempotencyKey = String(req.headers['idempotency-key'] ?? '');
  await (isChat ? handleChat : handleEmbed)(res, state, { body, fault, idempotencyKey });
}

/**
 * Applies the rate limit of a sliding window and writes the response headers for it. False: the
 * request was refused with a 429.
 */
function admitRequest(res: ServerResponse, state: ModelServerState): boolean {
  const { requestsPerMinute: limit } = state.options;
  if (limit === undefined) return true;
  const now = state.clock.now();
  const recentTimes = state.times.filter((at) => at > now - 60_000 && at <= now);
  state.times.splice(0, state.times.length, ...recentTimes);
  const resetMs = recentTimes.length < limit ? 0 : (recentTimes[0] ?? now) + 60_000 - now;
  res.setHeader('x-ratelimit-limit-requests', String(limit));
  res.setHeader(
    'x-ratelimit-remaining-requests',
    String(Math.max(0, limit - recentTimes.length - 1)),
  );
  res.setHeader('x-ratelimit-reset-requests', `${Math.ceil(60_000 / limit)}ms`);
  if (recentTimes.length < limit) {
    state.times.push(now);
    return true;
  }
  state.refusedCount += 1;
  res.setHeader('retry-after', String(Math.ceil(resetMs / 1000)));
  sendJson(res, 429, { error: { message: 'Rate limit reached.', code: 'rate_limit_exceeded' } });
  return false;
}

type Job = {
  readonly body: Body;
  readonly fault: ModelFault | string | null;
  readonly idempotencyKey: string;
};

async function recordBilledRequest(
  state: ModelServerState,
  path: string,
  step: string,
  { body, idempotencyKey }: Job,
) {
  const content = createHash('sha256')
    .update(JSON.stringify(body.messages ?? body.input))
    .digest('hex');
  const request = { path, model: body.model, step, content, idempotencyKey, at: state.clock.now() };
  state.billed.push(request);
  await state.listener?.(request);
  const { latencyMs = 0 } = state.options;
  if (latencyMs > 0) await state.clock.sleep(latencyMs);
}

async function handleChat(res: ServerResponse, state: ModelServerState, job: Job): Promise<void> {
  const messages = job.body.messages as readonly { role: string; content: string }[];
  const messageOf = (role: string) =>
    messages.find((message) => message.role === role)?.content ?? '';
  const question = readQuestion(messageOf('system'), messageOf('user'));
  await recordBilledRequest(state, '/chat/completions', question.step, job);
  const { fault } = job;
  if (fault === 'slow') return;
  if (fault === 'endless') return sendFlood(res, Number.POSITIVE_INFINITY);
  if (fault === 'huge') return sendFlood(res, 20_000_000);
  if (fault === 'error-in-200') return sendJson(res, 200, { error: { message: 'Overloaded.' } });
  if (fault === 'not-a-completion') return sendJson(res, 200, { id: 'x', results: [] });
  const [content, finishReason] = makeFaultyContent(
    fault,
    JSON.stringify(answerQuestion(question, fault)),
  );
  const promptTokens = Math.ceil(
    messages.reduce((sum, entry) => sum + entry.content.length, 0) / 4,
  );
  const completionTokens = Math.ceil(content.length / 4);
  const refusal = fault === 'refusal' ? 'I cannot help with that.' : null;
  const response = {
    id: 'chatcmpl-demo',
    object: 'chat.completion',
    created: 1_750_000_000,
    model: job.body.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: splitContent(fault, refusal, content), refusal },
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    ...(fault !== 'no-usage' && {
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
    }),
  };
  send(res, fault, response);
}

function send(res: ServerResponse, fault: string | null, completion: object): void {
  if (fault !== 'cut') {
    sendJson(res, 200, completion);
    return;
  }
  const bytes = Buffer.from(JSON.stringify(completion));
  res.writeHead(200, { ...jsonHeaders, 'content-length': String(bytes.length) });
  res.write(bytes.subarray(0, bytes.length >> 1), () => res.destroy());
}

function splitContent(fault: string | null, refusal: string | null, content: string): unknown {
  if (refusal !== null) return null;
  return fault === 'parts' ? [{ type: 'text', text: content }] : content;
}

async function handleEmbed(res: ServerResponse, state: ModelServerState, job: Job): Promise<void> {
  const { input } = job.body;
  const texts = (Array.isArray(input) ? input : [input]).map(String);
  await recordBilledRequest(state, '/embeddings', 'embed', job);
  const { fault } = job;
  if (fault === 'slow') return;
  if (fault === 'error-in-200') return sendJson(res, 200, { error: { message: 'Overloaded.' } });
  const size = fault === 'other-size' ? dimensions / 2 : dimensions;
  const vectors = texts.map((text) => embedText(text).slice(0, size));
  if (fault === 'ragged') vectors[0] = vectors[0]?.slice(1) ?? [];
  if (fault === 'zero-vector') vectors[0] = vectors[0]?.map(() => 0) ?? [];
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  if (fault === 'short-batch') data.pop();
  if (fault === 'shuffled') data.reverse();
  const tokens = Math.ceil(texts.join('').length / 4);
  send(res, fault, {
    object: 'list',
    data,
    model: job.body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

function sendJson(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, jsonHeaders);
  res.end(JSON.stringify(body));
}
