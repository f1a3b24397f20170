// The natural batch: one batch in flight per process, and the next one is whatever queued
// meanwhile. No timer: one caller alone waits for nobody, and many share a statement and an fsync.
import { setImmediate } from 'node:timers';

export type QueueOptions<In, Out> = {
  /** How many inputs one batch may have. */
  readonly maxInputs: number;
  /** How heavy an input is, in bytes; a batch ends before it weighs more than `MOST_BYTES`. */
  readonly sizeOf?: (input: In) => number;
  /**
   * Answers one output per input, in order; an output may be a promise, so that an input can go to
   * a later batch. When it throws, all fail.
   */
  readonly run: (inputs: readonly In[]) => Promise<readonly (Out | Promise<Out>)[]>;
};

export type BatchQueue = {
  /** A queue of the lane: what it answers puts an input into it. */
  queue<In, Out>(options: QueueOptions<In, Out>): (input: In) => Promise<Out>;
  /** Resolves when nothing waits and nothing runs. */
  idle(): Promise<void>;
};

type PendingInput<In, Out> = {
  readonly input: In;
  readonly resolve: (out: Out | Promise<Out>) => void;
  readonly reject: (error: unknown) => void;
};
type Queue = {
  readonly isEmpty: () => boolean;
  /** Answers how many inputs the batch had. */
  readonly runNext: () => Promise<number>;
};

const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export function openBatchQueue(): BatchQueue {
  const queues: Queue[] = [];
  let turn = 0;
  let isBusy = false;
  let whenIdle: (() => void)[] = [];
  const pump = () => {
    // The queues take turns: captures do not wait behind reserves for ever, nor the reverse.
    for (let tried = 0; tried < queues.length; tried += 1) {
      const queue = queues[turn % queues.length];
      turn += 1;
      if (queue === undefined || queue.isEmpty()) continue;
      isBusy = true;
      void queue.runNext().then(goOn);
      return;
    }
    rest();
  };
  const goOn = (answered: number) => {
    // Whoever was answered gets a turn of the event loop to ask again, and joins the next batch.
    // One caller alone joins nobody: what it asks next leaves in the turn in which it is asked.
    if (answered === 1 && queues.every((queue) => queue.isEmpty())) rest();
    else setImmediate(pump);
  };
  const rest = () => {
    isBusy = false;
    for (const wake of whenIdle) wake();
    whenIdle = [];
  };
  return {
    queue: <In, Out>(options: QueueOptions<In, Out>) => {
      const queue = openQueue(options);
      queues.push(queue);
      return (input: In) => {
        const answer = queue.add(input);
        if (!isBusy) pump();
        return answer;
      };
    },
    idle: () =>
      new Promise((resolve) => {
        if (!isBusy) return resolve();
        whenIdle.push(resolve);
      }),
  };
}

function openQueue<In, Out>({ maxInputs: most, sizeOf: weigh, run }: QueueOptions<In, Out>) {
  let waiting: PendingInput<In, Out>[] = [];
  const take = () => {
    let count = 0;
    for (let bytes = 0; count < waiting.length && count < most; count += 1) {
      const one = waiting[count];
      bytes += one && weigh ? weigh(one.input) : 0;
      if (count > 0 && bytes > MAX_BATCH_BYTES) break;
    }
    const batch = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return batch;
  };
  return {
    isEmpty: () => waiting.length === 0,
    add: (input: In) =>
      new Promise<Out>((resolve, reject) => {
        waiting.push({ input, resolve, reject });
      }),
    runNext: async () => {
      const batch = take();
      try {
        const outputs = await run(batch.map((one) => one.input));
        for (const [n, one] of batch.entries()) one.resolve(outputs[n] as Out | Promise<Out>);
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
      return batch.length;
    },
  };
}
