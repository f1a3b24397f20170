// Differences that make two similar reports two events: another version of a product, another issue
// number, the same sentence about another name. Labelled sets have few such pairs, so these rules
// are fixed and not trained.
import { areOfOneTerm, sectionAt } from '../index/feature-store.ts';
import type { TermIndex } from '../index/term-index.ts';

type Section = keyof typeof sectionAt;

/**
 * Two titles are the same sentence when they share at least this number of words and differ in at
 * most this number.
 */
const fewWords = 2;

export function areInConflict({ store }: TermIndex, a: number, b: number): boolean {
  const [block, first, other] = [store.block(), store.base(a), store.base(b)];
  if (areVersionsApart(block, first, other) || areIssuesApart(block, first, other)) return true;
  const shared = countShared(block, first, 'title', other);
  const longer = Math.max(lengthOf(block, first, 'title'), lengthOf(block, other, 'title'));
  const isOneSentence = longer - shared <= fewWords && shared >= fewWords;
  return (
    isOneSentence && hasOtherOpening(block, first, other) && hasOtherOpening(block, other, first)
  );
}

export const shareLink = (block: Int32Array, a: number, b: number): boolean =>
  countShared(block, a, 'links', b) > 0;

/** Whether the titles name one product in two versions. */
const areVersionsApart = (block: Int32Array, a: number, b: number): boolean =>
  countShared(block, a, 'families', b) > 0 && countShared(block, a, 'versions', b) === 0;

/** Whether the title of `a` begins with a name that does not occur in `b`. */
const hasOtherOpening = (block: Int32Array, a: number, b: number): boolean =>
  lengthOf(block, a, 'opener') > 0 &&
  countShared(block, a, 'opener', b) === 0 &&
  countShared(block, a, 'opener', b, 'title') === 0 &&
  countShared(block, a, 'opener', b, 'concepts') === 0 &&
  countShared(block, a, 'opener', b, 'doc') === 0;

/** Whether both titles have issue numbers, and none in common. */
const areIssuesApart = (block: Int32Array, a: number, b: number): boolean =>
  lengthOf(block, a, 'issueNumbers') > 0 &&
  lengthOf(block, b, 'issueNumbers') > 0 &&
  countShared(block, a, 'issueNumbers', b) === 0;

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
  let at = block[a + sectionAt[section]] ?? 0;
  const to = block[a + sectionAt[section] + 1] ?? 0;
  let other = block[b + sectionAt[otherSection]] ?? 0;
  const otherTo = block[b + sectionAt[otherSection] + 1] ?? 0;
  while (at < to && other < otherTo) {
    const [entry, otherEntry] = [block[at] ?? 0, block[other] ?? 0];
    const isShared = areOfOneTerm(entry, otherEntry);
    if (isShared) shared += 1;
    if (isShared || entry < otherEntry) at += 1;
    if (isShared || entry > otherEntry) other += 1;
  }
  return shared;
}
