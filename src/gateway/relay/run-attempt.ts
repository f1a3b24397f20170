// One attempt at one upstream, until its answer has begun: what it refuses, what may be tried
// elsewhere, and how its circuit takes it.

import { Halt } from '../../kernel/concurrency/cancel-token.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { PipeAnswer, ReadyRequest } from '../../kernel/net/streaming-client.ts';
import type { World } from '../../kernel/world.ts';
import type { AttemptResult, CallSignals, CancelReason, UpstreamFailure } from './attempt.ts';
import { isCallersError, readChatError } from './chat-error.ts';
import type { ChatRequest } from './chat-request.ts';
import { readChunk } from './stream/read-chunk.ts';
import { openEventSplitter } from './stream/split-events.ts';
import { readBounded } from './upstream/read-bounded.ts';
import { readRefusal } from './upstream/read-refusal.ts';
import type { Upstream } from './upstream/upstream.ts';

/** An upstream that is connected to and has not been asked. */
export type PreparedAttempt = {
  readonly upstream: Upstream;
  readonly exchange: ReadyRequest;
  /** Ends the exchange, also before it was asked. */
  readonly cut: Halt<CancelReason>;
};

export function prepareAttempt(
  upstream: Upstream,
  body: string,
  signals: CallSignals,
  traceparent: string | null,
): PreparedAttempt {
  const cut = cutBy(upstream, signals);
  const isTraced = upstream.rules.traceparent && traceparent !== null;
  const tracing = isTraced ? { traceparent } : undefined;
  return { upstream, cut, exchange: upstream.ready(body, cut, tracing) };
}

const EVENT_MAX_BYTES = 1024 * 1024;
const WHOLE_MAX_BYTES = 32 * 1024 * 1024;

export async function runAttempt(
  { clock }: World,
  { upstream, exchange, cut }: PreparedAttempt,
  { isStream }: Pick<ChatRequest, 'isStream'>,
): Promise<AttemptResult> {
  const { rules, circuit, deadlines } = upstream;
  const patienceMs = isStream ? rules.firstByteMs : rules.wholeMs;
  const hasBegun = deadlines.after(patienceMs, () => cut.call('late'));
  const startedAt = clock.now();
  const latency = () => clock.now() - startedAt;
  // What is over is cut off, which lets go of whatever is left of it.
  let isStreaming = false;
  try {
    const answer = await exchange.send();
    const attempt =
      answer.status !== 200
        ? await readRefusal(upstream, answer, clock.now())
        : isStream
          ? await readStream(upstream, answer, cut)
          : await readWhole(upstream, answer);
    // Of a stream only its end says how well it went.
    if (attempt.kind === 'stream') {
      isStreaming = true;
      return { ...attempt, latencyMs: latency() };
    }
    if (attempt.kind !== 'trouble') circuit.succeeded(latency());
    else if (attempt.waitMs === 0) circuit.failed(latency());
    else {
      // It is there, and says itself when to come back.
      circuit.succeeded(latency());
      circuit.restFor(attempt.waitMs);
    }
    return attempt;
  } catch (error) {
    const { why } = cut;
    if (why === 'left') return { kind: 'left' };
    // The sandbox refuses in our own words.
    if (error instanceof Fault && error.code !== 'upstream_error') throw error;
    if (why === 'stopping') return trouble('temporarily_unavailable', 'this process is ending');
    circuit.failed(latency());
    if (why === 'late') return trouble('upstream_timeout', 'no answer began in time');
    return { ...trouble('upstream_error', messageOf(error)), mayPass: true };
  } finally {
    hasBegun();
    if (!isStreaming) cut.call('over');
  }
}

const trouble = (code: UpstreamFailure['code'], problem: string): UpstreamFailure => {
  return { kind: 'trouble', code, problem, waitMs: 0, mayPass: false };
};

/** Cut at once when the client leaves, unless the upstream is read to its end all the same. */
function cutBy({ rules }: Upstream, { left, stopping }: CallSignals): Halt<CancelReason> {
  const cut = new Halt<CancelReason>();
  const onLeft = rules.whenClientLeaves === 'drain' ? null : () => cut.call('left');
  const onStopping = () => cut.call('stopping');
  if (onLeft !== null) left.on(onLeft);
  stopping.on(onStopping);
  // One of them lives as long as the process: whatever is over lets go of it.
  cut.on(() => {
    stopping.off(onStopping);
    if (onLeft !== null) left.off(onLeft);
  });
  return cut;
}

async function readStream(
  upstream: Upstream,
  { headers, body }: PipeAnswer,
  cut: Halt<CancelReason>,
): Promise<AttemptResult> {
  if (!/^text\/event-stream\b/i.test(String(headers['content-type'] ?? ''))) {
    return trouble('upstream_error', 'a stream was asked for and something else came');
  }
  const reader = body[Symbol.asyncIterator]();
  const splitter = openEventSplitter(EVENT_MAX_BYTES);
  for (;;) {
    const { done, value } = await reader.next();
    if (done) return { ...trouble('upstream_error', 'a stream without an event'), mayPass: true };
    const first = splitter.feed(value);
    if (first[0] === undefined) continue;
    const chunk = readChunk(first[0]);
    if (chunk.kind === 'broken') return trouble('upstream_error', chunk.problem);
    if (chunk.kind !== 'error') {
      return { kind: 'stream', upstream, cut, pieces: body, splitter, first, latencyMs: 0 };
    }
    // An error instead of a stream is an error before the first byte, whatever the status.
    const { error } = chunk;
    if (!isCallersError(error)) return trouble('upstream_error', error.message);
    cut.call('over');
    return { kind: 'refused', upstream, status: 400, error };
  }
}

async function readWhole(upstream: Upstream, { body }: PipeAnswer): Promise<AttemptResult> {
  const bytes = await readBounded(body, WHOLE_MAX_BYTES);
  if (bytes === null) return trouble('upstream_error', 'an answer without an end');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return trouble('upstream_error', 'an answer that is not JSON');
  }
  const error = readChatError(value);
  if (error !== null) {
    if (!isCallersError(error)) return trouble('upstream_error', error.message);
    return { kind: 'refused', upstream, status: 400, error };
  }
  if (typeof value === 'object' && value !== null && 'choices' in value) {
    const { choices } = value;
    if (Array.isArray(choices)) return { kind: 'whole', upstream, bytes, value: { ...value } };
  }
  return trouble('upstream_error', 'the field "choices" is missing');
}
