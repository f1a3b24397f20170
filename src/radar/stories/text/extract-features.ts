// One item as the views that are compared: words and pairs of its title, its lead, and its
// anchors (who, which product and version, how much, when, what was done). The views stay apart:
// one bag of everything measured far worse.
import type { StoryItem } from '../clustering/story-item.ts';
import type { StoryRules } from '../rules/open-rules.ts';
import { findFigures } from './find-figures.ts';
import { findNames } from './find-names.ts';
import { findVersions } from './find-versions.ts';
import { findWeekdays } from './find-weekdays.ts';
import { lowered, scriptOf } from './fold-text.ts';
import type { Glossary, NamePair } from './glossary.ts';
import { atomsOf } from './phrase-trie.ts';
import { splitWords, type Unit } from './split-words.ts';
import { stem } from './stem.ts';
import { stripTitle } from './strip-title.ts';

/** Lists of distinct terms, as text. */
export type ItemView = {
  readonly script: 'latin' | 'han' | 'other';
  readonly title: readonly string[];
  readonly pairs: readonly string[];
  /** Ideographs of the title, each by itself: writers cut words differently. */
  readonly glyphs: readonly string[];
  /** Words (or pairs of ideographs) of title and lead, and how often each stands there. */
  readonly doc: ReadonlyMap<string, number>;
  readonly hasText: boolean;
  /** Meanings that both languages share: entities, terms, figures, words of the Latin alphabet. */
  readonly concepts: readonly string[];
  /** The same of title and lead. */
  readonly leadConcepts: readonly string[];
  readonly entities: readonly string[];
  /** Names of title and lead that stand by their capitals or between brackets. */
  readonly names: readonly string[];
  readonly titleNames: readonly string[];
  /** The name that the title begins with, unless it is a word too, and how it looks; or none. */
  readonly opener: readonly string[];
  readonly figures: readonly string[];
  readonly allFigures: readonly string[];
  readonly days: readonly string[];
  readonly editions: readonly string[];
  readonly families: readonly string[];
  readonly versions: readonly string[];
  readonly allFamilies: readonly string[];
  readonly allVersions: readonly string[];
  /** How names sound that another script would write. */
  readonly sounds: readonly string[];
  /** Versions without their product: what two languages write the same. */
  readonly numbers: readonly string[];
  readonly links: readonly string[];
  /** Classes of action, the likeliest first, at most two. */
  readonly actions: readonly string[];
  readonly mainAction: readonly string[];
  readonly isRoundup: boolean;
  /** One word and no text: it names a thing, and nothing that happened to it. */
  readonly isVague: boolean;
  /** Names in two scripts that the text teaches. */
  readonly taught: readonly NamePair[];
};

const titleCharacters = 400;
/** What is longer is no single word, also where words have no spaces between them. */
const wordCharacters = 24;
/** What happened stands at the beginning; further down stands what happened before. */
const actionCharacters = 240;
const soundCharacters = 160;

export function viewItem(rules: StoryRules, glossary: Glossary, item: StoryItem): ItemView {
  const head = rules.plain(stripTitle(item.title.slice(0, 2000)).slice(0, titleCharacters));
  const body = rules.plain(
    item.text === undefined ? '' : leadOf(item.text, rules.settings.leadCharacters),
  );
  const [title, lead] = [lowered(head), lowered(body)];
  const units = splitWords(title, stem);
  const leadUnits = splitWords(lead, stem);
  const ofTitle = meaningsOf(rules, units, title);
  const ofLead = meaningsOf(rules, leadUnits, lead);
  const taught = glossary.learn(body);
  const nameTerms = (words: readonly string[]) => words.map((word) => `m:${stem(word)}`);
  const names = nameTerms([...findNames(rules, head, body), ...glossary.find(`${head}\n${body}`)]);
  const titleWords = new Set(units.map((unit) => `m:${unit.text}`));
  const titleNames = [
    ...names.filter((name) => titleWords.has(name)),
    ...nameTerms(glossary.find(head)),
  ];
  const versions = findVersions(head);
  const allVersions = [...versions, ...findVersions(body)];
  const early = leadUnits.filter(({ at }) => at < actionCharacters);
  const actions = rankActions(rules, units, early);
  const titleTerms = distinct(contentTerms(rules, units));
  const hasText = leadUnits.length > 0;
  return {
    script: scriptOf(title),
    title: titleTerms,
    pairs: distinct([...wordPairs(units), ...hanPairs(units)]),
    glyphs: distinct(glyphsOf(units)),
    doc: docOf(rules, units, leadUnits),
    hasText,
    concepts: distinct(ofTitle.concepts),
    leadConcepts: distinct([...ofTitle.concepts, ...ofLead.concepts]),
    entities: distinct(ofTitle.entities),
    names: distinct([...ofTitle.entities, ...ofLead.entities, ...names]),
    titleNames: distinct([...ofTitle.entities, ...titleNames]),
    opener: openerOf(rules, units, names),
    figures: distinct(ofTitle.figures),
    allFigures: distinct([...ofTitle.figures, ...ofLead.figures]),
    days: distinct([
      ...ofTitle.days,
      ...ofLead.days.slice(0, 3),
      ...findWeekdays(`${title}\n${lead}`, item.timeMs),
    ]),
    editions: ofTitle.editions,
    families: distinct(versions.map(({ family }) => family)),
    versions: versions.map(({ family, version }) => `v:${family}/${version}`),
    allFamilies: distinct(allVersions.map(({ family }) => family)),
    allVersions: distinct(allVersions.map(({ family, version }) => `v:${family}/${version}`)),
    sounds: [...soundsOf(rules, head), ...soundsOf(rules, body.slice(0, soundCharacters))].filter(
      (sound, place, all) => all.indexOf(sound) === place,
    ),
    numbers: distinct(allVersions.map(({ version }) => `w:${version}`)),
    links: distinct(item.links ?? []),
    actions,
    mainAction: actions.slice(0, 1),
    isRoundup: rules.isRoundup(title),
    isVague: !hasText && titleTerms.length <= 1 && title.length <= wordCharacters,
    taught,
  };
}

