// Rewrites a digest with a model, from the reports, their claims and the built-in digest. Each
// sentence must cite existing reports, and state only their names, counts and dates. Other
// sentences are dropped. Sentences about contradictions always keep the built-in text.
import { z } from 'zod';
import type { ModelRequester, ModelTask } from '../../../kernel/ports/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { TextGuard } from '../../enrichment/guardrails/check-text.ts';
import { foldName } from '../../enrichment/guardrails/known-names.ts';
import { openSourceText } from '../../enrichment/guardrails/source-text.ts';
import {
  removeMetaSentences,
  removeUnrelatedParagraphs,
} from '../../enrichment/injection/meta-text.ts';
import { languageInstruction } from '../../enrichment/model/item-prompt.ts';
import { capTokens, quoteText } from '../../enrichment/model/quote-text.ts';
import type { Prompts } from '../../enrichment/prompts/read-prompts.ts';
import { checkModelSentence } from '../../language/model-text-faults.ts';
import { findContradictions } from './contradictions/find-contradictions.ts';
import { contradictionOf, formatContradiction } from './contradictions/format-contradiction.ts';
import type { Digest, DigestLanguage, DigestSentence, ReportWithClaims } from './digest.ts';
import { phraseLanguage } from './writing/write-digest.ts';

export type RewriteDigestDeps = {
  readonly requestModel: ModelRequester;
  readonly prompt: Prompts['digest'];
  readonly guard: TextGuard;
  readonly siteLanguage: DigestLanguage;
};

export type RewriteInput = {
  readonly storyId: string;
  readonly reports: readonly ReportWithClaims[];
  /** The digest of the built-in rules for these reports. */
  readonly digest: Digest;
  /** A model's earlier digest of some of these reports; null: none is still valid. */
  readonly before: readonly DigestSentence[] | null;
};

export type WrittenWith = {
  readonly prompt: string;
  readonly model: string;
  readonly receipt: string;
  /** Sentences that a guard dropped, with the reason. */
  readonly dropped: readonly string[];
};

export type Rewritten =
  | { readonly kind: 'rewritten'; readonly digest: Digest; readonly with: WrittenWith }
  | { readonly kind: 'built_in'; readonly why: string; readonly isFinal: boolean };

const shape = z.strictObject({
  sentences: z.array(z.strictObject({ text: z.string(), reports: z.array(z.string()) })),
});
type Answer = z.infer<typeof shape>;

/** The model receives at most this number of reports. The digest itself reads at most 55. */
const REPORTS_MAX = 24;

export async function rewriteDigest(
  world: World,
  deps: RewriteDigestDeps,
  story: RewriteInput,
): Promise<Rewritten> {
  const reports = story.reports
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map((report) => ({ ...report, text: ownText(report) }));
  const reportsByRef = new Map(
    reports.slice(-REPORTS_MAX).map((report, index) => [`R${index + 1}`, report] as const),
  );
  const siteContradictions = siteContradictionsOf(story, reports, deps.siteLanguage);
  const acceptSentences = (answer: Answer) =>
    checkSentences(deps, answer, reportsByRef, siteContradictions.values);
  const task: ModelTask<Answer> = {
    step: 'digest',
    prompt: deps.prompt,
    input: inputOf(deps, story, reportsByRef, siteContradictions.values),
    shape,
    subject: story.storyId,
    check: (answer) => {
      const { accepted: checkedSentences, dropped } = acceptSentences(answer);
      if (checkedSentences.length > 0) return null;
      return `no sentence can be used: ${dropped.slice(0, 4).join('; ') || 'there is none'}`;
    },
  };
  const result = await deps.requestModel(world, task);
  if (result.kind === 'built_in') {
    const { why, detail = '' } = result;
    return { kind: 'built_in', why: `${why} ${detail}`.trim(), isFinal: why === 'refused' };
  }
  const { accepted, dropped } = acceptSentences(result.value);
  const { model, receipt } = result;
  const all = [...accepted, ...siteContradictions.sentences];
  return {
    kind: 'rewritten',
    digest: {
      ...story.digest,
      language: deps.siteLanguage === 'en' ? 'en' : 'zh',
      text: all.map(({ text }) => text).join(deps.siteLanguage === 'en' ? ' ' : ''),
      sentences: all,
    },
    with: { prompt: deps.prompt.version, model, receipt, dropped },
  };
}

/** The report's own text, without its title. */
const ownText = ({ text, title }: ReportWithClaims) =>
  removeUnrelatedParagraphs(removeMetaSentences(text, title), title);

type SiteContradictions = {
  readonly sentences: readonly DigestSentence[];
  /** Contested values by subject, in the words of each side. */
  readonly values: readonly { readonly subject: string; readonly values: readonly string[] }[];
};

