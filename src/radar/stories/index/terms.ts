// Terms as small whole numbers, and how telling each one is: how often the background table and
// the documents read so far have it. A title has some ten words and a lead some hundred, so the
// same word is told for each. Live counts fade by documents, not by hours: a stream without times
// forgets as well.
import { grown } from './grow-typed-array.ts';
import { openTermTable } from './term-table.ts';

export type Terms = {
  readonly size: number;
  /** The term's number; made when it is new. */
  intern(term: string): number;
  /** What a view keeps of a term: two hashes and its share, see `internKnown`. */
  known(id: number): readonly [low: number, high: number, share: number];
  /** The number of a term whose text is not known; `share` counts when it is new. */
  internKnown(low: number, high: number, share: number): number;
  /** The weight of a term in a title: minus the logarithm of the share of titles that have it. */
  titleWeight(term: number): number;
  leadWeight(term: number): number;
  /** Counts terms `times` (0..1) for a story: a new one, or one that was counted before. */
  count(title: readonly number[], lead: readonly number[], times: number, isNew: boolean): void;
  /** Takes one story back, and the terms that were counted twice. */
  uncount(title: readonly number[], all: readonly number[]): void;
  /** Lets go of every term that is not used; answers each kept term's new number, ascending. */
  compact(isUsed: Uint8Array): Int32Array;
};

export type TermSettings = {
  /** How many documents the background table counts as, against those read. */
  readonly backgroundDocuments: number;
  /** A document's count halves after so many others. */
  readonly halfLifeDocuments: number;
  /** No term is rarer than one document in so many. */
  readonly rarestIn: number;
  /** How much a word counts that a story or a likely companion had before, 0..1. */
  readonly toldAgain: number;
};

const titleWords = 10;
const leadWords = 90;

/** `share(term)` is the term's share of running words, 0..1, of what the background knows. */
export function openTerms(share: (term: string) => number, settings: TermSettings): Terms {
  const numbers = openTermTable();
  // As bits, see below.
  let shares = new Uint16Array(1 << 14);
  let titleCounts = new Float32Array(1 << 14);
  let leadCounts = new Float32Array(1 << 14);
  // Instead of fading every count, a later document counts more: the unit grows.
  let unit = 1;
  let documents = 0;
  const growth = 2 ** (1 / settings.halfLifeDocuments);
  const weigh = openWeigh(settings);

  const make = (id: number, bits: number): number => {
    if (id >= shares.length) {
      [shares, titleCounts] = [grown(shares, id + 1), grown(titleCounts, id + 1)];
      leadCounts = grown(leadCounts, id + 1);
    }
    shares[id] = bits;
    return id;
  };

  const weight = (expected: number, counted: number): number =>
    weigh(expected, counted / unit, documents / unit);

  const rescale = () => {
    for (const counts of [titleCounts, leadCounts]) scale(counts, 1 / unit);
    documents /= unit;
    unit = 1;
  };

  return {
    get size() {
      return numbers.size;
    },
    intern(term) {
      const before = numbers.size;
      const id = numbers.number(term);
      return id < before ? id : make(id, shareBits(share(term)));
    },
    known: (id) => [numbers.low(id), numbers.high(id), shares[id] ?? 0],
    internKnown(low, high, bits) {
      const before = numbers.size;
      const id = numbers.numberOf(low, high);
      return id < before ? id : make(id, bits);
    },
    titleWeight: (id) => weight(inTitle(shares[id] ?? 0), titleCounts[id] ?? 0),
    leadWeight: (id) => weight(inLead(shares[id] ?? 0), leadCounts[id] ?? 0),
    count(title, lead, times, isNew) {
      if (isNew) {
        unit *= growth;
        documents += unit;
      }
      for (const counts of [titleCounts, leadCounts]) add(counts, title, unit * times);
      add(leadCounts, lead, unit * times);
      if (unit > 1e20) rescale();
    },
    uncount(title, all) {
      documents = Math.max(0, documents - unit);
      add(titleCounts, title, -unit);
      add(leadCounts, all, -unit);
    },
    compact(isUsed) {
      const before = numbers.size;
      const renamed = numbers.compact(isUsed);
      move(shares, before, isUsed, renamed);
      for (const counts of [titleCounts, leadCounts]) {
        move(counts, before, isUsed, renamed);
        counts.fill(0, numbers.size);
      }
      return renamed;
    },
  };
}

/** Minus the logarithm of the share that is `expected`, with what was `counted` in `seen`. */
function openWeigh({ backgroundDocuments, rarestIn }: TermSettings) {
  const least = 1 / rarestIn;
  const most = -Math.log(Math.min(1, least));
  return (expected: number, counted: number, seen: number): number => {
    const part = (expected * backgroundDocuments + counted) / (backgroundDocuments + seen);
    // Most terms are as rare as any may be: they need no logarithm.
    return part <= least ? most : -Math.log(Math.min(1, part));
  };
}

function add(counts: Float32Array, ids: Iterable<number>, amount: number): void {
  for (const id of ids) counts[id] = Math.max(0, (counts[id] ?? 0) + amount);
}

function scale(counts: Float32Array, by: number): void {
  for (let id = 0; id < counts.length; id += 1) counts[id] = (counts[id] ?? 0) * by;
}

/** Values of terms that are kept, to their new numbers. */
function move(
  values: Float32Array | Uint16Array,
  before: number,
  isUsed: Uint8Array,
  renamed: Int32Array,
): void {
  for (let id = 0; id < before; id += 1) {
    if (isUsed[id] === 1) values[renamed[id] ?? 0] = values[id] ?? 0;
  }
}

// A share is kept in 16 bits, two digits and a half: a view that was stored says the same.
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

/** Share of texts of `words` words that have a word at least once, by its share's bits. */
function openInText(words: number): (bits: number) => number {
  // A share is 1 at most: there are few of them, and a power takes long.
  const known = new Float64Array(shareBits(1) + 1).fill(Number.NaN);
  return (bits) => {
    const share = known[bits] ?? Number.NaN;
    if (!Number.isNaN(share)) return share;
    const worked = 1 - (1 - shareOfBits(bits)) ** words;
    if (bits < known.length) known[bits] = worked;
    return worked;
  };
}

const inTitle = openInText(titleWords);
const inLead = openInText(leadWords);
