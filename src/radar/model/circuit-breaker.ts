// After failures in a row a model is left alone for a while, so that a thousand items do not each
// wait for a server that is down. The next question after the pause tries again.

export type Breaker = {
  /** Why nobody asks now; null: go on. */
  refusal(now: number): string | null;
  succeeded(): void;
  /** `isFinal`: it will not get better by itself, such as a wrong key. */
  failed(now: number, why: string, isFinal?: boolean): void;
};

const FAILURES = 5;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

export function openBreaker(): Breaker {
  let failures = 0;
  let pauses = 0;
  let until = Number.NEGATIVE_INFINITY;
  let reason = '';
  return {
    refusal: (now) => {
      // Set back by more than any pause, the clock has forgotten this one.
      if (until - now > LONGEST_PAUSE_MS) until = now;
      return until > now ? reason : null;
    },
    succeeded: () => {
      failures = 0;
      pauses = 0;
    },
    failed: (now, why, isFinal = false) => {
      failures += 1;
      if (until > now || (failures < FAILURES && !isFinal)) return;
      until = now + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pauses);
      pauses += 1;
      reason = why;
    },
  };
}
