// Chooses the report that represents an event: its title and lead are nearest to those of the other
// independent reports. A report of an action precedes a comment, and a publisher precedes a post.
// The highest score wins a tie.

import { primaryLanguage } from '../../../../kernel/text/primary-language.ts';
import { cuePattern } from '../../../language/cues.ts';
import { isAction, isReport } from '../../../language/event-sentence.ts';
import { withoutLength } from '../../../language/model-text-faults.ts';
import { sentenceFaults, type TextFault, titleFaults } from '../../../language/text-faults.ts';
import { cosine, sharedShare } from '../../../language/tokens.ts';
import { joinSentences, leadOf, tokensOf } from '../../../language/write-lead.ts';
import type { DigestReport } from '../digest.ts';
import { storyTitle } from './story-title.ts';

export type ChosenReport = {
  readonly report: DigestReport;
  readonly title: string;
  /** At most two sentences of its text; empty when none can stand alone. */
  readonly lead: readonly string[];
  /** News has a sound title of its own, and its lead begins with a completed action. */
  readonly kind: 'news' | 'statement' | 'comment';
};

type Candidate = ChosenReport & {
  /** The title is the report's, not its first sentence. */
  readonly isOwnTitle: boolean;
  readonly titleTokens: ReadonlySet<string>;
  readonly leadTokens: ReadonlySet<string>;
  readonly penalty: number;
};

/** In points of cosine similarity, which lies between 0 and 1. */
const points = {
  post: 0.2,
  /** A completed action without a day, a speaker or an announcement. */
  noReport: 0.1,
  /** Reviews and comments are near to all reports, because they repeat the names of the event. */
  noAction: 0.3,
  titleFault: 0.3,
  noLead: 0.6,
  leadAsTitle: 0.25,
  lead: 0.5,
  tie: 0.03,
} as const;

/** Limits the comparison of all pairs. Further reports do not change the choice. */
const MAX_REPORTS = 60;

/**
 * `reports` are all reports of one story, in any order. `isOutdated` marks a text of a report
 * with a figure that a newer report replaced.
 */
export function chooseReport(
  reports: readonly DigestReport[],
  language: string,
  isOutdated: (text: string, report: DigestReport) => boolean,
): ChosenReport | null {
  const pool = reports
    .filter((report) => primaryLanguage(report.language) === language)
    .slice(0, MAX_REPORTS);
  const openings = pool.map(({ title, text }) => tokensOf(`${title}\n${text.slice(0, HEAD)}`));
  const candidates = pool
    .filter((report) => report.title.trim() !== '')
    .map((report) => {
      const others = openings.filter((_, index) => pool[index]?.owner !== report.owner);
      return candidateOf(report, others);
    });
  const scored = candidates.map((full) => {
    const stale = full.lead.findIndex((text) => isOutdated(text, full.report));
    const candidate = stale < 0 ? full : { ...full, lead: full.lead.slice(0, stale) };
    const penalty = full.penalty + (stale === 0 ? points.noLead : 0);
    return {
      candidate,
      isSupported: full.lead.length > 0,
      isOld: isOutdated(full.title, full.report),
      score: meanSimilarity(full, candidates) - penalty,
    };
  });
  const current = scored.filter(({ isOld }) => !isOld);
  const ranked = current.length > 0 ? current : scored;
  const best = Math.max(...ranked.map(({ score }) => score));
  // The score decides before the time, because comments and reviews are often the newest reports.
  const [preferred] = ranked
    .filter(({ score }) => best - score < points.tie)
    .sort(
      ({ candidate: { report: a } }, { candidate: { report: b } }) =>
        b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1),
    );
  if (preferred === undefined) return null;
  const { report, title, lead, isOwnTitle, kind } = preferred.candidate;
  const hasNoLead = !preferred.isSupported && report.text.trim() !== '';
  if (isOwnTitle && hasNoLead && (kind === 'comment' || !isAgreed(preferred.candidate, pool))) {
    return { report, title: quoteTitle(title, report), lead, kind: 'comment' };
  }
  return { report, title, lead, kind: kind === 'news' && lead.length === 0 ? 'statement' : kind };
}

const platform = cuePattern('platform');

/** A source whose name contains a handle or a site of posts. */
export function isPostSource(sourceName: string): boolean {
  return /@\w/u.test(sourceName) || platform.test(sourceName);
}

/** The opinion section of an outlet. */
const opinionSource = /\b(?:opinions?|editorial|op-ed|guest (?:writer|column))\b|评论|观点|社论/iu;

