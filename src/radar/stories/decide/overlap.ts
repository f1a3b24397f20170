// How much two sorted runs of terms share, weighted by how telling each term is.

export type Overlap = {
  /** Cosine of the two as weighted sets, 0..1. */
  cosine: number;
  /** The share of the lighter one's weight that the other has too, 0..1. */
  contained: number;
  /** The shared terms' weights, summed: ratios alone let two short titles look alike. */
  mass: number;
  /** The most telling shared term's weight. */
  best: number;
  shared: number;
};

export type Run = { readonly from: number; readonly to: number };

/** `weights[term]` is the term's weight. Both runs lie in `block`, sorted. */
export function overlap(
  block: Int32Array,
  a: Run,
  b: Run,
  weight: (term: number) => number,
): Overlap {
  let [sumA, squareA, sumB, squareB] = [0, 0, 0, 0];
  let [mass, square, best, shared] = [0, 0, 0, 0];
  let at = a.from;
  let other = b.from;
  while (at < a.to || other < b.to) {
    const left = at < a.to ? (block[at] ?? 0) : Number.POSITIVE_INFINITY;
    const right = other < b.to ? (block[other] ?? 0) : Number.POSITIVE_INFINITY;
    const w = weight(Math.min(left, right));
    if (left <= right) {
      sumA += w;
      squareA += w * w;
      at += 1;
    }
    if (right <= left) {
      sumB += w;
      squareB += w * w;
      other += 1;
    }
    if (left === right) {
      mass += w;
      square += w * w;
      shared += 1;
      if (w > best) best = w;
    }
  }
  const norm = Math.sqrt(squareA * squareB);
  const least = Math.min(sumA, sumB);
  return {
    cosine: norm > 0 ? square / norm : 0,
    contained: least > 0 ? mass / least : 0,
    mass,
    best,
    shared,
  };
}

/** How many terms two sorted runs share. */
export function countShared(block: Int32Array, a: Run, b: Run): number {
  let shared = 0;
  let other = b.from;
  for (let at = a.from; at < a.to; at += 1) {
    while (other < b.to && (block[other] ?? 0) < (block[at] ?? 0)) other += 1;
    if (other < b.to && block[other] === block[at]) shared += 1;
  }
  return shared;
}

const bent = Float64Array.from({ length: 8 }, (_, times) =>
  times === 0 ? 0 : 1 + Math.log(times),
);

/** Cosine of two runs of the section `doc`, each term weighted by its times as well. */
export function docOverlap(
  block: Int32Array,
  a: Run,
  b: Run,
  weight: (term: number) => number,
): { readonly cosine: number; readonly mass: number } {
  let [normA, normB, dot, mass] = [0, 0, 0, 0];
  let at = a.from;
  let other = b.from;
  while (at < a.to || other < b.to) {
    const [left, right] = [
      at < a.to ? (block[at] ?? 0) : end,
      other < b.to ? (block[other] ?? 0) : end,
    ];
    const [first, second] = [left >> 3, right >> 3];
    const w = weight(Math.min(first, second));
    const x = first <= second ? w * (bent[left & 7] ?? 0) : 0;
    const y = second <= first ? w * (bent[right & 7] ?? 0) : 0;
    if (first <= second) at += 1;
    if (second <= first) other += 1;
    normA += x * x;
    normB += y * y;
    if (first === second) {
      dot += x * y;
      mass += w;
    }
  }
  const norm = Math.sqrt(normA * normB);
  return { cosine: norm > 0 ? dot / norm : 0, mass };
}

const end = 0x7fffffff;

/** The share of a title's weight that stands in another text, 0..1. `doc` is such a section. */
export function shareInDoc(
  block: Int32Array,
  title: Run,
  doc: Run,
  weight: (term: number) => number,
): number {
  let [sum, found] = [0, 0];
  let other = doc.from;
  for (let at = title.from; at < title.to; at += 1) {
    const term = block[at] ?? 0;
    while (other < doc.to && (block[other] ?? 0) >> 3 < term) other += 1;
    const w = weight(term);
    sum += w;
    if (other < doc.to && (block[other] ?? 0) >> 3 === term) found += w;
  }
  return sum > 0 ? found / sum : 0;
}

/** Sums of weights, bent so that more says ever less: 10 (one rare word) is .4, 30 is .67. */
export const scaled = (mass: number) => mass / (mass + 15);

/** The share of the weight of `a` that `b` has too, 0..1; null when `a` is empty. */
export function contained(
  block: Int32Array,
  a: Run,
  b: Run,
  weight: (term: number) => number,
): number | null {
  if (a.to === a.from) return null;
  let [sum, found] = [0, 0];
  let other = b.from;
  for (let at = a.from; at < a.to; at += 1) {
    const term = block[at] ?? 0;
    while (other < b.to && (block[other] ?? 0) < term) other += 1;
    const w = weight(term);
    sum += w;
    if (other < b.to && block[other] === term) found += w;
  }
  return sum > 0 ? found / sum : 0;
}
