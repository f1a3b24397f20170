// Known names and words: equivalent spellings (OpenAI, 英伟达 and Nvidia), and ordinary words of
// both languages. The data is in the editorial folder.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { readLayered } from '../../../kernel/files/layered-folder.ts';
import { type Glosses, type OtherScript, openOtherScript } from './other-script.ts';
import { isTransliterationOnly } from './transliterations.ts';

export type KnownNames = {
  /** Maps a folded spelling to all its equivalents, longest first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Original spellings, longest first, for the search in texts. */
  readonly spellings: readonly string[];
  /** Lower-case words in letters and in ideographs. */
  readonly words: ReadonlySet<string>;
  readonly otherScript: OtherScript;
};

const phrases = z.record(z.string(), z.array(z.string()));
const aliasesShape = z.record(z.string(), phrases);
const backgroundShape = z.object({
  en: z.record(z.string(), z.string()),
  zh: z.record(z.string(), z.string()),
});

const glossesShape = z.object({
  words: z.record(z.string(), z.string()),
  sounds: z.record(z.string(), z.string()),
});

type NameFiles = {
  readonly glosses: Glosses;
  readonly aliases: z.infer<typeof aliasesShape>;
  readonly background: z.infer<typeof backgroundShape>;
  /** Words of the field. */
  readonly lexicon: readonly string[];
};

/** `folder` is the editorial folder's path. */
export async function readKnownNames(folder: string): Promise<KnownNames> {
  const readJsonFile = async <T>(name: string, shape: z.ZodType<T>): Promise<T> => {
    const text = await readLayered(folder, name);
    try {
      return shape.parse(JSON.parse(text));
    } catch (cause) {
      throw new Fault('invalid_request', `editorial/${name}: has an invalid structure`, { cause });
    }
  };
  const [aliases, background, lexicon, actions, glosses] = await Promise.all([
    readJsonFile('stories/aliases.json', aliasesShape),
    readJsonFile('stories/background.json', backgroundShape),
    readJsonFile('stories/lexicon.json', phrases),
    readJsonFile('stories/actions.json', phrases),
    readJsonFile('stories/glosses.json', glossesShape),
  ]);
  const words = [lexicon, actions].flatMap((file) => Object.values(file).flat());
  return openKnownNames({ aliases, background, lexicon: words, glosses });
}

function openKnownNames({ aliases, background, lexicon, glosses }: NameFiles): KnownNames {
  const groups = new Map<string, readonly string[]>();
  const spellings = new Set<string>();
  for (const kind of Object.values(aliases)) {
    for (const allSpellings of Object.values(kind)) {
      const folded = allSpellings.map(foldName);
      for (const name of folded) groups.set(name, [...(groups.get(name) ?? []), ...folded]);
      for (const spelling of allSpellings) if (spelling.length > 1) spellings.add(spelling);
    }
  }
  const words = new Set<string>();
  for (const language of [background.en, background.zh]) {
    for (const list of Object.values(language)) for (const word of list.split(' ')) words.add(word);
  }
  for (const word of lexicon.flatMap((phrase) => phrase.toLowerCase().split(/\s+/u))) {
    words.add(word.replace(/\*$/u, ''));
  }
  const otherScript = openOtherScript(glosses);
  // The dictionary contains transliterated names. They must count as names, not as words.
  for (const word of otherScript.words) if (!isTransliterationOnly(word)) words.add(word);
  return {
    otherScript,
    groups,
    spellings: [...spellings].sort((a, b) => b.length - a.length),
    words,
  };
}

/** Normal form for comparison: NFKC, lower case, plain punctuation, single spaces. */
export function foldName(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ`´]/gu, "'")
    .replace(/[“”„«»「」『』]/gu, '"')
    .replace(/[‐‑‒–—―−]/gu, '-')
    .replace(/\s+/gu, ' ')
    .toLowerCase();
}
