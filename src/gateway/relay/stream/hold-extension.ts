// Raises the hold of a running stream before the output reaches the hold. The stream continues
// during the extension. If the balance does not cover the extension, the stream ends when the hold
// is used up. If the ledger does not respond, the stream ends when the extended hold would be used
// up. Relay contract, 2.3.
import { tokensOf } from '../token-usage.ts';

/**
 * Share of the held output at which the hold is extended. The rest covers the output that arrives
 * while the database executes the extension.
 */
const EXTENSION_SHARE = 0.8;

export type HoldExtension = {
  /** `bytes`: all output so far. `endStream` is called when the hold is used up. */
  noteWritten(bytes: number, endStream: () => void): void;
  /** Resolves when no extension is running. */
  whenIdle(): Promise<void>;
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
    noteWritten: (bytes, endStream) => {
      const tokens = tokensOf(bytes);
      if (coveredTokens >= max || tokens < coveredTokens * EXTENSION_SHARE) return;
      if (isFinal) {
        if (tokens >= coveredTokens) endStream();
      } else if (runningExtension === null) {
        runningExtension = extendOnce();
      } else if (tokens >= pendingTokens) {
        // The ledger does not respond, and the output already exceeds even the extended hold.
        endStream();
      }
    },
    whenIdle: async () => {
      await runningExtension;
    },
  };
}
