// Differences that make two similar reports two events: another version of a product, another issue
// number, the same sentence about another name. Labelled sets have few such pairs, so these are
// fixed rules.
import { sectionAt, termOf } from '../index/feature-store.ts';
import type { TermIndex } from '../index/term-index.ts';

type Section = keyof typeof sectionAt;

/**
 * Titles of this few words report one event only when the longer one has all words of the other.
 */
const shortTitle = 3;
/** Two titles are the same sentence when they differ in at most this number of words. */
const fewWords = 2;

export function areInConflict({ store, facts }: TermIndex, a: number, b: number): boolean {
  const { hasText, language } = facts;
  const [block, first, other] = [store.block(), store.base(a), store.base(b)];
  if (areVersionsApart(block, first, other) || conflict(block, first, other, 'issueNumbers'))
    return true;
  const shared = countShared(block, first, 'title', other);
  const [words, otherWords] = [lengthOf(block, first, 'title'), lengthOf(block, other, 'title')];
  const longer = Math.max(words, otherWords);
  if (!(hasText(a) && hasText(b)) && language(a) === language(b)) {
    if (longer <= shortTitle && shared < Math.min(words, otherWords)) return true;
  }
  const isOneSentence = longer - shared <= fewWords && shared >= fewWords;
  return (
    isOneSentence && hasOtherOpening(block, first, other) && hasOtherOpening(block, other, first)
  );
}

export const shareLink = (block: Int32Array, a: number, b: number): boolean =>
  countShared(block, a, 'links', b) > 0;

/** One product in two versions is two events, unless a text mentions both. */
function areVersionsApart(block: Int32Array, a: number, b: number): boolean {
  if (countShared(block, a, 'families', b) > 0) return countShared(block, a, 'versions', b) === 0;
  return isVersionMissing(block, a, b) || isVersionMissing(block, b, a);
}

/** Whether the text of `b` names the product in the title of `a`, and only other versions of it. */
const isVersionMissing = (block: Int32Array, a: number, b: number): boolean =>
  countShared(block, a, 'families', b, 'allFamilies') > 0 &&
  countShared(block, a, 'versions', b, 'allVersions') === 0;

/** Whether the title of `a` begins with a name that does not occur in `b`. */
const hasOtherOpening = (block: Int32Array, a: number, b: number): boolean =>
  lengthOf(block, a, 'opener') > 0 &&
  countShared(block, a, 'opener', b) === 0 &&
  countShared(block, a, 'opener', b, 'title') === 0 &&
  countShared(block, a, 'opener', b, 'concepts') === 0 &&
  countShared(block, a, 'opener', b, 'doc') === 0;

const conflict = (block: Int32Array, a: number, b: number, section: Section): boolean =>
  lengthOf(block, a, section) > 0 &&
  lengthOf(block, b, section) > 0 &&
  countShared(block, a, section, b) === 0;

const lengthOf = (block: Int32Array, item: number, section: Section): number =>
  (block[item + sectionAt[section] + 1] ?? 0) - (block[item + sectionAt[section]] ?? 0);

/** The number of terms that a section of `a` shares with a section of `b`. */
function countShared(
  block: Int32Array,
  a: number,
  section: Section,
  b: number,
  otherSection: Section = section,
): number {
  let shared = 0;
  const to = block[a + sectionAt[section] + 1] ?? 0;
  let other = block[b + sectionAt[otherSection]] ?? 0;
  const otherTo = block[b + sectionAt[otherSection] + 1] ?? 0;
  for (let at = block[a + sectionAt[section]] ?? 0; at < to && other < otherTo; at += 1) {
    const term = termOf(block[at] ?? 0);
    while (other < otherTo && termOf(block[other] ?? 0) < term) other += 1;
    if (other < otherTo && termOf(block[other] ?? 0) === term) shared += 1;
  }
  return shared;
}
