// Prepares the story rules of the editorial folder for the engine: spelling, meanings of phrases,
// word frequencies, product versions, roundups, thresholds and weights.
import { createHash } from 'node:crypto';
import { featureFormat } from '../index/feature-codec.ts';
import { openShares, type TermShares } from '../text/background.ts';
import { openFold } from '../text/fold-text.ts';
import { atomsOf, openPhrases } from '../text/phrase-trie.ts';
import { splitWords } from '../text/split-words.ts';
import { rootOf, stem } from '../text/stem.ts';
import type { StoryFiles } from './rule-files.ts';

export type StoryRules = ReturnType<typeof openStoryRules>;

export function openStoryRules(files: StoryFiles) {
  const normalise = openFold(files.traditional);
  const fold = (text: string) => normalise(text).toLowerCase();
  const atoms = (phrase: string) => atomsOf(splitWords(fold(phrase), stem));
  const shares = openShares(files.background);
  const rows = function* (table: Readonly<Record<string, readonly string[]>>, prefix: string) {
    for (const [id, phrases] of Object.entries(table)) {
      for (const phrase of phrases) yield [`${prefix}:${id}`, atoms(phrase)] as const;
    }
  };
  const names = Object.values(files.aliases).flatMap((table) => [...rows(table, 'e')]);
  const terms = [...rows(files.lexicon, 'c')];
  // A meaning is as common as the English words for it, so "Apple" and "China" weigh little.
  const conceptShares = new Map<string, number>();
  const addedWords = new Set<string>();
  for (const [meaning, phrase] of [...names, ...terms]) {
    const [word = '', secondWord] = phrase;
    if (
      secondWord !== undefined ||
      /\p{sc=Han}/u.test(word) ||
      addedWords.has(`${meaning} ${word}`)
    )
      continue;
    addedWords.add(`${meaning} ${word}`);
    conceptShares.set(meaning, (conceptShares.get(meaning) ?? 0) + shares.word(word));
  }
  const glosses = new Map<string, string[]>();
  for (const [gloss, list] of Object.entries(files.glosses.words)) {
    for (const word of list.split(' ')) {
      const knownGlosses = glosses.get(word) ?? [];
      knownGlosses.push(gloss);
      glosses.set(word, knownGlosses);
    }
  }
  const fileShares = new Map(Object.entries(files.rules.shares));
  const roundup = new RegExp(files.rules.roundups.join('|'), 'iu');
  return {
    settings: files.rules.settings,
    version: files.rules.version,
    /**
     * Version of the rules that determine features. Stored features of another version are
     * replaced: the engine extracts them from the text again.
     */
    featureVersion: featureVersionOf(files),
    /** Normalises the spelling and keeps the case. */
    normalise,
    stopwords: new Set(files.rules.stopwords),
    /** Finds entities `e:…` and terms `c:…` in a result of `atomsOf`. */
    findMeanings: openPhrases([...names, ...terms]),
    /** A term's share of running words. */
    share: (term: string) =>
      fileShares.get(term) ?? conceptShares.get(term) ?? shareOf(shares, term),
    isRoundup: (title: string) => roundup.test(title),
    /** A stem without the ending of a language other than English; English words stay. */
    rootOf: (stemmed: string) => rootOf(stemmed, (word) => shares.word(word) > 0),
    /** English words, as stems, that translate a Chinese word. */
    glossesOf: (han: string): readonly string[] => glosses.get(han) ?? [],
    /** Whether the background table contains a folded word; such a word alone is not a name. */
    isWord: (word: string) => shares.word(stem(word)) > 2e-8,
  };
}

function featureVersionOf({ rules, ...texts }: StoryFiles): string {
  const { stopwords, roundups, shares, settings } = rules;
  const inputs = {
    ...texts,
    stopwords,
    roundups,
    shares,
    lead: settings.leadCharacters,
    body: settings.bodyCharacters,
  };
  const hash = createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
  return `${featureFormat}-${hash.slice(0, 16)}`;
}

function shareOf(shares: TermShares, term: string): number {
  switch (term.slice(0, 2)) {
    case 'h:':
      return shares.han(term.slice(2));
    case 'p:':
      return shares.pair(term.slice(2));
    default:
      // Other terms with a prefix are not in the table, so their share is 0.
      return shares.word(term);
  }
}
