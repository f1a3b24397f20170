// Invalid definitions of subscriptions: each message names the invalid field.
import { expect, test } from 'vitest';
import { parseSubscription } from './subscription.ts';

const definition = { name: 'Chips', kind: 'news', channel: 'chn_1', match: { any: ['chips'] } };
const parsedProblems = (changes: object) => {
  const parsed = parseSubscription({ ...definition, ...changes });
  return parsed.kind === 'valid' ? [] : parsed.problems;
};
const problemsOf = (changes: object) => parsedProblems(changes).map(({ field }) => field);

test.each([
  ['a query without conditions', { match: {} }, ['match']],
  ['a condition of exclusions only', { match: { none: ['chips'] } }, ['match']],
  ['a text of one character', { match: { any: ['c'] } }, ['match.any']],
  ['a text of 201 characters', { match: { any: ['c'.repeat(201)] } }, ['match.any']],
  [
    '11 alternatives',
    { match: { any: Array.from({ length: 11 }, (_, index) => `text ${index}`) } },
    ['match.any'],
  ],
  ['a score of 101', { match: { minScore: 101 } }, ['match.minScore']],
  ['an unknown field', { colour: 'red' }, ['colour']],
  ['an unknown field of the query', { match: { any: ['chips'], topics: ['x'] } }, ['match.topics']],
  [
    'an unknown zone of a schedule',
    { schedule: { daily: ['08:00'], zone: 'Mars/Base' } },
    ['schedule.zone'],
  ],
  [
    'an unknown zone of quiet hours',
    { quiet: { from: '22:00', to: '07:00', zone: 'Mars/Base' } },
    ['quiet.zone'],
  ],
  ['a time that does not exist', { schedule: { daily: ['24:00'] } }, ['schedule.daily']],
  ['an interval that does not divide a day', { schedule: { every: 17 } }, ['schedule.every']],
  ['quiet hours without length', { quiet: { from: '07:00', to: '07:00' } }, ['quiet']],
  ['a query without reports', { kind: 'report', match: { reports: [] } }, ['match.reports']],
  ['a definition without name and channel', { name: ' ', channel: '' }, ['name', 'channel']],
  ['an unknown kind', { kind: 'figure' }, ['kind']],
] as const)('%s is refused', (_what, changes, fields) => {
  expect(problemsOf(changes)).toEqual(fields);
});

test('every wrong field is named at once', () => {
  const match = { any: ['c'], minScore: -1 };
  expect(problemsOf({ name: '', match })).toEqual(['name', 'match.any', 'match.minScore']);
});

test('each problem of a field is stated in both languages', () => {
  const match = { any: ['c'], minScore: 101 };
  const changes = { match, schedule: { every: 10 }, quiet: { from: '7', to: '08:00' }, x: 1 };
  expect(parsedProblems(changes).map(({ text }) => text)).toEqual([
    {
      en: 'a whole number of minutes from 15 to 1440 that divides a day',
      'zh-CN': '须为 15 到 1440 分钟，且能整除一天',
    },
    { en: 'a time such as 08:00', 'zh-CN': '须为 08:00 这样的时间' },
    { en: 'unknown field', 'zh-CN': '没有这一项' },
    { en: 'each text must have 2 to 200 characters', 'zh-CN': '每行须有 2 到 200 个字符' },
    { en: 'a whole number from 0 to 100', 'zh-CN': '须为 0 到 100 的整数' },
  ]);
  const [schedule] = parsedProblems({ schedule: { at: 'noon' } });
  expect(schedule?.text.en).toContain('"daily"');
});

test('the problem of an unknown kind lists the known kinds', () => {
  const [problem] = parsedProblems({ kind: 'figure' });
  expect(problem).toEqual({
    field: 'kind',
    text: {
      en: 'must be one of news, story, report, alerts',
      'zh-CN': '须为下列之一：news, story, report, alerts',
    },
  });
});

test('absent fields have the documented defaults', () => {
  expect(parseSubscription(definition)).toEqual({
    kind: 'valid',
    input: {
      ...definition,
      language: 'en',
      match: {
        any: ['chips'],
        none: [],
        categories: [],
        sources: [],
        mode: 'selected',
        minScore: null,
        languages: [],
      },
      schedule: { at: 'instant' },
      quiet: null,
      updates: true,
    },
  });
});
