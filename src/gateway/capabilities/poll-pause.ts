// Computes the pause before the next poll of a task. The pause grows with each poll.

const firstMs = 1_000;
const longestMs = 15_000;

/** The pause in milliseconds after the given number of polls. */
export const pollPauseMs = (polls: number) => Math.min(longestMs, firstMs * 1.5 ** polls);
