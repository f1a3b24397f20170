// Writes the summary: one to three whole sentences of the text. Sentences are scored by position,
// by words shared with the title, by figures and names. A sentence is never cut, and the title is
// never repeated. The summary is null when no sentence qualifies.
import type { SentenceCleaner } from '../../language/clean-sentence.ts';
import type { Sentence, SentenceSplitter } from '../../language/split-sentences.ts';
import { openTokenizer, sharedShare } from '../../language/tokens.ts';
import { joinSentences } from '../../language/write-lead.ts';
import type { SentenceRules } from '../editorial-files.ts';

/** Maximum number of characters. Chinese needs fewer characters for the same content. */
export const SUMMARY_LENGTH_MAX = { latin: 280, wide: 140 } as const;
/** Minimum length in the same units. A shorter sentence has too little content. */
const LENGTH_MIN = { latin: 34, wide: 16 } as const;
const SENTENCES_MAX = 3;
/**
 * A title with this number of parts lists stories. A sentence that shares no word with it cannot
 * begin the summary.
 */
const LISTED_STORIES_MIN = 3;
/** A sentence needs at least this share of the title's words for each matched `talk` pattern. */
const TALK_SHARED_MIN = 0.13;
/** A sentence that shares at least this share of words with an earlier sentence repeats it. */
const OVERLAP_MAX = 0.6;

/** Additional points of a sentence that directly follows the last selected one. */
const ADJACENT_POINTS = 0.25;

/** Minimum points of a further sentence, as a share of the first sentence's points. */
const CONTINUATION_MIN = 0.55;

/** Number of sentences that are read. Later sentences are never used. */
const READ_SENTENCES_MAX = 60;

export type SummaryInput = {
  /** The title above the summary. */
  readonly title: string;
  readonly text: string;
  /** The source's own summary; its sentences come first. */
  readonly summary: string;
};

export type SummaryWriter = (input: SummaryInput) => string | null;

type Candidate = {
  readonly text: string;
  /** Reading order. */
  readonly order: number;
  /** Null: the sentence begins a block; otherwise the order of its predecessor. */
  readonly predecessorOrder: number | null;
  readonly isDependent: boolean;
  readonly tokens: ReadonlySet<string>;
  readonly value: number;
};

