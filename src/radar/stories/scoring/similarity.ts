// Computes the similarity of two reports, 0 or greater: the mean of two cosines, which decreases
// with every day between the reports. One cosine compares words, the other compares names and
// concepts across languages. Two Chinese reports are compared by their words alone: the English
// glosses of a Chinese word are ambiguous. A word of the title has more weight than a word of the
// text, because a long text dilutes the title. Reports in one language that share a single word are
// not similar: in a small stream one rare word would join two events.
import { areOfOneTerm, frequencyOf, sectionAt, termOf } from '../index/feature-store.ts';
import type { TermIndex } from '../index/term-index.ts';
import { frequencyFactor } from '../index/term-weights.ts';
import { areInConflict, shareLink } from './conflicts.ts';

/** Factor for two reports in two languages, because they share names and few words. */
const acrossLanguages = 1.75;
/** Bonus for a shared linked document. */
const linkBonus = 0.2;

/** Reports that share fewer words count as sharing none. */
const fewestWords = 2;

/**
 * The returned function takes two slots, in any order. The similarity is halved when the reports
 * are `halfAfterDays` apart.
 */
export function openSimilarity(
  index: TermIndex,
  halfAfterDays: number,
): (a: number, b: number) => number {
  const { store, facts } = index;
  return (a, b) => {
    if (areInConflict(index, a, b)) return 0;
    const isOneLanguage = facts.language(a) === facts.language(b);
    const isLinked = shareLink(store.block(), store.base(a), store.base(b));
    let similarity = cosine(index, a, b, 'doc');
    if (isOneLanguage && similarity === 0 && !isLinked) return 0;
    if (!facts.isHan(a) || !facts.isHan(b)) {
      similarity = (similarity + cosine(index, a, b, 'concepts')) / 2;
      if (!isOneLanguage) similarity *= acrossLanguages;
    }
    if (isLinked) similarity += linkBonus;
    const days = facts.gapDays(a, b);
    return days === null ? similarity : similarity / (1 + days / halfAfterDays);
  };
}

/** The cosine of two items' weighted terms in one section. */
function cosine({ store, weights }: TermIndex, a: number, b: number, name: 'doc' | 'concepts') {
  // Lengths are computed first, because this updates the weights of all terms of both items.
  const lengths = weights.length(a, name) * weights.length(b, name);
  if (lengths === 0) return 0;
  const [block, values, section] = [store.block(), weights.all(), sectionAt[name]];
  let [at, other] = [store.start(a, section), store.start(b, section)];
  const [to, otherTo] = [store.end(a, section), store.end(b, section)];
  let [sum, shared] = [0, 0];
  while (at < to && other < otherTo) {
    const entry = block[at] ?? 0;
    const right = block[other] ?? 0;
    const isShared = areOfOneTerm(entry, right);
    if (isShared) {
      const weight = values[termOf(entry)] ?? 0;
      const factor = frequencyFactor(frequencyOf(entry)) * frequencyFactor(frequencyOf(right));
      sum += weight * weight * factor;
      shared += 1;
    }
    if (isShared || entry < right) at += 1;
    if (isShared || entry > right) other += 1;
  }
  return name === 'doc' && shared < fewestWords ? 0 : sum / lengths;
}
