// Vectors of live items, of one model and never two: which items lie nearest to one. The newest so
// many are kept; all are compared, which at some ten thousand takes milliseconds.

export type VectorIndex = {
  readonly model: string;
  readonly size: number;
  has(itemId: string): boolean;
  add(itemId: string, timeMs: number | null, vector: Float32Array): void;
  /** At most `most` others within `reachMs`, the nearest first; `least` is the lowest cosine. */
  nearest(
    vector: Float32Array,
    ask: {
      readonly itemId: string;
      readonly timeMs: number | null;
      readonly reachMs: number;
      readonly most: number;
      readonly least: number;
    },
  ): readonly Near[];
};

export type Near = { readonly itemId: string; readonly cosine: number };

type Entry = {
  readonly itemId: string;
  readonly timeMs: number | null;
  readonly vector: Float32Array;
};

const mostVectors = 20_000;

export function openVectorIndex(model: string, most = mostVectors): VectorIndex {
  const entries = new Map<string, Entry>();
  return {
    model,
    get size() {
      return entries.size;
    },
    has: (itemId) => entries.has(itemId),
    add: (itemId, timeMs, vector) => {
      entries.set(itemId, { itemId, timeMs, vector });
      // The map remembers the order in which they came.
      for (const [oldest] of entries) {
        if (entries.size <= most) break;
        entries.delete(oldest);
      }
    },
    nearest: (vector, { itemId, timeMs, reachMs, most: wanted, least }) => {
      const found: Near[] = [];
      for (const other of entries.values()) {
        if (other.itemId === itemId) continue;
        const isApart =
          timeMs !== null && other.timeMs !== null && Math.abs(timeMs - other.timeMs) > reachMs;
        if (isApart) continue;
        const cosine = product(vector, other.vector);
        if (cosine >= least) found.push({ itemId: other.itemId, cosine });
      }
      found.sort((a, b) => b.cosine - a.cosine || (a.itemId < b.itemId ? -1 : 1));
      return found.slice(0, wanted);
    },
  };
}

/** The cosine of two vectors of length 1. */
export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
