// Dependencies of the SDK on its platform: requests, delays, randomness. Each can be replaced, for
// example to move time in tests or to use a proxy.

export type Runtime = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds; rejects with the signal's reason when it is aborted meanwhile. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 (inclusive) to 1. */
  readonly random: () => number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** A unique text. */
  readonly newKey: () => string;
};

export const standardRuntime: Runtime = {
  fetch: (url, init) => globalThis.fetch(url, init),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const rejectOnAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', rejectOnAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', rejectOnAbort, { once: true });
    }),
  random: () => Math.random(),
  now: () => Date.now(),
  newKey: () => randomKey(),
};

/** `crypto.randomUUID` exists only in secure contexts; `getRandomValues` exists everywhere. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
