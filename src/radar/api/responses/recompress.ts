// Compresses a repeatedly requested response to its smallest size, on another thread. The thread
// processes one response at a time, and only while the response cache uses the response.
import type { Worker } from 'node:worker_threads';
import { requestFromThread, startThread } from '../../../kernel/concurrency/worker-thread.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import type { CachedResponse } from './cached-response.ts';
import type { RecompressJob } from './recompress-thread.ts';

export type Recompressor = {
  /** Queues a response, unless its smallest body exists or the queue is full. */
  improve(response: CachedResponse, coding: ContentCoding): void;
  close(): Promise<void>;
};

const WAITING_MAX = 256;
const threadUrl = new URL('./recompress-thread.ts', import.meta.url);

/** `isInUse`: false for a response that the cache has dropped. The thread starts when needed. */
export function openRecompressor(isInUse: (response: CachedResponse) => boolean): Recompressor {
  const waitingCodings = new Map<CachedResponse, Set<'gzip' | 'br'>>();
  let worker: Worker | null = null;
  let isRunning = false;
  const recompressWaiting = async () => {
    isRunning = true;
    try {
      for (let next = takeFirst(waitingCodings); next !== null; next = takeFirst(waitingCodings)) {
        const [response, codings] = next;
        for (const coding of codings) {
          if (!isInUse(response)) break;
          worker ??= startThread(threadUrl);
          const bytes = await recompressInThread(worker, { bytes: response.bytes, coding });
          response.codings.set(coding, { bytes, effort: 2 });
        }
      }
    } catch {
      // The thread has ended; another one starts with the next response.
      worker = null;
    }
    isRunning = false;
  };
  return {
    improve: (response, coding) => {
      if (coding === 'identity' || response.codings.get(coding)?.effort !== 1) return;
      const codings = waitingCodings.get(response);
      if (codings) codings.add(coding);
      else if (waitingCodings.size < WAITING_MAX) waitingCodings.set(response, new Set([coding]));
      if (!isRunning) recompressWaiting();
    },
    close: async () => {
      waitingCodings.clear();
      await worker?.terminate();
    },
  };
}

function takeFirst<K, V>(map: Map<K, V>): readonly [K, V] | null {
  const [first] = map;
  if (first === undefined) return null;
  map.delete(first[0]);
  return first;
}

async function recompressInThread(worker: Worker, job: RecompressJob): Promise<Buffer> {
  const bytes = await requestFromThread<Uint8Array>(worker, job);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
