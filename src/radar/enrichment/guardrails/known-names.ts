// What is known of names and words before a text is read: spellings that mean the same (OpenAI,
// 英伟达 and Nvidia), and ordinary words of both languages, which are no names. Data of the folder.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { readLayered } from '../../../kernel/files/layered-folder.ts';
import { isAllSounds } from './han-sounds.ts';
import { type Glosses, type OtherScript, openOtherScript } from './other-script.ts';

export type KnownNames = {
  /** By folded spelling, all folded spellings of the same; the longest spelling first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** Spellings as they are written, the longest first, for finding them in a text. */
  readonly spellings: readonly string[];
  /** Lower case; words of an alphabet and of ideographs. */
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
  const read = async <T>(name: string, shape: z.ZodType<T>): Promise<T> => {
    const text = await readLayered(folder, name);
    try {
      return shape.parse(JSON.parse(text));
    } catch (cause) {
      throw new Fault('invalid_request', `editorial/${name}: is not what it should be`, { cause });
    }
  };
  const [aliases, background, lexicon, actions, glosses] = await Promise.all([
    read('stories/aliases.json', aliasesShape),
    read('stories/background.json', backgroundShape),
    read('stories/lexicon.json', phrases),
    read('stories/actions.json', phrases),
    read('stories/glosses.json', glossesShape),
  ]);
  const words = [lexicon, actions].flatMap((file) => Object.values(file).flat());
  return openKnownNames({ aliases, background, lexicon: words, glosses });
}

function openKnownNames({ aliases, background, lexicon, glosses }: NameFiles): KnownNames {
  const groups = new Map<string, readonly string[]>();
  const spellings = new Set<string>();
  for (const kind of Object.values(aliases)) {
    for (const all of Object.values(kind)) {
      const folded = all.map(foldName);
      for (const one of folded) groups.set(one, [...(groups.get(one) ?? []), ...folded]);
      for (const one of all) if (one.length > 1) spellings.add(one);
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
  // Dictionaries have foreign names, too: those are for whoever looks for names.
  for (const word of otherScript.words) if (!isAllSounds(word)) words.add(word);
  return {
    otherScript,
    groups,
    spellings: [...spellings].sort((a, b) => b.length - a.length),
    words,
  };
}

/** One spelling for comparing: NFKC, lower case, plain marks, one space. */
export function foldName(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‘’ʼ`´]/gu, "'")
    .replace(/[“”„«»「」『』]/gu, '"')
    .replace(/[‐‑‒–—―−]/gu, '-')
    .replace(/\s+/gu, ' ')
    .toLowerCase();
}
