// Signs that a sentence or a title states an event. A text without them is not published as news.

const quotations = /“[^”]*”|"[^"]*"|‘[^’]*’(?!\p{L})|「[^」]*」/gu;
const pronoun = /\b(?:it|they|them|he|she|him)\b/iu;
/** Characters within which a sentence names its subject. */
const SUBJECT_CHARACTERS_MAX = 110;

const functionWord = /^(?:the|an?|in|on|at|of|to|for|by|as)$/iu;

/** Returns the names (words with a capital inside a sentence), joined with spaces. */
export const findNames = (text: string): string =>
  (text.match(/(?<=\p{Ll},? )\p{Lu}[\p{L}\p{N}.’'-]+/gu) ?? []).join(' ');

/** True for ideographs outside of brackets: "Guantang (观棠) is hiring" is an English sentence. */
export function isHan(text: string): boolean {
  return /\p{sc=Han}{2}/u.test(text.replace(/[（(][^（()）]*[)）]/gu, ''));
}

/**
 * True when a name stands near the beginning of the sentence and no pronoun precedes it. The first
 * word is a name when the title has it too, or when it has two capitals or a digit. Every Chinese
 * sentence passes.
 */
export function hasEarlyName(sentence: string, title: string): boolean {
  if (isHan(sentence)) return true;
  const head = sentence.replace(quotations, '').slice(0, SUBJECT_CHARACTERS_MAX);
  const [first = ''] = /[\p{L}\p{N}.’'-]+/u.exec(head) ?? [];
  const titleWords = new Set<string>(title.toLowerCase().match(/[\p{L}\p{N}.’'-]+/gu));
  if (!functionWord.test(first) && titleWords.has(first.toLowerCase())) return true;
  if (/\p{Lu}.*\p{Lu}|\d/u.test(first)) return true;
  const laterNameIndex = head.slice(first.length).search(/(?<![\p{L}\p{N}])\p{Lu}/u);
  return laterNameIndex >= 0 && !pronoun.test(head.slice(0, laterNameIndex + first.length));
}

const latinReport =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|said|says|told|announced|according to)\b/u;
const hanReport = new RegExp(
  '^(?!据|根据|综合).*(?:\\d{1,2} ?[日号]|宣布|发布|通报|表示|推出|决定|召开|签署|公布|声明|' +
    '扬言|否认|[^\\p{P}]称(?!为|号))',
  'u',
);

/** True for a sentence with a day, a speaker or an announcement. */
export function isReport(sentence: string): boolean {
  return (isHan(sentence) ? hanReport : latinReport).test(sentence);
}

const completedAction = new RegExp(
  '^(?:The )?(?:\\p{Lu}\\S* ){1,5}\\p{Ll}{2,}ed\\b|' +
    '\\b(?:is|are) (?!(?:being|having|going|looking|trying)\\b)\\p{L}+ing\\b|' +
    '\\b(?:has|have|had)\\b (?:been )?' +
    '(?!(?:traditional|usual|typical)ly|always|been|often|long|even|recent)' +
    '\\p{L}+(?:ed|en|wn|ght|lt|nt|ck|de|ld|id|ut|it|un|om|ne)\\b',
  'u',
);

/** True for a report, and for a completed action such as "has agreed to". */
export function isAction(sentence: string): boolean {
  return isReport(sentence) || (!isHan(sentence) && completedAction.test(sentence));
}
