// How much two sorted runs of terms share, weighted by how telling each term is. Only what both
// have is looked at: the sums over one run alone are known already (memory/sums.ts).

export type Overlap = {
  /** The shared terms' weights, summed: ratios alone let two short titles look alike. */
  mass: number;
  /** Their squares, summed. */
  square: number;
  /** The most telling shared term's weight. */
  best: number;
  shared: number;
};

/**
 * `a` and `b` are items in `block` (memory/shelf.ts), `section` is one of their runs,
 * `weights[term]` is the term's weight. The answer is the same object each time.
 */
export function overlap(
  block: Int32Array,
  a: number,
  b: number,
  section: number,
  weights: Float32Array,
): Overlap {
  let at = block[a + section] ?? 0;
  let other = block[b + section] ?? 0;
  const to = block[a + section + 1] ?? 0;
  const otherTo = block[b + section + 1] ?? 0;
  let [mass, square, best, shared] = [0, 0, 0, 0];
  while (at < to && other < otherTo) {
    const left = block[at] ?? 0;
    const right = block[other] ?? 0;
    if (left === right) {
      const w = weights[left] ?? 0;
      mass += w;
      square += w * w;
      shared += 1;
      if (w > best) best = w;
    }
    if (left <= right) at += 1;
    if (right <= left) other += 1;
  }
  answer.mass = mass;
  answer.square = square;
  answer.best = best;
  answer.shared = shared;
  return answer;
}

// One object for all answers: a decision asks thousands of times.
const answer: Overlap = { mass: 0, square: 0, best: 0, shared: 0 };

/** How many terms the run `section` of `a` shares with the run `otherSection` of `b`. */
export function countShared(
  block: Int32Array,
  a: number,
  section: number,
  b: number,
  otherSection: number = section,
): number {
  let shared = 0;
  const to = block[a + section + 1] ?? 0;
  let other = block[b + otherSection] ?? 0;
  const otherTo = block[b + otherSection + 1] ?? 0;
  for (let at = block[a + section] ?? 0; at < to && other < otherTo; at += 1) {
    const term = block[at] ?? 0;
    while (other < otherTo && (block[other] ?? 0) < term) other += 1;
    if (other < otherTo && block[other] === term) shared += 1;
  }
  return shared;
}

const bends = Float64Array.from({ length: 8 }, (_, times) =>
  times === 0 ? 0 : 1 + Math.log(times),
);

/** What a term counts that stands so many times (0..7) in a text. */
export const bent = (times: number): number => bends[times] ?? 0;

export type DocOverlap = {
  /** The sum of products of both weights; over the norms it is the cosine. */
  dot: number;
  mass: number;
};

/** What two runs of the section `doc` share, each term weighted by its times as well. */
export function docOverlap(
  block: Int32Array,
  a: number,
  b: number,
  section: number,
  weights: Float32Array,
): DocOverlap {
  let at = block[a + section] ?? 0;
  let other = block[b + section] ?? 0;
  const to = block[a + section + 1] ?? 0;
  const otherTo = block[b + section + 1] ?? 0;
  let [dot, mass] = [0, 0];
  while (at < to && other < otherTo) {
    const left = block[at] ?? 0;
    const right = block[other] ?? 0;
    const [first, second] = [left >> 3, right >> 3];
    if (first === second) {
      const w = weights[first] ?? 0;
      dot += w * w * (bends[left & 7] ?? 0) * (bends[right & 7] ?? 0);
      mass += w;
    }
    if (first <= second) at += 1;
    if (second <= first) other += 1;
  }
  docAnswer.dot = dot;
  docAnswer.mass = mass;
  return docAnswer;
}

const docAnswer: DocOverlap = { dot: 0, mass: 0 };

/** The weight of a run of `a` that stands in the run `doc` of `b`. */
export function foundInDoc(
  block: Int32Array,
  a: number,
  section: number,
  b: number,
  doc: number,
  weights: Float32Array,
): number {
  let found = 0;
  const to = block[a + section + 1] ?? 0;
  let other = block[b + doc] ?? 0;
  const otherTo = block[b + doc + 1] ?? 0;
  for (let at = block[a + section] ?? 0; at < to && other < otherTo; at += 1) {
    const term = block[at] ?? 0;
    while (other < otherTo && (block[other] ?? 0) >> 3 < term) other += 1;
    if (other < otherTo && (block[other] ?? 0) >> 3 === term) found += weights[term] ?? 0;
  }
  return found;
}

/** The weight of a run of `a` that stands in another run of `b`. */
export function foundIn(
  block: Int32Array,
  a: number,
  section: number,
  b: number,
  otherSection: number,
  weights: Float32Array,
): number {
  let found = 0;
  const to = block[a + section + 1] ?? 0;
  let other = block[b + otherSection] ?? 0;
  const otherTo = block[b + otherSection + 1] ?? 0;
  for (let at = block[a + section] ?? 0; at < to && other < otherTo; at += 1) {
    const term = block[at] ?? 0;
    while (other < otherTo && (block[other] ?? 0) < term) other += 1;
    if (other < otherTo && block[other] === term) found += weights[term] ?? 0;
  }
  return found;
}

/** Sums of weights, bent so that more says ever less: 10 (one rare word) is .4, 30 is .67. */
export const scaled = (mass: number) => mass / (mass + 15);
