// Numbers terms, and estimates the share of documents that contain a term. The estimate combines
// the background table with the documents so far. Counts decay with each document, not with time,
// so that a stream without times works too.
import { growTypedArray } from './grow-typed-array.ts';
import { openTermTable } from './term-table.ts';

export type Terms = ReturnType<typeof openTerms>;

export type TermSettings = {
  /** The background table counts as this number of documents. */
  readonly backgroundDocuments: number;
  /** The number of documents after which a count is halved. */
  readonly halfLifeDocuments: number;
  /** Upper limit of weights: a term weighs at most as if one in this number of documents had it. */
  readonly rarestIn: number;
};

/** Assumed document length before any document is read. */
const usualWords = 40;

/** `share(term)`: the term's share of running words in the background table, 0..1. */
export function openTerms(share: (term: string) => number, settings: TermSettings) {
  const numbers = openTermTable();
  // Shares by term, encoded by `shareBits`.
  let shares = new Uint16Array(1 << 14);
  let counts = new Float32Array(1 << 14);
  // Later documents count more, which replaces a decay of every count.
  let unit = 1;
  let documents = 0;
  let meanWords = usualWords;
  const growth = 2 ** (1 / settings.halfLifeDocuments);
  const { backgroundDocuments: background } = settings;
  const minShare = 1 / settings.rarestIn;
  const maxWeight = Math.log(settings.rarestIn);

  const putShare = (id: number, bits: number): number => {
    if (id >= shares.length)
      [shares, counts] = [growTypedArray(shares, id + 1), growTypedArray(counts, id + 1)];
    shares[id] = bits;
    return id;
  };

  const rescale = () => {
    for (let id = 0; id < counts.length; id += 1) counts[id] = (counts[id] ?? 0) / unit;
    documents /= unit;
    unit = 1;
  };

  const shareOf = (id: number): number => {
    // The expected share of documents of average length that contain the term at least once.
    const expected = 1 - (1 - shareOfBits(shares[id] ?? 0)) ** meanWords;
    return (expected * background + (counts[id] ?? 0) / unit) / (background + documents / unit);
  };

  return {
    get size(): number {
      return numbers.size;
    },
    /** The term's number; a new term gets a new number. */
    intern(term: string): number {
      const before = numbers.size;
      const id = numbers.number(term);
      return id < before ? id : putShare(id, shareBits(share(term)));
    },
    /** Two hashes and the share of a term: its form in stored features. */
    storedForm: (id: number) => [numbers.low(id), numbers.high(id), shares[id] ?? 0] as const,
    /** The number of a term whose text is not known. `bits` is the share of a new term. */
    internStored(low: number, high: number, bits: number): number {
      const before = numbers.size;
      const id = numbers.numberFromHashes(low, high);
      return id < before ? id : putShare(id, bits);
    },
    /** The term's share of running words in the background table, 0 for an unlisted term. */
    backgroundShare: (id: number) => shareOfBits(shares[id] ?? 0),
    /** Minus the logarithm of the share of documents that have the term. */
    weight(id: number): number {
      const documentShare = shareOf(id);
      if (documentShare <= minShare) return maxWeight;
      return -Math.log(Math.min(1, documentShare));
    },
    /** Counts one document with these distinct terms and this number of words. */
    count(ids: Iterable<number>, length: number): void {
      unit *= growth;
      documents += unit;
      meanWords += (length - meanWords) / Math.min(1000, 20 + documents / unit);
      for (const id of ids) counts[id] = (counts[id] ?? 0) + unit;
      if (unit > 1e20) rescale();
    },
    /** Drops every term that is not used; returns each kept term's new number, ascending. */
    compact(isUsed: Uint8Array): Int32Array {
      const before = numbers.size;
      const newNumbers = numbers.compact(isUsed);
      moveKept(shares, before, isUsed, newNumbers);
      moveKept(counts, before, isUsed, newNumbers);
      counts.fill(0, numbers.size);
      return newNumbers;
    },
  };
}

/** Copies values of kept terms to their new numbers. */
function moveKept(
  values: Float32Array | Uint16Array,
  before: number,
  isUsed: Uint8Array,
  newNumbers: Int32Array,
): void {
  for (let id = 0; id < before; id += 1) {
    if (isUsed[id] === 1) values[newNumbers[id] ?? 0] = values[id] ?? 0;
  }
}

// A share is stored in 16 bits, so that stored features give equal values.
const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);
function shareBits(share: number): number {
  float[0] = share;
  return (floatBits[0] ?? 0) >>> 16;
}
function shareOfBits(bits: number): number {
  floatBits[0] = bits << 16;
  return float[0] ?? 0;
}
