// One item as the views that are compared: words and pairs of its title, its lead, and its
// anchors (who, which product and version, how much, when, what was done). The views stay apart:
// one bag of everything measured far worse.
import type { StoryItem } from '../item.ts';
import type { StoryRules } from '../open-rules.ts';
import { findFigures } from '../text/find-figures.ts';
import { scriptOf } from '../text/fold-text.ts';
import { atomsOf } from '../text/phrase-trie.ts';
import { splitWords, type Unit } from '../text/split-words.ts';
import { stem } from '../text/stem.ts';
import { stripTitle } from '../text/strip-title.ts';

/** Lists of distinct terms, as text. */
export type ItemView = {
  readonly script: 'latin' | 'han' | 'other';
  readonly title: readonly string[];
  readonly pairs: readonly string[];
  readonly lead: readonly string[];
  /** Meanings that both languages share: entities, terms, figures, words of the Latin alphabet. */
  readonly concepts: readonly string[];
  readonly leadConcepts: readonly string[];
  readonly entities: readonly string[];
  readonly figures: readonly string[];
  readonly days: readonly string[];
  readonly editions: readonly string[];
  readonly families: readonly string[];
  readonly versions: readonly string[];
  readonly links: readonly string[];
  readonly actions: readonly string[];
  readonly isRoundup: boolean;
  /** The stripped title, folded: equal ones are the same title. */
  readonly titleKey: string;
};

const titleCharacters = 400;

export function viewItem(rules: StoryRules, item: StoryItem): ItemView {
  const title = rules.fold(stripTitle(item.title.slice(0, 2000)).slice(0, titleCharacters));
  const text = item.text === undefined ? '' : leadOf(item.text, rules.settings.leadCharacters);
  const lead = rules.fold(text);
  const units = splitWords(title, stem);
  const leadUnits = splitWords(lead, stem);
  const titleTerms = distinct(contentTerms(rules, units));
  const head = meaningsOf(rules, units, title);
  const body = meaningsOf(rules, leadUnits, lead);
  const known = new Set(titleTerms);
  const leadTerms = distinct(contentTerms(rules, leadUnits));
  const headConcepts = new Set(head.concepts);
  return {
    script: scriptOf(title),
    title: titleTerms,
    pairs: distinct([...wordPairs(units), ...hanPairs(units)]),
    lead: leadTerms.filter((term) => !known.has(term)),
    concepts: distinct(head.concepts),
    leadConcepts: distinct(body.concepts).filter((term) => !headConcepts.has(term)),
    entities: distinct(head.entities),
    figures: head.figures,
    days: distinct([...head.days, ...body.days.slice(0, 3)]),
    editions: head.editions,
    families: head.versions.map(([family]) => family),
    versions: head.versions.map(([family, version]) => `v:${family}/${version}`),
    links: distinct(item.links ?? []),
    actions: distinct([...rules.actions.find(atomsOf(units))].map((found) => found.means)),
    isRoundup: rules.isRoundup(title),
    titleKey: units.map((unit) => unit.raw).join(' '),
  };
}

/** The beginning, on a character's boundary. */
function leadOf(text: string, characters: number): string {
  return text
    .slice(0, characters * 2)
    .toWellFormed()
    .trim()
    .slice(0, characters);
}

function contentTerms(rules: StoryRules, units: readonly Unit[]): readonly string[] {
  return units
    .filter((unit) => !rules.stopwords.has(unit.raw) && !rules.stopwords.has(unit.text))
    .filter((unit) => unit.kind !== 'han' || unit.text.length > 1)
    .map((unit) => (unit.kind === 'han' ? `h:${unit.text}` : unit.text));
}

function wordPairs(units: readonly Unit[]): readonly string[] {
  const words = units.filter((unit) => unit.kind !== 'han');
  return words.slice(1).map((unit, at) => `2:${words[at]?.text} ${unit.text}`);
}

function hanPairs(units: readonly Unit[]): readonly string[] {
  const pairs: string[] = [];
  let run = '';
  const close = () => {
    for (let at = 1; at < run.length; at += 1) pairs.push(`p:${run.slice(at - 1, at + 1)}`);
    run = '';
  };
  for (const unit of units) {
    if (unit.kind === 'han') run += unit.text;
    else close();
  }
  close();
  return pairs;
}

function meaningsOf(rules: StoryRules, units: readonly Unit[], text: string) {
  const atoms = atomsOf(units);
  const found = rules.meanings.find(atoms);
  const covered = new Uint8Array(atoms.length);
  for (const { from, to } of found) covered.fill(1, from, to);
  const loose: string[] = [];
  let at = 0;
  for (const unit of units) {
    const isLoose = unit.kind === 'word' && covered[at] === 0;
    if (isLoose && !rules.stopwords.has(unit.raw)) loose.push(unit.text);
    at += unit.kind === 'han' ? [...unit.text].length : 1;
  }
  const figures = findFigures(text, 24);
  const amounts = figures.filter(({ kind }) => kind !== 'day' && kind !== 'edition');
  const entities = found.map(({ means }) => means).filter((means) => means.startsWith('e:'));
  const keys = amounts.map(({ kind, value }) => `n:${kind}:${value}`);
  const versions = rules.findVersions(text);
  return {
    entities,
    figures: keys,
    days: figures.filter((f) => f.kind === 'day').map((f) => `d:${f.value}`),
    editions: figures.filter((f) => f.kind === 'edition').map((f) => `i:${f.value}`),
    versions,
    concepts: [
      ...found.map(({ means }) => means),
      ...keys,
      ...versions.map(([family, version]) => `v:${family}/${version}`),
      ...loose,
    ],
  };
}

const distinct = (terms: readonly string[]): readonly string[] => [...new Set(terms)];
