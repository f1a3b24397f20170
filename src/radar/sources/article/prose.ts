// Measures of text: how many words, how much of it is links, whether it reads as prose.
import type { PageElement } from './dom.ts';

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const wordRuns = /[\p{L}\p{N}]+/gu;

/** Words; two characters of Chinese or Japanese count as one, about what a word is there. */
export function wordCount(text: string): number {
  const characters = text.match(cjk)?.length ?? 0;
  const others = characters === 0 ? text : text.replace(cjk, ' ');
  return Math.ceil(characters / 2) + (others.match(wordRuns)?.length ?? 0);
}

/** The part of the element's text, 0 to 1, that is inside links. */
export function linkShare(element: PageElement): number {
  if (element.closest('a[href]') !== null) return 1;
  const all = (element.textContent ?? '').replace(/\s+/g, '').length;
  if (all === 0) return 0;
  let linked = 0;
  for (const link of element.querySelectorAll('a[href]')) {
    if (link.getAttribute('href')?.startsWith('#') === true) continue;
    linked += (link.textContent ?? '').replace(/\s+/g, '').length;
  }
  return Math.min(1, linked / all);
}

/** Whether the text ends as a sentence does. */
export function endsSentence(text: string): boolean {
  return /[.!?…。！？；:：]["'”’」』)）\]]*\s*$/u.test(text);
}

/** Letters and digits only, lower case: what survives every extractor's rewriting. */
export function essence(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
