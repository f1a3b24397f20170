// Sends one HTTP request of an attempt and reads the first visible event, or the whole response.
// `start-response.ts` decides the consequences for the circuit breaker and for other attempts.
import { CancelToken } from '../../kernel/concurrency/cancel-token.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { ReadyRequest, StreamedResponse } from '../../kernel/net/streaming-client.ts';
import type { World } from '../../kernel/world.ts';
import type {
  AttemptResult,
  AttemptTarget,
  CallSignals,
  CancelReason,
  FailureClass,
  UpstreamFailure,
} from './attempt.ts';
import { readChatError } from './chat-error.ts';
import type { ApiDialect } from './dialects/dialect.ts';
import { isRecord } from './is-record.ts';
import { openEventSplitter } from './stream/split-events.ts';
import { readBounded } from './upstream/read-bounded.ts';
import { classifyInBandError, readRefusal } from './upstream/read-refusal.ts';
import type { Upstream } from './upstream/upstream.ts';

/** A connection to an upstream over which nothing has been sent. */
export type PreparedAttempt = {
  readonly target: AttemptTarget;
  readonly exchange: ReadyRequest;
  /** Ends the exchange, even before the request is sent. */
  readonly cancelToken: CancelToken<CancelReason>;
};

export type AttemptRequest = {
  readonly body: string;
  readonly signals: CallSignals;
  readonly headers: ForwardedHeaders;
};

/** Headers of the client that an upstream may receive, by their lower-case names. */
export type ForwardedHeaders = {
  /** Sent to each upstream of the dialect. */
  readonly dialect: Readonly<Record<string, string>>;
  /** Sent only to upstreams with the rule `forwardSession`. */
  readonly session: Readonly<Record<string, string>>;
  readonly traceparent: string | null;
  /** Number of relays that the request has passed, including this relay. */
  readonly hops: number;
};

export function prepareAttempt(
  target: AttemptTarget,
  { body, signals, headers }: AttemptRequest,
): PreparedAttempt {
  const { upstream } = target;
  const cancelToken = openCancelToken(target, signals);
  const exchange = upstream.prepare(body, cancelToken, headersFor(upstream, headers));
  return { target, cancelToken, exchange };
}

/** Builds the headers of a request to an upstream. Relay contract, 1.2 and 3.2. */
export const headersFor = (
  { rules }: Upstream,
  { dialect, session, traceparent, hops }: ForwardedHeaders,
): Readonly<Record<string, string>> => ({
  ...dialect,
  'x-relay-hops': String(hops),
  ...(rules.forwardSession && session),
  ...(rules.traceparent && traceparent !== null && { traceparent }),
});

const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** The relay skips at most this many events that are not JSON. One more ends the stream. */
export const MAX_SKIPPED_EVENTS = 3;

export type AttemptOptions = {
  readonly dialect: ApiDialect;
  readonly isStream: boolean;
  readonly firstTokenMs: number;
  /** True: each event before the first visible event restarts the timer. */
  readonly isReasoning: boolean;
  readonly eventMaxBytes: number;
};

export async function runAttempt(
  { clock }: World,
  { target, exchange, cancelToken }: PreparedAttempt,
  { dialect, isStream, firstTokenMs, isReasoning, eventMaxBytes }: AttemptOptions,
): Promise<AttemptResult> {
  const { rules, deadlines } = target.upstream;
  const startedAt = clock.now();
  const latency = () => clock.now() - startedAt;
  const timeoutMs = isStream ? Math.min(firstTokenMs, rules.maxMs) : rules.responseTimeoutMs;
  const startTimer = () => deadlines.callAfter(timeoutMs, () => cancelToken.cancel('timed_out'));
  let stopTimer = startTimer();
  const noteActivity = () => {
    // Pings do not extend the attempt beyond the time limit of a whole stream.
    if (!isReasoning || latency() + timeoutMs > rules.maxMs) return;
    stopTimer();
    stopTimer = startTimer();
  };
  let isStreaming = false;
  let hasBegun = false;
  try {
    const sendResult = await exchange.send();
    hasBegun = true;
    if (sendResult.status !== 200)
      return await readRefusal(target.upstream, sendResult, clock.now());
    if (!isStream) return await readCompleteAttempt(target, dialect, sendResult, latency);
    const start = { dialect, cancelToken, latency, noteActivity, eventMaxBytes };
    const result = await readStream(target, sendResult, start);
    isStreaming = result.kind === 'stream';
    return result;
  } catch (error) {
    const { reason } = cancelToken;
    if (reason === 'disconnected') return { kind: 'disconnected' };
    // The sandbox throws Faults with the messages of the relay contract.
    if (error instanceof Fault && error.code !== 'upstream_error') throw error;
    if (reason === 'stopping') {
      return toFailure('stopping', 'this process is ending', 'temporarily_unavailable');
    }
    if (reason === 'timed_out')
      return toFailure('silent', 'no response began in time', 'upstream_timeout');
    return toFailure(hasBegun ? 'broken' : 'reset', messageOf(error));
  } finally {
    stopTimer();
    // Closes an exchange that is not a running stream.
    if (!isStreaming) cancelToken.cancel('finished');
  }
}

