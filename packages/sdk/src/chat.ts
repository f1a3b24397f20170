// Chat completions through the relay, as one response or as a stream of chunks. A stream ends with
// the last chunk, with an error, or when the reader stops.
import { ApiError, ConnectionError, type ProblemDetails } from './errors.ts';
import { eventData } from './events.ts';
import { addressOf, type Sender } from './send.ts';

export type ChatMessage = {
  readonly role: string;
  readonly content: string | readonly object[] | null;
} & Readonly<Record<string, unknown>>;

/** Other fields of the upstream model are passed on. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
} & Readonly<Record<string, unknown>>;

export type TokenUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

export type ChatCompletion = {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: string; readonly content: string | null };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: TokenUsage | null;
};

export type ChatChunk = {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string | null };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: TokenUsage | null;
};

export type ChatModel = { readonly id: string } & Readonly<Record<string, unknown>>;

export type ChatOptions = { readonly signal?: AbortSignal; readonly idempotencyKey?: string };

export type Chat = {
  complete(request: ChatRequest, options?: ChatOptions): Promise<ChatCompletion>;
  /**
   * Yields each chunk on arrival. `break` or the signal also stops the model. A failure is retried
   * only before the response begins. When an upstream fails later, the iteration throws an
   * ApiError after the received chunks.
   */
  stream(request: ChatRequest, options?: ChatOptions): AsyncGenerator<ChatChunk, void, undefined>;
  models(options?: { readonly signal?: AbortSignal }): Promise<readonly ChatModel[]>;
};

export type ChatDeps = {
  readonly sender: Sender;
  readonly relayUrl: () => string;
  readonly headers: () => Readonly<Record<string, string>>;
};

const COMPLETIONS_PATH = '/relay/v1/chat/completions';

export function openChat({ sender, relayUrl, headers }: ChatDeps): Chat {
  const buildRequest = (body: object, { signal, idempotencyKey }: ChatOptions) =>
    ({
      method: 'POST',
      url: addressOf(relayUrl(), COMPLETIONS_PATH),
      headers: { ...headers(), 'idempotency-key': idempotencyKey ?? sender.runtime.newKey() },
      body,
      signal,
    }) as const;
  return {
    complete: async (request, options = {}) => {
      const httpRequest = buildRequest({ ...request, stream: false }, options);
      const replays = { ...httpRequest.headers, prefer: 'idempotent-replay' };
      return (await sender.send({ ...httpRequest, headers: replays })).body as ChatCompletion;
    },
    stream: (request, options = {}) =>
      readChunks(sender, buildRequest({ ...request, stream: true }, options)),
    models: async ({ signal } = {}) => {
      const url = addressOf(relayUrl(), '/relay/v1/models');
      const { body } = await sender.send({ method: 'GET', url, headers: headers(), signal });
      return (body as { readonly data: readonly ChatModel[] }).data;
    },
  };
}

async function* readChunks(
  sender: Sender,
  request: Parameters<Sender['open']>[0],
): AsyncGenerator<ChatChunk, void, undefined> {
  const response = await sender.open(request);
  if (response.body === null) throw new ConnectionError('The response has no body.');
  const requestId = response.headers.get('x-request-id');
  try {
    for await (const data of eventData(response.body)) {
      if (data === '[DONE]') return;
      const chunk = JSON.parse(data) as ChatChunk & { readonly error?: ProblemDetails };
      if (chunk.error !== undefined) throw streamErrorOf(chunk.error, requestId);
      yield chunk;
    }
  } catch (cause) {
    if (request.signal?.aborted || cause instanceof ApiError) throw cause;
    throw new ConnectionError('The stream was cut off.', { cause });
  }
  throw new ConnectionError('The stream ended before its final event.');
}

function streamErrorOf(error: ProblemDetails, requestId: string | null): ApiError {
  const { message } = error;
  const problem = { ...error, ...(typeof message === 'string' && { detail: message }) };
  return new ApiError({ status: 200, problem, requestId, retryAfterSeconds: null });
}
