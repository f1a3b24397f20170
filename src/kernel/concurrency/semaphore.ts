// Limits the concurrent work of this process. Owners with waiting work take turns, so that one
// account's long queue does not delay another account. The work of one owner keeps its order.

export type Semaphore = {
  /** Resolves with a release function when a slot is free and the owner's turn has come. */
  acquire(signal?: AbortSignal, owner?: string): Promise<() => void>;
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
};

/** An owner holds at most `perOwner` of the slots. */
export function openSemaphore(maxConcurrent: number, perOwner = maxConcurrent): Semaphore {
  let free = maxConcurrent;
  const counts = new Map<string, number>();
  /** In the order of the next turn: an owner who is served moves to the end. */
  const waiting = new Map<string, Set<() => void>>();

  function startNext(): void {
    for (const [owner, queue] of waiting) {
      if (free === 0) return;
      const holds = counts.get(owner) ?? 0;
      const [start] = queue;
      if (holds >= perOwner || start === undefined) continue;
      waiting.delete(owner);
      queue.delete(start);
      if (queue.size > 0) waiting.set(owner, queue);
      counts.set(owner, holds + 1);
      free -= 1;
      start();
    }
  }

  function releaseOnce(owner: string): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const holds = (counts.get(owner) ?? 1) - 1;
      if (holds === 0) counts.delete(owner);
      else counts.set(owner, holds);
      free += 1;
      startNext();
    };
  }

  const acquire: Semaphore['acquire'] = (signal, owner = '') =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = waiting.get(owner) ?? new Set();
      const onAbort = () => {
        queue.delete(start);
        if (queue.size === 0) waiting.delete(owner);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(releaseOnce(owner));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.set(owner, queue.add(start));
      startNext();
    });
  return {
    acquire,
    run: async (owner, work) => {
      const release = await acquire(undefined, owner);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
