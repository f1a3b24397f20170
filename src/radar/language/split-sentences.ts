// Splits plain text into sentences with Intl.Segmenter. It corrects abbreviations, initials, list
// numbers, and Chinese clauses that end with "；".

export type Sentence = {
  readonly text: string;
  /** Index of the block (line) in the text. */
  readonly block: number;
  /** Ends with sentence-final punctuation. Otherwise it is a heading, a caption or truncated. */
  readonly isComplete: boolean;
};

export type SentenceSplitter = (text: string) => readonly Sentence[];

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const sentenceEnd = /[.!?。！？；…][\p{Pe}\p{Pf}"'”’」』》）)\]]*$/u;
const truncatedEnd = /(?:\.{3,}|…+|\[…\]|\[\.\.\.\]|\[…)[\p{Pe}\p{Pf}"'”’]*$/u;
/** Words that begin a sentence even after a dotted abbreviation ("U.S."). */
const starters =
  /^(?:The|It|He|She|They|But|In|And|This|That|We|A|An|As|If|When|While|However|For|On|At)\b/u;
/** A line that may end inside a name ("U.S.", "St."), and a line that goes on in lower case. */
const brokenLine = /(?<=\s(?<word>\p{Lu}[\p{L}.]*)\.)\n+(?=\p{Lu})|(?<=\.)\n+(?=\p{Ll})/gu;
/** These abbreviations often end a sentence. */
const finalWord = /^(?:inc|corp|ltd|co|llc|plc|etc|al)$/iu;
/** Longer lines are cut, which bounds the work. */
const MAX_BLOCK_CHARACTERS = 4_000;

export function openSentenceSplitter(abbreviations: readonly string[]): SentenceSplitter {
  const knownAbbreviations = new Set(abbreviations.map((text) => text.toLowerCase()));
  return (text) => {
    const blocks = text
      .replace(brokenLine, (match, word?: string) =>
        word === undefined || isInitial(word) || isInnerAbbreviation(word, knownAbbreviations)
          ? ' '
          : match,
      )
      .split(/\n+/u)
      .map((line) => line.replace(/\s+/gu, ' ').trim());
    return blocks.flatMap((block, index) =>
      sentencesOf(block.slice(0, MAX_BLOCK_CHARACTERS), knownAbbreviations).map((sentence) => ({
        text: sentence,
        block: index,
        isComplete: sentenceEnd.test(sentence) && !truncatedEnd.test(sentence),
      })),
    );
  };
}

function sentencesOf(block: string, abbreviations: ReadonlySet<string>): readonly string[] {
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(block)) {
    const previous = sentences.at(-1);
    if (previous !== undefined && isContinuation(previous, segment, abbreviations)) {
      sentences[sentences.length - 1] = previous + segment;
    } else sentences.push(segment);
  }
  return sentences
    .flatMap((sentence) => sentence.split(/(?<=；)/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** After so many characters, the end mark of an open quotation or bracket counts as missing. */
const QUOTATION_CHARACTERS_MAX = 400;

/** True when the sentence continues after the boundary between `previous` and `next`. */
function isContinuation(
  previous: string,
  next: string,
  abbreviations: ReadonlySet<string>,
): boolean {
  const before = previous.trimEnd();
  if (/^[\p{Pe}\p{Pf}"'”’]*\s*\p{Ll}/u.test(next) && !/[。！？]$/u.test(before)) return true;
  // "example.com/?q=…": an address goes on after the mark.
  if (/[?!？！]$/u.test(previous) && /^[a-z\d_=&]/u.test(next)) return true;
  // A mark inside an open quotation or bracket does not end the sentence around it.
  if (hasOpenQuote(before) && before.length < QUOTATION_CHARACTERS_MAX) return true;
  if (!before.endsWith('.')) return false;
  const word = /(?<word>[\p{L}\p{N}][\p{L}\p{N}.]*)\.$/u.exec(before)?.groups?.word ?? '';
  // "J. Smith", "1. First": a single letter is more often an initial than a sentence end.
  if (/^\p{Lu}$/u.test(word)) return true;
  // "z. B.", "d. h.", "i. e.": abbreviations with spaces.
  if (/^\p{L}$/u.test(word) && /^\p{L}\./u.test(next)) return true;
  if (/^\d{1,2}$/u.test(before.slice(0, -1).trim())) return true;
  // "T.H. Chan": initials of a name.
  if (isInitial(word)) return !starters.test(next);
  if (!abbreviations.has(word.toLowerCase())) return false;
  return word.includes('.') ? !starters.test(next) : !finalWord.test(word) || !starters.test(next);
}

const isInitial = (word: string) => /^\p{Lu}(?:\.\p{Lu})+$/u.test(word);

const isInnerAbbreviation = (word: string, abbreviations: ReadonlySet<string>) =>
  abbreviations.has(word.toLowerCase()) && !finalWord.test(word);

function hasOpenQuote(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return count('“') > count('”') || count('「') > count('」') || count('（') > count('）');
}