function candidateOf(report: DigestReport, others: readonly ReadonlySet<string>[]): Candidate {
  const language = primaryLanguage(report.language);
  const text = report.text.trim() === '' ? (report.summary ?? '') : report.text;
  const title = storyTitle(report.title);
  const faults = titleFaults(title, language).concat(hasStance(title) ? ['opinion'] : []);
  const isOpinion = opinionSource.test(report.sourceName);
  const isPersonal = faults.some((fault) => personalFaults.has(fault));
  const isLabel = faults.includes('furniture') || faults.includes('incomplete');
  const isCaption =
    language !== 'zh' && (isLabel || (title.length > LONG_CAPTION && text.startsWith(title)));
  const isDoubtful = isCaption || (language === 'zh' && clauses.test(title)) || isPersonal;
  const sentences = isOpinion ? [] : leadOf({ title, text, language, others, isCaption });
  const [first = ''] = sentences;
  const lead =
    (isDoubtful || hasStance(first)) && !isReport(first)
      ? []
      : sentences.filter((text) => text === first || !hasStance(text));
  const isSound = faults.length === 0 && !isCaption;
  const leadTitle = isSound ? null : titleFromLead(isCaption ? sentences : lead, language);
  const otherSentences =
    leadTitle === null
      ? lead.filter(() => !isCaption)
      : sentences
          .slice(1)
          .filter((next) => !sentenceFaults(next, language).includes('dependent'))
          .filter((next) => sharedShare(tokensOf(leadTitle), tokensOf(next)) < REPEATED);
  const actionPenalty = eventPenalty(leadTitle ?? otherSentences[0] ?? '');
  const isUnsupported = isDoubtful && lead.length === 0;
  const isComment = isOpinion || isCaption || isUnsupported || withoutLength(faults).length > 0;
  return {
    report,
    title: leadTitle ?? (isComment ? quoteTitle(title, report) : title),
    isOwnTitle: leadTitle === null,
    lead: otherSentences,
    kind: isComment ? 'comment' : isSound && actionPenalty < points.noAction ? 'news' : 'statement',
    titleTokens: tokensOf(leadTitle ?? title),
    leadTokens: tokensOf(joinSentences(otherSentences)),
    penalty:
      (report.isPost || isOpinion ? points.post : 0) +
      actionPenalty +
      (leadTitle === null
        ? Math.min(2, faults.length + (isDoubtful ? 1 : 0)) * points.titleFault +
          (otherSentences.length === 0 ? points.noLead : 0)
        : points.leadAsTitle),
  };
}

const stance = cuePattern('stance', 'iu');
const hasStance = (text: string) => stance.test(text.replace(/“[^”]*”|"[^"]*"/gu, ''));

/** A report states a day, a speaker or an announcement; a comment states a stance. */
function eventPenalty(sentence: string): number {
  const isComment = hasStance(sentence);
  if (!isComment && isReport(sentence)) return 0;
  return !isComment && isAction(sentence) ? points.noReport : points.noAction;
}

/** A page's text that begins with such a long title repeats a caption. */
const LONG_CAPTION = 90;
/** Number of characters at the beginning of a report that are compared. */
const HEAD = 350;
/** Three clauses: posts in Chinese add a reaction or an opinion to the event. */
const clauses = /[，,。；].*[，,。；]/u;

/** Faults that show the personal voice of the author. */
const personalFaults: ReadonlySet<TextFault> = new Set<TextFault>([
  'opinion',
  'question',
  'missing_subject',
  'first_person',
  'second_person',
  'exclamation',
  'handle',
  'deictic',
]);

/** Share of a title's words that reports of other owners have too. */
const AGREED_SHARE = 0.8;
/** A shorter title can be a name, which other reports repeat: "The Price of a Token". */
const AGREED_WORDS = 6;
/** Number of characters of a report in which these words are searched. */
const READ_CHARACTERS = 2_500;

/** True when other owners confirm a title: their reports have nearly all of its words. */
function isAgreed({ report, titleTokens }: Candidate, pool: readonly DigestReport[]): boolean {
  if (titleTokens.size < AGREED_WORDS) return false;
  const texts = pool
    .filter(({ owner }) => owner !== report.owner)
    .map(({ title, text }) => `${title}\n${text.slice(0, READ_CHARACTERS)}`);
  return sharedShare(titleTokens, tokensOf(texts.join('\n'))) >= AGREED_SHARE;
}

/** The title as a quotation, so that readers see whose opinion or question it is. */
function quoteTitle(title: string, { sourceName, language }: DigestReport): string {
  const speaker = sourceName.replace(/\s*[（(]@[^（()）]*[)）]/gu, '');
  if (title.startsWith(speaker.replace(/^.*[:：]\s*/u, ''))) return title;
  const colon = primaryLanguage(language) === 'zh' ? '：' : ': ';
  return `${speaker}${colon}“${title.replace(/[“”"]/gu, '').trim()}”`;
}

/** A sentence with this share of the title's words repeats it. */
const REPEATED = 0.6;
/** The first sentence replaces a title that is a question, an opinion or a caption. */
function titleFromLead([first]: readonly string[], language: string): string | null {
  if (first === undefined || !isAction(first) || hasStance(first)) return null;
  const title = first.replace(/[.。]$/u, '');
  return titleFaults(title, language).length > 0 ? null : title;
}

/** Mean similarity to the reports of the other owners. The nearest report represents each owner. */
function meanSimilarity(candidate: Candidate, all: readonly Candidate[]): number {
  const byOwner = new Map<string, number>();
  for (const other of all) {
    if (other.report.owner === candidate.report.owner) continue;
    const titles = cosine(candidate.titleTokens, other.titleTokens);
    const leads = cosine(
      candidate.titleTokens.union(candidate.leadTokens),
      other.titleTokens.union(other.leadTokens),
    );
    const similarity = titles + points.lead * leads;
    byOwner.set(other.report.owner, Math.max(byOwner.get(other.report.owner) ?? 0, similarity));
  }
  if (byOwner.size === 0) return 0;
  return [...byOwner.values()].reduce((sum, share) => sum + share, 0) / byOwner.size;
}
