// A story's digest without any model: the lead sentence, then one sentence per new fact with the
// reports that say it, superseded figures told as such, and contradictions stated.
import type {
  Digest,
  DigestLanguage,
  DigestSentence,
  OwnedClaim,
  ReportWithClaims,
} from './digest.ts';
import { bestTitle, clipLine, leadOf, mainLanguage, plainLine, tongueOf } from './pick-lead.ts';
import { contradictionOf, sayDispute, saySupersession } from './say-dispute.ts';
import { type Settled, settleClaims } from './settle-claims.ts';
import { tellFacts } from './tell-facts.ts';

export type DigestOptions = {
  readonly siteLanguage: DigestLanguage;
  /** The digest that stands now: what it tells is kept where there is not room for all. */
  readonly previous: Digest | null;
};

const most = { sentences: 8, disputes: 4, supersessions: 2 } as const;

/** Null when there are no reports. The order of `reports` does not matter. */
export function writeDigest(
  reports: readonly ReportWithClaims[],
  options: DigestOptions,
): Digest | null {
  const ordered = [...reports].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  if (ordered.length === 0) return null;
  const language = mainLanguage(ordered, options);
  const tongue = tongueOf(language);
  const settled = settleClaims(ordered.flatMap(owned), ordered);
  const title = bestTitle(ordered, language);
  const disputes = mostHeard(settled.disputes, most.disputes);
  const supersessions = settled.supersessions.slice(-most.supersessions);
  const verdicts: readonly Told[] = [
    ...supersessions.map((one) => ({
      text: clipLine(saySupersession(one, tongue)),
      reportIds: idsOf([...one.was, ...one.now]),
      at: Math.max(...one.now.map((claim) => claim.at)),
    })),
    ...disputes.map((one) => ({
      text: clipLine(sayDispute(one, tongue)),
      reportIds: idsOf(one.sides.flat()),
      at: Math.max(...one.sides.map((side) => side[0]?.at ?? 0)),
    })),
  ];
  const lead = leadOf(ordered, language, settled);
  const room = most.sentences - verdicts.length - (lead === null ? 0 : 1);
  const kept = new Set(options.previous?.sentences.map((sentence) => sentence.text));
  const facts = tellFacts({ language, settled, lead, room, kept });
  const all: readonly Told[] = [...(lead === null ? [] : [lead]), ...facts, ...verdicts];
  const sentences: readonly DigestSentence[] = all.map(({ text, reportIds }) => {
    return { text, reportIds };
  });
  return {
    title,
    latest: latestOf(ordered, language, [...facts, ...verdicts], settled) || title,
    text: sentences.map((one) => one.text).join(tongue === 'zh' ? '' : ' '),
    language,
    sentences,
    contradictions: disputes.map((one) => contradictionOf(one, tongue)),
  };
}

type Told = DigestSentence & { readonly at: number };

function owned(report: ReportWithClaims): readonly OwnedClaim[] {
  return report.claims.map((claim) => ({ ...claim, report }));
}

function idsOf(claims: readonly OwnedClaim[]): readonly string[] {
  return [...new Set(claims.map((claim) => claim.reportId))];
}

/** Those that most owners speak of; among equals the earliest. In order of time. */
function mostHeard(disputes: Settled['disputes'], count: number): Settled['disputes'] {
  const owners = (one: Settled['disputes'][number]) =>
    new Set(one.sides.flat().map((claim) => claim.report.owner)).size;
  const chosen = disputes.toSorted((a, b) => owners(b) - owners(a)).slice(0, count);
  return disputes.filter((one) => chosen.includes(one));
}

/** The newest report that brings something new, in a line. */
function latestOf(
  ordered: readonly ReportWithClaims[],
  language: string,
  told: readonly Told[],
  settled: Settled,
): string {
  const verdict = told.findLast((one) => one.at === Math.max(...told.map((other) => other.at)));
  const newest = ordered.findLast((report) => bringsNews(report, settled)) ?? ordered.at(-1);
  const readable = (report: ReportWithClaims) => tongueOf(report.language) === tongueOf(language);
  if (newest !== undefined && readable(newest) && newest.title.trim() !== '') {
    return oneLine(newest.title);
  }
  if (verdict !== undefined && verdict.at === newest?.at) return verdict.text;
  const other = ordered.findLast((report) => readable(report) && report.title.trim() !== '');
  return oneLine(other?.title ?? newest?.title ?? '');
}

/** Whether a report is the first to say something. */
function bringsNews(report: ReportWithClaims, settled: Settled): boolean {
  return settled.facts.some((fact) => fact[0]?.reportId === report.id);
}

function oneLine(text: string): string {
  return clipLine(plainLine(text));
}
