// Raises the hold of a running stream before the output reaches the hold. The stream continues
// during the extension. When an extension is not covered, the stream ends at the end of the hold.
// Without a response of the ledger, the stream ends at the extended hold. Relay contract, 2.3.
import { tokensOf } from '../token-usage.ts';

/**
 * Share of the held output at which the hold is extended, because the extension takes a statement's
 * time.
 */
const EXTENSION_SHARE = 0.8;

export type HoldExtension = {
  /** `bytes`: all output so far. `cut` is called when the hold is used up. */
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
  let coveredTokens = heldTokens;
  /** Output that the running extension would cover. */
  let pendingTokens = 0;
  let runningExtension: Promise<void> | null = null;
  let isFinal = false;
  const extendOnce = async () => {
    const nextTokens = Math.min(coveredTokens * 2, max);
    pendingTokens = nextTokens;
    const result = await extend(nextTokens);
    if (result === 'held') coveredTokens = nextTokens;
    else isFinal = true;
    runningExtension = null;
  };
  return {
    noteWritten: (bytes, cut) => {
      const tokens = tokensOf(bytes);
      if (coveredTokens >= max || tokens < coveredTokens * EXTENSION_SHARE) return;
      if (isFinal) {
        if (tokens >= coveredTokens) cut();
      } else if (runningExtension === null) {
        runningExtension = extendOnce();
      } else if (tokens >= pendingTokens) {
        // The ledger does not respond, and the output already exceeds even the extended hold.
        cut();
      }
    },
    settled: async () => {
      await runningExtension;
    },
  };
}
