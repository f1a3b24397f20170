// The greatest of some thousand sums, and of them the first that live. Only what could be among
// the first is put in order, and only that is asked whether it lives.
import { grown } from '../grown.ts';

export type Ranking = {
  add(slot: number, sum: number): void;
  /**
   * At most `most` slots that live, the greatest sums first (of equal ones the newer slot), and
   * starts anew. Looked for among four times as many, and what lies in one step with the least.
   */
  takeFirst(most: number, isLive: (slot: number) => boolean): readonly number[];
};

/** A doubling has sixty-four steps: the first bits of a 32-bit float, without the last. */
const stepBits = 17;
const steps = 1 << (32 - stepBits);

export function openRanking(): Ranking {
  let slots = new Int32Array(1 << 12);
  let sums = new Float64Array(1 << 12);
  let rounded = new Float32Array(1 << 12);
  let count = 0;
  // How many have each step; all zero between two questions.
  const counts = new Uint16Array(steps);

  /** The lowest step that has at least the `enough` greatest at it or above. */
  const barOf = (enough: number): number => {
    if (count <= enough) return 0;
    const bits = new Uint32Array(rounded.buffer);
    let [least, greatest] = [steps, 0];
    for (let at = 0; at < count; at += 1) {
      const step = (bits[at] ?? 0) >>> stepBits;
      counts[step] = (counts[step] ?? 0) + 1;
      if (step < least) least = step;
      if (step > greatest) greatest = step;
    }
    let bar = greatest;
    for (let reached = counts[bar] ?? 0; bar > least && reached < enough; ) {
      bar -= 1;
      reached += counts[bar] ?? 0;
    }
    counts.fill(0, least, greatest + 1);
    return bar;
  };
  return {
    add(slot, sum) {
      if (count === slots.length) {
        [slots, sums] = [grown(slots, count + 1), grown(sums, count + 1)];
        rounded = grown(rounded, count + 1);
      }
      slots[count] = slot;
      sums[count] = sum;
      rounded[count] = sum;
      count += 1;
    },
    takeFirst(most, isLive) {
      const bar = barOf(most * 4);
      const bits = new Uint32Array(rounded.buffer);
      const [first, likely]: [number[], number[]] = [[], []];
      for (let at = 0; at < count; at += 1) {
        if ((bits[at] ?? 0) >>> stepBits < bar) continue;
        const [slot, sum] = [slots[at] ?? 0, sums[at] ?? 0];
        let place = first.length;
        const isBefore = (other: number) =>
          sum > (likely[other] ?? 0) || (sum === likely[other] && slot > (first[other] ?? 0));
        if (place >= most && !isBefore(place - 1)) continue;
        if (!isLive(slot)) continue;
        if (place < most) first.push(slot);
        else place -= 1;
        for (; place > 0 && isBefore(place - 1); place -= 1) {
          first[place] = first[place - 1] ?? 0;
          likely[place] = likely[place - 1] ?? 0;
        }
        first[place] = slot;
        likely[place] = sum;
      }
      count = 0;
      return first;
    },
  };
}
