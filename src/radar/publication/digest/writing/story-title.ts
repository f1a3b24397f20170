// A report's title as the title of a story: one line without markup, closing exclamation marks and
// adverbs such as "today".
import { foldWhitespace, plainText, stripControl } from '../../../../kernel/text/text.ts';
import { clipAtWord } from '../../../enrichment/rules/clip-at-word.ts';
import { trimDay } from '../../../language/write-lead.ts';

const LONGEST = 300;

export function storyTitle(title: string): string {
  const cut = title
    .slice(0, 2_000)
    .replace(/\\(?:u2019|")/gu, (mark) => (mark === '\\"' ? '"' : '’'));
  const line = foldWhitespace(/[<&]/u.test(cut) ? plainText(cut) : stripControl(cut));
  const calm = line.replace(/[!！]+$/u, '').replace(/[!！]+(?=["”」』])/gu, '');
  return clipAtWord(trimDay(calm === '' ? line : calm), LONGEST);
}
