// The greatest sums among some thousand live slots. Only possible results are sorted and checked
// for being live.
import { growTypedArray } from './grow-typed-array.ts';

export type TopK = {
  add(slot: number, sum: number): void;
  /**
   * Returns at most `max` live slots with the greatest sums, and resets the sums. If two sums are
   * equal, the newer slot comes first. Four times as many slots are candidates, and all slots in
   * the lowest step of these.
   */
  takeFirst(max: number, isLive: (slot: number) => boolean): readonly number[];
};

/** A doubling has sixty-four steps: the first bits of a 32-bit float, without the last. */
const stepBits = 17;
const steps = 1 << (32 - stepBits);

export function openTopK(): TopK {
  let slots = new Int32Array(1 << 12);
  let sums = new Float64Array(1 << 12);
  let rounded = new Float32Array(1 << 12);
  let bits = new Uint32Array(rounded.buffer);
  let count = 0;
  const barOf = openThresholdFinder();

  const add = (slot: number, sum: number): void => {
    if (count === slots.length) {
      [slots, sums] = [growTypedArray(slots, count + 1), growTypedArray(sums, count + 1)];
      rounded = growTypedArray(rounded, count + 1);
      bits = new Uint32Array(rounded.buffer);
    }
    slots[count] = slot;
    sums[count] = sum;
    rounded[count] = sum;
    count += 1;
  };
  /** Drops all but the `enough` greatest. */
  const dropUnlikely = (minCount: number): void => {
    if (count <= minCount) return;
    const bar = barOf(bits, count, minCount);
    let size = 0;
    for (let index = 0; index < count; index += 1) {
      if ((bits[index] ?? 0) >>> stepBits < bar) continue;
      slots[size] = slots[index] ?? 0;
      sums[size] = sums[index] ?? 0;
      size += 1;
    }
    count = size;
  };
  return {
    add,
    takeFirst(max, isLive) {
      dropUnlikely(max * 4);
      for (let at = (count >> 1) - 1; at >= 0; at -= 1) siftDown(sums, slots, at, count);
      const first: number[] = [];
      while (count > 0 && first.length < max) {
        const slot = slots[0] ?? 0;
        if (isLive(slot)) first.push(slot);
        count -= 1;
        slots[0] = slots[count] ?? 0;
        sums[0] = sums[count] ?? 0;
        siftDown(sums, slots, 0, count);
      }
      count = 0;
      return first;
    },
  };
}

/**
 * Returns the highest step such that the `enough` greatest of `count` floats are at or above it.
 */
function openThresholdFinder(): (bits: Uint32Array, count: number, minCount: number) => number {
  // Counts per step; all zero between two queries.
  const counts = new Uint32Array(steps);
  return (bits, count, minCount) => {
    let [min, max] = [steps, 0];
    for (let index = 0; index < count; index += 1) {
      const step = (bits[index] ?? 0) >>> stepBits;
      counts[step] = (counts[step] ?? 0) + 1;
      if (step < min) min = step;
      if (step > max) max = step;
    }
    let bar = max;
    for (let reached = counts[bar] ?? 0; bar > min && reached < minCount; ) {
      bar -= 1;
      reached += counts[bar] ?? 0;
    }
    counts.fill(0, min, max + 1);
    return bar;
  };
}

/** Moves an entry down in the heap of the first `size` entries. */
function siftDown(sums: Float64Array, slots: Int32Array, from: number, size: number): void {
  const [slot, sum] = [slots[from] ?? 0, sums[from] ?? 0];
  const isBefore = (at: number, otherSum: number, otherSlot: number): boolean => {
    const ownSum = sums[at] ?? 0;
    return ownSum > otherSum || (ownSum === otherSum && (slots[at] ?? 0) > otherSlot);
  };
  let at = from;
  for (let next = at * 2 + 1; next < size; next = at * 2 + 1) {
    const right = next + 1;
    if (right < size && isBefore(right, sums[next] ?? 0, slots[next] ?? 0)) next = right;
    if (!isBefore(next, sum, slot)) break;
    slots[at] = slots[next] ?? 0;
    sums[at] = sums[next] ?? 0;
    at = next;
  }
  slots[at] = slot;
  sums[at] = sum;
}
