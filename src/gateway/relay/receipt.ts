// Stored facts about a call beside its charge lines: its attempts and its ending. Relay contract,
// 3.6.
import type { FailureClass, UpstreamRefusal } from './attempt.ts';
import type { CallEnding } from './count-usage.ts';
import type { DialectName } from './dialects/dialect.ts';

/** One attempt of a call; the failover updates it during the attempt. */
export type AttemptLog = {
  readonly model: string;
  /** The operator's public name of the upstream; null: none. */
  readonly upstream: string | null;
  failure: FailureClass | UpstreamRefusal['reason'] | 'stopping' | null;
  tries: number;
  /** Epoch ms. */
  readonly startedAt: number;
  firstTokenMs: number | null;
  readonly isContinuation: boolean;
};

export type CallRecord = {
  readonly dialect: DialectName;
  /** The requested model. */
  readonly model: string;
  readonly ended: CallEnding;
  /** The balance did not cover more of the response. */
  readonly cut?: 'balance';
  readonly skippedEvents?: number;
  /** Micro-fen by which the hold was raised while the call ran. */
  readonly extended?: string;
  readonly attempts: readonly AttemptLog[];
};
