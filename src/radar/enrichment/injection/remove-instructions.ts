// Removes instructions to machines, and the rest of their paragraph, before enrichment. The quoted
// block in the prompt is the second defence, and the guardrails are the third. None of them relies
// on the model.

import { coded, plainInstructions, roles } from './instruction-patterns.ts';

export type CleanedText = {
  readonly text: string;
  /** Number of removed places. */
  readonly instructions: number;
};

const wholeEnd = /[.!?。！？；]["'”’」』)）\]]*\s*$/u;
const invisible = /[\p{Cf}\u{e0000}-\u{e007f}]|\p{Variation_Selector}/gu;
/** Markdown images: addresses in plain text are not written for readers. */
const markdownImage = /!\[[^\]\n]{0,200}\]\([^)\n]{0,2000}\)?/gu;
/** The rest of a longer text is dropped. */
const READ_MAX = 60_000;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** `text` is plain; paragraphs are lines. The remaining text keeps its words and order. */
export function removeInstructions(text: string): CleanedText {
  const visibleText = text.slice(0, READ_MAX).replace(invisible, '').replace(markdownImage, '');
  // Texts without any match skip the sentence analysis.
  if (!isInstruction(visibleText)) return { text: visibleText, instructions: 0 };
  let orders = 0;
  const remaining: string[] = [];
  let isCut = false;
  for (const line of visibleText.split('\n')) {
    // A role line opens a message. Its text follows on the next lines.
    if (isCut && line.trim() !== '' && isContinuation(line)) continue;
    isCut = false;
    const { text: remainingText, isOrdered, isRole } = cutLine(line);
    if (isOrdered) orders += 1;
    isCut = isRole;
    if (remainingText.trim() !== '' || line.trim() === '') remaining.push(remainingText);
  }
  return { text: remaining.join('\n').trim(), instructions: orders };
}

type CutLine = {
  readonly text: string;
  readonly isOrdered: boolean;
  /** Opens a message in the form of a system prompt or chat turn. */
  readonly isRole: boolean;
};

/** Keeps the text before the first instruction; the rest of the paragraph belongs to it. */
function cutLine(line: string): CutLine {
  let remaining = '';
  for (const { segment } of segmenter.segment(line)) {
    if (isInstruction(segment)) {
      const start = instructionStart(segment);
      const before = segment.slice(0, start);
      const text = `${remaining}${wholeEnd.test(before) ? before : ''}`.trimEnd();
      return { text, isOrdered: true, isRole: roles.test(segment) };
    }
    remaining += segment;
  }
  return { text: line, isOrdered: false, isRole: false };
}

/** Start of the instruction in a segment that is too long, at a preceding mark. */
function instructionStart(segment: string): number {
  const positions = [...plainInstructions, roles].map((pattern) => segment.search(pattern));
  const first = Math.min(...positions.filter((at) => at >= 0), segment.length);
  const before = segment.slice(0, first);
  return Math.max(before.lastIndexOf('. '), before.lastIndexOf('。'), -1) + 1;
}

/** A list or line that depends on the removed one. */
function isContinuation(line: string): boolean {
  return /^\s*(?:[-*•>]|\d+[.)、]|[{["<]|\p{Ll})/u.test(line) || isInstruction(line);
}

function isInstruction(text: string): boolean {
  const folded = text.normalize('NFKC');
  const line = (content: string) =>
    plainInstructions.some((p) => p.test(content)) || roles.test(content);
  if (line(folded) || coded.test(folded)) return true;
  // Text reversed, and in ROT13: people do not write like this.
  const isLatin = /[a-z]{4}/iu.test(folded);
  return isLatin && (line([...folded].toReversed().join('')) || line(rot13(folded)));
}

function rot13(text: string): string {
  return text.replace(/[a-z]/giu, (letter) => {
    const from = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - from + 13) % 26) + from);
  });
}
