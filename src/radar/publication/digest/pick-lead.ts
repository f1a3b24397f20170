// Which language a digest has, which title stands above it, and which sentence it begins with.

import { foldWhitespace, plainText, stripControl } from '../../../kernel/text/text.ts';
import type { Digest, DigestLanguage, DigestReport, ReportWithClaims } from './digest.ts';
import { isQuotable, plainSentences } from './plain-sentences.ts';
import type { Settled } from './settle-claims.ts';
import type { Tongue } from './show-value.ts';

const base = (language: string) => language.toLowerCase().split('-')[0] ?? 'en';

/** The language whose phrases a digest uses: ours are English and Chinese. */
export function tongueOf(language: string): Tongue {
  return base(language) === 'zh' ? 'zh' : 'en';
}

/** The language of most reports; a tie stays as it was, else the site's, else the earliest's. */
export function mainLanguage(
  ordered: readonly DigestReport[],
  options: { readonly siteLanguage: DigestLanguage; readonly previous: Digest | null },
): string {
  const counts = new Map<string, number>();
  for (const report of ordered) {
    const language = base(report.language);
    counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  const first = [...counts].filter(([, count]) => count === most).map(([language]) => language);
  const wished = [options.previous?.language ?? '', base(options.siteLanguage)];
  return wished.find((language) => first.includes(language)) ?? first[0] ?? 'en';
}

const tiers = ['T1', 'T1_5', 'T2'];

/**
 * First party, else the earliest of the highest tier whose title tells something; in the main
 * language where there is one.
 */
export function bestTitle(ordered: readonly DigestReport[], language: string): string {
  const titled = ordered.filter((report) => report.title.trim() !== '');
  const inLanguage = titled.filter((report) => base(report.language) === language);
  const pool = inLanguage.length > 0 ? inLanguage : titled;
  const byTier = tiers.flatMap((tier) => pool.filter((report) => report.tier === tier));
  const telling = byTier.find(({ title }) => isStatement(title.trim()));
  const best = pool.find((report) => report.isFirstParty) ?? telling ?? byTier[0];
  return clipLine(plainLine(best?.title ?? '') || (ordered[0]?.sourceName ?? ''));
}

/** A title on one line, without markup. */
export function plainLine(text: string): string {
  const cut = text.slice(0, 2_000);
  return foldWhitespace(/[<&]/u.test(cut) ? plainText(cut) : stripControl(cut));
}

export function clipLine(line: string): string {
  return line.length <= longest
    ? line
    : `${line
        .slice(0, longest - 1)
        .trimEnd()
        .toWellFormed()}…`;
}

export type Lead = {
  readonly text: string;
  readonly reportIds: readonly string[];
  readonly at: number;
  readonly reportId: string;
};

/** Characters; English sentences of news are rarely longer. */
const longest = 300;
const shortest = 12;

/** Whether a sentence of this report may be quoted in a digest of this language. */
export function mayStand(report: DigestReport, text: string, language: string): boolean {
  const isFit = text.length <= longest && text.length >= shortest;
  return isFit && base(report.language) === language && isQuotable(text);
}

/** The sentences of a report that may stand in a digest of this language. */
function quotable(report: DigestReport, language: string): readonly string[] {
  if (base(report.language) !== language) return [];
  return plainSentences(report)
    .filter(
      ({ text, isQuotable }) => isQuotable && text.length <= longest && text.length >= shortest,
    )
    .map(({ text }) => text);
}

/** A question, or a remark that does not even begin like a sentence, tells nobody what happened. */
const isStatement = (text: string) => !/[?？]["”’'」』)）]*$/u.test(text) && !/^\p{Ll}/u.test(text);

/** Neither do a few words, such as "Sign in to reply." */
const tells = (text: string) => isStatement(text) && /(?:\S+\s+){4}|\p{sc=Han}.{9}/u.test(text);

/**
 * The first party's first sentence, else the earliest report's; one that tells something, without
 * a superseded figure, where there is such a one. Null when no report has a sentence in the
 * language.
 */
export function leadOf(
  ordered: readonly ReportWithClaims[],
  language: string,
  settled: Settled,
): Lead | null {
  const old = new Set(settled.supersessions.flatMap((one) => one.was));
  const isOld = (report: DigestReport, text: string) =>
    [...old].some((claim) => claim.reportId === report.id && claim.sentence === text);
  const order = [...ordered.filter((one) => one.isFirstParty), ...ordered];
  let second: Lead | null = null;
  for (const report of order) {
    for (const text of quotable(report, language).slice(0, 2)) {
      const lead = { text, reportIds: saying(report, text, settled), at: report.at };
      if (!isOld(report, text) && tells(text)) return { ...lead, reportId: report.id };
      second ??= { ...lead, reportId: report.id };
    }
  }
  return second;
}

/** The report, and all that say what the sentence states. */
function saying(report: DigestReport, text: string, settled: Settled): readonly string[] {
  const own = settled.claims.filter((one) => one.reportId === report.id && one.sentence === text);
  const others = own.flatMap((claim) => settled.alike(claim));
  return [...new Set([report.id, ...others.map((claim) => claim.reportId)])];
}
