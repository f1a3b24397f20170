// Sets limits of the garbage collector for a process with many bytes outside of the JavaScript
// heap, whose heap grows slowly.
import { setFlagsFromString } from 'node:v8';

/**
 * How much heap and buffers may grow after a collection of all objects, in percent, until V8 begins
 * the next one. When few objects are allocated, V8 permits only 10 percent.
 */
const GROWTH_PERCENT = 30;

/**
 * Makes collections of all objects rare. Each one takes 350 ms of processor time at 100,000 items.
 * By default V8 begins one after each 64 MB of new buffers, however large the heap is. With the
 * second flag, buffers count towards the limit of the heap. V8 prints an error for an unknown flag,
 * so this flag is set only in the versions that have it.
 */
export function setCollectionLimits(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  if (!process.versions.v8.startsWith('13.')) return;
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
