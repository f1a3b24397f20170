// Counts tokens in a thread that starts at the first text. For a text that is too long, or after
// a timeout of the thread, the estimate is four bytes per token.
import type { Worker } from 'node:worker_threads';
import { requestFromThread, startThread } from '../../../kernel/concurrency/worker-thread.ts';
import { startTimer } from '../../../kernel/time/clock.ts';
import type { World } from '../../../kernel/world.ts';
import { tokensOf } from '../token-usage.ts';

export type TokenCounter = {
  /** Never rejects. */
  count(text: string): Promise<number>;
  close(): Promise<void>;
};

const TEXT_MAX_BYTES = 4 * 1024 * 1024;
/**
 * Time limit for the start of the thread, which reads the vocabulary. The start takes a second on
 * an idle machine. At a load of 17 on two cores it took more than 5 s.
 */
const START_LIMIT_MS = 30_000;
const COUNT_LIMIT_MS = 5_000;
const thread = new URL('./count-tokens-thread.ts', import.meta.url);

export function openTokenCounter({ clock }: World): TokenCounter {
  let worker: Worker | null = null;
  let lastCount: Promise<unknown> = Promise.resolve();
  /** Null: the thread has ended, or did not reply in time. */
  const requestCount = async (countingWorker: Worker, text: string, timeoutMs: number) => {
    const timeout = Promise.withResolvers<null>();
    const cancelTimer = startTimer(clock, timeoutMs, () => timeout.resolve(null));
    try {
      return await Promise.race([requestFromThread<number>(countingWorker, text), timeout.promise]);
    } catch {
      return null;
    } finally {
      cancelTimer();
    }
  };
  const countInThread = async (text: string): Promise<number> => {
    const isStarted = worker !== null;
    worker ??= startThread(thread);
    const countingWorker = worker;
    const isReady = isStarted || (await requestCount(countingWorker, '', START_LIMIT_MS)) !== null;
    const tokens = isReady ? await requestCount(countingWorker, text, COUNT_LIMIT_MS) : null;
    if (tokens !== null) return tokens;
    // The next text starts another thread.
    worker = null;
    await countingWorker.terminate();
    return tokensOf(Buffer.byteLength(text));
  };
  return {
    count: (text) => {
      if (text === '') return Promise.resolve(0);
      const bytes = Buffer.byteLength(text);
      if (bytes > TEXT_MAX_BYTES) return Promise.resolve(tokensOf(bytes));
      const count = lastCount.then(() => countInThread(text));
      lastCount = count;
      return count;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}
