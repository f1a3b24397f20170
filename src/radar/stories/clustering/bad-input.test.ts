// The engine accepts any input, and no input joins everything into one story.
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { assignAll } from '../evaluation/assign-all.ts';
import { readStoryRules } from '../rules/read-story-rules.ts';
import type { StoryItem } from './story-item.ts';

const rules = await readStoryRules('editorial');

const start = Date.parse('2026-03-01T00:00:00Z');

function itemsOf(rows: readonly (Partial<StoryItem> & { readonly title: string })[]) {
  return rows.map(
    (row, index): StoryItem => ({ id: `i${index}`, timeMs: start, lang: 'en', ...row }),
  );
}

test('each of many items without words stands alone', () => {
  const titles = ['', '   ', '🎉🎉🎉', '!!!', '…', '🚀', '🎉🎉🎉', '\u0000\ufffd', '—'];
  const assigned = assignAll(rules, itemsOf(titles.map((title) => ({ title }))));
  expect(assigned.map(({ story }) => story)).toEqual(assigned.map(({ id }) => id));
});

test('reads a hundred thousand characters, lone surrogates and mixed scripts', () => {
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

test('an identical title one year later is another event', () => {
  const title = 'Regulator opens inquiry into harbour crane contracts';
  const year = 365 * DAY_MS;
  const assigned = assignAll(
    rules,
    itemsOf([{ title }, { title }, { title, timeMs: start + year }]),
  );
  expect(assigned.map(({ story }) => story)).toEqual(['i0', 'i0', 'i2']);
});

/** The share of the most frequent event in the largest story. */
const purity = (
  assigned: readonly { readonly id: string; readonly story: string }[],
  eventOf: (id: string) => string,
) => {
  const stories = Map.groupBy(assigned, ({ story }) => story);
  const largest = [...stories.values()].reduce((a, b) => (b.length > a.length ? b : a));
  const events = Map.groupBy(largest, ({ id }) => eventOf(id));
  return Math.max(...[...events.values()].map((list) => list.length)) / largest.length;
};

test('a thousand items with one publication time are not one story', () => {
  const placeNames = 'Anvil Birch Cedar Delta Ember Fjord Grove Haven Islet Juniper'.split(' ');
  const nouns = 'bridge ferry school harbour market tunnel library stadium clinic orchard'.split(
    ' ',
  );
  const verbs = 'opens floods expands strikes burns sells moves wins closes rebuilds'.split(' ');
  const rows = Array.from({ length: 1_000 }, (_, index) => ({
    title: [
      placeNames[index % 10],
      nouns[Math.floor(index / 10) % 10],
      verbs[Math.floor(index / 100)],
    ].join(' '),
  }));
  const assigned = assignAll(rules, itemsOf(rows));
  expect(assigned).toHaveLength(1_000);
  const largest = Math.max(
    ...[...Map.groupBy(assigned, ({ story }) => story).values()].map((list) => list.length),
  );
  expect(largest).toBeLessThanOrEqual(10);
});

test('copies of one report are one story, and numbered notices are not', () => {
  const copies = Array.from({ length: 40 }, () => ({
    title: 'Lindell valley dam gives way at night',
  }));
  const notices = Array.from({ length: 200 }, (_, index) => ({
    title: `Notice ${index * 7919 + 13}`,
  }));
  const assigned = assignAll(rules, itemsOf([...copies, ...notices]));
  const eventOf = (id: string) => (Number(id.slice(1)) < 40 ? 'dam' : id);
  expect(purity(assigned, eventOf)).toBeGreaterThanOrEqual(0.9);
});

test('a thousand headlines of one pattern about different names are not one story', () => {
  const syllables = 'bake drofel ganhul jorkan lummir norpel quoris soltur venwex yanchi'.split(
    ' ',
  );
  const nameOf = (at: number) =>
    [syllables[at % 10], syllables[Math.floor(at / 10) % 10], syllables[Math.floor(at / 100)]]
      .join('')
      .replace(/^./u, (letter) => letter.toUpperCase());
  const glyphs = [...'海云星光天地风雷水火川峰图语智芯研创维联'];
  const hanName = (at: number) =>
    [at % 10, 10 + (Math.floor(at / 10) % 10), Math.floor(at / 100)].map((n) => glyphs[n]).join('');
  const patterns = [
    (at: number) => `${nameOf(at)} raises $${5 + (at % 90)} million in Series B`,
    (at: number) => `${nameOf(at)} launches new AI model for developers`,
    (at: number) => `${hanName(at)}科技发布第${at}号新模型`,
  ];
  for (const pattern of patterns) {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({ title: pattern(index) }));
    const stories = Map.groupBy(assignAll(rules, itemsOf(rows)), ({ story }) => story);
    const largest = Math.max(...[...stories.values()].map((list) => list.length));
    expect([pattern(7), largest <= 10]).toEqual([pattern(7), true]);
  }
});

test('one repeated word does not make a story', () => {
  const words = ['Update', 'Vantrell', '速报', 'OpenAI', 'Live'];
  const rows = Array.from({ length: 100 }, (_, index) => ({ title: words[index % 5] ?? '' }));
  const assigned = assignAll(rules, itemsOf(rows));
  expect(assigned.map(({ story }) => story)).toEqual(assigned.map(({ id }) => id));
});

test('issues of a series stand alone, and articles with similar words do not', () => {
  const series = [
    ...['Daily briefing', 'Morning news', 'Monday morning briefing: November 22, 2026'],
    ...['Your horoscope for today', 'Aries horoscope for November 3', 'Open thread', 'Corrections'],
    ...['Bitcoin price today: $61,037', 'Gold price today in Dubai', 'Photo of the day'],
    ...['Weather forecast for the week', 'Weather in Oslo: forecast for November 3'],
    ...['Stock market today: live updates', 'What to watch this weekend', 'Letters to the editor'],
    ...['今日要闻', '早间新闻', '今日金价', '每日星座运势', '11月3日黄金价格今日最新行情'],
    ...['11 月 3 日 要闻', '今日要闻 2026 年 11 月 3 日'],
  ];
  const news = [
    ...['Startup raises $20m for AI horoscope app', 'Bitcoin price falls below $50,000'],
    ...['Weather satellite reaches its orbit', 'Fed rate cut today', '新闻集团起诉人工智能公司'],
    ...['What to know about the new chip law', 'Sunday Times sold to a brewer', '金价突破3000美元'],
  ];
  const onTwoDays = (titles: readonly string[]) =>
    itemsOf([0, 1].flatMap((day) => titles.map((title) => ({ title, timeMs: start + day * 1e7 }))));
  const assignments = assignAll(rules, onTwoDays(series));
  expect(assignments.map(({ story }) => story)).toEqual(assignments.map(({ id }) => id));
  const second = assignAll(rules, onTwoDays(news));
  const stories = second.map(({ story }) => story);
  expect(stories.slice(news.length)).toEqual(stories.slice(0, news.length));
});
