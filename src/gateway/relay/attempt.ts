// How an attempt at one upstream can end, as values.

import type { Halt } from '../../kernel/concurrency/cancel-token.ts';
import type { Code } from '../../kernel/errors/codes.ts';
import type { Pieces } from '../../kernel/net/read-chunks.ts';
import type { ChatError } from './chat-error.ts';
import type { EventSplitter } from './stream/split-events.ts';
import type { Upstream } from './upstream/upstream.ts';

/** Told from outside to a running call. */
export type CallSignals = {
  /** The client has hung up. */
  readonly left: Halt<'left'>;
  /** This process is ending. */
  readonly stopping: Halt<'stopping'>;
};

/** Why an exchange was cut off by us. */
export type CancelReason = 'left' | 'late' | 'stopping' | 'stalled' | 'over';

export type StartedResponse = StartedStream | StartedWhole;

export type StartedStream = {
  readonly kind: 'stream';
  readonly upstream: Upstream;
  /** Ends the exchange with the upstream, at once. */
  readonly cut: Halt<CancelReason>;
  readonly pieces: Pieces;
  readonly splitter: EventSplitter;
  /** At least one event. */
  readonly first: readonly Buffer[];
  /** Until the first event. */
  readonly latencyMs: number;
};

export type StartedWhole = {
  readonly kind: 'whole';
  readonly upstream: Upstream;
  readonly bytes: Buffer;
  readonly value: Readonly<Record<string, unknown>>;
};

/** The request itself is at fault, as the upstream says. */
export type UpstreamRefusal = {
  readonly kind: 'refused';
  readonly upstream: Upstream;
  readonly status: number;
  readonly error: ChatError;
};

/** Another upstream may do better. */
export type UpstreamFailure = {
  readonly kind: 'trouble';
  readonly code: Extract<
    Code,
    'upstream_error' | 'upstream_timeout' | 'capability_unavailable' | 'temporarily_unavailable'
  >;
  /** For the log alone. */
  readonly problem: string;
  /** It asks to be left alone for so long; 0: it does not. */
  readonly waitMs: number;
  /** The same upstream may do better at once. */
  readonly mayPass: boolean;
};

export type AttemptResult =
  | StartedResponse
  | UpstreamRefusal
  | UpstreamFailure
  | { readonly kind: 'left' };
