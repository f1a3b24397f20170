// The thread that compresses bodies to their smallest size. It has the lowest priority, because it
// must not delay responses.
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { assert } from '../../../kernel/errors/assert.ts';
import { compress } from '../../../kernel/http/compress.ts';

export type RecompressJob = { readonly bytes: Uint8Array; readonly coding: 'gzip' | 'br' };

const port = parentPort;
assert(port !== null, 'this file was not started as a worker thread');
lowerOwnPriority();
port.on('message', ({ bytes, coding }: RecompressJob) => {
  port.postMessage(compress(bytes, coding, 2));
});

/** On Linux a thread has its own priority, set by its id. Elsewhere only the process has one. */
function lowerOwnPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, constants.priority.PRIORITY_LOW);
  } catch {
    // Without /proc, or without permission, the thread keeps its normal priority.
  }
}
