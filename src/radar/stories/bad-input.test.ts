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

const start = Date.parse('2026-03-01T00:00:00Z');

function itemsOf(rows: readonly (Partial<StoryItem> & { readonly title: string })[]) {
  return rows.map((row, at): StoryItem => ({ id: `i${at}`, timeMs: start, lang: 'en', ...row }));
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

test('an identical title a year apart is another event', () => {
  const title = 'Regulator opens inquiry into harbour crane contracts';
  const year = 365 * 86_400_000;
  const assigned = assignAll(
    rules,
    itemsOf([{ title }, { title }, { title, timeMs: start + year }]),
  );
  expect(assigned.map(({ story }) => story)).toEqual(['i0', 'i0', 'i2']);
});
