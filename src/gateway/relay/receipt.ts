// Stored facts about a call beside its charge lines: its attempts and its ending. Relay contract,
// 3.6.
import type { AttemptTarget, FailureClass, UpstreamRefusal } from './attempt.ts';
import type { CallEnding } from './count-usage.ts';
import type { DialectName } from './dialects/dialect.ts';
import type { TokenUsage } from './token-usage.ts';

/** The output that an attempt received from its upstream. Its cost is computed from it. */
export type AttemptOutput = {
  /** The upstream's own numbers of the attempt; null when it gave none. */
  readonly usage: TokenUsage | null;
  /** Numbers that it reported before the end. */
  readonly interimUsage: TokenUsage | null;
  /** Text of earlier attempts that its request contained. */
  readonly resumedFrom: string;
  readonly text: string;
};

/** One attempt of a call; the failover updates it during the attempt. */
export type AttemptLog = StoredAttempt & {
  readonly target: AttemptTarget;
  /** Null: the upstream sent no part of a response. */
  output: AttemptOutput | null;
};

/** An attempt as it is stored with its call. */
export type StoredAttempt = {
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
  readonly attempts: readonly StoredAttempt[];
};

export const storedAttempts = (attempts: readonly AttemptLog[]): readonly StoredAttempt[] =>
  attempts.map(({ target: _target, output: _output, ...stored }) => stored);
