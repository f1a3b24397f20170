// Selects the slots or terms with the greatest sums. A heap of bounded size has the least sum
// first.

export function openTopK() {
  let slots = new Int32Array(1);
  let sums = new Float64Array(1);
  let max = 1;
  let count = 0;
  const isLess = (at: number, slot: number, sum: number): boolean => {
    const other = sums[at] ?? 0;
    return other < sum || (other === sum && (slots[at] ?? 0) < slot);
  };
  /** Puts an entry at this place or below. */
  const siftDown = (from: number, slot: number, sum: number): void => {
    let at = from;
    for (let next = at * 2 + 1; next < max; next = at * 2 + 1) {
      const right = next + 1;
      if (right < max && isLess(right, slots[next] ?? 0, sums[next] ?? 0)) next = right;
      if (!isLess(next, slot, sum)) break;
      slots[at] = slots[next] ?? 0;
      sums[at] = sums[next] ?? 0;
      at = next;
    }
    slots[at] = slot;
    sums[at] = sum;
  };
  return {
    /** Drops all slots. Of the slots added afterwards, `size` with the greatest sums are kept. */
    begin(size: number): void {
      if (size > slots.length) [slots, sums] = [new Int32Array(size), new Float64Array(size)];
      [max, count] = [size, 0];
    },
    add(slot: number, sum: number): void {
      if (count === max) {
        if (isLess(0, slot, sum)) siftDown(0, slot, sum);
        return;
      }
      slots[count] = slot;
      sums[count] = sum;
      count += 1;
      if (count < max) return;
      for (let at = (max >> 1) - 1; at >= 0; at -= 1) siftDown(at, slots[at] ?? 0, sums[at] ?? 0);
    },
    /** The kept slots, the greatest sum first; of equal sums the newer slot. */
    take(): readonly number[] {
      const order = Array.from(slots.subarray(0, count).keys());
      order.sort((a, b) => (sums[b] ?? 0) - (sums[a] ?? 0) || (slots[b] ?? 0) - (slots[a] ?? 0));
      return order.map((at) => slots[at] ?? 0);
    },
  };
}
