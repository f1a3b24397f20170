// Builds editorial/stories/background.json, the general frequency of words, and traditional.json,
// traditional characters with their simplified forms. Sources are free word lists; their licences
// are in editorial/stories/NOTICE.md. Run: bin/node24 bench/build-background.ts
// <english "word count" list> <chinese "word count tag" list> <traditional "字 字|字 字" list>
import { readFile, writeFile } from 'node:fs/promises';

const folder = 'editorial/stories';
const MAX_ENGLISH_WORDS = 42_000;
const MAX_CHINESE_WORDS = 56_000;

/** Frequencies are stored in steps of a quarter of a bit: -4·log2(share), a whole number. */
function groupByFrequency(counts: ReadonlyMap<string, number>, limit: number, total: number) {
  const mostFrequent = [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit);
  const steps: Record<string, string[]> = {};
  for (const [word, count] of mostFrequent) {
    const step = String(Math.round(-4 * Math.log2(count / total)));
    steps[step] ??= [];
    steps[step].push(word);
  }
  return Object.fromEntries(
    Object.entries(steps).map(([step, words]) => [step, words.sort().join(' ')]),
  );
}

function parseCounts(text: string, accepts: RegExp): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.replace(/^\ufeff/u, '').split('\n')) {
    const [word = '', count = ''] = line.trim().split(/\s+/u);
    if (accepts.test(word)) counts.set(word, (counts.get(word) ?? 0) + Number(count));
  }
  return counts;
}

const sum = (counts: ReadonlyMap<string, number>) => counts.values().reduce((a, b) => a + b, 0);

async function buildFiles(english: string, chinese: string, traditional: string): Promise<void> {
  const en = parseCounts(await readFile(english, 'utf8'), /^[a-z][a-z']*$/u);
  const zh = parseCounts(await readFile(chinese, 'utf8'), /^\p{sc=Han}{1,5}$/u);
  const background = {
    en: groupByFrequency(en, MAX_ENGLISH_WORDS, sum(en)),
    zh: groupByFrequency(zh, MAX_CHINESE_WORDS, sum(zh)),
  };
  await writeFile(`${folder}/background.json`, `${JSON.stringify(background)}\n`);

  // A character with several simplified forms is mapped to the first, which is the usual form.
  const listMatch = /["'](?<pairs>[^"']{1000,})["']/u.exec(await readFile(traditional, 'utf8'));
  const pairs = (listMatch?.groups?.pairs ?? '').split('|').map((pair) => pair.split(/\s+/u));
  const singleCharacters = pairs.filter(
    ([from, to]) => [...(from ?? '')].length === 1 && from !== to,
  );
  // The table has one UTF-16 unit per character, so it excludes characters of two units.
  const oneUnitPairs = singleCharacters.filter(
    ([from, to]) => from?.length === 1 && to?.length === 1,
  );
  const table = {
    from: oneUnitPairs.map(([from]) => from).join(''),
    to: oneUnitPairs.map(([, to]) => to).join(''),
  };
  await writeFile(`${folder}/traditional.json`, `${JSON.stringify(table)}\n`);
  console.log(
    `${en.size} English and ${zh.size} Chinese words read, ${oneUnitPairs.length} characters`,
  );
}

const [english, chinese, traditional] = process.argv.slice(2);
if (!english || !chinese || !traditional)
  throw new Error('Three word lists are needed; the head of this file describes them.');
await buildFiles(english, chinese, traditional);
