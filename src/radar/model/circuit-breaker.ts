// Circuit breaker per model. After consecutive failures no request is sent for a while. The next
// request after the pause tries again.

export type ModelCircuitBreaker = {
  /** The reason for refusing requests now; null when closed. */
  refusal(now: number): string | null;
  succeeded(): void;
  /** `isFinal`: a permanent error such as a wrong key. */
  failed(now: number, why: string, isFinal?: boolean): void;
};

const FAILURES = 5;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

export function openCircuitBreaker(): ModelCircuitBreaker {
  let failures = 0;
  let pauses = 0;
  let until = Number.NEGATIVE_INFINITY;
  let reason = '';
  return {
    refusal: (now) => {
      // The clock was set back by more than any pause, so this pause is invalid.
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
