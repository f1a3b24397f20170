// How long to wait before a task is asked about again: soon at first, then less and less often.

const firstMs = 1_000;
const longestMs = 15_000;

/** Milliseconds after that many polls. */
export const pollPauseMs = (polls: number) => Math.min(longestMs, firstMs * 1.5 ** polls);
