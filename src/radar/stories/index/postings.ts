// Lists the items of each term, newest first. Each term has a chain of chunks in one block of
// memory, so that a long list is read in runs. Chunks double in size up to a bound. Most terms have
// one item and need no chunk.
import { growTypedArray } from './grow-typed-array.ts';

export type Postings = ReturnType<typeof openPostings>;

// A chunk has a link to the previous chunk, its capacity with the number of its slots
// (capacity * 256 + number), and its slots. The oldest slot is the first. A link is the address of
// a chunk, -1 - slot for a single slot, or 0 at the end.
const header = 2;
const minCapacity = 2;
const maxCapacity = 64;

export function openPostings() {
  let heads = new Int32Array(1 << 14);
  let block = new Int32Array(1 << 16);
  // No chunk has the address 0.
  let usedLength = header;

  const addChunk = (before: number, capacity: number): number => {
    const end = usedLength + header + capacity;
    if (end > block.length) block = growTypedArray(block, end);
    const chunk = usedLength;
    block[chunk] = before;
    block[chunk + 1] = capacity << 8;
    usedLength = end;
    return chunk;
  };
  return {
    add(term: number, slot: number): void {
      if (term >= heads.length) heads = growTypedArray(heads, term + 1);
      let head = heads[term] ?? 0;
      if (head === 0) {
        heads[term] = -1 - slot;
        return;
      }
      let state = head < 0 ? 0 : (block[head + 1] ?? 0);
      const capacity = state >> 8;
      if ((state & 255) === capacity) {
        head = addChunk(head, capacity === 0 ? minCapacity : Math.min(maxCapacity, capacity * 2));
        heads[term] = head;
        state = block[head + 1] ?? 0;
      }
      block[head + header + (state & 255)] = slot;
      block[head + 1] = state + 1;
    },
    /**
     * Writes at most `max` slots of a term, none below `first`, newest first; returns their number.
     */
    read(term: number, max: number, into: Int32Array, first = 0): number {
      let link = heads[term] ?? 0;
      let count = 0;
      while (link > 0 && count < max) {
        const from = link + header;
        let at = from + ((block[link + 1] ?? 0) & 255);
        for (; at > from && count < max; count += 1) {
          at -= 1;
          const slot = block[at] ?? 0;
          if (slot < first) return count;
          into[count] = slot;
        }
        link = block[link] ?? 0;
      }
      if (link < 0 && count < max && -1 - link >= first) {
        into[count] = -1 - link;
        count += 1;
      }
      return count;
    },
    /** Whether an item other than this one has the term. */
    hasOther(term: number, slot: number): boolean {
      const head = heads[term] ?? 0;
      return head !== 0 && head !== -1 - slot;
    },
    clear(): void {
      heads = new Int32Array(1 << 14);
      block = new Int32Array(1 << 16);
      usedLength = header;
    },
  };
}
