// A report's title as the title of a story: one line without markup, closing exclamation marks and
// adverbs such as "today".
import { foldWhitespace, plainText, stripControl } from '../../../../kernel/text/text.ts';
import { clipAtWord } from '../../../enrichment/rules/clip-at-word.ts';
import { sentenceFaults, titleFaults } from '../../../language/text-faults.ts';
import { trimDay } from '../../../language/write-lead.ts';

const LONGEST = 300;
/** Characters of an interjection: "官宣！". */
const LONGEST_CALL = 4;
/** Share of a title that its statements must have. */
const MIN_STATED = 0.4;

export function storyTitle(title: string): string {
  const cut = title.slice(0, 2_000);
  const line = foldWhitespace(/[<&]/u.test(cut) ? plainText(cut) : stripControl(cut));
  const withoutExclamation = line.replace(/[!！]+$/u, '').replace(/[!！]+(?=["”」』])/gu, '');
  return clipAtWord(
    factualPart(withoutLabels(trimDay(withoutExclamation === '' ? line : withoutExclamation))),
    LONGEST,
  );
}

/** A title without rubric ("【关注】"), separator, note on media and closing mark. */
const withoutLabels = (title: string) =>
  title
    .replace(/^[【「[][\p{sc=Han}]{2,4}[】」\]](?=.{8})/u, '')
    .replace(/^[\s|｜丨:：，,、]+/u, '')
    .replace(/[（(](?:图|组图|多图|视频)[^（()）]{0,6}[)）]$/u, '')
    .replace(/(?:(?<=\p{Ll}{2})\.|[。，、；,;])$/u, '');

/** The statements of a Chinese title that also has an exclamation, a question or a rubric. */
function factualPart(title: string): string {
  if (!/\p{sc=Han}/u.test(title)) return title;
  const [longest = title] = title.split(/\s*[|｜丨‖]+\s*/u).toSorted((a, b) => b.length - a.length);
  const statements = longest
    .split(/(?:\s*[!！]+|(?<=[?？]))\s*(?![^“]*”)/u)
    .filter((part) => part.length > LONGEST_CALL && statementFaults(part).length === 0)
    .join('，');
  const isFactual =
    statements.length >= MIN_STATED * title.length && titleFaults(statements, 'zh').length === 0;
  return isFactual ? statements : title;
}

/** A statement also needs a subject of its own. */
const statementFaults = (part: string) => [
  ...titleFaults(part, 'zh').filter((fault) => fault !== 'too_short'),
  ...sentenceFaults(part, 'zh').filter((fault) => fault === 'missing_subject'),
];
