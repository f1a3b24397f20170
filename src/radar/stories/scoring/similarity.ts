// The similarity of two reports, 0 to 1: the mean of two cosines, less with every day between them.
// One cosine compares words, the other compares names and concepts across languages. Two Chinese
// reports are compared by their words alone: the English glosses of a Chinese word are ambiguous.
// A word of the title has more weight than one of the text, because a text dilutes its title.
// Reports in one language that share a single word are not similar: in a small stream one
// rare word would join two events.
import { frequencyOf, sectionAt, termOf } from '../index/feature-store.ts';
import type { TermIndex } from '../index/term-index.ts';
import { frequencyFactor } from '../index/term-weights.ts';
import { areInConflict, shareLink } from './conflicts.ts';

/** A factor for two reports in two languages, which share names and few words. */
const acrossLanguages = 1.75;
/** Bonus for a shared linked document. */
const linkBonus = 0.2;

/** Symmetric. Item slots in, similarity out, which is halved after `halfAfterDays`. */
export function openSimilarity(
  index: TermIndex,
  halfAfterDays: number,
): (a: number, b: number) => number {
  const { store, weights } = index;
  return (a, b) => {
    if (areInConflict(index, a, b)) return 0;
    // Lengths are computed first, because this updates the weights of all terms of both items.
    const docLengths = weights.docLength(a) * weights.docLength(b);
    const conceptLengths = weights.conceptLength(a) * weights.conceptLength(b);
    const all = weights.all();
    const [block, first, other] = [store.block(), store.base(a), store.base(b)];
    let similarity = docLengths > 0 ? docProduct(block, first, other, all) / docLengths : 0;
    const isOneLanguage = index.language(a) === index.language(b);
    const isLinked = shareLink(block, first, other);
    if (isOneLanguage && similarity === 0 && !isLinked) return 0;
    if (!index.isHan(a) || !index.isHan(b)) {
      const conceptShare =
        conceptLengths > 0 ? conceptProduct(block, first, other, all) / conceptLengths : 0;
      similarity = (similarity + conceptShare) / 2;
      if (!isOneLanguage) similarity *= acrossLanguages;
    }
    if (isLinked) similarity += linkBonus;
    const days = index.gapDays(a, b);
    return days === null ? similarity : similarity / (1 + days / halfAfterDays);
  };
}

/** Reports that share fewer words have no words in common. */
const fewestWords = 2;

/** The sum of products of the weights of both, over the words of title and text. */
function docProduct(block: Int32Array, a: number, b: number, weights: Float32Array): number {
  let at = block[a + sectionAt.doc] ?? 0;
  let other = block[b + sectionAt.doc] ?? 0;
  const to = block[a + sectionAt.doc + 1] ?? 0;
  const otherTo = block[b + sectionAt.doc + 1] ?? 0;
  let [sum, shared] = [0, 0];
  while (at < to && other < otherTo) {
    const value = block[at] ?? 0;
    const right = block[other] ?? 0;
    const [first, second] = [termOf(value), termOf(right)];
    if (first === second) {
      const weight = weights[first] ?? 0;
      const factor = frequencyFactor(frequencyOf(value)) * frequencyFactor(frequencyOf(right));
      sum += weight * weight * factor;
      shared += 1;
    }
    if (first <= second) at += 1;
    if (second <= first) other += 1;
  }
  return shared < fewestWords ? 0 : sum;
}

function conceptProduct(block: Int32Array, a: number, b: number, weights: Float32Array): number {
  let at = block[a + sectionAt.concepts] ?? 0;
  let other = block[b + sectionAt.concepts] ?? 0;
  const to = block[a + sectionAt.concepts + 1] ?? 0;
  const otherTo = block[b + sectionAt.concepts + 1] ?? 0;
  let sum = 0;
  while (at < to && other < otherTo) {
    const [left, right] = [block[at] ?? 0, block[other] ?? 0];
    if (left === right) sum += (weights[left] ?? 0) ** 2;
    if (left <= right) at += 1;
    if (right <= left) other += 1;
  }
  return sum;
}
