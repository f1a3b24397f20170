// Contradictions and changed figures: sentences in the digest's language, and values for lists in
// the site's language. Measures and scopes have their words in `editorial/digest`.
import { measureLabel } from '../claims/measures.ts';
import { scopeLabel } from '../claims/scopes.ts';
import { doValuesAgree } from '../compare/compare-claims.ts';
import type { Contradiction, OwnedClaim, PhraseLanguage, Revision } from '../digest.ts';
import type { FigureChange, FoundContradiction } from './find-contradictions.ts';
import { formatValue } from './format-value.ts';

/** "The price per month"; 每月价格. */
function formatSubject(claim: OwnedClaim, language: PhraseLanguage): string {
  const label =
    measureLabel(claim.measure ?? '', language) ?? (language === 'en' ? 'the figure' : '数字');
  const words = claim.scopes.map((scope) => scopeLabel(scope, language));
  if (words.length === 0) return label;
  return language === 'en' ? [label, ...words].join(' ') : `${words.join('')}${label}`;
}

/** The earliest claim of each report or owner on a side, in order of time. */
function earliestOf(
  side: readonly OwnedClaim[],
  keyOf: (claim: OwnedClaim) => string,
): readonly OwnedClaim[] {
  const groups = Map.groupBy(
    side.toSorted((a, b) => a.at - b.at),
    keyOf,
  );
  return [...groups.values()].flatMap((group) => group.slice(0, 1));
}

export function contradictionOf(
  { sides }: FoundContradiction,
  language: PhraseLanguage,
): Contradiction {
  const first = sides[0]?.[0];
  return {
    subject: first === undefined ? '' : formatSubject(first, language),
    statements: sides.flatMap((side) =>
      earliestOf(side, ({ reportId }) => reportId).map((claim) => ({
        value: formatValue(claim, language),
        reportId: claim.reportId,
        source: claim.report.sourceName,
        at: claim.at,
      })),
    ),
  };
}

const MAX_NAMED = 3;
const list = new Intl.ListFormat('en-GB');

/** "Reports differ on the price: A says X, B says Y." */
export function formatContradiction(
  { sides }: FoundContradiction,
  language: PhraseLanguage,
): string {
  const first = sides[0]?.[0];
  if (first === undefined) return '';
  const subject = formatSubject(first, language);
  const sideTexts = sides.map((side) => {
    const claims = earliestOf(side, ({ report }) => report.owner);
    const names = [...new Set(claims.map(({ report }) => report.sourceName))];
    const value = side[0] === undefined ? '' : formatValue(side[0], language);
    const shownNames = names.slice(0, MAX_NAMED);
    if (language === 'zh') return `${shownNames.join('、')}称${value}`;
    return `${list.format(shownNames)} ${names.length > 1 ? 'say' : 'says'} ${value}`;
  });
  return language === 'en'
    ? `Reports differ on ${subject}: ${sideTexts.join(', ')}.`
    : `关于${subject}，各方说法不一：${sideTexts.join('，')}。`;
}

export function revisionOf(
  { previous, current }: FigureChange,
  language: PhraseLanguage,
): Revision {
  const [first] = previous;
  return {
    subject: formatSubject(previous.find(({ measure }) => measure !== null) ?? current, language),
    previous: first === undefined ? '' : formatValue(first, language),
    current: formatValue(current, language),
    source: current.report.sourceName,
    at: current.at,
    reportIds: [...new Set([current, ...previous].map(({ reportId }) => reportId))],
  };
}

/** "The number of jobs cut is now 530, first 420, according to Example News." */
export function formatChange(change: FigureChange, language: PhraseLanguage): string {
  const { subject, current: now, source } = revisionOf(change, language);
  const distinctClaims = change.previous.filter(
    ({ value }, index, all) =>
      !all.slice(0, index).some((other) => doValuesAgree(other.value, value)),
  );
  const values = distinctClaims.map((claim) => formatValue(claim, language));
  if (language === 'zh') return `${source}称，${subject}现为${now}，最初为${values.join('、')}。`;
  const head = subject.charAt(0).toUpperCase() + subject.slice(1);
  return `${head} is now ${now}, first ${values.join(' or ')}, according to ${source}.`;
}
