// Whole sentences of plain text. Unicode's own boundaries (Intl.Segmenter) do the work; what they
// cannot know is mended: abbreviations, initials, list numbers, and Chinese clauses ended by "；".

export type Sentence = {
  readonly text: string;
  /** Which block (line) of the text it stands in, from 0. */
  readonly block: number;
  /** Ends with a mark that ends sentences; what does not is a heading, a caption or cut off. */
  readonly isWhole: boolean;
};

export type SentenceSplitter = (text: string) => readonly Sentence[];

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const wholeEnd = /[.!?。！？；…][\p{Pe}\p{Pf}"'”’」』》）)\]]*$/u;
const cutEnd = /(?:\.{3,}|…+|\[…\]|\[\.\.\.\]|\[…)[\p{Pe}\p{Pf}"'”’]*$/u;
/** After a dotted abbreviation ("U.S.") these begin a sentence all the same. */
const starters =
  /^(?:The|It|He|She|They|But|In|And|This|That|We|A|An|As|If|When|While|However|For|On|At)\b/u;
/** A long line is cut before it is read: no text needs more, and none may take for ever. */
const longestBlock = 4_000;

export function openSentenceSplitter(abbreviations: readonly string[]): SentenceSplitter {
  const known = new Set(abbreviations.map((a) => a.toLowerCase()));
  return (text) => {
    const blocks = text.split(/\n+/u).map((b) => b.replace(/\s+/gu, ' ').trim());
    return blocks.flatMap((block, index) =>
      sentencesOf(block.slice(0, longestBlock), known).map((sentence) => ({
        text: sentence,
        block: index,
        isWhole: wholeEnd.test(sentence) && !cutEnd.test(sentence),
      })),
    );
  };
}

function sentencesOf(block: string, abbreviations: ReadonlySet<string>): readonly string[] {
  const whole: string[] = [];
  for (const { segment } of segmenter.segment(block)) {
    const previous = whole.at(-1);
    if (previous !== undefined && continues(previous, segment, abbreviations)) {
      whole[whole.length - 1] = previous + segment;
    } else whole.push(segment);
  }
  return whole
    .flatMap((s) => s.split(/(?<=；)/u))
    .map((s) => s.trim())
    .filter((s) => s !== '');
}

/** Whether the boundary after `previous` is none. */
function continues(previous: string, next: string, abbreviations: ReadonlySet<string>): boolean {
  const before = previous.trimEnd();
  if (/^[\p{Pe}\p{Pf}"'”’]*\s*\p{Ll}/u.test(next) && !/[。！？]$/u.test(before)) return true;
  // Inside an open quotation or bracket the sentence is the quotation's, not the text's.
  if (openQuotes(before) && before.length < 400) return true;
  if (!before.endsWith('.')) return false;
  const word = /(?<word>[\p{L}\p{N}][\p{L}\p{N}.]*)\.$/u.exec(before)?.groups?.word ?? '';
  // "J. Smith", "1. First"; a single letter that ends a sentence is rarer than an initial.
  if (/^\p{Lu}$/u.test(word)) return true;
  // "z. B.", "d. h.", "i. e.": an abbreviation with spaces in it.
  if (/^\p{L}$/u.test(word) && /^\p{L}\./u.test(next)) return true;
  if (/^\d{1,2}$/u.test(before.slice(0, -1).trim())) return true;
  if (!abbreviations.has(word.toLowerCase())) return false;
  return word.includes('.')
    ? !starters.test(next)
    : !/^(?:inc|corp|ltd|etc|co|al)$/iu.test(word) || !starters.test(next);
}

function openQuotes(text: string): boolean {
  const count = (mark: string) => text.split(mark).length - 1;
  return count('“') > count('”') || count('「') > count('」') || count('（') > count('）');
}
