// Articles extracted beside the main thread: parsing a page takes tenths of a second and can take
// any amount of memory. A page that hangs or breaks its thread costs that thread and nothing else.
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import type { Article } from './extract-article.ts';
import type { WorkerAnswer, WorkerJob } from './extract-worker.ts';

export type ArticleJob = {
  readonly bytes: Uint8Array;
  /** The response's Content-Type; null when it had none. */
  readonly contentType: string | null;
  /** Where the page came from, after redirects. */
  readonly url: string;
};

export type ArticleOutcome =
  | { readonly kind: 'extracted'; readonly article: Article }
  /** The thread was stopped. */
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  /** As many jobs wait as may wait: come back later. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'crashed'; readonly reason: string }
  | { readonly kind: 'closed' };

export type ArticlePool = {
  /** Never rejects. Jobs are taken in the order in which they come. */
  extract(job: ArticleJob): Promise<ArticleOutcome>;
  /** Stops the threads; jobs under way or waiting end as closed. */
  close(): Promise<void>;
};

export type ArticlePoolOptions = {
  /** Threads; 1 when absent. */
  readonly size?: number;
  /** For one page, from when a thread takes it; 20 s when absent. */
  readonly timeoutMs?: number;
  /** 4 MiB when absent. */
  readonly maxBytes?: number;
  /** Jobs that may wait for a thread; 32 when absent. */
  readonly maxWaiting?: number;
  /** Heap of one thread; 384 MiB when absent. */
  readonly maxHeapMb?: number;
  /** The file that a thread runs; tests give another. */
  readonly workerFile?: URL;
};

type Waiting = {
  readonly job: ArticleJob;
  readonly resolve: (outcome: ArticleOutcome) => void;
};

const extractor = new URL('./extract-worker.ts', import.meta.url);

/** Threads start with the first jobs, and do not keep the process alive while they rest. */
export function openArticlePool(
  world: Pick<World, 'clock'>,
  options: ArticlePoolOptions = {},
): ArticlePool {
  const { size = 1, timeoutMs = 20_000, maxBytes = 4 * 2 ** 20, maxWaiting = 32 } = options;
  const waiting: Waiting[] = [];
  const resting: Worker[] = [];
  const threads = new Set<Worker>();
  const closing = new AbortController();
  let busy = 0;

  const start = () => {
    const worker = new Worker(options.workerFile ?? extractor, {
      // Flags of the process, such as a debugger's port or an inline script's type, are its own.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.maxHeapMb ?? 384 },
    });
    threads.add(worker);
    // A thread that dies at rest is forgotten; one that dies at work also ends its job (runJob).
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      threads.delete(worker);
      const index = resting.indexOf(worker);
      if (index !== -1) resting.splice(index, 1);
    });
    return worker;
  };

  const work = async () => {
    busy += 1;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const worker = resting.pop() ?? start();
      worker.ref();
      const message = { ...next.job, now: world.clock.now() };
      const outcome = await runJob(world, worker, message, timeoutMs, closing.signal);
      // Whatever else happened, the thread may be dying or spoiled: the next page gets another.
      if (outcome.kind === 'extracted' && threads.has(worker)) {
        worker.unref();
        resting.push(worker);
      } else {
        await worker.terminate();
      }
      next.resolve(outcome);
    }
    busy -= 1;
  };

  return {
    extract: (job) =>
      new Promise((resolve) => {
        if (closing.signal.aborted) return resolve({ kind: 'closed' });
        if (job.bytes.byteLength > maxBytes) return resolve({ kind: 'too_large' });
        if (busy >= size && waiting.length >= maxWaiting) return resolve({ kind: 'busy' });
        waiting.push({ job, resolve });
        if (busy < size) void work();
      }),
    close: async () => {
      closing.abort();
      for (const { resolve } of waiting.splice(0)) resolve({ kind: 'closed' });
      await Promise.all([...threads].map((worker) => worker.terminate()));
    },
  };
}

/** One job on one thread, until it answers, dies, or time or the pool ends. */
function runJob(
  world: Pick<World, 'clock'>,
  worker: Worker,
  message: WorkerJob,
  timeoutMs: number,
  closed: AbortSignal,
): Promise<ArticleOutcome> {
  const done = new AbortController();
  return new Promise<ArticleOutcome>((resolve) => {
    const onMessage = (answer: WorkerAnswer) => resolve(answer);
    const onError = (error: unknown) => resolve({ kind: 'crashed', reason: messageOf(error) });
    const onExit = () => resolve({ kind: 'crashed', reason: 'the thread ended' });
    worker.once('message', onMessage).once('error', onError).once('exit', onExit);
    closed.addEventListener('abort', () => resolve({ kind: 'closed' }), { signal: done.signal });
    done.signal.addEventListener('abort', () => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    });
    world.clock.sleep(timeoutMs, done.signal).then(
      () => resolve({ kind: 'timed_out' }),
      () => undefined,
    );
    worker.postMessage(message);
  }).finally(() => done.abort());
}