const toFailure = (
  failure: FailureClass | 'stopping',
  problem: string,
  code: UpstreamFailure['code'] = 'upstream_error',
): UpstreamFailure => {
  return {
    kind: 'failed',
    failure,
    code,
    problem,
    waitMs: null,
    isCounted: failure !== 'stopping',
    mayBeCausedByCaller: false,
  };
};

/**
 * Returns a token that is cancelled when the process stops. A disconnect also cancels the token,
 * unless the upstream is read to its end.
 */
function openCancelToken(
  { upstream: { rules } }: AttemptTarget,
  { disconnected, stopping }: CallSignals,
): CancelToken<CancelReason> {
  const cancelToken = new CancelToken<CancelReason>();
  const onDisconnect =
    rules.onClientDisconnect === 'drain' ? null : () => cancelToken.cancel('disconnected');
  const onStopping = () => cancelToken.cancel('stopping');
  if (onDisconnect !== null) disconnected.on(onDisconnect);
  stopping.on(onStopping);
  // `stopping` exists as long as the process, so each exchange removes its listeners at its end.
  cancelToken.on(() => {
    stopping.off(onStopping);
    if (onDisconnect !== null) disconnected.off(onDisconnect);
  });
  return cancelToken;
}

type StreamStart = {
  readonly dialect: ApiDialect;
  readonly cancelToken: CancelToken<CancelReason>;
  readonly latency: () => number;
  /** Called after each chunk that completes events, none of which is visible. */
  readonly noteActivity: () => void;
  readonly eventMaxBytes: number;
};

async function readStream(
  target: AttemptTarget,
  { headers, body }: StreamedResponse,
  { dialect, cancelToken, latency, noteActivity, eventMaxBytes }: StreamStart,
): Promise<AttemptResult> {
  if (!/^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) {
    return toFailure('broken', 'a stream was requested, and the response has another content type');
  }
  const upstreamRequestId = requestIdOf(headers);
  const eventReader = dialect.openReader();
  const iterator = body[Symbol.asyncIterator]();
  const splitter = openEventSplitter(eventMaxBytes);
  const firstEvents: Buffer[] = [];
  let brokenEvents = 0;
  let reportedModel: string | null = null;
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) return toFailure('broken', 'the stream ended before a visible event');
    let isVisible = false;
    const events = splitter.feed(value);
    for (const event of events) {
      firstEvents.push(event);
      // `forwardStream` reads the events after the first visible event.
      if (isVisible) continue;
      const chunk = eventReader.read(event);
      if (chunk.kind === 'broken') {
        brokenEvents += 1;
        if (brokenEvents > MAX_SKIPPED_EVENTS) return toFailure('broken', chunk.problem);
      }
      // The client has received nothing yet, so another attempt can follow the error.
      if (chunk.kind === 'error') return classifyInBandError(target.upstream, chunk.error);
      if ('value' in chunk) reportedModel ??= reportedModelOf(chunk.value);
      isVisible = chunk.kind === 'content' ? chunk.isVisible : isEnd(chunk.kind);
    }
    if (!isVisible) {
      if (events.length > 0) noteActivity();
      continue;
    }
    return {
      kind: 'stream',
      target,
      upstreamRequestId,
      cancelToken,
      chunks: body,
      splitter,
      firstEvents,
      latencyMs: latency(),
      reportedModel,
    };
  }
}

const isEnd = (kind: string) => kind === 'done' || kind === 'usage';

async function readCompleteAttempt(
  target: AttemptTarget,
  dialect: ApiDialect,
  { headers, body }: StreamedResponse,
  latency: () => number,
): Promise<AttemptResult> {
  const bytes = await readBounded(body, MAX_RESPONSE_BYTES);
  if (bytes === null) return toFailure('broken', 'the response is too long');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return toFailure('broken', 'the response is not JSON');
  }
  const error = readChatError(value);
  if (error !== null) return classifyInBandError(target.upstream, error);
  const usage = isRecord(value) ? dialect.readCompleteResponse(value) : null;
  if (usage === null)
    return toFailure('broken', 'the response is incomplete or has another format');
  return {
    kind: 'complete',
    target,
    upstreamRequestId: requestIdOf(headers),
    bytes,
    usage,
    latencyMs: latency(),
    reportedModel: reportedModelOf(value),
  };
}

/** Events of Messages and Responses contain the model inside of their message or response. */
function reportedModelOf(value: unknown): string | null {
  if (!isRecord(value)) return null;
  const { model, message, response } = value;
  if (typeof model === 'string') return model.slice(0, MAX_MODEL_LENGTH);
  return reportedModelOf(message ?? response);
}

const MAX_MODEL_LENGTH = 200;

/** Providers name a request `request-id` or `x-request-id`. */
function requestIdOf(headers: StreamedResponse['headers']): string | null {
  const id = headers['request-id'] ?? headers['x-request-id'];
  return id !== undefined && /^[\x21-\x7e]{1,200}$/.test(id) ? id : null;
}
