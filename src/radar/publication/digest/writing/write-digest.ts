// A story's title and digest without a model, in the words of the most representative report. At
// most one sentence about a changed figure is added, and one sentence for each contradiction. See
// docs/editorial.md.

import { primaryLanguage } from '../../../../kernel/text/primary-language.ts';
import { joinSentences } from '../../../language/write-lead.ts';
import { isOfOneParty } from '../claims/measures.ts';
import {
  containsFigure,
  type FigureChange,
  findContradictions,
  withoutCopies,
} from '../contradictions/find-contradictions.ts';
import {
  contradictionOf,
  formatChange,
  formatContradiction,
  revisionOf,
} from '../contradictions/format-contradiction.ts';
import type {
  Digest,
  DigestLanguage,
  DigestReport,
  DigestSentence,
  OwnedClaim,
  PhraseLanguage,
  ReportWithClaims,
} from '../digest.ts';
import { type ChosenReport, chooseReport } from './choose-report.ts';
import { storyTitle } from './story-title.ts';

export type DigestOptions = {
  readonly siteLanguage: DigestLanguage;
  /** The previous digest. Its language decides between languages with equally many reports. */
  readonly previous: Digest | null;
};

/**
 * A story with more contradictions has several events, so the digest states none of the
 * contradictions.
 */
const MAX_CONTRADICTIONS = 3;

/** Null when there are no reports. The order of `reports` does not matter. */
export function writeDigest(
  reports: readonly ReportWithClaims[],
  options: DigestOptions,
): Digest | null {
  const ordered = [...reports].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  if (ordered.length === 0) return null;
  const { contradictions, changes, outgrown, copies } = findContradictions(ordered);
  const originals = withoutCopies(ordered, copies);
  const replaced = [...changes.flatMap(({ previous }) => previous), ...outgrown];
  const choose = (tag: string) =>
    chooseReport(originals, tag, (text, report) => states(text, report, replaced));
  const chosen = chooseByLanguage(originals, mainLanguage(ordered, options), options, choose);
  if (chosen === undefined) return null;
  const { report, title, lead } = chosen;
  const language = primaryLanguage(report.language);
  const phrases = phraseLanguage(language);
  // Lists show the figures beside words of the site, also under a digest in another language.
  const sitePhrases = phraseLanguage(primaryLanguage(options.siteLanguage));
  const newestChanges = changes.toSorted((a, b) => b.current.at - a.current.at);
  const isStated = (change: FigureChange) =>
    change.current.reportId === report.id && lead.some((text) => containsBothValues(text, change));
  const changeSentences = newestChanges
    .filter(({ current }) => !isOfOneParty(current.measure ?? ''))
    .slice(0, 1)
    .filter((change) => !isStated(change))
    .map((change) => {
      const { reportIds } = revisionOf(change, phrases);
      return { text: formatChange(change, phrases), reportIds };
    });
  const statedContradictions = contradictions.length <= MAX_CONTRADICTIONS ? contradictions : [];
  const sentences: readonly DigestSentence[] = [
    ...lead.map((text) => ({ text, reportIds: [report.id] })),
    ...changeSentences,
    ...statedContradictions.map((contradiction) => ({
      text: formatContradiction(contradiction, phrases),
      reportIds: contradictionOf(contradiction, phrases).statements.map(({ reportId }) => reportId),
    })),
  ];
  return {
    title,
    titleReportId: report.id,
    latest: latestTitle(ordered, language) ?? title,
    text: joinSentences(sentences.map(({ text }) => text)),
    language,
    sentences,
    contradictions: statedContradictions.map((contradiction) =>
      contradictionOf(contradiction, sitePhrases),
    ),
    revisions: newestChanges.map((change) => revisionOf(change, sitePhrases)),
    copies,
  };
}

/** Phrases exist in English and Chinese; other languages take the English ones. */
export function phraseLanguage(language: string): PhraseLanguage {
  return primaryLanguage(language) === 'zh' ? 'zh' : 'en';
}

/**
 * The main language precedes the site's, and news precedes a comment or a quoted title in both.
 * News in another language precedes the quoted title of a comment.
 */
function chooseByLanguage(
  reports: readonly DigestReport[],
  main: string,
  { siteLanguage }: DigestOptions,
  choose: (language: string) => ChosenReport | null,
): ChosenReport | undefined {
  const present = new Set(reports.map((report) => primaryLanguage(report.language)));
  const preferred = [main, primaryLanguage(siteLanguage)].filter((tag) => present.delete(tag));
  const choices: ChosenReport[] = [];
  // Most stories have news in the first language, so no other one is read.
  const findNews = (tags: Iterable<string>): ChosenReport | undefined => {
    for (const tag of tags) {
      const chosen = choose(tag);
      if (chosen?.kind === 'news') return chosen;
      if (chosen !== null) choices.push(chosen);
    }
    return undefined;
  };
  return (
    findNews(preferred) ??
    choices.find(({ lead }) => lead.length > 0) ??
    choices.find(({ kind }) => kind !== 'comment') ??
    findNews(present) ??
    choices.find(({ kind }) => kind !== 'comment') ??
    choices[0]
  );
}

/**
 * The language of most reports. A tie is decided by the language of the previous digest, then by
 * the site.
 */
function mainLanguage(ordered: readonly DigestReport[], options: DigestOptions): string {
  const counts = Map.groupBy(ordered, (report) => primaryLanguage(report.language));
  const maxCount = Math.max(...[...counts.values()].map((group) => group.length));
  const first = [...counts].filter(([, group]) => group.length === maxCount).map(([key]) => key);
  const preferred = [options.previous?.language ?? '', primaryLanguage(options.siteLanguage)];
  return preferred.find((language) => first.includes(language)) ?? first[0] ?? 'en';
}

/** Whether a text of the report states the figure of one of the claims. */
function states(text: string, { id }: DigestReport, claims: readonly OwnedClaim[]): boolean {
  return claims.some(({ reportId, quote }) => reportId === id && containsFigure(text, quote));
}

/** Compares numbers only: the sources may write their units in two languages. */
function containsBothValues(text: string, { previous, current }: FigureChange): boolean {
  const isIn = (claim: FigureChange['current']) =>
    text.includes(/[\d.,]+/u.exec(claim.quote)?.[0] ?? claim.quote);
  return isIn(current) && previous.some(isIn);
}

/** The newest report's title in the digest's language. */
function latestTitle(ordered: readonly DigestReport[], language: string): string | null {
  const newestReport = ordered.findLast(
    (report) => primaryLanguage(report.language) === language && report.title.trim() !== '',
  );
  return newestReport === undefined ? null : storyTitle(newestReport.title);
}
