// Extracts articles in worker threads. Parsing a page takes tenths of a second and can use any
// amount of memory. A page that hangs or crashes its thread affects only that thread.

import { Worker } from 'node:worker_threads';
import { threadFile } from '../../../kernel/concurrency/worker-thread.ts';
import { messageOf } from '../../../kernel/errors/fault.ts';
import { startTimer } from '../../../kernel/time/clock.ts';
import type { World } from '../../../kernel/world.ts';
import type { Article } from './extract-article.ts';
import type { WorkerJob, WorkerReply } from './extract-worker.ts';

export type ArticleJob = {
  readonly bytes: Uint8Array;
  /** The response's Content-Type; null when it had none. */
  readonly contentType: string | null;
  /** The address of the page, after redirects. */
  readonly url: string;
};

export type ArticleOutcome =
  | { readonly kind: 'extracted'; readonly article: Article }
  /** The thread was stopped. */
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  /** The queue is full; the caller retries later. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'closed' };

export type ArticlePool = {
  /** Never rejects. Jobs run in the order of their arrival. */
  extract(job: ArticleJob): Promise<ArticleOutcome>;
  /** Stops the threads. Running and queued jobs end as `closed`. */
  close(): Promise<void>;
};

export type ArticlePoolOptions = {
  /** Number of threads; 1 when absent. */
  readonly size?: number;
  /** Limit for one page, counted from the start of its extraction; 20 s when absent. */
  readonly timeoutMs?: number;
  /** 4 MiB when absent. */
  readonly maxBytes?: number;
  /** Queue length; 32 when absent. */
  readonly maxWaiting?: number;
  /** Heap of one thread; 384 MiB when absent. */
  readonly maxHeapMb?: number;
  /** The worker file; tests replace it. */
  readonly workerFile?: URL;
};

type QueuedJob = {
  readonly job: ArticleJob;
  readonly resolve: (outcome: ArticleOutcome) => void;
};

const extractor = new URL('./extract-worker.ts', import.meta.url);

/** Threads start with the first jobs. Idle threads do not keep the process alive. */
export function openArticlePool(
  world: Pick<World, 'clock'>,
  options: ArticlePoolOptions = {},
): ArticlePool {
  const { size = 1, timeoutMs = 20_000, maxBytes = 4 * 2 ** 20, maxWaiting = 32 } = options;
  const queue: QueuedJob[] = [];
  const idleWorkers: Worker[] = [];
  const threads = new Set<Worker>();
  const poolEnd = new AbortController();
  let busyCount = 0;

  const startWorker = () => {
    const worker = new Worker(options.workerFile ?? threadFile(extractor), {
      // Process flags such as a debugger port or an inline script's type do not apply to workers.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 384 },
    });
    threads.add(worker);
    // An idle thread that exits is removed. A busy thread that exits also ends its job (runJob).
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      threads.delete(worker);
      const index = idleWorkers.indexOf(worker);
      if (index !== -1) idleWorkers.splice(index, 1);
    });
    return worker;
  };

  const runQueue = async () => {
    busyCount += 1;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const worker = idleWorkers.pop() ?? startWorker();
      worker.ref();
      const message = { ...next.job, now: world.clock.now() };
      const outcome = await runJob(world, worker, message, timeoutMs, poolEnd.signal);
      // After any other outcome the thread may be damaged. The next page gets a new thread.
      if (outcome.kind === 'extracted' && threads.has(worker)) {
        worker.unref();
        idleWorkers.push(worker);
      } else {
        await worker.terminate();
      }
      next.resolve(outcome);
    }
    busyCount -= 1;
  };

  return {
    extract: (job) =>
      new Promise((resolve) => {
        if (poolEnd.signal.aborted) return resolve({ kind: 'closed' });
        if (job.bytes.byteLength > maxBytes) return resolve({ kind: 'too_large' });
        if (busyCount >= size && queue.length >= maxWaiting) return resolve({ kind: 'busy' });
        queue.push({ job, resolve });
        if (busyCount < size) void runQueue();
      }),
    close: async () => {
      poolEnd.abort();
      for (const { resolve } of queue.splice(0)) resolve({ kind: 'closed' });
      await Promise.all([...threads].map((worker) => worker.terminate()));
    },
  };
}

/** Runs one job on one thread until a reply, an exit, a timeout or the pool's end. */
function runJob(
  world: Pick<World, 'clock'>,
  worker: Worker,
  message: WorkerJob,
  timeoutMs: number,
  poolEnd: AbortSignal,
): Promise<ArticleOutcome> {
  const jobEnd = new AbortController();
  return new Promise<ArticleOutcome>((resolve) => {
    const onMessage = (reply: WorkerReply) => resolve(reply);
    const onError = (error: unknown) => resolve({ kind: 'crashed', reason: messageOf(error) });
    const onExit = () => resolve({ kind: 'crashed', reason: 'the thread ended' });
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
    poolEnd.addEventListener('abort', () => resolve({ kind: 'closed' }), {
      signal: jobEnd.signal,
    });
    jobEnd.signal.addEventListener('abort', () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    });
    const cancelTimer = startTimer(world.clock, timeoutMs, () => resolve({ kind: 'timed_out' }));
    jobEnd.signal.addEventListener('abort', cancelTimer);
    worker.postMessage(message);
  }).finally(() => jobEnd.abort());
}
