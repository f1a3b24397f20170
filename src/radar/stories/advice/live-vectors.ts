// An index of the vectors of live items, for one model, with nearest-neighbour search. A component
// takes one byte, so that a live window fits into bounded memory. A full index keeps the newest
// vectors. A search runs in slices of about a thousand vectors and does not block other work.
import { setImmediate } from 'node:timers/promises';

export type VectorIndex = ReturnType<typeof openVectorIndex>;

type IndexEntry = {
  readonly itemId: string;
  readonly timeMs: number | null;
  readonly isHan: boolean;
};

type NeighbourQuery = {
  readonly itemId: string;
  readonly timeMs: number | null;
  readonly reachMs: number;
  readonly max: number;
  readonly min: number;
};

type VectorNeighbour = {
  readonly itemId: string;
  readonly isHan: boolean;
  readonly cosine: number;
};

/** 170,000 vectors of 1,536 numbers. */
const maxBytes = 256 * 1024 * 1024;
/** Number of vectors per memory block, and per slice of a search. */
const BLOCK_SIZE = 1_024;

type Block = { readonly numbers: Int8Array; readonly scales: Float32Array };

export function openVectorIndex(model: string, max = Number.POSITIVE_INFINITY) {
  const rows = new Map<string, number>();
  const entries: (IndexEntry | undefined)[] = [];
  const free: number[] = [];
  const blocks: Block[] = [];
  let capacity = max;
  const remove = (row: number): void => {
    const entry = entries[row];
    if (entry === undefined) return;
    rows.delete(entry.itemId);
    entries[row] = undefined;
    free.push(row);
  };
  /** Frees some of the oldest rows when none is free; null when all rows are newer. */
  const rowFor = ({ itemId, timeMs }: IndexEntry): number | null => {
    const existing = rows.get(itemId);
    if (existing !== undefined) return existing;
    if (free.length === 0 && entries.length >= capacity) {
      for (const row of oldestRows(entries, timeMs)) remove(row);
      if (free.length === 0) return null;
    }
    return free.pop() ?? entries.length;
  };
  return {
    model,
    get size(): number {
      return rows.size;
    },
    has: (itemId: string) => rows.has(itemId),
    /** False: the index is full of newer vectors. */
    add: (entry: IndexEntry, vector: Float32Array): boolean => {
      capacity = Math.min(capacity, Math.floor(maxBytes / vector.length));
      const row = rowFor(entry);
      if (row === null) return false;
      entries[row] = entry;
      rows.set(entry.itemId, row);
      const at = Math.floor(row / BLOCK_SIZE);
      blocks[at] ??= newBlock(vector.length);
      write(blocks[at], row % BLOCK_SIZE, vector);
      return true;
    },
    /** Removes vectors that are older than this time, epoch milliseconds. */
    forget: (olderThanMs: number): void => {
      for (const [row, entry] of entries.entries()) {
        if (entry?.timeMs != null && entry.timeMs < olderThanMs) remove(row);
      }
    },
    /** At most `max` neighbours within `reachMs`, nearest first; `min` is the minimum cosine. */
    nearest: async (
      vector: Float32Array,
      query: NeighbourQuery,
    ): Promise<readonly VectorNeighbour[]> => {
      const neighbours: VectorNeighbour[] = [];
      const { bytes, scale } = quantize(vector);
      for (const [index, block] of blocks.entries()) {
        if (index > 0) await setImmediate();
        for (let row = 0; row < BLOCK_SIZE; row += 1) {
          const entry = entries[index * BLOCK_SIZE + row];
          if (entry === undefined || entry.itemId === query.itemId) continue;
          if (!isWithin(entry, query)) continue;
          const cosine = productAt(block, row, bytes) * scale;
          const { itemId, isHan } = entry;
          if (cosine >= query.min) neighbours.push({ itemId, isHan, cosine });
        }
      }
      neighbours.sort((a, b) => b.cosine - a.cosine || (a.itemId < b.itemId ? -1 : 1));
      return neighbours.slice(0, query.max);
    },
  };
}

const newBlock = (dimensions: number): Block => ({
  numbers: new Int8Array(BLOCK_SIZE * dimensions),
  scales: new Float32Array(BLOCK_SIZE),
});

function isWithin(entry: IndexEntry, { timeMs, reachMs }: NeighbourQuery): boolean {
  if (timeMs === null || entry.timeMs === null) return true;
  return Math.abs(timeMs - entry.timeMs) <= reachMs;
}

/**
 * Rows of the oldest vectors that are older than this time: at most a hundredth of all vectors, but
 * at least one.
 */
function oldestRows(
  entries: readonly (IndexEntry | undefined)[],
  timeMs: number | null,
): readonly number[] {
  const times = entries.flatMap((entry, row) => {
    const at = entry?.timeMs ?? Number.POSITIVE_INFINITY;
    return entry !== undefined && at < (timeMs ?? Number.POSITIVE_INFINITY) ? [{ row, at }] : [];
  });
  const dropCount = Math.max(1, Math.floor(entries.length / 100));
  return times
    .sort((a, b) => a.at - b.at)
    .slice(0, dropCount)
    .map(({ row }) => row);
}

const MAX_BYTE = 127;

function quantize(vector: Float32Array) {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / MAX_BYTE;
  const bytes = Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale)));
  return { bytes, scale };
}

function write({ numbers, scales }: Block, row: number, vector: Float32Array): void {
  const { bytes, scale } = quantize(vector);
  numbers.set(bytes, row * vector.length);
  scales[row] = scale;
}

/** Integer arithmetic, four components at a time, because a search spends most time here. */
function productAt({ numbers, scales }: Block, row: number, bytes: Int8Array): number {
  const { length } = bytes;
  const from = row * length;
  const product = (dimension: number) =>
    Math.imul(numbers[from + dimension] ?? 0, bytes[dimension] ?? 0);
  let [sumA, sumB, sumC, sumD] = [0, 0, 0, 0];
  let dimension = 0;
  for (; dimension + 3 < length; dimension += 4) {
    sumA = (sumA + product(dimension)) | 0;
    sumB = (sumB + product(dimension + 1)) | 0;
    sumC = (sumC + product(dimension + 2)) | 0;
    sumD = (sumD + product(dimension + 3)) | 0;
  }
  for (; dimension < length; dimension += 1) sumA = (sumA + product(dimension)) | 0;
  return (sumA + sumB + sumC + sumD) * (scales[row] ?? 0);
}

/** The cosine of two vectors of length 1. */
export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
