// A thread that replies to each message with one message. Callers send one message at a time.
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

/** Rejects when the thread ends before its reply. */
export function requestFromThread<T>(worker: Worker, message: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the thread ended'));
    worker.once('exit', onExit);
    worker.once('message', (reply: T) => {
      worker.off('exit', onExit);
      resolve(reply);
    });
    worker.postMessage(message);
  });
}
