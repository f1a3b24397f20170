// The length of comment sentences, so that they are understood at first reading.
import { isCode } from '../place.ts';
import { eachFile, type Finding, type Rule } from '../rule.ts';
import type { Source } from '../source.ts';

const maxWords = 25;

type Paragraph = { readonly line: number; readonly text: string };

const sentencesAreShort: Rule = {
  name: 'short sentences',
  description: 'A sentence of a comment has at most 25 words; code in backquotes counts as one.',
  scope: isCode,
  atLeast: 60,
  find: eachFile((source) =>
    paragraphsOf(source).flatMap(({ line, text }) =>
      sentencesOf(text).flatMap((sentence): Finding[] => {
        const count = wordCount(sentence);
        const start = sentence.slice(0, 40);
        return count > maxWords
          ? [{ path: source.path, line, what: `${count} words: ${start}…` }]
          : [];
      }),
    ),
  ),
  violations: [
    { 'src/kernel/a.ts': `// ${'word '.repeat(26)}` },
    { 'src/kernel/a.ts': `// ${'word '.repeat(13)}\n// ${'word '.repeat(13)}` },
    { 'src/kernel/a.ts': `/**\n * ${'word '.repeat(13)}\n * ${'word '.repeat(13)}\n */` },
  ],
  nearMisses: [
    { 'src/kernel/a.ts': `// ${'word '.repeat(25)}` },
    { 'src/kernel/a.ts': `// ${'word '.repeat(20)}. A ${'word '.repeat(20)}.` },
    { 'src/kernel/a.ts': `// ${'word '.repeat(20)}: \`${'code '.repeat(20)}\`.` },
    { 'src/kernel/a.ts': `// ${'word '.repeat(20)}\n//\n// ${'word '.repeat(20)}` },
    { 'src/kernel/a.ts': `// ${'word '.repeat(20)}\n// - ${'word '.repeat(20)}` },
  ],
};

/** Consecutive line comments form one paragraph; an empty line or a list item begins another. */
function paragraphsOf({ comments, lines }: Source): readonly Paragraph[] {
  const paragraphs: { line: number; parts: string[] }[] = [];
  let nextLine = -1;
  for (const { value, line } of comments) {
    const isCommentLine = lines[line - 1]?.trimStart().startsWith('/') ?? false;
    const rows = value.split('\n').map((row) => row.replace(/^[\s*/]+|[\s*]+$/g, ''));
    rows.forEach((row, index) => {
      const isContinuation =
        isCommentLine && row !== '' && !/^([-•|]|\d+\.)\s/.test(row) && line + index === nextLine;
      if (isContinuation) paragraphs.at(-1)?.parts.push(row);
      else paragraphs.push({ line: line + index, parts: [row] });
      nextLine = row === '' ? -1 : line + index + 1;
    });
  }
  return paragraphs.map(({ line, parts }) => ({ line, text: parts.join(' ') }));
}

function sentencesOf(text: string): readonly string[] {
  const plain = text.replace(/`[^`]*`/g, 'Code').replace(/\b(e\.g|i\.e|etc|vs|No)\./g, '$1');
  return plain.split(/(?<=[.!?]["”)]?)\s+/);
}

function wordCount(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export const proseRules: readonly Rule[] = [sentencesAreShort];
