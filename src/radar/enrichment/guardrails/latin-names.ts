// Finds Latin-script names, which are capitalised words inside a sentence, and checks whether the
// source has the same word in any form.

import { foldName, type KnownNames } from './known-names.ts';
import { lettersAndDigits, type SourceText, stripWord } from './source-text.ts';

/** Capitalised words that are not names. Days and months are checked as dates. */
const commonWords = new Set(
  (
    'ai ml agi llm llms api apis sdk gpu gpus cpu cpus npu tpu ram ssd pc pcs tv it hr ' +
    'pr ceo cto cfo coo cio ipo faq ok id url usb pdf json html rmb usd eur gbp hk$ i ' +
    'monday tuesday wednesday thursday friday saturday sunday january february march ' +
    'april may june july august september october november december jan feb mar apr jun ' +
    'jul aug sep sept oct nov dec app apps r&d q&a phd dr mr ms mrs inc ltd corp am pm ' +
    'b2b b2c saas ii iii iv vi vii viii ' +
    // Symbols of units; their numbers are checked as figures.
    'w kw mw gw kwh mwh gwh wh v kv a ah mah hz khz mhz ghz b kb mb gb tb pb c f k nm mm cm m km ' +
    'kg g mg t l ml ms fps dpi ppm db co2 christmas easter'
  ).split(' '),
);

const latinWord = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{M}\p{N}'&.+-]*/gu;
const sentenceStart = /(?:^|[.!?;:。！？；：…\n]|[-–—]\s)[\s"'“‘(（「《]*$/u;
const functionWords = new Set(
  (
    'the a an in on at for of and but or as if by to from with after before when while ' +
    'where this that these those it its they their he she his her we our you your one ' +
    'two some many most more all both each no not now also only even still yet so ' +
    'because since until under over into what why how who whose which there here then ' +
    'such every any three four five six seven eight nine ten eleven twelve dozens ' +
    'hundreds thousands millions'
  ).split(' '),
);

/** Returns the names as written. */
export function findLatinNames(text: string, { words }: KnownNames): readonly string[] {
  const placedWords = [...text.matchAll(latinWord)].map(({ 0: raw, index }) => ({
    word: stripWord(raw),
    index,
  }));
  const isHeadline = isTitleCase(placedWords.map(({ word }) => word));
  return placedWords.flatMap(({ word, index }, at) => {
    const lowerCaseWord = word.toLowerCase();
    if (!/\p{Lu}/u.test(word) && !/\p{L}\d|\d\p{L}/u.test(word)) return [];
    if (commonWords.has(lowerCaseWord) || functionWords.has(lowerCaseWord) || /^\d/u.test(word))
      return [];
    const isOrdinaryWord =
      /^\p{Lu}?[\p{Ll}\p{M}'-]+$/u.test(word) && isDictionaryWord(lowerCaseWord, words);
    const isSentenceStart = sentenceStart.test(text.slice(Math.max(0, index - 6), index));
    const nextWord = placedWords[at + 1]?.word ?? '';
    // "Summit Robotics raised …": the first word of a sentence before another name.
    const hasAdjacentWord = isNextWordAdjacent(text, placedWords, at);
    const isFirstPartOfName =
      isSentenceStart &&
      !isHeadline &&
      hasAdjacentWord &&
      (/^\p{Lu}/u.test(nextWord) || isNameBeforeVerb(lowerCaseWord, nextWord));
    return isOrdinaryWord && (isSentenceStart || isHeadline) && !isFirstPartOfName ? [] : [word];
  });
}

/** Nouns that can begin a news sentence without an article. */
const commonSubjects = new Set(
  (
    'court judge regulator company startup start-up firm maker government state minister ' +
    'study paper report team group union police agency ministry parliament bank app tool ' +
    'model chip update access code work data plan vote trial deal round draft news use ' +
    'law bill senate congress staff research support software hardware demand growth ' +
    'revenue profit supply trade industry business part'
  ).split(' '),
);
const nounEndings = new RegExp(
  '(?:s|ly|ing|ed|al|ive|ous|ic|ary|able|ible|ory|ful|less|ity|ment|tion|sion|[ae]nce|ness|ship|' +
    'est|more|er|or|th|ism|en)$',
  'u',
);

const verbPattern = /^(?:\p{Ll}{2,}(?:ed|[etnlkyrdpw]s)|says?|said|will|has|was|is|won|cut|to)$/u;

/**
 * True for "Greenpeace" in "Greenpeace supports …". A single word before a verb is a name, because
 * a common noun would have an article.
 */
function isNameBeforeVerb(lowerCaseWord: string, nextWord: string): boolean {
  if (commonSubjects.has(lowerCaseWord) || nounEndings.test(lowerCaseWord)) return false;
  if (lowerCaseWord.length < 4) return false;
  return verbPattern.test(nextWord);
}

type PlacedWord = { readonly word: string; readonly index: number };

function isNextWordAdjacent(text: string, placedWords: readonly PlacedWord[], at: number): boolean {
  const word = placedWords[at];
  const next = placedWords[at + 1];
  if (word === undefined || next === undefined) return false;
  return text.slice(word.index + word.word.length, next.index) === ' ';
}

function isDictionaryWord(lowerCaseWord: string, words: ReadonlySet<string>): boolean {
  const parts = lowerCaseWord.split('-').filter((part) => part !== '');
  return parts.every((part) =>
    [part, part.replace(/(?:s|es|ed|d|ing|ly|er|ers)$/u, '')].some((form) => words.has(form)),
  );
}

/** True when most long words have a capital. Then a capital does not mark a name. */
function isTitleCase(words: readonly string[]): boolean {
  const longWords = words.filter((word) => /^\p{L}[\p{L}'-]{3,}$/u.test(word));
  const capitalizedCount = longWords.filter((word) => /^\p{Lu}/u.test(word)).length;
  return longWords.length >= 4 && capitalizedCount > 0.7 * longWords.length;
}

/** True when the source has the name as a word, as a part of a compound, or in another form. */
export function isLatinNameInSource(
  name: string,
  source: SourceText,
  { words }: KnownNames,
): boolean {
  const foldedName = foldName(name);
  if (source.words.has(foldedName)) return true;
  const parts = name.split(/[-.'&+]/u).filter((part) => part !== '');
  const isInSource = (part: string) => {
    const lowerCasePart = part.toLowerCase();
    return (
      source.words.has(lowerCasePart) ||
      commonWords.has(lowerCasePart) ||
      (lowerCasePart === part && isDictionaryWord(lowerCasePart, words))
    );
  };
  // "AI-generated" contains no name; "Corvid-backed" contains Corvid.
  if (parts.length > 1 && parts.every(isInSource)) return true;
  // Matches "GPT 5" with "GPT-5", and "Deep Mind" with "DeepMind". Short names would match by
  // chance.
  const joinedName = lettersAndDigits(foldedName);
  if (joinedName.length >= 5 && source.joinedText.includes(joinedName)) return true;
  const stem = foldedName.replace(/(?:'s|s|an|ian|n|ese|ish|i)$/u, '');
  return stem.length >= 4 && [...source.words].some((word) => isFormOf(word, stem));
}

function isFormOf(word: string, stem: string): boolean {
  return (
    word.startsWith(stem) &&
    /^(?:s|as|e|a|y|an|ian|n|ese|ish|i|ia)?$/u.test(word.slice(stem.length))
  );
}
