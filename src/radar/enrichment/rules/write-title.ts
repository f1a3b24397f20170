// Writes the public title: the source's title without site names, clickbait frames, tags in
// brackets, emoji and capitals. The remaining words keep their order. A title never becomes empty.

import type { TitleRules } from '../editorial-files.ts';
import { clipAtWord } from './clip-at-word.ts';
import { openCapitalsLowerer } from './lower-capitals.ts';
import { openSiteNameRemover } from './strip-site-names.ts';

/** A longer text is not a title: some feeds give the whole text of a post as its title. */
const TITLE_LENGTH_MAX = { wide: 120, latin: 300 };

export type TitleInput = {
  /** The source's title. */
  readonly title: string;
  readonly sourceName: string;
  readonly url: string;
  /** Replacement for an empty title: the first sentence, or ''. */
  readonly firstSentence: string;
};

export type WrittenTitle = { readonly title: string; readonly originalTitle: string | null };

export type TitleWriter = (input: TitleInput) => WrittenTitle;

const spaces = /[\s\u200b\u200e\u200f\u2060\ufeff]+/gu;
const keptSymbols = '©®™‼⁉↔-↪▪-◾☑✔✖';
const emojiParts = String.raw`\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\ufe0f\u200d`;
const emoji = new RegExp(
  String.raw`(?:(?![${keptSymbols}])\p{Extended_Pictographic}|[${emojiParts}])+`,
  'gu',
);
/** A keycap digit becomes the plain digit. */
const keycap = /([#*0-9])\ufe0f?\u20e3/gu;
const bracketedText = /[[【［〔](?<inside>[^\]】］〕]{1,24})[\]】］〕]/gu;
const edgeMarks = /^[\s|｜·•:：,，、;；»>~～*_=—–-]+|[\s|｜·•:：,，、;；«<~～*_=—–-]+$/gu;

export function openTitleWriter(rules: TitleRules, names: readonly string[]): TitleWriter {
  const prefixes = rules.prefixes.map((source) => new RegExp(source, 'iu'));
  const suffixes = rules.suffixes.map((source) => new RegExp(source, 'iu'));
  const tag = new RegExp(`^\\s*(?:${rules.bracketTags.join('|')})\\s*$`, 'iu');
  const removeSiteNames = openSiteNameRemover(rules);
  const lowerCapitals = openCapitalsLowerer(rules.shouts, names);

  const stepsFor = (input: TitleInput): readonly ((text: string) => string)[] => [
    (text) => text.replace(keycap, '$1').replace(emoji, ' '),
    (text) =>
      text.replace(bracketedText, (match, inside: string) => (tag.test(inside) ? ' ' : match)),
    (text) => removeSiteNames(text, input.sourceName, input.url),
    (text) => removeRepeatedly(text, prefixes),
    (text) => removeRepeatedly(text, suffixes),
    (text) => removeSiteNames(text, input.sourceName, input.url),
    (text) => text.replace(/([!?！？。])[!?！？。]+/gu, '$1').replace(/\.{4,}/gu, '…'),
    lowerCapitals,
  ];

  return (input) => {
    const inputTitle = input.title.trim();
    let text = foldSpaces(inputTitle);
    if (!hasWords(text) && hasWords(input.firstSentence)) text = foldSpaces(input.firstSentence);
    for (const step of stepsFor(input)) {
      const nextText = capitalizeStart(tidyText(step(text)), text);
      if (hasWords(nextText)) text = nextText;
    }
    const limit = /\p{sc=Han}/u.test(text) ? TITLE_LENGTH_MAX.wide : TITLE_LENGTH_MAX.latin;
    const title = clipAtWord(text, limit);
    // A difference in white space alone is ignored.
    const isUnchanged = inputTitle === '' || foldSpaces(inputTitle) === title;
    return { title, originalTitle: isUnchanged ? null : inputTitle };
  };
}

/** A frame may contain another one ("BREAKING: This is huge: …"), up to a limit. */
function removeRepeatedly(text: string, patterns: readonly RegExp[]): string {
  let remaining = text;
  for (let round = 0; round < 3; round += 1) {
    const before = remaining;
    for (const pattern of patterns) {
      const nextText = tidyText(remaining.replace(pattern, ''));
      if (hasWords(nextText)) remaining = nextText;
    }
    if (remaining === before) break;
  }
  return remaining;
}

function foldSpaces(text: string): string {
  return text.replace(spaces, ' ').trim();
}

function tidyText(text: string): string {
  return foldSpaces(text)
    .replace(edgeMarks, '')
    .replace(/ +([,.;:!?…，。；：！？、])/gu, '$1')
    .trim();
}

function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Capitalises the new first word, except names such as "iOS", "xAI" or "gpt-4". */
function capitalizeStart(text: string, before: string): string {
  if (before.startsWith(text.slice(0, 1))) return text;
  return text.replace(/^\p{Ll}(?=\p{Ll}+[\s,'’]|\s)/u, (letter) => letter.toUpperCase());
}
