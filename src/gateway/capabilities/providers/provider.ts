// Sends one request to a provider; every outcome is a value. A schema validates the response. When
// a provider changes its format, the log names the field.

import type { z } from 'zod';
import { messageOf } from '../../../kernel/errors/fault.ts';
import { retryAfterMs } from '../../../kernel/http/retry-after.ts';
import type { NetOutcome, NetRequest } from '../../../kernel/net/net.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import type { World } from '../../../kernel/world.ts';
import type { CircuitState, ProviderFailure, ProviderHealth } from '../capability.ts';
import { providerFailure, unavailable, upstreamError } from '../provider-failures.ts';
import type { ProviderWorld } from '../switches.ts';
import { type Circuit, openCircuit } from './circuit.ts';

export type ProviderOptions = {
  /** In logs, metrics and the catalog: `tikhub`, `image:openai`. */
  readonly name: string;
  /** Without a trailing slash. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly privateHosts: readonly string[];
  /** The header fields with the key. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Meaning of 401 and 403: the operator's key is refused (default), or the requested object is
   * private.
   */
  readonly forbiddenMeans?: 'absent';
};

export type ProviderRequest = {
  /** Appended to the base address; begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly json?: unknown;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array };
  /** In addition to the provider's headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Limit of the response; 4 MiB when absent. */
  readonly maxBytes?: number;
  /** Retried once, immediately, when the connection or the server fails. Default: GET only. */
  readonly isRepeatable?: boolean;
  readonly signal: AbortSignal;
};

export type ProviderResult =
  | { readonly kind: 'response'; readonly bytes: Uint8Array; readonly type: string }
  /** 404 or 410: the requested object or the path does not exist. */
  | { readonly kind: 'absent'; readonly bytes: Uint8Array }
  /** Another 4xx about this request; the caller interprets it. */
  | { readonly kind: 'refused'; readonly status: number; readonly bytes: Uint8Array }
  | ProviderFailure;

export type ProviderValue<T> =
  | { readonly kind: 'read'; readonly value: T }
  | Exclude<ProviderResult, ProviderResponse>;
type ProviderResponse = { readonly kind: 'response' };

export type Provider = {
  readonly name: string;
  /** The maximum time of one request with its retry. */
  readonly longestMs: number;
  request(request: ProviderRequest): Promise<ProviderResult>;
  /** Success: JSON that matches the schema. */
  read<T>(request: ProviderRequest, schema: z.ZodType<T>): Promise<ProviderValue<T>>;
  /** Reports a response that differs from the documentation; it counts as a provider failure. */
  reportMalformed(path: string, problem: string): ProviderFailure;
  health(): ProviderHealth;
};

const TRIES = 2;
/** Pause after a 429 or 503 without `Retry-After`. */
const DEFAULT_PAUSE_MS = 5_000;

export function openProvider(world: ProviderWorld, options: ProviderOptions): Provider {
  const circuit = openCircuit(world, options.name);
  const sendRequest = async (request: ProviderRequest) => {
    const waitMs = circuit.enter();
    if (waitMs > 0) return pausedResult(options, circuit.health().circuit, waitMs);
    let outcome = await sendOnce(world, options, request);
    if (isRetryable(outcome, request)) outcome = await sendOnce(world, options, request);
    request.signal.throwIfAborted();
    return classifyOutcome(circuit, options, { outcome, now: world.clock.now() });
  };
  const reportMalformed = (path: string, problem: string) => {
    circuit.recordFailure(0);
    return { ...upstreamError(`${options.name} ${path}: ${problem}`), mayHaveRun: true as const };
  };
  return {
    name: options.name,
    longestMs: TRIES * options.timeoutMs,
    request: sendRequest,
    reportMalformed,
    read: async (request, schema) => {
      const result = await sendRequest(request);
      if (result.kind !== 'response') return result;
      const parsed = parse(result.bytes, schema);
      if (parsed.kind === 'parsed') return { kind: 'read', value: parsed.value };
      return reportMalformed(request.path, parsed.problem);
    },
    health: circuit.health,
  };
}

type JsonParseResult<T> =
  | { readonly kind: 'parsed'; readonly value: T }
  | { readonly kind: 'mismatch'; readonly problem: string };

/** Parsed JSON, or the first field that does not match the schema. */
export function parse<T>(bytes: Uint8Array, schema: z.ZodType<T>): JsonParseResult<T> {
  let json: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    json = unstorable.test(text) ? JSON.parse(text, replaceUnstorable) : JSON.parse(text);
  } catch (error) {
    return { kind: 'mismatch', problem: `not JSON: ${messageOf(error)}`.slice(0, 200) };
  }
  return parseValue(json, schema);
}

/** Escapes of U+0000 and of surrogates. A truncated text may end with half of a surrogate pair. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/**
 * Replaces characters that the database cannot store; otherwise a job could not store its result
 * and would run again.
 */
const replaceUnstorable = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value;

