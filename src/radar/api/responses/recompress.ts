// Makes the smallest form of a response that is requested again, beside the main thread. One
// response is processed at a time, and only while it is current.
import type { Worker } from 'node:worker_threads';
import { requestFromThread, startThread } from '../../../kernel/concurrency/worker-thread.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import type { CachedResponse } from './cached-response.ts';
import type { RecompressJob } from './recompress-thread.ts';

export type Recompressor = {
  /** Queues a response for its smallest form, unless it has one or the queue is full. */
  improve(response: CachedResponse, coding: ContentCoding): void;
  close(): Promise<void>;
};

const WAITING_MAX = 256;
const thread = new URL('./recompress-thread.ts', import.meta.url);

/** `isCurrent`: whether that response is still in use. The thread starts when needed. */
export function openRecompressor(isCurrent: (response: CachedResponse) => boolean): Recompressor {
  const waiting = new Map<CachedResponse, Set<'gzip' | 'br'>>();
  let worker: Worker | null = null;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      for (let next = takeFirst(waiting); next !== null; next = takeFirst(waiting)) {
        const [response, codings] = next;
        for (const coding of codings) {
          if (!isCurrent(response)) break;
          worker ??= startThread(thread);
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
      const codings = waiting.get(response);
      if (codings) codings.add(coding);
      else if (waiting.size < WAITING_MAX) waiting.set(response, new Set([coding]));
      if (!isRunning) run();
    },
    close: async () => {
      waiting.clear();
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
