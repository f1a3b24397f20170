// Sets limits of the garbage collector for a process with many bytes outside of the JavaScript
// heap.
import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects all objects after each 64 MB of new buffers, however large the heap is. At 100,000
 * items, one collection takes 350 ms of processor time. With this flag, buffers count towards the
 * limit of the heap, which grows with its contents. V8 prints an error for an unknown flag, so the
 * flag is set only in the versions that have it.
 */
export function countBytesWithHeap(): void {
  if (!process.versions.v8.startsWith('13.')) return;
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
