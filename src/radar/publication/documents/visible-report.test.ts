import { expect, test } from 'vitest';
import type {
  ContentEntry,
  ReportContent,
} from '../../../store/radar/publication/report-content.ts';
import { gistOf, joinSentences, showReport } from './visible-report.ts';

test.each([
  // The first sentence that stands alone.
  [
    'Orrin 1 costs two dollars per million tokens from today. It was four.',
    'Orrin 1 costs two dollars per million tokens from today.',
  ],
  // A short one takes the next along.
  ['It is here. The mill by the river opens on Monday at nine.', null],
  ['衔山智能今日开放新一代模型层岚，并同步更新了模型说明与价格。此外还有更多。', undefined],
  // A first party's own voice, or nothing at all: the title stands for it.
  ['We rebuilt the mill around one complaint that our customers had.', 'Title.'],
  ['今天我们发布了新一代模型层岚，并同步更新了模型说明与价格表。', 'Title.'],
  ['The US wants mills, and says so in a law of nine hundred pages.', null],
  ['', 'Title.'],
])('the gist of “%s”', (summary, gist) => {
  const whole = gist === null ? summary : gist;
  const chinese = '衔山智能今日开放新一代模型层岚，并同步更新了模型说明与价格。';
  const told = { title: 'Title', summary, sourceName: 'The Mill' };
  expect(gistOf(told, 'en')).toBe(whole === undefined ? chinese : whole);
});

test('a title in a first party’s own voice is quoted as its own', () => {
  const told = { title: 'Today we open the mill', summary: '', sourceName: 'The Mill' };
  expect(gistOf(told, 'en')).toBe('The Mill: “Today we open the mill”.');
  const inChinese = { title: '我们的磨坊今天开张！', summary: '', sourceName: '磨坊' };
  expect(gistOf(inChinese, 'zh-CN')).toBe('磨坊：“我们的磨坊今天开张！”。');
});

test('sentences are joined as their script joins them', () => {
  expect(joinSentences(['One.', '', 'Two.'])).toBe('One. Two.');
  expect(joinSentences(['一。', '二。', 'Three.'])).toBe('一。二。Three.');
});

function entryOf(itemId: string, more: Partial<ContentEntry> = {}): ContentEntry {
  return {
    itemId,
    title: `Title of ${itemId}`,
    summary: `Summary of ${itemId}.`,
    owner: `Owner ${itemId}`,
    sourceName: `Source ${itemId}`,
    originalUrl: `https://press.example/${itemId}`,
    publishedAt: null,
    at: 0,
    discoveredAt: 7,
    category: 'industry',
    weight: 0,
    others: [],
    since: null,
    ...more,
  };
}

const other = (itemId: string, owner = `Owner ${itemId}`) => {
  return { itemId, owner, sourceName: `Source ${itemId}`, at: 0 };
};

const content: ReportContent = {
  rules: 'test',
  language: 'en',
  firstDay: '2026-09-24',
  lastDay: '2026-09-24',
  leads: ['a', 'flash'],
  overview: [],
  sections: [
    {
      category: 'industry',
      label: 'Industry',
      summary: [],
      entries: [
        entryOf('a', {
          others: [other('b'), other('c'), other('c again', 'Owner c'), other('d'), other('own')],
          since: { date: '2026-09-20', itemIds: ['e'] },
        }),
      ],
    },
  ],
  flashes: [entryOf('flash')],
  knownActions: [],
};

function shown(ids: readonly string[], language: 'en' | 'zh-CN' = 'en') {
  const visible = { publicIds: new Set(ids), words: new Map() };
  return showReport({ ...content, language }, visible);
}

test.each([
  [['a'], 'Summary of a.'],
  [['a', 'b'], 'Summary of a. Also reported by Source b.'],
  [['a', 'b', 'c', 'c again'], 'Summary of a. Also reported by Source b and Source c.'],
  [['a', 'b', 'c', 'd'], 'Summary of a. Also reported by Source b, Source c and one other source.'],
  [
    ['a', 'b', 'c', 'd', 'own', 'e'],
    'Summary of a. Also reported by Source b, Source c and 2 other sources. ' +
      'First told here on 20 September.',
  ],
])('of %s it is said who else reported, owner by owner, and since when', (ids, summary) => {
  expect(shown(ids).sections[0]?.items[0]?.summary).toBe(summary);
});

test('the same in Chinese', () => {
  const { sections } = shown(['a', 'b', 'c', 'd', 'e'], 'zh-CN');
  expect(sections[0]?.items[0]?.summary).toBe(
    'Summary of a. 另有Source b、Source c等 3 家来源报道。本站首次报道于9月20日。',
  );
});

test('where only a flash is left, it leads', () => {
  expect(shown(['flash'])).toEqual({
    lead: { title: 'Title of flash', leadParagraph: 'Summary of flash.' },
    headline: 'Title of flash',
    overview: null,
    sections: [],
    flashes: [
      {
        itemId: 'flash',
        title: 'Title of flash',
        sourceName: 'Source flash',
        originalUrl: 'https://press.example/flash',
        publishedAt: 7,
      },
    ],
  });
});
