// Extracts the features by which items are compared: words of title and text, names and concepts in
// either language. Versions, issue numbers and the first name separate similar events.
import { primaryLanguage } from '../../../kernel/text/primary-language.ts';
import type { StoryItem } from '../clustering/story-item.ts';
import { inTitle, maxTimes } from '../index/feature-store.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { findIssueNumbers } from './find-issue-numbers.ts';
import { findVersions, type Version } from './find-versions.ts';
import { scriptOf } from './fold-text.ts';
import { atomsOf } from './phrase-trie.ts';
import { removeAddresses } from './remove-addresses.ts';
import { splitWords, type WordUnit } from './split-words.ts';
import { stem } from './stem.ts';
import { stripTitle } from './strip-title.ts';

/** Lists of distinct terms, as text. */
export type ItemFeatures = {
  /** One term: the language of an alphabetic text, or the script of any other text. */
  readonly language: readonly string[];
  /** Content words of the title. */
  readonly title: readonly string[];
  /** Roots (or pairs of ideographs) of title and text, with their frequency; see `inTitle`. */
  readonly doc: ReadonlyMap<string, number>;
  /** Meanings that both languages share: entities, terms, words of the Latin alphabet. */
  readonly concepts: readonly string[];
  readonly entities: readonly string[];
  /**
   * The first word of the title, and its first letter with its last three letters. Empty for an
   * everyday word.
   */
  readonly opener: readonly string[];
  readonly issueNumbers: readonly string[];
  readonly families: readonly string[];
  readonly versions: readonly string[];
  readonly source: readonly string[];
  readonly links: readonly string[];
  /** The title is written in ideographs. */
  readonly isHan: boolean;
  readonly isRoundup: boolean;
  /** The item is a single word without text, which is a name and not an event. */
  readonly isVague: boolean;
};

const titleCharacters = 400;
/** A longer title is not a single word, also in scripts without spaces. */
const wordCharacters = 24;

export function extractFeatures(rules: StoryRules, item: StoryItem): ItemFeatures {
  const { leadCharacters, bodyCharacters } = rules.settings;
  const stripped = stripTitle(removeAddresses(item.title.slice(0, 2000)));
  const head = rules.normalise(stripped.slice(0, titleCharacters));
  const body = rules.normalise(beginning(item.text ?? '', bodyCharacters));
  const [title, text] = [head.toLowerCase(), body.toLowerCase()];
  const units = splitWords(title, stem);
  const textUnits = splitWords(text, stem);
  const leadUnits = textUnits.filter(({ at }) => at < leadCharacters);
  const ofTitle = meaningsOf(rules, units);
  const ofLead = meaningsOf(rules, leadUnits);
  const versions = findVersions(head);
  const titleTerms = distinct(contentTerms(rules, units));
  const script = scriptOf(title);
  const language = script === 'latin' ? primaryLanguage(item.lang) : script;
  return {
    language: [`l:${language}`],
    title: titleTerms,
    doc: docOf(rules, versions, units, textUnits),
    concepts: distinct([...ofTitle, ...ofLead]),
    entities: distinct(ofTitle.filter((meaning) => meaning.startsWith('e:'))),
    opener: openerOf(rules, units),
    issueNumbers: findIssueNumbers(title).map((number) => `i:${number}`),
    families: distinct(versions.map(({ family }) => family)),
    versions: distinct(versions.map(({ family, version }) => `v:${family}/${version}`)),
    source: item.source === undefined ? [] : [`s:${item.source}`],
    links: distinct(item.links ?? []),
    isHan: script === 'han',
    isRoundup: rules.isRoundup(title),
    isVague: textUnits.length === 0 && titleTerms.length <= 1 && title.length <= wordCharacters,
  };
}

/**
 * The second term matches misspelt names, which usually have the right beginning and end. A title
 * in ideographs has its first pair instead.
 */
function openerOf({ isWord }: StoryRules, units: readonly WordUnit[]): readonly string[] {
  const [first] = units;
  if (first?.kind === 'han') return hanPairs(units.slice(0, 2)).slice(0, 1);
  if (first === undefined || isWord(first.text)) return [];
  return [first.text, `o:${first.text.at(0)}${first.text.slice(-3)}`];
}

/**
 * Words of an alphabet, and pairs of ideographs, because Chinese text is split into words
 * inconsistently. A product and its version are one object, so the version is not a second word.
 */
function docOf(
  rules: StoryRules,
  versions: readonly Version[],
  title: readonly WordUnit[],
  text: readonly WordUnit[],
) {
  const isVersion = (word: string) =>
    versions.some(({ version }) => version === word.replace(/^v(?=\d)|\.0$/gu, ''));
  const terms = (units: readonly WordUnit[]) => {
    const words = units.filter(({ kind, raw }) => kind !== 'han' && !isVersion(raw));
    return [...contentTerms(rules, words).map(rules.rootOf), ...hanPairs(units)];
  };
  const frequencies = new Map(terms(title).map((term) => [term, inTitle]));
  for (const term of terms(text)) {
    const frequency = frequencies.get(term) ?? 0;
    if (frequency % inTitle < maxTimes) frequencies.set(term, frequency + 1);
  }
  return frequencies;
}

/** The beginning of the text without addresses, cut at a character boundary. */
function beginning(text: string, characters: number): string {
  return removeAddresses(text.slice(0, characters * 2))
    .toWellFormed()
    .trim()
    .slice(0, characters);
}

function contentTerms(rules: StoryRules, units: readonly WordUnit[]): readonly string[] {
  return units
    .filter((unit) => !rules.stopwords.has(unit.raw) && !rules.stopwords.has(unit.text))
    .filter((unit) => unit.kind !== 'han' || unit.text.length > 1)
    .map((unit) => (unit.kind === 'han' ? `h:${unit.text}` : unit.text));
}

function hanPairs(units: readonly WordUnit[]): readonly string[] {
  const pairs: string[] = [];
  let run = '';
  const close = () => {
    for (let index = 1; index < run.length; index += 1)
      pairs.push(`p:${run.slice(index - 1, index + 1)}`);
    run = '';
  };
  for (const unit of units) {
    if (unit.kind === 'han') run += unit.text;
    else close();
  }
  close();
  return pairs;
}

/** Entities and terms. Other words are included themselves, and Chinese ones by their glosses. */
function meaningsOf(rules: StoryRules, units: readonly WordUnit[]): readonly string[] {
  const atoms = atomsOf(units);
  const matches = rules.findMeanings(atoms);
  const covered = new Uint8Array(atoms.length);
  for (const { from, to } of matches) covered.fill(1, from, to);
  const loose: string[] = [];
  let at = 0;
  for (const unit of units) {
    const isLoose = unit.kind === 'word' && covered[at] === 0;
    if (isLoose && !rules.stopwords.has(unit.raw)) loose.push(unit.text);
    const isLooseHan = unit.kind === 'han' && covered[at] === 0 && unit.text.length > 1;
    if (isLooseHan) loose.push(...rules.glossesOf(unit.text));
    at += unit.kind === 'han' ? [...unit.text].length : 1;
  }
  return [...matches.map(({ meaning }) => meaning), ...loose];
}

const distinct = (terms: readonly string[]): readonly string[] => [...new Set(terms)];