/** Validates a parsed value. `at`: its position in the response. */
export function parseValue<T>(
  value: unknown,
  schema: z.ZodType<T>,
  at: Path = [],
): JsonParseResult<T> {
  const result = schema.safeParse(value);
  if (result.success) return { kind: 'parsed', value: result.data };
  const { path, message } = deepestIssue(result.error.issues);
  const field = [...at, ...path].join('.') || '(whole)';
  return { kind: 'mismatch', problem: `field ${field}: ${message}` };
}

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

/** When several schemas fail, the problem comes from the schema that matched the longest path. */
function deepestIssue(issues: readonly Issue[]): { readonly path: Path; readonly message: string } {
  const firstIssue = issues[0];
  if (firstIssue === undefined) return { path: [], message: 'does not match' };
  if (firstIssue.code !== 'invalid_union') return firstIssue;
  const deepest = firstIssue.errors
    .map(deepestIssue)
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  if (deepest === undefined) return firstIssue;
  return { path: [...firstIssue.path, ...deepest.path], message: deepest.message };
}

function sendOnce(
  world: World,
  options: ProviderOptions,
  request: ProviderRequest,
): Promise<NetOutcome> {
  const query = new URLSearchParams(request.query).toString();
  const body = bodyOf(request);
  return world.net.request({
    url: `${options.url}${request.path}${query ? `?${query}` : ''}`,
    method: request.method ?? 'GET',
    ...body,
    headers: {
      accept: 'application/json',
      ...options.headers,
      ...request.headers,
      ...body.headers,
    },
    timeoutMs: options.timeoutMs,
    maxBytes: request.maxBytes ?? 4 * 2 ** 20,
    // A secret must not be sent to a redirect's target. An API has no reason to redirect.
    maxRedirects: 0,
    isPolite: false,
    // The operator configured this address, so it is allowed.
    privateHosts: [new URL(options.url).host, ...options.privateHosts],
    signal: request.signal,
  });
}

function bodyOf({ body, json }: ProviderRequest): Pick<NetRequest, 'body' | 'headers'> {
  if (body !== undefined) return { body: body.bytes, headers: { 'content-type': body.type } };
  if (json === undefined) return {};
  return { body: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
}

function isRetryable(outcome: NetOutcome, request: ProviderRequest): boolean {
  const isRepeatable = request.isRepeatable ?? (request.method ?? 'GET') === 'GET';
  if (request.signal.aborted) return false;
  // Without a connection nothing was sent, so even an unrepeatable request can be retried.
  if (outcome.kind === 'failed') {
    return outcome.reason === 'connect' || (isRepeatable && outcome.reason === 'protocol');
  }
  const isBroken = outcome.status >= 500 && outcome.headers['retry-after'] === undefined;
  return isRepeatable && isBroken;
}

function classifyOutcome(
  circuit: Circuit,
  options: ProviderOptions,
  { outcome, now }: { readonly outcome: NetOutcome; readonly now: number },
): ProviderResult {
  const { name } = options;
  if (outcome.kind === 'failed') {
    circuit.recordFailure(outcome.durationMs);
    const internal = `${name}: ${outcome.message}`;
    const failure =
      outcome.reason === 'timeout'
        ? providerFailure('upstream_timeout', 'The provider did not answer in time.', internal)
        : upstreamError(internal);
    return unsentReasons.has(outcome.reason) ? failure : { ...failure, mayHaveRun: true };
  }
  const { status, durationMs, headers, body: bytes } = outcome;
  if (status >= 200 && status < 300) {
    circuit.recordSuccess(durationMs);
    return { kind: 'response', bytes, type: headers['content-type'] ?? '' };
  }
  if (status === 429 || status === 503) {
    circuit.recordFailure(durationMs);
    const waitMs = retryAfterMs(headers, now, HOUR_MS) ?? DEFAULT_PAUSE_MS;
    circuit.pauseFor(waitMs);
    return pausedResult(options, 'open', waitMs);
  }
  const isPrivate = options.forbiddenMeans === 'absent' && (status === 401 || status === 403);
  if (status === 404 || status === 410 || isPrivate) {
    circuit.recordSuccess(durationMs);
    return { kind: 'absent', bytes };
  }
  if (status === 401 || status === 402 || status === 403) {
    circuit.recordFailure(durationMs);
    return unavailable(`${name} answered ${status}: its key or its credit is refused`, 30);
  }
  if (status >= 400 && status < 500) {
    circuit.recordSuccess(durationMs);
    return { kind: 'refused', status, bytes };
  }
  circuit.recordFailure(durationMs);
  return { ...upstreamError(`${name} answered ${status}`), mayHaveRun: true };
}

/** Failures before a request was sent. */
const unsentReasons: ReadonlySet<string> = new Set([
  ...(['invalid_url', 'address_refused', 'dns', 'connect', 'tls'] as const),
]);

function pausedResult(
  { name }: ProviderOptions,
  circuit: CircuitState,
  waitMs: number,
): ProviderFailure {
  // The contract's Retry-After of a 503: 1 to 30 seconds.
  const seconds = Math.min(30, Math.max(1, Math.ceil(waitMs / 1000)));
  if (circuit === 'off') return unavailable(`${name} is switched off`, seconds);
  return unavailable(`${name} is paused for ${Math.ceil(waitMs / 1000)} s`, seconds);
}
