// Keeps the hold of a running stream ahead of its output. The hold is extended beside the stream;
// the stream ends only where an extension is not covered and all of the hold is used. Relay
// contract, 2.3.
import { tokensOf } from '../token-usage.ts';

/**
 * Share of the held output at which the hold is extended, because the extension takes a statement's
 * time.
 */
const EXTENDED_AT = 0.8;

export type HoldExtension = {
  /** `bytes`: all output so far. `cut` is called when the hold covers no more. */
  noteWritten(bytes: number, cut: () => void): void;
  /** Resolves when no extension is running. */
  settled(): Promise<void>;
};

/** Never rejects. */
export type ExtendHold = (outputTokens: number) => Promise<'held' | 'not_covered'>;

type HoldLimits = {
  /** Tokens of output that the hold covers. */
  readonly heldTokens: number;
  /** Maximum output tokens of this model. */
  readonly max: number;
};

export function openHoldExtension(
  { heldTokens, max }: HoldLimits,
  extend: ExtendHold,
): HoldExtension {
  let covered = heldTokens;
  /** Output that the running extension would cover. */
  let pendingTokens = 0;
  let extending: Promise<void> | null = null;
  let isFinal = false;
  const extendOnce = async () => {
    const next = Math.min(covered * 2, max);
    pendingTokens = next;
    const result = await extend(next);
    if (result === 'held') covered = next;
    else isFinal = true;
    extending = null;
  };
  return {
    noteWritten: (bytes, cut) => {
      const tokens = tokensOf(bytes);
      if (covered >= max || tokens < covered * EXTENDED_AT) return;
      if (isFinal) {
        if (tokens >= covered) cut();
      } else if (extending === null) {
        extending = extendOnce();
      } else if (tokens >= pendingTokens) {
        // The ledger does not respond, and even the extended hold would be used.
        cut();
      }
    },
    settled: async () => {
      await extending;
    },
  };
}