/** The contradictions of the built-in digest as sentences of the site's language. */
function siteContradictionsOf(
  { digest }: RewriteInput,
  reports: readonly ReportWithClaims[],
  siteLanguage: DigestLanguage,
): SiteContradictions {
  const site = phraseLanguage(siteLanguage);
  // The digest states all contradictions of its reports, or none when there are too many.
  const contradictions =
    digest.contradictions.length === 0 ? [] : findContradictions(reports).contradictions;
  return {
    sentences: contradictions.map((contradiction) => ({
      text: formatContradiction(contradiction, site),
      reportIds: [...new Set(contradiction.sides.flat().map((claim) => claim.reportId))],
    })),
    values: contradictions.map((contradiction) => {
      const { subject, statements } = contradictionOf(contradiction, site);
      const quotes = contradiction.sides.flat().map((claim) => claim.quote);
      return { subject, values: [...new Set([...statements.map((s) => s.value), ...quotes])] };
    }),
  };
}

function inputOf(
  { prompt, siteLanguage }: RewriteDigestDeps,
  { before }: RewriteInput,
  reportsByRef: ReadonlyMap<string, ReportWithClaims>,
  contested: SiteContradictions['values'],
): string {
  const tokensPerReport = Math.max(
    60,
    Math.floor(prompt.bounds.textTokens / Math.max(1, reportsByRef.size)),
  );
  const fenced = [...reportsByRef].map(([id, report]) =>
    quoteText(id, capTokens(textOf(report), tokensPerReport)),
  );
  const previousText = (before ?? []).map(({ text }) => text).join('\n');
  return [
    languageInstruction(siteLanguage),
    contested.length === 0 ? 'Contested: nothing' : 'Contested:',
    ...contested.map(({ subject, values }) => `- ${subject}: ${JSON.stringify(values)}`),
    'Reports, the earliest first:',
    ...fenced,
    ...(previousText === '' ? [] : ['Standing digest:', quoteText('standing', previousText)]),
  ].join('\n');
}

/** A report for the prompt: source, time, title, claims, and the beginning of the text. */
function textOf(report: ReportWithClaims): string {
  const claims = [...new Set(report.claims.map((claim) => claim.sentence))].slice(0, 6);
  const publisher = report.isFirstParty ? `${report.sourceName} (first party)` : report.sourceName;
  return [
    report.title,
    `${publisher}, ${new Date(report.at).toISOString().slice(0, 16)}Z`,
    report.summary ?? '',
    ...claims.filter((claim) => !(report.summary ?? '').includes(claim)),
    report.text.slice(0, 1_200),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

type CheckedSentences = {
  readonly accepted: readonly DigestSentence[];
  readonly dropped: readonly string[];
};

function checkSentences(
  { guard, prompt, siteLanguage }: RewriteDigestDeps,
  { sentences }: Answer,
  reportsByRef: ReadonlyMap<string, ReportWithClaims>,
  contested: SiteContradictions['values'],
): CheckedSentences {
  const { bounds } = prompt;
  const checkedSentences: DigestSentence[] = [];
  const dropped: string[] = [];
  for (const { text: sentenceText, reports } of sentences.slice(0, bounds.sentences)) {
    const text = sentenceText.trim();
    const cited = reports.flatMap((id) => reportsByRef.get(id) ?? []);
    const isCited = cited.length > 0 && cited.length === reports.length;
    const value = contested
      .flatMap((contradiction) => contradiction.values)
      .find((contestedValue) => containsValue(text, contestedValue));
    const [fault] = isCited
      ? guard({
          text,
          field: 'sentence',
          bounds: { latin: bounds.sentenceLatin, wide: bounds.sentenceWide },
          source: sourceTextOf(cited),
          language: siteLanguage,
          systemMessage: prompt.system,
        })
      : [];
    const [unfit] = checkModelSentence(text, siteLanguage).filter(
      (problem) => checkedSentences.length === 0 || problem !== 'dependent',
    );
    if (!isCited) dropped.push('a sentence that cites no report, or one that is not there');
    else if (value !== undefined) dropped.push(`a sentence states ${value}, which is contested`);
    else if (fault !== undefined) dropped.push(fault.what);
    else if (unfit !== undefined) dropped.push(`sentence: ${unfit.replaceAll('_', ' ')}`);
    else checkedSentences.push({ text, reportIds: [...new Set(cited.map(({ id }) => id))] });
  }
  return { accepted: checkedSentences, dropped };
}

function sourceTextOf(cited: readonly ReportWithClaims[]) {
  const texts = cited.flatMap(({ title, summary, text, sourceName, owner }) => [
    ...[title, summary ?? '', text, sourceName, owner],
  ]);
  return openSourceText(texts, Math.max(...cited.map(({ at }) => at)));
}

/** Whether a sentence contains the contested value, and not only as part of a longer number. */
function containsValue(text: string, value: string): boolean {
  const [folded, foldedValue] = [foldName(text), foldName(value).trim()];
  if (foldedValue === '') return false;
  const at = folded.indexOf(foldedValue);
  if (at === -1) return false;
  const isDigit = (char: string) => /[\d.,]/u.test(char);
  const [before, after] = [folded.charAt(at - 1), folded.charAt(at + foldedValue.length)];
  return !(isDigit(before) || (/\d$/u.test(foldedValue) && /^\d/u.test(after)));
}
