// Opens the rule-based enricher, which writes title, summary, category, score and reason by rules
// alone, in English and Chinese. It is deterministic. Knowledge of the field comes from the
// editorial folder.
import { createHash } from 'node:crypto';
import { openSentenceCleaner } from '../../language/clean-sentence.ts';
import { openSentenceSplitter } from '../../language/split-sentences.ts';
import { sentenceFaults } from '../../language/text-faults.ts';
import { joinSentences, leadOf } from '../../language/write-lead.ts';
import type { Editorial } from '../editorial-files.ts';
import type { Enricher, Enrichment, EnrichmentInput, SiteLanguage } from '../enricher.ts';
import { openClassifier } from './classify.ts';
import { clipAtWord } from './clip-at-word.ts';
import { openEvidenceReader } from './detect-features.ts';
import { openPhraseCounter } from './match-phrases.ts';
import { nameSubject } from './name-subject.ts';
import { scoreItem } from './score-item.ts';
import { writeReason } from './selection-reason.ts';
import { openSummaryWriter, SUMMARY_LENGTH_MAX } from './write-summary.ts';
import { openTitleWriter } from './write-title.ts';

/** Increased with each change of these rules. The hash of the data covers changes of the data. */
const rulesVersion = 4;
/** Characters of a body that are read; later text has no effect. */
const BODY_CHARACTERS_MAX = 40_000;
/** Limits for title, address and name, because patterns are slow on very long input. */
const TITLE_CHARACTERS_MAX = 1_000;
const ADDRESS_CHARACTERS_MAX = 2_000;
const NAME_CHARACTERS_MAX = 200;

export function openRuleBasedEnricher(
  editorial: Editorial,
  { siteLanguage }: { readonly siteLanguage: SiteLanguage },
): Enricher {
  const { categories, titles, sentences, names, features, weights, scoring, reasons } = editorial;
  const split = openSentenceSplitter(sentences.abbreviations);
  const clean = openSentenceCleaner(sentences);
  const countNames = openPhraseCounter(names, 6);
  const writeTitle = openTitleWriter(titles, names);
  const writeSummary = openSummaryWriter(sentences, split, clean, countNames);
  const readEvidence = openEvidenceReader(features, scoring.leadFactor);
  const classify = openClassifier(
    categories.map(({ id }) => id),
    weights,
  );
  const firstSentence = (text: string): string => {
    for (const sentence of split(text.slice(0, 4_000))) {
      const cleaned = clean(sentence.text);
      if (cleaned !== null) return cleaned;
    }
    return text.split('\n').find((line) => /\p{L}/u.test(line)) ?? '';
  };

  const enrichInput = (fullInput: EnrichmentInput): Enrichment => {
    const input = limitInput(fullInput);
    const { source, text } = input;
    const { title, originalTitle } = writeTitle({
      title: input.title,
      sourceName: source.name,
      url: input.url,
      firstSentence: /[\p{L}\p{N}]/u.test(input.title)
        ? ''
        : firstSentence(`${input.summary}\n${text}`.trim()),
    });
    const summary = writeSummary({ title, text, summary: input.summary });
    const visible = summary === null ? title : `${title}\n${summary}`;
    const lead = summary ?? input.summary.concat('\n', text).trim();
    const evidence = readEvidence({
      title: /[\p{L}\p{N}]/u.test(input.title) ? input.title : title,
      lead,
      visible,
      url: input.url,
      source: source.tier,
    });
    const category = /\p{L}/u.test(`${title}${lead}`) ? classify(evidence) : null;
    const score = scoreItem(scoring, {
      tier: source.tier,
      category,
      evidence,
      visible,
      nameCount: countNames(visible),
      textLength: lengthOf(text === '' ? input.summary : text),
    });
    const isWorthy =
      source.participation === 'editorial' &&
      category !== null &&
      score >= scoring.thresholds[source.tier];
    const reason = isWorthy
      ? writeReason(reasons, siteLanguage, { tier: source.tier, category, evidence })
      : null;
    return {
      ...addSubjectToTitle(input, title, originalTitle),
      summary: choosePublishedSummary(input, title, summary),
      category,
      score,
      isWorthy,
      reason,
      summaryBy: 'rules',
    };
  };

  return { version: versionOf(editorial, siteLanguage), enrich: enrichInput };
}

/** Names the company in the title of an item from the company's own page. */
function addSubjectToTitle(
  input: EnrichmentInput,
  title: string,
  originalTitle: string | null,
): Pick<Enrichment, 'title' | 'originalTitle'> {
  const { name: sourceName, tier } = input.source;
  const titleWithSubject = nameSubject({ title, sourceName, isFirstParty: tier === 'T1' });
  return {
    title: titleWithSubject,
    originalTitle: titleWithSubject === title ? originalTitle : input.title.trim(),
  };
}

/** The lead of the text when it fits; otherwise `scoredSummary` when it has no fault. */
function choosePublishedSummary(
  { summary, text, language }: EnrichmentInput,
  title: string,
  scoredSummary: string | null,
): string | null {
  const max = language.startsWith('zh') ? SUMMARY_LENGTH_MAX.wide : SUMMARY_LENGTH_MAX.latin;
  const lead = leadOf({ title, text: `${summary}\n${text}`, language });
  const draftWithinLimit = [lead, lead.slice(0, 1)]
    .map(joinSentences)
    .find((draft) => draft.length <= max);
  if (draftWithinLimit !== undefined && draftWithinLimit !== '') return draftWithinLimit;
  return scoredSummary !== null && isFaultless(scoredSummary, language) ? scoredSummary : null;
}

const isFaultless = (text: string, language: string) =>
  sentenceFaults(text, language).every((fault) => fault === 'too_long' || fault === 'too_short');

function limitInput(input: EnrichmentInput): EnrichmentInput {
  return {
    ...input,
    title: clipAtWord(input.title.trim(), TITLE_CHARACTERS_MAX),
    text: input.text.slice(0, BODY_CHARACTERS_MAX),
    summary: input.summary.slice(0, BODY_CHARACTERS_MAX),
    url: input.url.slice(0, ADDRESS_CHARACTERS_MAX),
    source: { ...input.source, name: input.source.name.slice(0, NAME_CHARACTERS_MAX) },
  };
}

function lengthOf(text: string): number {
  return text.length + (text.match(/\p{sc=Han}/gu)?.length ?? 0);
}

function versionOf(editorial: Editorial, siteLanguage: SiteLanguage): string {
  const data = createHash('sha256').update(JSON.stringify(editorial)).digest('hex');
  return `rules-${rulesVersion}-${data.slice(0, 12)}-${siteLanguage}`;
}
