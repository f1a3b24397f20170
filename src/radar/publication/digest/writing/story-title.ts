// A report's title as the title of a story: one line without markup, closing exclamation marks and
// adverbs such as "today".
import { foldWhitespace, plainText, stripControl } from '../../../../kernel/text/text.ts';
import { clipAtWord } from '../../../enrichment/rules/clip-at-word.ts';
import { trimDay } from '../../../language/write-lead.ts';

const LONGEST = 300;

export function storyTitle(title: string): string {
  const cut = withoutEscapes(title.slice(0, 2_000));
  const line = foldWhitespace(/[<&]/u.test(cut) ? plainText(cut) : stripControl(cut));
  const withoutExclamation = line.replace(/[!！]+$/u, '').replace(/[!！]+(?=["”」』])/gu, '');
  return clipAtWord(
    withoutLabels(trimDay(withoutExclamation === '' ? line : withoutExclamation)),
    LONGEST,
  );
}

/** A title without a rubric ("【关注】"), a separator after it, and a note on media. */
const withoutLabels = (title: string) =>
  title
    .replace(/^[【「[][\p{sc=Han}]{2,4}[】」\]](?=.{8})/u, '')
    .replace(/^[\s|｜丨:：，,、]+/u, '')
    .replace(/[（(](?:图|组图|多图|视频)[^（()）]{0,6}[)）]$/u, '');

/** Titles of some pages contain escapes of JSON: `\\u2019` and `\\"`. */
const withoutEscapes = (text: string) =>
  text
    .replace(/\\u([\da-f]{4})/giu, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll('\\"', '"');
