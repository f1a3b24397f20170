// Counts tokens in a thread that starts at the first text. For a text that is too long, or after
// a timeout of the thread, the estimate is four bytes per token.
import type { Worker } from 'node:worker_threads';
import { requestFromThread, startThread } from '../../../kernel/concurrency/worker-thread.ts';
import type { World } from '../../../kernel/world.ts';
import { tokensOf } from '../token-usage.ts';

export type TokenCounter = {
  /** Never rejects. */
  count(text: string): Promise<number>;
  close(): Promise<void>;
};

const TEXT_MAX_BYTES = 4 * 1024 * 1024;
/** Reading the vocabulary takes a second. */
const LIMIT_MS = 5_000;
const thread = new URL('./count-tokens-thread.ts', import.meta.url);

export function openTokenCounter({ clock }: World): TokenCounter {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const countInThread = async (text: string): Promise<number> => {
    worker ??= startThread(thread);
    const currentWorker = worker;
    const timeout = new AbortController();
    const tooLate = clock.sleep(LIMIT_MS, timeout.signal).then(() => null);
    try {
      const tokens = await Promise.race([requestFromThread<number>(currentWorker, text), tooLate]);
      if (tokens !== null) return tokens;
    } catch {
      // The thread has ended; the next text starts another one.
    } finally {
      timeout.abort();
      tooLate.catch(() => {});
    }
    worker = null;
    await currentWorker.terminate();
    return tokensOf(Buffer.byteLength(text));
  };
  return {
    count: (text) => {
      if (text === '') return Promise.resolve(0);
      const bytes = Buffer.byteLength(text);
      if (bytes > TEXT_MAX_BYTES) return Promise.resolve(tokensOf(bytes));
      const counted = last.then(() => countInThread(text));
      last = counted;
      return counted;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}
