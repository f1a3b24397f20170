// Whatever strangers send, the engine answers; and nothing makes one story of everything.
import { beforeAll, expect, test } from 'vitest';
import { assignAll } from './assign-all.ts';
import type { StoryItem } from './item.ts';
import type { StoryRules } from './open-rules.ts';
import { readStoryRules } from './read-story-rules.ts';

let rules: StoryRules;
beforeAll(async () => {
  rules = await readStoryRules('editorial');
});

const second = 1_000;
const start = Date.parse('2026-03-01T00:00:00Z');

function itemsOf(rows: readonly (Partial<StoryItem> & { readonly title: string })[]) {
  return rows.map((row, at): StoryItem => ({ id: `i${at}`, timeMs: start, lang: 'en', ...row }));
}

function largestOf(assigned: readonly { readonly story: string }[]): number {
  const sizes = new Map<string, number>();
  for (const { story } of assigned) sizes.set(story, (sizes.get(story) ?? 0) + 1);
  return Math.max(...sizes.values());
}

test('an item without words is alone, however many of them there are', () => {
  const titles = ['', '   ', '🎉🎉🎉', '!!!', '…', '🚀', '🎉🎉🎉', '\u0000\ufffd', '—'];
  const assigned = assignAll(rules, itemsOf(titles.map((title) => ({ title }))));
  expect(assigned.map(({ story }) => story)).toEqual(assigned.map(({ id }) => id));
});

test('a hundred thousand characters, lone surrogates and mixed scripts are read', () => {
  const long = 'ожидание 期待 expectation '.repeat(4_000);
  const rows = [
    { title: long },
    { title: 'A', text: long },
    { title: '\ud800 broken \udc00', text: '\ud800'.repeat(1_000) },
    { title: 'Привет world 世界 مرحبا नमस्ते 🌍' },
    { title: 'a'.repeat(100_000) },
    { title: `${'('.repeat(5_000)}${'1'.repeat(5_000)}%`, text: ','.repeat(100_000) },
  ];
  const assigned = assignAll(rules, itemsOf(rows));
  expect(assigned).toHaveLength(rows.length);
});

// Known and open (docs/decisions/0007-stories.md): very short titles still chain. Vitest turns this
// red as soon as it holds.
test.fails('one word, a thousand times in one second, gathers nothing that says something else', () => {
  const words = ['Update', 'News', 'Apple', 'AI', '更新', '新闻'];
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    title: at % 2 === 0 ? (words[(at / 2) % words.length] ?? '') : `Notes from meeting ${at}`,
    timeMs: start + Math.floor(at / 1_000) * second,
  }));
  const assigned = assignAll(rules, itemsOf(rows));
  expect(assigned).toHaveLength(1_000);
  const titlesOf = new Map<string, string[]>();
  for (const [at, { story }] of assigned.entries()) {
    titlesOf.set(story, [...(titlesOf.get(story) ?? []), rows[at]?.title ?? '']);
  }
  const largest = [...titlesOf.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  const commonest = Math.max(...largest.map((title) => largest.filter((t) => t === title).length));
  expect(commonest / largest.length).toBeGreaterThanOrEqual(0.9);
});

test('an identical title a year apart is another event', () => {
  const title = 'Regulator opens inquiry into harbour crane contracts';
  const year = 365 * 86_400_000;
  const assigned = assignAll(
    rules,
    itemsOf([{ title }, { title }, { title, timeMs: start + year }]),
  );
  expect(assigned.map(({ story }) => story)).toEqual(['i0', 'i0', 'i2']);
});

// Known and open, as above.
test.fails('a thousand unrelated items of one second make no large story', () => {
  const subjects = 'harbour,orchard,violin,glacier,bakery,tramway,lantern,quarry,falcon,compass';
  const verbs = 'reopens,burns,expands,closes,wins,moves,votes,sinks,sings,doubles';
  const places = 'Porto,Lima,Oslo,Quito,Hanoi,Perth,Tunis,Riga,Cusco,Davao';
  const [s, v, p] = [subjects, verbs, places].map((list) => list.split(','));
  const rows = Array.from({ length: 1_000 }, (_, at) => ({
    title: `${s?.[at % 10]} ${v?.[Math.floor(at / 10) % 10]} near ${p?.[Math.floor(at / 100)]}`,
  }));
  expect(largestOf(assignAll(rules, itemsOf(rows)))).toBeLessThan(100);
});