/** A misspelt name mostly begins and ends as it should; ideographs are no names by themselves. */
function openerOf({ isWord }: StoryRules, units: readonly Unit[], names: readonly string[]) {
  const [first] = units;
  if (first?.kind === 'han') return hanPairs(units.slice(0, 2)).slice(0, 1);
  if (first === undefined || isWord(first.text)) return [];
  const name = `m:${first.text}`;
  return names.includes(name) ? [name, `o:${first.text.at(0)}${first.text.slice(-3)}`] : [];
}

function soundsOf({ sounds }: StoryRules, text: string): readonly string[] {
  return [...sounds.ofHan(text), ...sounds.ofLatin(text)].map((sound) => `y:${sound}`);
}

/** Words of an alphabet, and pairs of ideographs: Chinese words differ between their writers. */
function docOf(rules: StoryRules, title: readonly Unit[], lead: readonly Unit[]) {
  const counts = new Map<string, number>();
  for (const units of [title, lead]) {
    const words = units.filter((unit) => unit.kind !== 'han');
    for (const term of [...contentTerms(rules, words), ...hanPairs(units)]) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return counts;
}

/** A trigger in the title says more than one in the lead. */
function rankActions(rules: StoryRules, title: readonly Unit[], lead: readonly Unit[]) {
  const scores = new Map<string, number>();
  const add = (units: readonly Unit[], score: number): void => {
    for (const { means } of rules.actions.find(atomsOf(units))) {
      scores.set(means, (scores.get(means) ?? 0) + score);
    }
  };
  add(title, 2);
  add(lead, 1);
  // Of two that are as likely, the one further down the list: it says more.
  const place = (means: string) => rules.actionOrder.indexOf(means);
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || place(b[0]) - place(a[0]));
  return ranked.slice(0, 2).map(([means]) => means);
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

const glyphsOf = (units: readonly Unit[]): readonly string[] =>
  units.flatMap(({ kind, text }) => (kind === 'han' ? [...text].map((one) => `g:${one}`) : []));

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
    const isOwn = unit.kind === 'han' && covered[at] === 0 && unit.text.length > 1;
    if (isOwn) loose.push(...rules.glossesOf(unit.text));
    at += unit.kind === 'han' ? [...unit.text].length : 1;
  }
  const figures = findFigures(text, 24);
  const amounts = figures.filter(({ kind }) => kind !== 'day' && kind !== 'edition');
  const entities = found.map(({ means }) => means).filter((means) => means.startsWith('e:'));
  const keys = amounts.map(({ kind, value }) => `n:${kind}:${value}`);
  return {
    entities,
    figures: keys,
    days: figures.filter((f) => f.kind === 'day').map((f) => `d:${f.value}`),
    editions: figures.filter((f) => f.kind === 'edition').map((f) => `i:${f.value}`),
    concepts: [...found.map(({ means }) => means), ...keys, ...loose],
  };
}

const distinct = (terms: readonly string[]): readonly string[] => [...new Set(terms)];
