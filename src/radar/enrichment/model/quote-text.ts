// Text of strangers in a question: bounded by tokens, and between marks that it cannot have
// foreseen, because they are made of its own hash.
import { hash } from 'node:crypto';

/** Between two lines with the same mark; the text cannot close it. `name`: of ours, what it is. */
export function quoteText(name: string, text: string): string {
  const plain = text.replace(/<{3,}/gu, '‹').replace(/>{3,}/gu, '›');
  const mark = hash('sha256', plain, 'hex').slice(0, 10);
  return `<<<${mark} ${name}\n${plain}\n${mark}>>>`;
}

/**
 * The beginning of a text, in about `most` tokens: one for an ideograph, one for four other
 * characters. Cut at the end of a sentence where one is near.
 */
export function capTokens(text: string, most: number): string {
  let tokens = 0;
  let end = 0;
  for (const char of text) {
    tokens += /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(char) ? 1 : 0.25;
    if (tokens > most) break;
    end += char.length;
  }
  if (end === text.length) return text;
  const room = text.slice(0, end);
  const stop = Math.max(...['. ', '。', '！', '？', '\n'].map((mark) => room.lastIndexOf(mark)));
  return `${stop > 0.7 * end ? room.slice(0, stop + 1).trimEnd() : room.trimEnd()} […]`;
}
