// Communicates with a thread that replies to each message with one message. Callers send one
// message at a time.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * The file of a thread: TypeScript in the repository, compiled JavaScript in the installed package.
 */
export function threadFile(file: URL): URL {
  return import.meta.url.endsWith('.js') ? new URL(file.href.replace(/\.ts$/, '.js')) : file;
}

export function startThread(file: URL): Worker {
  const worker = new Worker(threadFile(file), { execArgv: [] });
  // The thread does not keep the process alive. When the thread ends, waiting callers receive an
  // error.
  worker.unref();
  worker.on('error', () => {});
  return worker;
}

/** Rejects with the thread's error, or when the thread ends before its reply. */
export function requestFromThread<T>(worker: Worker, message: unknown): Promise<T> {
  const reply = receiveFromThread<T>(worker);
  worker.postMessage(message);
  return reply;
}

/** The thread's next message. Rejects like `requestFromThread`. */
export async function receiveFromThread<T>(worker: Worker): Promise<T> {
  const settled = new AbortController();
  const { signal } = settled;
  const end = once(worker, 'exit', { signal }).then(() => {
    throw new Error('the thread ended');
  });
  try {
    // `once` rejects when the thread emits an error.
    const [message] = await Promise.race([once(worker, 'message', { signal }), end]);
    return message;
  } finally {
    settled.abort();
  }
}
