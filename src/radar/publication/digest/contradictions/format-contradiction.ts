// Contradictions and changed figures as sentences of the digest's language. All words for scopes
// and units come from `phrases.ts`.
import { measureLabel } from '../claims/measures.ts';
import { doValuesAgree } from '../compare/compare-claims.ts';
import type { Contradiction, OwnedClaim, Revision } from '../digest.ts';
import type { FigureChange, FoundContradiction } from './find-contradictions.ts';
import { formatValue } from './format-value.ts';
import { type PhraseLanguage, scopePhrase } from './phrases.ts';

/** "The price per month"; 每月价格. */
function formatSubject(claim: OwnedClaim, language: PhraseLanguage): string {
  const label =
    measureLabel(claim.measure ?? '', language) ?? (language === 'en' ? 'the figure' : '数字');
  const words = claim.scopes.map((scope) => scopePhrase(scope, language));
  if (words.length === 0) return label;
  return language === 'en' ? [label, ...words].join(' ') : `${words.join('')}${label}`;
}

/** One claim for each owner on a side. Copies were removed before. */
function voicesOf(side: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const owners = new Set<string>();
  return side
    .toSorted((a, b) => a.at - b.at)
    .filter(({ report }) => {
      if (owners.has(report.owner)) return false;
      owners.add(report.owner);
      return true;
    });
}

/** One statement for each report on a side. */
function reportsOf(side: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const ordered = side.toSorted((a, b) => a.at - b.at);
  return [...new Map(ordered.toReversed().map((claim) => [claim.reportId, claim])).values()].sort(
    (a, b) => a.at - b.at,
  );
}

export function contradictionOf(
  { sides }: FoundContradiction,
  language: PhraseLanguage,
): Contradiction {
  const first = sides[0]?.[0];
  return {
    subject: first === undefined ? '' : formatSubject(first, language),
    statements: sides.flatMap((side) =>
      reportsOf(side).map((claim) => ({
        value: formatValue(claim, language),
        reportId: claim.reportId,
        source: claim.report.sourceName,
        at: claim.at,
      })),
    ),
  };
}

const MAX_NAMED = 3;

/** "Reports differ on the price: A says X, B says Y." */
export function formatContradiction(
  { sides }: FoundContradiction,
  language: PhraseLanguage,
): string {
  const first = sides[0]?.[0];
  if (first === undefined) return '';
  const subject = formatSubject(first, language);
  const sideTexts = sides.map((side) => {
    const names = [...new Set(voicesOf(side).map(({ report }) => report.sourceName))];
    const value = side[0] === undefined ? '' : formatValue(side[0], language);
    const nameList = listNames(names.slice(0, MAX_NAMED), language);
    if (language === 'zh') return `${nameList}称${value}`;
    return `${nameList} ${names.length > 1 ? 'say' : 'says'} ${value}`;
  });
  return language === 'en'
    ? `Reports differ on ${subject}: ${sideTexts.join(', ')}.`
    : `关于${subject}，各方说法不一：${sideTexts.join('，')}。`;
}

export function revisionOf(
  { previous, current }: FigureChange,
  language: PhraseLanguage,
): Revision {
  const measuredClaim = previous.find(({ measure }) => measure !== null) ?? current;
  const [first] = previous;
  return {
    subject: formatSubject(measuredClaim.measure === null ? current : measuredClaim, language),
    previous: first === undefined ? '' : formatValue(first, language),
    current: formatValue(current, language),
    source: current.report.sourceName,
    at: current.at,
    reportIds: [...new Set([current, ...previous].map(({ reportId }) => reportId))],
  };
}

/** "The number of jobs cut is now given as 530; it was first given as 420." */
export function formatChange(
  { previous, current }: FigureChange,
  language: PhraseLanguage,
): string {
  const measuredClaim = previous.find(({ measure }) => measure !== null) ?? current;
  const subject = formatSubject(measuredClaim.measure === null ? current : measuredClaim, language);
  const earlier = previous.filter(
    (claim, index) =>
      !previous
        .slice(0, index)
        .some((previousClaim) => doValuesAgree(previousClaim.value, claim.value)),
  );
  const values = earlier.map((claim) => formatValue(claim, language));
  const now = formatValue(current, language);
  const source = current.report.sourceName;
  if (language === 'zh') return `${source}称，${subject}现为${now}，最初为${values.join('、')}。`;
  const head = subject.charAt(0).toUpperCase() + subject.slice(1);
  return `${head} is now ${now}, first ${values.join(' or ')}, according to ${source}.`;
}

function listNames(names: readonly string[], language: PhraseLanguage): string {
  if (language === 'zh') return names.join('、');
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
