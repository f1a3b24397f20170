// Generates public items with realistic lengths and languages, in invented words. English words
// consist of syllables, Chinese words of one to three characters. Frequencies follow Zipf's law.

import { type Random, seededRandom } from '../src/kernel/crypto/random.ts';
import { DAY_MS, HOUR_MS } from '../src/kernel/time/durations.ts';
import type { PublicItem } from '../src/radar/publication/item.ts';

export type BenchWords = {
  /** Most frequent first. */
  readonly en: readonly string[];
  readonly zh: readonly string[];
};

const functionWords =
  'the of and to a in for is on that by with from as at it be an are this or new will can its has';
const onsets =
  'b c d f g h j k l m n p r s t v w y br ch cl cr fl gr pl pr sh sl st str th tr'.split(' ');
const vowels = 'a e i o u a e i o ai ea ee ou io'.split(' ');
const codas = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'ng', 'nt', 'st', 'x', 'd', 'ck'];
const firstIdeograph = 0x4e00;
const ideographCount = 4000;
/** The most frequent Chinese words, which have one character each. */
const SINGLE_IDEOGRAPH_WORDS = 60;

export function benchWords(seed: number): BenchWords {
  const random = seededRandom(seed);
  const en = functionWords.split(' ');
  const usedWords = new Set(en);
  while (en.length < 60_000) {
    // Rare words are longer.
    const syllables = 1 + Math.floor((random.next() * Math.log10(en.length)) / 1.4);
    const word = Array.from({ length: syllables }, () => randomSyllable(random)).join('');
    const name = random.next() < 0.03 ? `${word}-${Math.floor(random.next() * 9)}` : word;
    if (!usedWords.has(name)) en.push(name);
    usedWords.add(name);
  }
  const drawWordLength = (rank: number): number => {
    if (rank < SINGLE_IDEOGRAPH_WORDS) return 1;
    return random.next() < 0.8 ? 2 : 3;
  };
  const zh = Array.from({ length: 50_000 }, (_, rank) => {
    const length = drawWordLength(rank);
    return Array.from({ length }, () => randomIdeograph(random)).join('');
  });
  return { en, zh };
}

/** `count` items, spread over the seven days before `now`, half of them Chinese. */
export function benchItems(count: number, now: number, words: BenchWords): PublicItem[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, index) => benchItem(index, random, now, words));
}

export function benchItem(
  index: number,
  random: Random,
  now: number,
  words: BenchWords,
): PublicItem {
  const isChinese = random.next() < 0.5;
  const between = (low: number, high: number) => low + Math.floor(random.next() * (high - low));
  const randomText = (isChineseText: boolean, low: number, high: number) =>
    randomSentence(
      random,
      isChineseText ? words.zh : words.en,
      isChineseText ? '' : ' ',
      between(low, high),
    );
  const id = `${index.toString(16).padStart(8, '0')}${between(0, 2 ** 31).toString(16)}`;
  const discoveredAt = now - Math.floor(random.next() * 7 * DAY_MS);
  const isSelected = random.next() < 0.2;
  const categories = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion', null];
  return {
    id,
    title: isChinese ? randomText(true, 8, 22) : randomText(false, 7, 17),
    // Most Chinese titles here translate English originals.
    originalTitle: isChinese && random.next() < 0.6 ? randomText(false, 7, 17) : null,
    summary: isChinese ? mixedSummary(randomText) : randomText(false, 20, 60),
    sourceName: `${words.en[30 + (index % 300)]} ${index % 2 === 0 ? 'Labs' : 'News'}`,
    originalUrl: `https://${words.en[30 + (index % 300)]}.example/posts/${id}`,
    publishedAt: random.next() < 0.1 ? null : discoveredAt - between(0, 6 * HOUR_MS),
    discoveredAt,
    category: categories[between(0, categories.length)] ?? null,
    score: between(0, 101),
    selected: isSelected,
    reason: isSelected ? randomText(isChinese, 8, 14) : null,
    language: isChinese ? 'zh' : 'en',
    summaryBy: 'rules',
    storyId: null,
    timelineAt: discoveredAt,
  };
}

type RandomText = (isChineseText: boolean, low: number, high: number) => string;

// Chinese summaries contain Latin names without spaces around them.
function mixedSummary(randomText: RandomText): string {
  return `${randomText(true, 12, 35)}，${randomText(false, 1, 3)}${randomText(true, 12, 35)}。`;
}

function randomSentence(
  random: Random,
  from: readonly string[],
  separator: string,
  wordCount: number,
): string {
  const text = Array.from({ length: wordCount }, () => {
    const element = from[randomRank(random, from.length)] ?? '';
    return random.next() < 0.12 ? element.charAt(0).toUpperCase() + element.slice(1) : element;
  });
  if (separator === '') return text.join('');
  // Typographic characters make V8 store a string in two bytes per character.
  return `${text.join(separator)}${random.next() < 0.3 ? ' — its maker’s word' : ''}.`;
}

// Zipf's law with exponent 1: ranks are uniform on a logarithmic scale.
function randomRank(random: Random, count: number): number {
  return Math.floor((count + 1) ** random.next()) - 1;
}

function randomSyllable(random: Random): string {
  const pick = (from: readonly string[]) => from[Math.floor(random.next() * from.length)] ?? '';
  return pick(onsets) + pick(vowels) + pick(codas);
}

function randomIdeograph(random: Random): string {
  return String.fromCodePoint(firstIdeograph + randomRank(random, ideographCount));
}
