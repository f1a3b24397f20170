// Sends one request with retries. A retry waits at least as long as the service requires, plus a
// random delay.
import { ApiError, ConnectionError, type ProblemDetails } from './errors.ts';
import { type Runtime, standardRuntime } from './runtime.ts';

export type ClientOptions = {
  /** `https://radar.example`, with or without a path before the API's own. */
  readonly baseUrl: string;
  /** Number of retries; 4 by default. */
  readonly retries?: number;
  /** A longer Retry-After is thrown as an error; 60 by default. */
  readonly maxWaitSeconds?: number;
  /** Time limit of one attempt, until its last byte. */
  readonly timeoutMs?: number;
  readonly runtime?: Partial<Runtime>;
};

export type Sent = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  /** Bypasses the browser's cache. */
  readonly bypassesCache?: boolean;
};

export type Received = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; null for a response without a body. */
  readonly body: unknown;
};

export type Sender = {
  readonly runtime: Runtime;
  /** Throws ApiError, ConnectionError, or the reason of the signal. */
  send(sent: Sent): Promise<Received>;
  /** The response before its body is read; only this part is retried. */
  open(sent: Sent): Promise<Response>;
};

type Failure = { readonly error: ApiError | ConnectionError; readonly isTemporary: boolean };

const BACKOFF_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** For a response that is not ready yet: repeats the request for this time, with growing delays. */
const IN_PROGRESS_MS = 35 * 60_000;
const IN_PROGRESS_PAUSE_MAX_MS = 15_000;

export function openSender(options: ClientOptions): Sender {
  const { retries = 4, maxWaitSeconds = 60 } = options;
  const runtime = { ...standardRuntime, ...options.runtime };
  const persist = async <T>(sent: Sent, attempt: () => Promise<T | Failure>): Promise<T> => {
    const startedAt = runtime.now();
    let failed = 0;
    let busy = 0;
    for (;;) {
      sent.signal?.throwIfAborted();
      const outcome = await attempt();
      if (!isFailure(outcome)) return outcome;
      const { error, isTemporary } = outcome;
      const isBusy = error instanceof ApiError && error.code === 'idempotency_in_progress';
      if (isBusy) busy += 1;
      else failed += 1;
      const isLate = isBusy ? runtime.now() - startedAt > IN_PROGRESS_MS : failed > retries;
      const retryAfterSeconds = error instanceof ApiError ? error.retryAfterSeconds : null;
      if (!(isTemporary || isBusy) || isLate || (retryAfterSeconds ?? 0) > maxWaitSeconds)
        throw error;
      const max = isBusy ? IN_PROGRESS_PAUSE_MAX_MS : BACKOFF_MAX_MS;
      const backoff = Math.min(max, BACKOFF_MS * 2 ** Math.min(16, isBusy ? busy : failed));
      await runtime.wait(pauseMs(retryAfterSeconds, backoff, runtime.random()), sent.signal);
    }
  };
  const begin = (sent: Sent, signal: AbortSignal | undefined) =>
    runtime.fetch(sent.url, {
      method: sent.method,
      headers: {
        accept: 'application/json',
        ...(sent.body !== undefined && { 'content-type': 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
      ...(signal !== undefined && { signal }),
      ...(sent.bypassesCache && { cache: 'no-cache' }),
    });
  return {
    runtime,
    send: (sent) =>
      persist(sent, () =>
        catchFailure(sent, async () => {
          const response = await begin(sent, limited(sent.signal, options.timeoutMs));
          const text = await response.text();
          return read(response, text, runtime.now());
        }),
      ),
    open: (sent) =>
      persist(sent, () =>
        catchFailure(sent, async () => {
          const response = await begin(sent, sent.signal);
          if (response.ok) return response;
          return refused(response, await response.text(), runtime.now());
        }),
      ),
  };
}

/** The required delay and up to a quarter more, so that clients do not retry at the same time. */
function pauseMs(retryAfterSeconds: number | null, backoffMs: number, chance: number): number {
  const retryAfterMs = (retryAfterSeconds ?? 0) * 1000;
  if (retryAfterMs >= backoffMs) return retryAfterMs + chance * Math.max(250, retryAfterMs / 4);
  return Math.max(retryAfterMs, backoffMs / 2) + (chance * backoffMs) / 2;
}

function limited(signal: AbortSignal | undefined, timeoutMs: number | undefined) {
  if (timeoutMs === undefined) return signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

async function catchFailure<T>(
  { signal, url }: Sent,
  attempt: () => Promise<T>,
): Promise<T | Failure> {
  try {
    return await attempt();
  } catch (cause) {
    // An abort by the caller is not a connection failure.
    if (signal?.aborted) throw cause;
    const { origin } = new URL(url);
    return {
      error: new ConnectionError(`No whole answer came from ${origin}.`, { cause }),
      isTemporary: true,
    };
  }
}

const isFailure = (outcome: unknown): outcome is Failure =>
  typeof outcome === 'object' && outcome !== null && 'isTemporary' in outcome;

/** Throws for a body that is not JSON: it was cut off, or another server sent it. */
function read(response: Response, text: string, now: number): Received | Failure {
  const { status, headers } = response;
  if (status >= 400) return refused(response, text, now);
  return { status, headers, body: text === '' ? null : JSON.parse(text) };
}

const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

function refused({ status, headers }: Response, text: string, now: number): Failure {
  const retryAfterSeconds = secondsIn(headers.get('retry-after'), now);
  const requestId = headers.get('x-request-id');
  const problem = problemIn(text, status);
  const error = new ApiError({ status, problem, requestId, retryAfterSeconds });
  return { error, isTemporary: passing.has(status) };
}

/** Seconds, or a date (RFC 9110, 10.2.3); null for neither. */
function secondsIn(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}

/** A problem, or a chat relay's `{ error }`. Of any other body only the status is used. */
function problemIn(text: string, status: number): ProblemDetails {
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
