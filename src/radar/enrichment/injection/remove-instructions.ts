// Removes instructions to machines, and the rest of their paragraph, before enrichment. The quoted
// block in the prompt is the second defence, and the guardrails are the third. No defence relies on
// the model.

import { encodedText, plainInstructions, rolePattern } from './instruction-patterns.ts';

export type CleanedText = {
  readonly text: string;
  /** Number of places at which text was removed. */
  readonly instructions: number;
};

const sentenceEnd = /[.!?。！？；]["'”’」』)）\]]*\s*$/u;
const invisible = /[\p{Cf}\u{e0000}-\u{e007f}]|\p{Variation_Selector}/gu;
/** Markdown images, which are removed with their descriptions. Readers do not see them as text. */
const markdownImage = /!\[[^\]\n]{0,200}\]\([^)\n]{0,2000}\)?/gu;
/** Maximum number of characters. Later text is dropped. */
const READ_MAX = 60_000;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** `text` is plain; paragraphs are lines. The remaining text keeps its words and order. */
export function removeInstructions(text: string): CleanedText {
  const visibleText = text.slice(0, READ_MAX).replace(invisible, '').replace(markdownImage, '');
  // Texts without any match skip the sentence analysis.
  if (!isInstruction(visibleText)) return { text: visibleText, instructions: 0 };
  let instructionCount = 0;
  const remaining: string[] = [];
  let isAfterRole = false;
  for (const line of visibleText.split('\n')) {
    // A role line opens a message. Its text follows on the next lines.
    if (isAfterRole && line.trim() !== '' && isContinuation(line)) continue;
    isAfterRole = false;
    const { text: remainingText, hasInstruction, isRole } = cutLine(line);
    if (hasInstruction) instructionCount += 1;
    isAfterRole = isRole;
    if (remainingText.trim() !== '' || line.trim() === '') remaining.push(remainingText);
  }
  return { text: remaining.join('\n').trim(), instructions: instructionCount };
}

type CutLine = {
  readonly text: string;
  readonly hasInstruction: boolean;
  /** Opens a message in the form of a system prompt or chat turn. */
  readonly isRole: boolean;
};

/** Keeps the text before the first instruction and removes the rest of the paragraph. */
function cutLine(line: string): CutLine {
  let remaining = '';
  for (const { segment } of segmenter.segment(line)) {
    if (isInstruction(segment)) {
      const start = instructionStart(segment);
      const before = segment.slice(0, start);
      const text = `${remaining}${sentenceEnd.test(before) ? before : ''}`.trimEnd();
      return { text, hasInstruction: true, isRole: rolePattern.test(segment) };
    }
    remaining += segment;
  }
  return { text: line, hasInstruction: false, isRole: false };
}

/** Position in a segment, after the last sentence end before the instruction. */
function instructionStart(segment: string): number {
  const positions = [...plainInstructions, rolePattern].map((pattern) => segment.search(pattern));
  const firstPosition = Math.min(...positions.filter((at) => at >= 0), segment.length);
  const before = segment.slice(0, firstPosition);
  return Math.max(before.lastIndexOf('. '), before.lastIndexOf('。'), -1) + 1;
}

/** True for a list entry or line that continues a removed line. */
function isContinuation(line: string): boolean {
  return /^\s*(?:[-*•>]|\d+[.)、]|[{["<]|\p{Ll})/u.test(line) || isInstruction(line);
}

function isInstruction(text: string): boolean {
  const folded = text.normalize('NFKC');
  const hasPattern = (content: string) =>
    plainInstructions.some((pattern) => pattern.test(content)) || rolePattern.test(content);
  if (hasPattern(folded) || encodedText.test(folded)) return true;
  // Reversed text and ROT13 hide instructions.
  const isLatin = /[a-z]{4}/iu.test(folded);
  return isLatin && (hasPattern([...folded].toReversed().join('')) || hasPattern(rot13(folded)));
}

function rot13(text: string): string {
  return text.replace(/[a-z]/giu, (letter) => {
    const firstCode = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - firstCode + 13) % 26) + firstCode);
  });
}
