// The engine on its own thread, because a hundred items take long and the same process serves
// readers. It receives one request at a time.

import { Worker } from 'node:worker_threads';
import { receiveFromThread, threadFile } from '../../../kernel/concurrency/worker-thread.ts';
import { assert } from '../../../kernel/errors/assert.ts';
import type { Proposal } from '../advice/advice.ts';
import type { EngineReply, Step } from './engine-commands.ts';
import type { EngineRequest, EngineResult, ProposalRequest } from './engine-worker.ts';

export type EngineThread = Awaited<ReturnType<typeof openEngineThread>>;

const file = new URL('./engine-worker.ts', import.meta.url);

/**
 * `editorial`: the editorial folder's path. Rejects with a readable error when the rules are
 * invalid.
 */
export async function openEngineThread(editorial: string) {
  // Process flags such as a debugger's port do not apply to the thread.
  const worker = new Worker(threadFile(file), { execArgv: [], workerData: { editorial } });
  let isAlive = true;
  worker.once('exit', () => {
    isAlive = false;
  });
  const request = async (message: EngineRequest): Promise<EngineResult> => {
    assert(isAlive, 'the story engine’s thread is alive');
    const result = resultOf(worker);
    worker.postMessage(message);
    return result;
  };
  const ready = await resultOf(worker);
  assert(ready.kind === 'ready', 'the story engine’s thread is ready');
  return {
    rules: ready.rules,
    /** An empty engine replaces the previous one. */
    begin: async (): Promise<void> => {
      await request({ kind: 'begin' });
    },
    execute: async (steps: readonly Step[]): Promise<EngineReply> => {
      const result = await request({ kind: 'execute', steps });
      assert(result.kind === 'decided', 'the reply to steps contains decisions');
      return result.reply;
    },
    /** The stories that each item may join; nothing is decided. */
    propose: async (requests: readonly ProposalRequest[]): Promise<readonly Proposal[]> => {
      const result = await request({ kind: 'propose', requests });
      assert(result.kind === 'proposed', 'the reply to requests contains proposals');
      return result.proposals;
    },
    /** False: the thread has ended, and another one is needed. */
    isAlive: () => isAlive,
    close: async (): Promise<void> => {
      await worker.terminate();
    },
  };
}

/** The thread keeps the process alive only while a request is open. */
async function resultOf(worker: Worker): Promise<EngineResult> {
  worker.ref();
  try {
    return await receiveFromThread(worker);
  } finally {
    worker.unref();
  }
}
