// Makes the smallest form of a response that is requested again, beside the main thread. One
// response is processed at a time, and only while it is current.
import type { Worker } from 'node:worker_threads';
import { requestFromThread, startThread } from '../../../kernel/concurrency/worker-thread.ts';
import type { ContentCoding } from '../../../kernel/http/negotiate-coding.ts';
import type { CachedResponse } from './cached-response.ts';
import type { SqueezeJob } from './recompress-thread.ts';

export type Squeezer = {
  /** Asks for the smallest form; ignored when it is there, or when too many wait already. */
  improve(answer: CachedResponse, coding: ContentCoding): void;
  close(): Promise<void>;
};

const WAITING_MAX = 256;
const thread = new URL('./recompress-thread.ts', import.meta.url);

/** `isCurrent`: whether anybody can still be sent that answer. The thread starts when needed. */
export function openSqueezer(isCurrent: (answer: CachedResponse) => boolean): Squeezer {
  const waiting = new Map<CachedResponse, Set<'gzip' | 'br'>>();
  let worker: Worker | null = null;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    try {
      for (let next = takeFirst(waiting); next !== null; next = takeFirst(waiting)) {
        const [answer, codings] = next;
        for (const coding of codings) {
          if (!isCurrent(answer)) break;
          worker ??= startThread(thread);
          const bytes = await squeezed(worker, { bytes: answer.bytes, coding });
          answer.codings.set(coding, { bytes, effort: 2 });
        }
      }
    } catch {
      // The thread is gone; another one starts with the next answer.
      worker = null;
    }
    isRunning = false;
  };
  return {
    improve: (answer, coding) => {
      if (coding === 'identity' || answer.codings.get(coding)?.effort !== 1) return;
      const codings = waiting.get(answer);
      if (codings) codings.add(coding);
      else if (waiting.size < WAITING_MAX) waiting.set(answer, new Set([coding]));
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

async function squeezed(worker: Worker, job: SqueezeJob): Promise<Buffer> {
  const bytes = await requestFromThread<Uint8Array>(worker, job);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
