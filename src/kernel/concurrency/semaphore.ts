// Limits the concurrent work of this process. Owners with waiting work take turns, so that one
// account's long queue does not delay another account. The work of one owner keeps its order.

export type Semaphore = {
  /** Resolves with a release function when a slot is free and the owner's turn has come. */
  acquire(signal?: AbortSignal, owner?: string): Promise<() => void>;
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
};

/** An owner has at most `perOwner` of the slots. */
export function openSemaphore(maxConcurrent: number, perOwner = maxConcurrent): Semaphore {
  let freeSlots = maxConcurrent;
  const slotsByOwner = new Map<string, number>();
  /**
   * The queued starts of each owner. The order of the map is the order of turns: an owner whose
   * work starts moves to the end.
   */
  const queues = new Map<string, Set<() => void>>();

  function startNext(): void {
    for (const [owner, queue] of queues) {
      if (freeSlots === 0) return;
      const slotCount = slotsByOwner.get(owner) ?? 0;
      const [start] = queue;
      if (slotCount >= perOwner || start === undefined) continue;
      queues.delete(owner);
      queue.delete(start);
      if (queue.size > 0) queues.set(owner, queue);
      slotsByOwner.set(owner, slotCount + 1);
      freeSlots -= 1;
      start();
    }
  }

  function releaseOnce(owner: string): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const slotCount = (slotsByOwner.get(owner) ?? 1) - 1;
      if (slotCount === 0) slotsByOwner.delete(owner);
      else slotsByOwner.set(owner, slotCount);
      freeSlots += 1;
      startNext();
    };
  }

  const acquire: Semaphore['acquire'] = (signal, owner = '') =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const queue = queues.get(owner) ?? new Set();
      const onAbort = () => {
        queue.delete(start);
        if (queue.size === 0) queues.delete(owner);
        reject(signal?.reason);
      };
      const start = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve(releaseOnce(owner));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      queues.set(owner, queue.add(start));
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
