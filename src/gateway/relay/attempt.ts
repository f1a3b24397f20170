// Types of an attempt at one upstream and of its outcomes. Relay contract, 3.2, defines the failure
// classes.
import type { CancelToken } from '../../kernel/concurrency/cancel-token.ts';
import type { Code } from '../../kernel/errors/codes.ts';
import type { Chunks } from '../../kernel/net/read-chunks.ts';
import type { ChatError } from './chat-error.ts';
import type { CompleteUsage } from './dialects/dialect.ts';
import type { EventSplitter } from './stream/split-events.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { ModelCircuit } from './upstream/upstream-health.ts';

/** Signals that end a call from outside. */
export type CallSignals = {
  /** Cancelled when the client disconnects. */
  readonly disconnected: CancelToken<'disconnected'>;
  /** This process is ending, and its grace period is over. */
  readonly stopping: CancelToken<'stopping'>;
  /** This process is ending, so no broken stream is continued. */
  isStopping(): boolean;
};

/** The reason why the relay ended an exchange with an upstream. */
export type CancelReason = 'disconnected' | 'timed_out' | 'stopping' | 'stalled' | 'finished';

/** An upstream, with the model that the relay requests there. */
export type AttemptTarget = {
  readonly upstream: Upstream;
  /** The relay's id of the requested model or of a fallback. */
  readonly model: string;
  /** The upstream's id of the model. */
  readonly upstreamModel: string;
  readonly circuit: ModelCircuit;
};

export type StartedResponse = StartedStream | CompleteAttempt;

export type StartedStream = {
  readonly kind: 'stream';
  readonly target: AttemptTarget;
  /** The upstream's id of the request. */
  readonly upstreamRequestId: string | null;
  /** Ends the exchange with the upstream immediately. */
  readonly cancelToken: CancelToken<CancelReason>;
  /** The chunks of the response's body that were not read yet. */
  readonly chunks: Chunks;
  readonly splitter: EventSplitter;
  /**
   * The received events: at least one, and the last event is visible to the client. They are
   * removed when they are forwarded, because they keep the bytes of the whole first read in memory.
   */
  readonly firstEvents: Buffer[];
  /** Time until the first visible event. */
  readonly latencyMs: number;
  readonly reportedModel: string | null;
};

export type CompleteAttempt = {
  readonly kind: 'complete';
  readonly target: AttemptTarget;
  readonly upstreamRequestId: string | null;
  readonly bytes: Buffer;
  readonly usage: CompleteUsage;
  readonly latencyMs: number;
  /** The model that the upstream names in its response; null: none. */
  readonly reportedModel: string | null;
};

/** The upstream rejected the request itself as invalid. */
export type UpstreamRefusal = {
  readonly kind: 'refused';
  readonly upstream: Upstream;
  readonly status: number;
  readonly error: ChatError;
  readonly reason: 'request' | 'too_long' | 'filtered';
};

export type FailureClass = 'busy' | 'broken' | 'reset' | 'silent' | 'account' | 'unknown_model';

/** A failure after which another attempt may succeed. */
export type UpstreamFailure = {
  readonly kind: 'failed';
  readonly failure: FailureClass | 'stopping';
  readonly code: Extract<
    Code,
    'upstream_error' | 'upstream_timeout' | 'capability_unavailable' | 'temporarily_unavailable'
  >;
  /** For the log only. */
  readonly problem: string;
  /** The time of `Retry-After`; null: absent. */
  readonly waitMs: number | null;
  /** True: the circuit breaker counts this failure. */
  readonly isCounted: boolean;
  /**
   * The caller may have caused the error text, for example with words that the provider repeats.
   */
  readonly mayBeCausedByCaller: boolean;
};

export type AttemptResult =
  | StartedResponse
  | UpstreamRefusal
  | UpstreamFailure
  | { readonly kind: 'disconnected' };
