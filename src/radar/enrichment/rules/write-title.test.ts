import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEditorial } from '../read-editorial.ts';
import { openTitleWriter } from './write-title.ts';

const folder = fileURLToPath(new URL('../../../../editorial', import.meta.url));
const { titles, names } = await readEditorial(folder);
const writeTitle = openTitleWriter(titles, names);
const candidate = {
  sourceName: 'The Daily Gull',
  url: 'https://www.gullpress.example/2026/notes',
  firstSentence: '',
};
const titleOf = (title: string) => writeTitle({ ...candidate, title }).title;

test.each([
  ['Orrery opens Meridian to schools | The Daily Gull', 'Orrery opens Meridian to schools'],
  ['Orrery opens Meridian to schools - The Daily Gull', 'Orrery opens Meridian to schools'],
  ['Orrery opens Meridian to schools — Daily Gull Blog', 'Orrery opens Meridian to schools'],
  ['Orrery opens Meridian to schools | Technology | Gull', 'Orrery opens Meridian to schools'],
  ['The Daily Gull: Orrery opens Meridian to schools', 'Orrery opens Meridian to schools'],
  ['Gullpress | Orrery opens Meridian to schools', 'Orrery opens Meridian to schools'],
  ['Orrery opens Meridian to schools - Reuters', 'Orrery opens Meridian to schools'],
  ['Orrery opens Meridian to schools (Reuters)', 'Orrery opens Meridian to schools'],
  ['Orrery opens Meridian to schools (Ana Reis/Nikkei Asia)', 'Orrery opens Meridian to schools'],
  ['奥瑞利向学校开放模型_机器之心', '奥瑞利向学校开放模型'],
  ['奥瑞利向学校开放模型 - 36氪', '奥瑞利向学校开放模型'],
])('removes the site’s name: %s', (title, expected) => {
  expect(titleOf(title)).toBe(expected);
});

test.each([
  ["You won't believe what Orrery just launched", 'What Orrery just launched'],
  ['BREAKING: This is huge: Orrery opens Meridian', 'Orrery opens Meridian'],
  ['Orrery opens Meridian, and it’s insane', 'Orrery opens Meridian'],
  ['Orrery opens Meridian — here’s why it matters', 'Orrery opens Meridian'],
  ['Show HN: Plover – notebooks in the browser', 'Plover – notebooks in the browser'],
  ['震惊！奥瑞利发布新模型', '奥瑞利发布新模型'],
  ['重磅！刚刚，奥瑞利发布新模型', '奥瑞利发布新模型'],
  ['奥瑞利发布新模型，太炸裂了！', '奥瑞利发布新模型'],
  ['奥瑞利发布新模型（附下载地址）', '奥瑞利发布新模型'],
])('removes clickbait frames: %s', (title, expected) => {
  expect(titleOf(title)).toBe(expected);
});

test.each([
  ['🚀🔥 Orrery opens Meridian 🎉', 'Orrery opens Meridian'],
  ['👩🏽‍💻 Meridian 3️⃣ for 🇵🇹 schools', 'Meridian 3 for schools'],
  ['[Sponsored] Orrery opens Meridian', 'Orrery opens Meridian'],
  ['Orrery opens Meridian [Video]', 'Orrery opens Meridian'],
  ['【快讯】奥瑞利发布新模型', '奥瑞利发布新模型'],
  ['Orrery  opens   Meridian', 'Orrery opens Meridian'],
  ['Orrery opens Meridian!!!', 'Orrery opens Meridian!'],
  ['ORRERY OPENS OPENAI RIVAL TO U.S. SCHOOLS', 'Orrery opens OpenAI rival to U.S. schools'],
  ['This is HUGE for NASA', 'This is huge for NASA'],
])('removes emoji, tags and capitals: %s', (title, expected) => {
  expect(titleOf(title)).toBe(expected);
});

test.each([
  'Orrery opens Meridian to schools',
  'Meridian 3 - Part 2',
  'GPT-9 | What changes for schools and who pays for it',
  'iOS 30 gets a translator',
  'xAI and Meta agree on a code',
  'Orrery: a laboratory without walls',
  '[Meridian 3] for small machines',
  '【环顾】奥瑞利的一年',
  '奥瑞利 GLM API 上线，AA 指数并列第一',
  'AI, IBM and NASA',
  'C++ and C# compared',
  'Meridian™ costs $5',
])('keeps an ordinary title without an original: %s', (title) => {
  expect(writeTitle({ ...candidate, title })).toEqual({ title, originalTitle: null });
});

test('keeps the source’s title when the displayed one differs', () => {
  expect(writeTitle({ ...candidate, title: '🚀 Orrery opens Meridian | The Daily Gull' })).toEqual({
    title: 'Orrery opens Meridian',
    originalTitle: '🚀 Orrery opens Meridian | The Daily Gull',
  });
});

test('a title that differs only in white space is unchanged', () => {
  expect(writeTitle({ ...candidate, title: ' Orrery  opens\u00a0Meridian ' })).toEqual({
    title: 'Orrery opens Meridian',
    originalTitle: null,
  });
});

test('keeps a title that has only a clickbait frame, a site name or emoji', () => {
  expect(titleOf('The Daily Gull')).toBe('The Daily Gull');
  expect(titleOf('震惊！')).toBe('震惊！');
  expect(titleOf('[Video]')).toBe('[Video]');
  expect(titleOf('🔥🔥🔥')).toBe('🔥🔥🔥');
});

test('uses the first sentence when the source has no title', () => {
  const firstSentence = 'Orrery has opened its model to schools.';
  expect(writeTitle({ ...candidate, title: '', firstSentence })).toEqual({
    title: firstSentence,
    originalTitle: null,
  });
  expect(writeTitle({ ...candidate, title: '🔥', firstSentence }).title).toBe(firstSentence);
});

test('cuts a very long title at the end of a word', () => {
  const { title } = writeTitle({ ...candidate, title: 'Meridian and its friends '.repeat(40) });
  expect(title.length).toBeLessThanOrEqual(300);
  expect(title).toMatch(/\b(?:Meridian|and|its|friends)…$/);
});

test('any title becomes one clean line, with words exactly when the source title has words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const { title } = writeTitle({ ...candidate, title: text });
      expect(title).not.toMatch(/[\n\t]| {2}/);
      expect(/[\p{L}\p{N}]/u.test(title)).toBe(/[\p{L}\p{N}]/u.test(text));
    }),
  );
});
