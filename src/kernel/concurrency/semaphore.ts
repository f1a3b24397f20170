// Limits the concurrent work of this process; further callers wait in order of arrival.

export type Semaphore = {
  /** Resolves with a release function when a slot is free. */
  acquire(signal?: AbortSignal): Promise<() => void>;
};

export function openSemaphore(maxConcurrent: number): Semaphore {
  let inside = 0;
  const waiting = new Set<() => void>();
  const leave = () => {
    const [next] = waiting;
    if (next === undefined) inside -= 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  const once = () => {
    let isDone = false;
    return () => {
      if (!isDone) leave();
      isDone = true;
    };
  };
  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (inside < maxConcurrent) {
          inside += 1;
          return resolve(once());
        }
        const onAbort = () => {
          waiting.delete(turn);
          reject(signal?.reason);
        };
        const turn = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(once());
        };
        waiting.add(turn);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}
