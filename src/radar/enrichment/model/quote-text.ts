// Quotes third-party text in a prompt. The text is limited in tokens and stands between two marks.
// The marks contain a hash of the text, so its author cannot write them into it.
import { hash } from 'node:crypto';

/**
 * Two lines with the same mark enclose the text, so the text cannot close the block. `name`
 * describes the text.
 */
export function quoteText(name: string, text: string): string {
  const escaped = text.replace(/<{3,}/gu, '‹').replace(/>{3,}/gu, '›');
  const mark = hash('sha256', escaped, 'hex').slice(0, 10);
  return `<<<${mark} ${name}\n${escaped}\n${mark}>>>`;
}

/**
 * The beginning of a text, about `max` tokens: one per ideograph, one per four other characters.
 * Cut at a sentence end when one is near.
 */
export function capTokens(text: string, max: number): string {
  let tokens = 0;
  let end = 0;
  for (const char of text) {
    tokens += /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(char) ? 1 : 0.25;
    if (tokens > max) break;
    end += char.length;
  }
  if (end === text.length) return text;
  const budget = text.slice(0, end);
  const sentenceEnd = Math.max(
    ...['. ', '。', '！', '？', '\n'].map((mark) => budget.lastIndexOf(mark)),
  );
  const part = sentenceEnd > 0.7 * end ? budget.slice(0, sentenceEnd + 1) : budget;
  return `${part.trimEnd()} […]`;
}
