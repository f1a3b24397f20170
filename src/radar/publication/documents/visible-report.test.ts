import { expect, test } from 'vitest';
import type {
  ContentEntry,
  ReportContent,
} from '../../../store/radar/publication/report-content.ts';
import { joinSentences, shortenSummary, showReport } from './visible-report.ts';

test.each([
  [
    'the first sentence of its summary',
    'Orrin 1 costs two dollars per million tokens. It was four.',
    'summary',
  ],
  [
    'its title, when the summary uses the first person',
    'We rebuilt the mill around a complaint.',
    'title',
  ],
  [
    'its title, when the summary says “today”',
    'The mill opens its doors to visitors today.',
    'title',
  ],
  ['its title, when there is no summary', '', 'title'],
])('shortens an entry to %s', (_, summary, origin) => {
  const title = 'The mill by the river opens on Monday';
  const expected =
    origin === 'summary' ? 'Orrin 1 costs two dollars per million tokens.' : `${title}.`;
  expect(shortenSummary({ title, summary }, 'en')).toBe(expected);
});

test('leaves an entry without a usable sentence or title out of an overview', () => {
  expect(shortenSummary({ title: 'Counting Before Speaking', summary: '' }, 'en')).toBe('');
  expect(shortenSummary({ title: 'Why we open the mill', summary: '' }, 'en')).toBe('');
  expect(shortenSummary({ title: 'The mill by the river opens', summary: '' }, 'zh-CN')).toBe('');
});

test('removes a sentence of the overview from its entry', () => {
  const sentence = 'The mill by the river opens its doors on Monday.';
  const entry = entryOf('a', { summary: `${sentence} Visitors pay nothing on that day.` });
  const report: ReportContent = {
    ...content,
    leads: ['flash', 'a'],
    overview: [{ itemIds: ['a'], parts: [{ itemId: 'a', say: 'gist' }] }],
    sections: [{ category: 'industry', label: 'Industry', summary: [], entries: [entry] }],
  };
  const visible = { itemTexts: new Map(), storyTitles: new Map() };
  expect(showReport(report, { publicItems: itemsOf(['a', 'flash']), ...visible })).toMatchObject({
    headline: 'Title of flash',
    overview: sentence,
    sections: [{ items: [{ summary: 'Visitors pay nothing on that day.' }] }],
  });
  // The entry of the headline has no sentence in the overview.
  expect(showReport(report, { publicItems: itemsOf(['a']), ...visible })).toMatchObject({
    headline: 'Title of a',
    overview: null,
    sections: [{ items: [{ summary: entry.summary }] }],
  });
});

test('sentences are joined with a space, except after a Chinese sentence', () => {
  expect(joinSentences(['One.', '', 'Two.'])).toBe('One. Two.');
  expect(joinSentences(['一。', '二。', 'Three.'])).toBe('一。二。Three.');
});

function entryOf(itemId: string, overrides: Partial<ContentEntry> = {}): ContentEntry {
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
    ...overrides,
  };
}

const otherEntry = (itemId: string, owner = `Owner ${itemId}`) => {
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
          others: [
            otherEntry('b'),
            otherEntry('c'),
            otherEntry('c again', 'Owner c'),
            otherEntry('d'),
            otherEntry('own'),
          ],
          since: { date: '2026-09-20', itemIds: ['e'] },
        }),
      ],
    },
  ],
  flashes: [entryOf('flash')],
  knownActions: [],
};

function itemsOf(ids: readonly string[], language = 'en') {
  return new Map(ids.map((id) => [id, { title: `Title of ${id}`, language }]));
}

function showVisibleReport(
  ids: readonly string[],
  language: 'en' | 'zh-CN' = 'en',
  title?: string,
) {
  const itemTexts = new Map(title === undefined ? [] : [['a', { title, summary: null }] as const]);
  const visible = { publicItems: itemsOf(ids), itemTexts, storyTitles: new Map() };
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
      'First reported here on 20 September.',
  ],
])('names the other sources and the first date that are public: %s', (ids, summary) => {
  expect(showVisibleReport(ids).sections[0]?.items[0]?.summary).toBe(summary);
});

test('a Chinese entry names the other sources in Chinese', () => {
  const { sections } = showVisibleReport(['a', 'b', 'c', 'd', 'e'], 'zh-CN', '河边的磨坊周一开张');
  expect(sections[0]?.items[0]?.summary).toBe(
    'Summary of a. 另有Source b、Source c等 3 家来源报道。本站首次报道于9月20日。',
  );
});

test('names other sources in the language of the item, not in the script of its title', () => {
  const publicItems = itemsOf(['a', 'b'], 'zh');
  const visible = { publicItems, itemTexts: new Map(), storyTitles: new Map() };
  const [section] = showReport(content, visible).sections;
  expect(section?.items[0]?.summary).toBe('Summary of a. 另有Source b报道。');
});

test('the first brief leads when only briefs are left', () => {
  expect(showVisibleReport(['flash'])).toEqual({
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
