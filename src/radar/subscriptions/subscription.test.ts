// Invalid definitions of subscriptions: each message names the invalid field.
import { expect, test } from 'vitest';
import { parseSubscription } from './subscription.ts';

const definition = { name: 'Chips', kind: 'news', channel: 'chn_1', match: { any: ['chips'] } };
const problemsOf = (changes: object) => {
  const parsed = parseSubscription({ ...definition, ...changes });
  return parsed.kind === 'valid' ? [] : parsed.problems.map(({ field }) => field);
};

test.each([
  ['no condition', { match: {} }, ['match']],
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
  ['no report', { kind: 'report', match: { reports: [] } }, ['match.reports']],
  ['no name and no channel', { name: ' ', channel: '' }, ['name', 'channel']],
  ['an unknown kind', { kind: 'figure' }, ['kind']],
] as const)('%s is refused', (_what, changes, fields) => {
  expect(problemsOf(changes)).toEqual(fields);
});

test('every wrong field is named at once', () => {
  const match = { any: ['c'], minScore: -1 };
  expect(problemsOf({ name: '', match })).toEqual(['name', 'match.any', 'match.minScore']);
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
