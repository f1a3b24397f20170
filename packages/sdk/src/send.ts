// Sends one request with retries. A retry waits at least as long as the service requires, plus a
// random delay.
import { ApiError, ConnectionError, type ProblemDetails } from './errors.ts';
import { type Runtime, standardRuntime } from './runtime.ts';

export type ClientOptions = {
  /** `https://radar.example`, or an address with a path prefix: `https://example.com/radar`. */
  readonly baseUrl: string;
  /** Number of retries; 4 by default. */
  readonly retries?: number;
  /** A longer Retry-After is thrown as an error; 60 by default. */
  readonly maxWaitSeconds?: number;
  /** Time limit of one attempt, until its last byte. */
  readonly timeoutMs?: number;
  readonly runtime?: Partial<Runtime>;
};

export type ClientRequest = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  /** A browser uses its cache only after the server has confirmed the cached response. */
  readonly mustRevalidate?: boolean;
};

export type ClientResponse = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null for a response without a body. */
  readonly body: unknown;
};

export type Sender = {
  readonly runtime: Runtime;
  /** Throws ApiError, ConnectionError, or the reason of the signal. */
  send(request: ClientRequest): Promise<ClientResponse>;
  /** Returns the response before its body is read. A later failure is not retried. */
  open(request: ClientRequest): Promise<Response>;
};

type Failure = { readonly error: ApiError | ConnectionError; readonly isTemporary: boolean };

const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** Time limit of the retries while an earlier request with the same key is in progress. */
const IN_PROGRESS_MS = 35 * 60_000;
const IN_PROGRESS_PAUSE_MAX_MS = 15_000;

export function openSender(options: ClientOptions): Sender {
  const { retries = 4, maxWaitSeconds = 60 } = options;
  const runtime = { ...standardRuntime, ...options.runtime };
  const withRetries = async <T>(
    request: ClientRequest,
    attempt: () => Promise<T | Failure>,
  ): Promise<T> => {
    const startedAt = runtime.now();
    let failureCount = 0;
    let inProgressCount = 0;
    for (;;) {
      request.signal?.throwIfAborted();
      const outcome = await attempt();
      if (!isFailure(outcome)) return outcome;
      const { error, isTemporary } = outcome;
      const isInProgress = error instanceof ApiError && error.code === 'idempotency_in_progress';
      if (isInProgress) inProgressCount += 1;
      else failureCount += 1;
      const isLimitReached = isInProgress
        ? runtime.now() - startedAt > IN_PROGRESS_MS
        : failureCount > retries;
      const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : null;
      if (
        !(isTemporary || isInProgress) ||
        isLimitReached ||
        (retryAfterSeconds ?? 0) > maxWaitSeconds
      )
        throw error;
      const backoffMaxMs = isInProgress ? IN_PROGRESS_PAUSE_MAX_MS : BACKOFF_MAX_MS;
      const backoffMs = Math.min(
        backoffMaxMs,
        BACKOFF_MS * 2 ** Math.min(16, isInProgress ? inProgressCount : failureCount),
      );
      await runtime.wait(pauseMs(retryAfterSeconds, backoffMs, runtime.random()), request.signal);
    }
  };
  const startRequest = (request: ClientRequest, signal: AbortSignal | undefined) =>
    runtime.fetch(request.url, {
      method: request.method,
      headers: {
        accept: 'application/json',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      ...(signal !== undefined && { signal }),
      ...(request.mustRevalidate && { cache: 'no-cache' }),
    });
  return {
    runtime,
    send: (request) =>
      withRetries(request, () =>
        catchFailure(request, async () => {
          const response = await startRequest(
            request,
            withTimeout(request.signal, options.timeoutMs),
          );
          const text = await response.text();
          return parseResponse(response, text, runtime.now());
        }),
      ),
    open: (request) =>
      withRetries(request, () =>
        catchFailure(request, async () => {
          const response = await startRequest(request, request.signal);
          if (response.ok) return response;
          return failureOf(response, await response.text(), runtime.now());
        }),
      ),
  };
}

/** At least the required delay. A random part keeps clients from retrying at the same time. */
function pauseMs(retryAfterSeconds: number | null, backoffMs: number, randomShare: number): number {
  const retryAfterMs = (retryAfterSeconds ?? 0) * 1000;
  if (retryAfterMs >= backoffMs)
    return retryAfterMs + randomShare * Math.max(250, retryAfterMs / 4);
  return Math.max(retryAfterMs, backoffMs / 2) + (randomShare * backoffMs) / 2;
}

function withTimeout(signal: AbortSignal | undefined, timeoutMs: number | undefined) {
  if (timeoutMs === undefined) return signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

async function catchFailure<T>(
  { signal, url }: ClientRequest,
  attempt: () => Promise<T>,
): Promise<T | Failure> {
  try {
    return await attempt();
  } catch (cause) {
    // An abort by the caller is not a connection failure.
    if (signal?.aborted) throw cause;
    const { origin } = new URL(url);
    return {
      error: new ConnectionError(`No complete response came from ${origin}.`, { cause }),
      isTemporary: true,
    };
  }
}

const isFailure = (outcome: unknown): outcome is Failure =>
  typeof outcome === 'object' && outcome !== null && 'isTemporary' in outcome;

/** Throws for a body that is not JSON: the body is incomplete, or another server sent it. */
function parseResponse(response: Response, text: string, now: number): ClientResponse | Failure {
  const { status, headers } = response;
  if (status >= 400) return failureOf(response, text, now);
  return { status, headers, body: text === '' ? null : JSON.parse(text) };
}

const temporaryStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

function failureOf({ status, headers }: Response, text: string, now: number): Failure {
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'), now);
  const requestId = headers.get('x-request-id');
  const problem = parseProblem(text, status);
  const error = new ApiError({ status, problem, requestId, retryAfterSeconds });
  return { error, isTemporary: temporaryStatuses.has(status) };
}

/** Seconds, or a date (RFC 9110, 10.2.3); null for neither. */
function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const retryTime = Date.parse(header);
  return Number.isNaN(retryTime) ? null : Math.max(0, Math.ceil((retryTime - now) / 1000));
}

/** Reads a problem, or the `{ error }` of a chat relay. Another body gives `http_<status>`. */
function parseProblem(text: string, status: number): ProblemDetails {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {}
  const errorBody = isRecord(body) && isRecord(body.error) ? body.error : body;
  if (!isRecord(errorBody) || typeof errorBody.code !== 'string') return { code: `http_${status}` };
  const { message } = errorBody;
  return {
    ...errorBody,
    code: errorBody.code,
    ...(typeof message === 'string' && { detail: message }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** An address below the base, with the query parameters that have a value. */
export function addressOf(baseUrl: string, path: string, query: QueryValues = {}): string {
  const presentEntries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(presentEntries).toString();
  return `${baseUrl.replace(/\/+$/, '')}${path}${search === '' ? '' : `?${search}`}`;
}
