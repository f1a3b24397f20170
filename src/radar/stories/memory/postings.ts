// Which items have a term, the newest first: chains in one block of memory.
import { grown } from '../grown.ts';

export type Postings = {
  add(term: number, slot: number): void;
  /** Visits at most `most` slots, the newest first, until `visit` answers false. */
  visit(term: number, most: number, visit: (slot: number) => boolean): void;
  clear(): void;
};

export function openPostings(): Postings {
  let heads = new Int32Array(1 << 14);
  // Entry n is [slot, entry before it]; entry 0 is the end of every chain.
  let entries = new Int32Array(1 << 16);
  let used = 1;
  return {
    add(term, slot) {
      if (term >= heads.length) {
        heads = grown(heads, term + 1);
      }
      if (used * 2 + 2 > entries.length) entries = grown(entries, used * 2 + 2);
      entries[used * 2] = slot;
      entries[used * 2 + 1] = heads[term] ?? 0;
      heads[term] = used;
      used += 1;
    },
    visit(term, most, visit) {
      let entry = heads[term] ?? 0;
      for (let seen = 0; entry !== 0 && seen < most; seen += 1) {
        if (!visit(entries[entry * 2] ?? 0)) return;
        entry = entries[entry * 2 + 1] ?? 0;
      }
    },
    clear() {
      heads = new Int32Array(1 << 14);
      entries = new Int32Array(1 << 16);
      used = 1;
    },
  };
}
