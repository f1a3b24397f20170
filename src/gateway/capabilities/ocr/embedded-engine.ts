// Runs the OCR engine of the package: tesseract as WebAssembly on worker threads. It needs no
// installation and no download, and it does not block the event loop while it reads an image.

import { Worker } from 'node:worker_threads';
import { threadFile } from '../../../kernel/concurrency/worker-thread.ts';
import type { World } from '../../../kernel/world.ts';
import type { OcrEngine } from './ocr-engine.ts';
import type { OcrReply, OcrRequest, OcrThreadData } from './ocr-thread.ts';
import { readTsvRows } from './read-tsv.ts';

export type EmbeddedEngineOptions = {
  readonly readTimeoutMs: number;
  /**
   * Limit of one thread's WebAssembly memory. An image of 40 megapixels needed 720 MiB in a
   * measurement.
   */
  readonly maxMemoryBytes?: number;
};

const DEFAULT_MAX_MEMORY_BYTES = 2 ** 30;
/** WebAssembly memory never shrinks: a thread above this limit ends after its image. */
const KEPT_MEMORY_BYTES = 192 * 2 ** 20;

const engineThread = new URL('./ocr-thread.ts', import.meta.url);

/** Starts a thread for each concurrent image; the caller limits their number. */
export function openEmbeddedEngine(
  { clock }: Pick<World, 'clock'>,
  { readTimeoutMs, maxMemoryBytes = DEFAULT_MAX_MEMORY_BYTES }: EmbeddedEngineOptions,
): OcrEngine {
  const idle: Worker[] = [];
  const takeThread = () => idle.pop() ?? startThread({ maxMemoryBytes });
  return {
    missing: async () => null,
    recognize: async (bytes, language, signal) => {
      const worker = takeThread();
      const cancelTimeout = new AbortController();
      const timeout = clock
        .sleep(readTimeoutMs, AbortSignal.any([cancelTimeout.signal, signal]))
        .then(
          () => 'timed_out' as const,
          () => (signal.aborted ? 'aborted' : 'answered'),
        );
      const reply = await Promise.race([exchange(worker, { bytes, language }), timeout]);
      cancelTimeout.abort();
      const isReusable = typeof reply === 'object' && reply.memoryBytes <= KEPT_MEMORY_BYTES;
      if (isReusable) idle.push(worker);
      else worker.terminate();
      if (reply === 'timed_out') return 'timed_out';
      if (typeof reply === 'string' || reply.tsv === null) return 'unreadable';
      return readTsvRows(reply.tsv.split('\n'));
    },
  };
}

function startThread(workerData: OcrThreadData): Worker {
  // Process flags such as a debugger's port do not apply to threads.
  const worker = new Worker(threadFile(engineThread), { execArgv: [], workerData });
  // A failed thread is reported by its exit.
  worker.on('error', () => {});
  worker.unref();
  return worker;
}

/**
 * `failed` means that the thread has ended. A thread keeps the process alive only while it reads an
 * image.
 */
function exchange(worker: Worker, request: OcrRequest): Promise<OcrReply | 'failed'> {
  return new Promise((resolve) => {
    const end = (reply: OcrReply | 'failed') => {
      worker.off('message', end).off('exit', onExit);
      worker.unref();
      resolve(reply);
    };
    const onExit = () => end('failed');
    worker.once('message', end).once('exit', onExit);
    worker.ref();
    worker.postMessage(request);
  });
}
