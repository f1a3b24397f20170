// The report that tells an event best: the one whose title and lead are nearest to those of the
// other independent reports. A publisher precedes a post, and the newest report wins a tie.

import { titleFaults } from '../../../language/text-faults.ts';
import { joinText, leadOf, tokensOf } from '../../../language/write-lead.ts';
import type { DigestReport } from '../digest.ts';
import { storyTitle } from './story-title.ts';

export type ChosenReport = {
  readonly report: DigestReport;
  readonly title: string;
  /** At most two sentences of its text; empty when none stands alone. */
  readonly lead: readonly string[];
};

type Candidate = ChosenReport & {
  readonly titleTokens: ReadonlySet<string>;
  readonly leadTokens: ReadonlySet<string>;
  readonly penalty: number;
};

/** Points of cosine similarity, which lies between 0 and 1. */
const points = { post: 0.12, titleFault: 0.15, noLead: 0.2, lead: 0.5, tie: 0.03 } as const;

/** Reports beyond these change nothing, and every pair is compared. */
const MOST_REPORTS = 60;

/**
 * `reports` are all reports of one story, in any order. `isOutdated` marks a report whose text
 * states a figure that a newer report replaced.
 */
export function chooseReport(
  reports: readonly DigestReport[],
  language: string,
  isOutdated: (title: string, lead: readonly string[], report: DigestReport) => boolean,
): ChosenReport | null {
  const own = reports.filter((report) => base(report.language) === language);
  const pool = (own.length > 0 ? own : reports).slice(0, MOST_REPORTS);
  const candidates = pool
    .filter((report) => report.title.trim() !== '')
    .map((report) => candidateOf(report));
  const scored = candidates.map((candidate) => {
    const { title, lead, report } = candidate;
    const isOld = isOutdated(title, lead, report);
    return { candidate, isOld, score: nearness(candidate, candidates) - candidate.penalty };
  });
  const current = scored.filter(({ isOld }) => !isOld);
  const ranked = (current.length > 0 ? current : scored).sort((a, b) => b.score - a.score);
  const best = ranked[0];
  if (best === undefined) return null;
  const equals = ranked.filter(({ score }) => best.score - score < points.tie);
  const [newest] = equals.sort(
    (a, b) =>
      b.candidate.report.at - a.candidate.report.at ||
      (a.candidate.report.id < b.candidate.report.id ? -1 : 1),
  );
  const { report, title, lead } = (newest ?? best).candidate;
  return { report, title, lead };
}

const platforms = new RegExp(
  '^(?:X|Twitter|Weibo|微博|Mastodon|Bluesky|Threads|Reddit|Telegram|LinkedIn|Hacker News|' +
    'Lobsters|V2EX|知乎)(?!\\p{L})',
  'u',
);

/** A source whose name carries a handle, or names a place where people post. */
export function isPostSource(sourceName: string): boolean {
  return /@\w/u.test(sourceName) || platforms.test(sourceName);
}

const base = (language: string) => language.toLowerCase().split('-')[0] ?? 'en';

function candidateOf(report: DigestReport): Candidate {
  const title = storyTitle(report.title);
  const language = base(report.language);
  const body = report.text.trim() === '' ? (report.summary ?? '') : report.text;
  const lead = leadOf({ title, text: body, language });
  const faults = titleFaults(title, language);
  return {
    report,
    title,
    lead,
    titleTokens: tokensOf(title),
    leadTokens: tokensOf(joinText(lead)),
    penalty:
      (report.isPost ? points.post : 0) +
      Math.min(2, faults.length) * points.titleFault +
      (lead.length === 0 ? points.noLead : 0),
  };
}

/** Mean similarity to the other owners' reports, each owner represented by its nearest one. */
function nearness(candidate: Candidate, all: readonly Candidate[]): number {
  const byOwner = new Map<string, number>();
  for (const other of all) {
    if (other.report.owner === candidate.report.owner) continue;
    const titles = cosine(candidate.titleTokens, other.titleTokens);
    const leads = cosine(
      union(candidate.titleTokens, candidate.leadTokens),
      union(other.titleTokens, other.leadTokens),
    );
    const similarity = titles + points.lead * leads;
    byOwner.set(other.report.owner, Math.max(byOwner.get(other.report.owner) ?? 0, similarity));
  }
  if (byOwner.size === 0) return 0;
  return [...byOwner.values()].reduce((sum, one) => sum + one, 0) / byOwner.size;
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...a, ...b]);
}

function cosine(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const token of a) if (b.has(token)) shared += 1;
  return shared / Math.sqrt(a.size * b.size);
}
