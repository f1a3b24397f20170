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
