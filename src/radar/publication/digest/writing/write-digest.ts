// A story's title and digest without a model, in the words of the most representative report. At
// most one sentence is added, for a changed figure or a contradiction. See docs/editorial.md.

import { primaryLanguage } from '../../../../kernel/text/primary-language.ts';
import { joinSentences } from '../../../language/write-lead.ts';
import { isOfOneParty } from '../claims/measures.ts';
import {
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
  PhraseLanguage,
  ReportWithClaims,
} from '../digest.ts';
import { chooseReport } from './choose-report.ts';
import { storyTitle } from './story-title.ts';

export type DigestOptions = {
  readonly siteLanguage: DigestLanguage;
  /** The current digest. It decides between two languages with equally many reports. */
  readonly previous: Digest | null;
};

/** Contradictions of more measures mean that the story holds several events. */
const MAX_CONTRADICTIONS = 3;

/** Null when there are no reports. The order of `reports` does not matter. */
export function writeDigest(
  reports: readonly ReportWithClaims[],
  options: DigestOptions,
): Digest | null {
  const ordered = [...reports].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  if (ordered.length === 0) return null;
  const { contradictions, changes, copies } = findContradictions(ordered);
  const statedContradictions = contradictions.length <= MAX_CONTRADICTIONS ? contradictions : [];
  const originals = withoutCopies(ordered, copies);
  const choose = (tag: string) =>
    chooseReport(originals, tag, (text, report) => statesPrevious(text, report, changes));
  const main = mainLanguage(ordered, options);
  const site = primaryLanguage(options.siteLanguage);
  const chosenInMain = choose(main);
  // A quoted title of the main language is a worse text than a report in the site's language.
  const hasSite = originals.some(({ language }) => primaryLanguage(language) === site);
  const chosenInSite = hasSite && chosenInMain?.lead.length === 0 ? choose(site) : null;
  const isInSite = chosenInSite !== null && chosenInSite.lead.length > 0;
  const chosen = isInSite ? chosenInSite : chosenInMain;
  const language = isInSite ? site : main;
  const phrases = phraseLanguage(language);
  if (chosen === null) return null;
  const lead = chosen.lead.map((text): DigestSentence => ({ text, reportIds: [chosen.report.id] }));
  const newestChange = changes
    .filter(({ current }) => !isOfOneParty(current.measure ?? ''))
    .toSorted((a, b) => b.current.at - a.current.at)[0];
  const isChangeStated =
    newestChange !== undefined &&
    newestChange.current.reportId === chosen.report.id &&
    chosen.lead.some((text) => containsBothValues(text, newestChange));
  const addedSentences: readonly DigestSentence[] = [
    ...(newestChange === undefined || isChangeStated
      ? []
      : [
          {
            text: formatChange(newestChange, phrases),
            reportIds: revisionOf(newestChange, phrases).reportIds,
          },
        ]),
    ...statedContradictions.map((contradiction) => ({
      text: formatContradiction(contradiction, phrases),
      reportIds: contradictionOf(contradiction, phrases).statements.map(({ reportId }) => reportId),
    })),
  ];
  const sentences = [...lead, ...addedSentences];
  return {
    title: chosen.title,
    latest: latestTitle(ordered, language) ?? chosen.title,
    text: joinSentences(sentences.map(({ text }) => text)),
    language,
    sentences,
    contradictions: statedContradictions.map((contradiction) =>
      contradictionOf(contradiction, phrases),
    ),
    revisions: changes
      .toSorted((a, b) => b.current.at - a.current.at)
      .map((change) => revisionOf(change, phrases)),
    copies,
  };
}

/** Phrases exist in English and Chinese; other languages take the English ones. */
export function phraseLanguage(language: string): PhraseLanguage {
  return primaryLanguage(language) === 'zh' ? 'zh' : 'en';
}

/** The language of most reports. A tie is decided by the current digest, then by the site. */
function mainLanguage(ordered: readonly DigestReport[], options: DigestOptions): string {
  const counts = Map.groupBy(ordered, (report) => primaryLanguage(report.language));
  const maxCount = Math.max(...[...counts.values()].map((group) => group.length));
  const first = [...counts].filter(([, group]) => group.length === maxCount).map(([key]) => key);
  const preferred = [options.previous?.language ?? '', primaryLanguage(options.siteLanguage)];
  return preferred.find((language) => first.includes(language)) ?? first[0] ?? 'en';
}

/** Whether a text states a figure that another report replaced. */
function statesPrevious(
  text: string,
  report: DigestReport,
  changes: readonly FigureChange[],
): boolean {
  return changes.some(({ previous }) =>
    previous.some((claim) => claim.reportId === report.id && text.includes(claim.quote)),
  );
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
