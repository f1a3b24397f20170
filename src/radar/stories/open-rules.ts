// The editorial folder's story rules as what the engine asks: one spelling, meanings of phrases,
// shares of words, versions of products, roundups, thresholds and weights.
import type { StoryFiles } from './editorial.ts';
import { type Fold, openFold } from './text/fold-text.ts';
import { atomsOf, openPhrases, type Phrases } from './text/phrase-trie.ts';
import { splitWords } from './text/split-words.ts';
import { stem } from './text/stem.ts';
import { openShares } from './view/background.ts';

export type StoryRules = {
  readonly settings: StoryFiles['rules']['settings'];
  readonly weights: StoryFiles['weights'];
  readonly version: string;
  readonly fold: Fold;
  readonly stopwords: ReadonlySet<string>;
  /** Entities `e:…` and terms `c:…`. */
  readonly meanings: Phrases;
  /** Classes of action `a:…`. */
  readonly actions: Phrases;
  /** A term's share of running words. */
  share(term: string): number;
  isRoundup(title: string): boolean;
  /** [family, version] pairs in folded text. */
  findVersions(text: string): readonly (readonly [string, string])[];
};

export function openStoryRules(files: StoryFiles): StoryRules {
  const fold = openFold(files.traditional);
  const atoms = (phrase: string) => atomsOf(splitWords(fold(phrase), stem));
  const shares = openShares(files.background);
  const rows = function* (table: Readonly<Record<string, readonly string[]>>, mark: string) {
    for (const [id, phrases] of Object.entries(table)) {
      for (const phrase of phrases) yield [`${mark}:${id}`, atoms(phrase)] as const;
    }
  };
  const names = Object.values(files.aliases).flatMap((table) => [...rows(table, 'e')]);
  const terms = [...rows(files.lexicon, 'c')];
  // A meaning is as common as the English words for it; "Apple" and "China" tell little.
  const conceptShares = new Map<string, number>();
  const counted = new Set<string>();
  for (const [means, phrase] of [...names, ...terms]) {
    const [word = '', more] = phrase;
    if (more !== undefined || /\p{sc=Han}/u.test(word) || counted.has(`${means} ${word}`)) continue;
    counted.add(`${means} ${word}`);
    conceptShares.set(means, (conceptShares.get(means) ?? 0) + shares.word(word));
  }
  const given = new Map(Object.entries(files.rules.shares));
  const roundup = new RegExp(files.rules.roundups.join('|'), 'iu');
  return {
    settings: files.rules.settings,
    weights: files.weights,
    version: files.rules.version,
    fold,
    stopwords: new Set(files.rules.stopwords),
    meanings: openPhrases([...names, ...terms]),
    actions: openPhrases(rows(files.actions, 'a')),
    share: (term) => given.get(term) ?? conceptShares.get(term) ?? shareOf(shares, term),
    isRoundup: (title) => roundup.test(title),
    findVersions: openVersions(files.rules.families),
  };
}

function shareOf(shares: ReturnType<typeof openShares>, term: string): number {
  switch (term.slice(0, 2)) {
    case 'h:':
      return shares.han(term.slice(2));
    case 'p:':
      return shares.pair(term.slice(2));
    case '2:': {
      const [first = '', second = ''] = term.slice(2).split(' ');
      return shares.word(first) * shares.word(second) * 8;
    }
    case 'n:':
      return figureShare(term);
    case 'e:':
    case 'c:':
    case 'v:':
    case 'd:':
    case 'i:':
      return 0;
    default:
      return shares.word(term);
  }
}

/** "100" and "200" are in many titles, "8029" in one. */
function figureShare(term: string): number {
  const digits = term.replace(/^.*:/u, '').replace(/0+$|\D/gu, '');
  return term.startsWith('n:money') ? 1e-4 / 4 ** digits.length : 4e-3 / 4 ** digits.length;
}

function openVersions(families: readonly string[]) {
  const names = families.map((family) => family.replace(/[.*+?^$()[\]{}|\\]/gu, String.raw`\$&`));
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?<family>${names.join('|')})[\s-]*(?:v(?:ersion)?[\s.]*)?` +
      String.raw`(?<version>\d+(?:\.\d+)*)(?![\d%,])`,
    'gu',
  );
  return (text: string): readonly (readonly [string, string])[] => {
    const found = new Map<string, readonly [string, string]>();
    for (const { groups } of text.matchAll(pattern)) {
      const { family = '', version = '' } = groups ?? {};
      if (version.length <= 8) found.set(`${family}/${version}`, [family, version]);
    }
    return [...found.values()];
  };
}
