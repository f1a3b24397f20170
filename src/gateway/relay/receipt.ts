// The facts that are stored about a call in addition to its charge lines: the attempts and the
// ending. Relay contract, 3.6.
import type { AttemptTarget, FailureClass, UpstreamRefusal } from './attempt.ts';
import type { CallEnding } from './count-usage.ts';
import type { DialectName } from './dialects/dialect.ts';
import type { BilledClasses } from './prices/price-call.ts';
import { partsOf } from './prices/token-classes.ts';
import type { TokenUsage } from './token-usage.ts';

/**
 * The output that an attempt received from its upstream. The cost of the attempt is computed from
 * this output.
 */
export type AttemptOutput = {
  /** The upstream's own numbers of the attempt; null: the upstream reported no numbers. */
  readonly usage: TokenUsage | null;
  /** Numbers that the upstream reported before the end. */
  readonly interimUsage: TokenUsage | null;
  /** Text of earlier attempts that this attempt's request contained. */
  readonly resumedFrom: string;
  readonly text: string;
};

/** The log entry of an attempt; the failover updates the entry during the attempt. */
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
  /** Null: the upstream sent no part of a response, or its usage was not counted. */
  usage: AttemptUsage | null;
  /** Absent: the attempt is not billed by token. */
  billed?: BilledClasses;
};

/** Totals of input and output, and each part that is not zero by its token class. */
export type AttemptUsage = Readonly<Record<string, number | string>> & {
  readonly counted: string;
  readonly input: number;
  readonly output: number;
};

/** Null: the usage was not counted. */
export function attemptUsageOf(
  usage: TokenUsage & { readonly counted: string },
): AttemptUsage | null {
  const { counted, isContradictory, prompt: input, completion: output } = usage;
  if (counted === 'free') return null;
  return {
    counted: isContradictory ? 'contradictory' : counted,
    input,
    output,
    ...partsOf(usage),
  };
}

export type CallRecord = {
  readonly dialect: DialectName;
  /** The requested model. */
  readonly model: string;
  readonly ended: CallEnding;
  /** Present: the balance did not cover the rest of the response. */
  readonly cut?: 'balance';
  readonly skippedEvents?: number;
  /** Micro-fen by which the hold was raised while the call ran. */
  readonly extended?: string;
  readonly attempts: readonly StoredAttempt[];
};

const hasOutput = ({ output }: Pick<AttemptLog, 'output'>) => output !== null;

/** Whether several attempts sent a part of the response. */
export const isContinued = (attempts: readonly AttemptLog[]): boolean =>
  attempts.filter(hasOutput).length > 1;

/**
 * Returns the index of the attempt that finished the response, or of the last attempt with a part
 * of the response.
 */
export const billedAttemptOf = (attempts: readonly AttemptLog[]): number =>
  attempts.findLastIndex(hasOutput);

export const storedAttempts = (attempts: readonly AttemptLog[]): readonly StoredAttempt[] =>
  attempts.map(({ target: _target, output: _output, ...stored }) => stored);
