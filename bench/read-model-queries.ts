// Generates searches of expensive kinds: rare, common and absent words, beginnings of one letter,
// one to six Han characters, both scripts, and symbols.
import type { Random } from '../src/kernel/crypto/random.ts';
import type { PublicItem } from '../src/radar/publication/item.ts';
import { sortAtOf } from '../src/radar/publication/read-model/item-row.ts';
import type { ItemPageQuery } from '../src/radar/publication/read-model/page.ts';
import { parseQuery, type TextQuery } from '../src/radar/publication/search/query.ts';
import type { BenchWords } from './read-model-items.ts';

export type QueryKind = { readonly name: string; readonly make: () => string };

export function queryKinds(
  random: Random,
  { en, zh }: BenchWords,
  items: readonly PublicItem[],
): readonly QueryKind[] {
  const randomIndex = (count: number) => Math.floor(random.next() * count);
  const pickWord = (list: readonly string[], low: number, high: number) =>
    list[low + randomIndex(high - low)] ?? '';
  const randomLetter = () => String.fromCharCode(97 + randomIndex(26));
  const randomLetters = (count: number) => Array.from({ length: count }, randomLetter).join(' ');
  const cutTitle = (length: number) => {
    const text = items[randomIndex(items.length)]?.title ?? '';
    const start = randomIndex(Math.max(1, text.length - length));
    return text.slice(start, start + length);
  };
  return [
    { name: 'a common word', make: () => pickWord(en, 0, 30) },
    { name: 'a word of medium frequency', make: () => pickWord(en, 200, 3000) },
    { name: 'a rare word', make: () => pickWord(en, 20_000, 60_000) },
    {
      name: 'an absent word',
      make: () => `zq${randomLetter()}${randomLetter()}${randomLetter()}kk`,
    },
    { name: 'three words of a title', make: () => cutTitle(40).split(' ').slice(1, 4).join(' ') },
    { name: 'two common words', make: () => `${pickWord(en, 0, 30)} ${pickWord(en, 10, 60)}` },
    { name: 'beginnings of one letter', make: () => randomLetters(2 + randomIndex(7)) },
    { name: 'all letters', make: () => 'a b c d e f g h i j k l m n o p q r s t u v w x y z' },
    {
      name: 'beginnings of two letters',
      make: () => `${randomLetter()}${randomLetter()} ${randomLetter()}${randomLetter()}`,
    },
    { name: 'a common Han word', make: () => pickWord(zh, 100, 400) },
    { name: 'a rare Han word', make: () => pickWord(zh, 30_000, 50_000) },
    { name: 'two single ideographs', make: () => `${pickWord(zh, 0, 60)} ${pickWord(zh, 0, 60)}` },
    {
      name: 'two adjacent common ideographs',
      make: () => `${pickWord(zh, 0, 60)}${pickWord(zh, 0, 60)}`,
    },
    { name: 'six characters of a title', make: () => cutTitle(6) },
    { name: 'both scripts', make: () => `${pickWord(en, 0, 300)} ${pickWord(zh, 0, 300)}` },
    {
      name: 'both scripts in one part',
      make: () => `${pickWord(en, 0, 100)}${pickWord(zh, 0, 100)}`,
    },
    {
      name: 'common parts in both scripts and an absent word',
      make: () => `${randomLetter()} ${pickWord(zh, 0, 60)} zqxk`,
    },
    {
      name: 'symbols',
      make: () => ['—’', '-0', 'a-', '. .', '’s s', '!!', '，。'][randomIndex(7)] ?? '',
    },
    { name: 'two hundred characters', make: () => cutTitle(200).padEnd(200, ' the of') },
  ];
}

/** Repeats `make` until the text is long enough for a query. */
export function searchOf(kind: QueryKind): TextQuery {
  for (;;) {
    const parsed = parseQuery(kind.make());
    if (parsed.kind === 'query') return parsed.query;
  }
}

/** A realistic page request: mostly the first page, sometimes a late one. */
export function pageQueryOf(
  random: Random,
  items: readonly PublicItem[],
  q: TextQuery | null,
): ItemPageQuery {
  const categories = [null, null, 'ai-models', 'paper', 'no-such-category'];
  const by = random.next() < 0.7 ? 'timeline' : 'published';
  const row = items[Math.floor(random.next() * items.length)];
  const anchor = row === undefined ? null : { at: sortAtOf(by, row), id: row.id };
  return {
    mode: random.next() < 0.5 ? 'selected' : 'all',
    category: categories[Math.floor(random.next() * categories.length)] ?? null,
    by,
    window: random.next() < 0.8 ? '7d' : '24h',
    q,
    limit: random.next() < 0.8 ? 50 : 100,
    anchor: random.next() < 0.6 ? null : anchor,
  };
}