export function openSummaryWriter(
  rules: SentenceRules,
  split: SentenceSplitter,
  clean: SentenceCleaner,
  countNames: (text: string) => number,
): SummaryWriter {
  const tokensOf = openTokenizer(rules.stopwords);
  const dependentPatterns = rules.dependents.map((source) => new RegExp(source, 'iu'));
  const followerPatterns = rules.followers.map((source) => new RegExp(source, 'iu'));
  const weakPatterns = [...rules.weak, ...rules.talk].map((source) => new RegExp(source, 'iu'));
  const talkPatterns = rules.talk.map((source) => new RegExp(source, 'iu'));

  const findCandidates = (input: SummaryInput): readonly Candidate[] => {
    const titleTokens = tokensOf(input.title);
    // The first sentence need not share a word with a title, which may be a play on words. Only a
    // title that lists stories needs a sentence about one of them.
    const isStoryList = input.title.split(/[,，;；|] ?/u).length >= LISTED_STORIES_MIN;
    const usedSentences = new Set<string>();
    const candidates: Candidate[] = [];
    let previousSentence: { block: number; order: number } | null = null;
    const sentences = [
      ...completeSingleSentence(split(input.summary)),
      ...renumberBlocks(completeSingleSentence(split(input.text))),
    ];
    for (const [order, sentence] of sentences.slice(0, READ_SENTENCES_MAX).entries()) {
      const text = sentence.isComplete ? clean(sentence.text) : null;
      const key = (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
      if (text === null || usedSentences.has(key)) {
        previousSentence = null;
        continue;
      }
      usedSentences.add(key);
      const predecessorOrder: number | null =
        previousSentence?.block === sentence.block ? previousSentence.order : null;
      previousSentence = { block: sentence.block, order };
      const tokens = tokensOf(text);
      if (repeatsTitle(tokens, titleTokens)) continue;
      const titleShare = sharedShare(titleTokens, tokens);
      // Personal talk unrelated to the title ("I'm thrilled to …!") is excluded.
      const talkMatches = talkPatterns.filter((pattern) => pattern.test(text)).length;
      if (titleShare < TALK_SHARED_MIN * talkMatches) continue;
      const value = scoreSentence(text, candidates.length, titleShare);
      const isUnrelatedToTitle = isStoryList && titleShare === 0;
      const applicablePatterns = [...dependentPatterns, ...(order === 0 ? [] : followerPatterns)];
      const isDependent =
        isUnrelatedToTitle || applicablePatterns.some((pattern) => pattern.test(text));
      candidates.push({
        text: replaceFinalSemicolon(text),
        order,
        predecessorOrder,
        isDependent,
        tokens,
        value,
      });
    }
    return candidates;
  };

  /**
   * Higher is better; about 1 for a lead sentence about the title's subject. Early position, words
   * of the title, figures and names add points. Weak patterns and an extreme length subtract
   * points.
   */
  const scoreSentence = (text: string, rank: number, shared: number): number => {
    const isWideText = isWide(text);
    const relativeLength =
      text.length / (isWideText ? SUMMARY_LENGTH_MAX.wide : SUMMARY_LENGTH_MAX.latin);
    const figures = text.match(/\p{N}+(?:[.,]\p{N}+)*/gu)?.length ?? 0;
    const penalty = weakPatterns.filter((pattern) => pattern.test(text)).length * 0.22;
    return (
      1.2 / (1 + 0.3 * rank) +
      0.7 * shared +
      0.08 * Math.min(figures, 3) +
      0.06 * Math.min(countNames(text), 3) -
      penalty -
      (relativeLength < 0.2 ? 0.35 : 0) -
      (relativeLength > 0.85 ? 0.15 : 0)
    );
  };

  return (input) => chooseSentences(findCandidates(input));
}

/** The best first sentence, then its best continuations, in reading order. */
function chooseSentences(candidates: readonly Candidate[]): string | null {
  const fitsLength = (sentences: readonly Candidate[]) => {
    const text = joinTexts(sentences);
    return text.length <= (isWide(text) ? SUMMARY_LENGTH_MAX.wide : SUMMARY_LENGTH_MAX.latin);
  };
  const openers = candidates.filter(
    (candidate) => !candidate.isDependent && fitsLength([candidate]),
  );
  const opener = openers.reduce<Candidate | null>(
    (best, candidate) => (best === null || candidate.value > best.value ? candidate : best),
    null,
  );
  if (opener === null) return null;
  const selected = [opener];
  const laterCandidates = candidates.filter(({ order }) => order > opener.order);
  for (let step = 1; step < SENTENCES_MAX; step += 1) {
    const lastOrder = selected.at(-1)?.order;
    const next = laterCandidates
      .filter((candidate) => !selected.includes(candidate) && fitsLength([...selected, candidate]))
      .filter(
        ({ order, isDependent, predecessorOrder }) =>
          order > (lastOrder ?? 0) && (!isDependent || predecessorOrder === lastOrder),
      )
      .filter(({ tokens }) =>
        selected.every((other) => overlapShare(tokens, other.tokens) < OVERLAP_MAX),
      )
      .map((candidate) => {
        const followsLast = candidate.predecessorOrder === lastOrder;
        return { candidate, value: candidate.value + (followsLast ? ADJACENT_POINTS : 0) };
      })
      .sort((a, b) => b.value - a.value || a.candidate.order - b.candidate.order)[0];
    if (next === undefined || next.value < CONTINUATION_MIN * opener.value) break;
    selected.push(next.candidate);
  }
  const text = joinTexts(selected);
  return text.length >= (isWide(text) ? LENGTH_MIN.wide : LENGTH_MIN.latin) ? text : null;
}

/**
 * A description of one sentence counts as whole without its full stop. Exceptions are headings and
 * truncated text ("… and the").
 */
function completeSingleSentence(sentences: readonly Sentence[]): readonly Sentence[] {
  const [firstSentence] = sentences;
  if (firstSentence === undefined || sentences.length !== 1 || firstSentence.isComplete)
    return sentences;
  const { text } = firstSentence;
  if (isWide(text))
    return /[\p{sc=Han}）」』”]$/u.test(text) ? completeSentence(firstSentence, '。') : sentences;
  const words = text.match(/\p{L}[\p{L}\p{N}'’-]*/gu) ?? [];
  const capitals = words.slice(1).filter((word) => /^\p{Lu}/u.test(word)).length;
  const truncatedEnd =
    /(?:\.\.\.|…|[,:;–—-]|\s(?:a|an|the|of|and|or|to|in|for|with|by|on|that))$/iu;
  if (words.length < 8 || capitals > 0.5 * (words.length - 1) || truncatedEnd.test(text))
    return sentences;
  return completeSentence(firstSentence, '.');
}

function completeSentence(sentence: Sentence, mark: string): readonly Sentence[] {
  return [{ ...sentence, text: sentence.text + mark, isComplete: true }];
}

/** Blocks of the body and of the summary are numbered separately. */
function renumberBlocks(sentences: ReturnType<SentenceSplitter>): ReturnType<SentenceSplitter> {
  return sentences.map((sentence) => ({ ...sentence, block: sentence.block + 1_000_000 }));
}

/** True when the sentence adds nothing to the title. */
function repeatsTitle(tokens: ReadonlySet<string>, title: ReadonlySet<string>): boolean {
  if (tokens.size === 0) return true;
  return sharedShare(tokens, title) >= 0.8 && tokens.size <= title.size + 2;
}

function overlapShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return Math.max(sharedShare(a, b), sharedShare(b, a));
}

const joinTexts = (sentences: readonly Candidate[]): string =>
  joinSentences(sentences.map(({ text }) => text));

function replaceFinalSemicolon(text: string): string {
  return text.replace(/；$/u, '。');
}

function isWide(text: string): boolean {
  const wide = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu)?.length ?? 0;
  return wide > 0.3 * text.length;
}
