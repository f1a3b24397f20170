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
export type Cut = 'left' | 'late' | 'stopping' | 'stalled' | 'over';

export type Begun = BegunStream | BegunWhole;

export type BegunStream = {
  readonly kind: 'stream';
  readonly upstream: Upstream;
  /** Ends the exchange with the upstream, at once. */
  readonly cut: Halt<Cut>;
  readonly pieces: Pieces;
  readonly splitter: EventSplitter;
  /** At least one event. */
  readonly first: readonly Buffer[];
  /** Until the first event. */
  readonly latencyMs: number;
};

export type BegunWhole = {
  readonly kind: 'whole';
  readonly upstream: Upstream;
  readonly bytes: Buffer;
  readonly value: Readonly<Record<string, unknown>>;
};

/** The request itself is at fault, as the upstream says. */
export type Refused = {
  readonly kind: 'refused';
  readonly upstream: Upstream;
  readonly status: number;
  readonly error: ChatError;
};

/** Another upstream may do better. */
export type Trouble = {
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

export type Attempt = Begun | Refused | Trouble | { readonly kind: 'left' };
