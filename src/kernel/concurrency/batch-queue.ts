// Group-commit queue. One batch is in flight; requests that arrive meanwhile form the next batch.
// There is no timer: a single caller does not wait, and many callers share one fsync.
import { setImmediate } from 'node:timers';

export type BatchQueueOptions<In, Out> = {
  /** Maximum number of inputs in a batch. */
  readonly maxInputs: number;
  /** Size of an input, in the unit of `maxSize`; absent: only `maxInputs` limits a batch. */
  readonly sizeOf?: (input: In) => number;
  /** A batch of several inputs has at most this size; absent: 4 MiB, so `sizeOf` returns bytes. */
  readonly maxSize?: number;
  /**
   * Returns one output per input, in order. An output may be a promise, so that an input can join a
   * later batch. A rejection fails all inputs.
   */
  readonly run: (inputs: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>;
};

export type BatchQueue = {
  /** Adds a queue. The returned function puts an input into it. */
  addQueue<In, Out>(options: BatchQueueOptions<In, Out>): (input: In) => Promise<Out>;
  /** Resolves when no input is pending and no batch runs. */
  whenIdle(): Promise<void>;
};

type PendingInput<In, Out> = {
  readonly input: In;
  readonly resolve: (out: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
};
type Queue = {
  readonly isEmpty: () => boolean;
  /** Returns the number of inputs in the batch. */
  readonly runNext: () => Promise<number>;
};

const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export function openBatchQueue(): BatchQueue {
  const queues: Queue[] = [];
  let nextQueueIndex = 0;
  let isBusy = false;
  let idleListeners: (() => void)[] = [];
  const runNextBatch = () => {
    // Round robin, so that no queue (captures, holds) can delay another queue without limit.
    for (let attempt = 0; attempt < queues.length; attempt += 1) {
      const queue = queues[nextQueueIndex % queues.length];
      nextQueueIndex += 1;
      if (queue === undefined || queue.isEmpty()) continue;
      isBusy = true;
      void queue.runNext().then(scheduleNextBatch);
      return;
    }
    markIdle();
  };
  const scheduleNextBatch = (inputCount: number) => {
    // Callers with a result get one turn of the event loop, so that their next requests join the
    // next batch. The request of a single caller starts in the turn in which it arrives.
    if (inputCount === 1 && queues.every((queue) => queue.isEmpty())) markIdle();
    else setImmediate(runNextBatch);
  };
  const markIdle = () => {
    isBusy = false;
    for (const resolveIdle of idleListeners) resolveIdle();
    idleListeners = [];
  };
  return {
    addQueue: <In, Out>(options: BatchQueueOptions<In, Out>) => {
      const queue = openQueue(options);
      queues.push(queue);
      return (input: In) => {
        const result = queue.add(input);
        if (!isBusy) runNextBatch();
        return result;
      };
    },
    whenIdle: () =>
      new Promise((resolve) => {
        if (!isBusy) return resolve();
        idleListeners.push(resolve);
      }),
  };
}

function openQueue<In, Out>({
  maxInputs,
  sizeOf,
  maxSize = MAX_BATCH_BYTES,
  run,
}: BatchQueueOptions<In, Out>) {
  let pendingInputs: PendingInput<In, Out>[] = [];
  const nextBatch = () => {
    let count = 0;
    for (let size = 0; count < pendingInputs.length && count < maxInputs; count += 1) {
      const pendingInput = pendingInputs[count];
      size += pendingInput && sizeOf ? sizeOf(pendingInput.input) : 0;
      if (count > 0 && size > maxSize) break;
    }
    const batch = pendingInputs.slice(0, count);
    pendingInputs = pendingInputs.slice(count);
    return batch;
  };
  return {
    isEmpty: () => pendingInputs.length === 0,
    add: (input: In) =>
      new Promise<Out>((resolve, reject) => {
        pendingInputs.push({ input, resolve, reject });
      }),
    runNext: async () => {
      const batch = nextBatch();
      try {
        const outputs = await run(batch.map(({ input }) => input));
        for (const [index, { resolve }] of batch.entries())
          resolve(outputs[index] as Out | Promise<Out>);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      return batch.length;
    },
  };
}
