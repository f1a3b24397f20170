import { expect, test } from 'vitest';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { DocumentKind } from '../../../store/schema/stories.ts';
import {
  applyDocuments,
  documentFrom,
  documentOf,
  maxReports,
  newestDocuments,
  noDocuments,
} from './documents.ts';

const T = Date.parse('2026-08-22T12:00:00Z');
const document = (kind: DocumentKind, key: string, sortAt = T, body: object = { key }) =>
  documentFrom({ kind, key, sortAt, text: JSON.stringify(body) });
const ranking = (...storyIds: string[]) =>
  document('ranking', 'current', T, { topics: storyIds.map((storyId) => ({ storyId })) });
const apply = (before: typeof noDocuments, upserts: ReturnType<typeof document>[], now = T) =>
  applyDocuments(before, { upserts, removals: [] }, now);
const keys = (documents: typeof noDocuments, kind: DocumentKind) =>
  newestDocuments({ documents }, kind, 1_000).map(({ key }) => key);

test('holds stories of the window and the ranking, and drops others by the minute', () => {
  const old = T - 8 * DAY_MS;
  const firstState = apply(noDocuments, [
    document('story', 'old', old),
    document('story', 'ranked', old),
    ranking('ranked'),
    document('story', 'a'),
    document('story', 'b'),
    document('story', 'c', T - 1),
  ]);
  expect(keys(firstState, 'story')).toEqual(['b', 'a', 'c', 'ranked']);
  const later = apply(firstState, [], T + 8 * DAY_MS);
  expect([keys(later, 'story'), keys(firstState, 'story').length]).toEqual([['ranked'], 4]);
  expect(keys(apply(later, [ranking()], T + 8 * DAY_MS), 'story')).toEqual([]);
});

test('a removal overrides an upsert, and the earlier read model is unchanged', () => {
  const firstState = apply(noDocuments, [document('story', 'a', T, { n: 1 })]);
  const secondModel = applyDocuments(
    firstState,
    {
      upserts: [document('story', 'a', T, { n: 2 }), document('story', 'b')],
      removals: [{ kind: 'story', key: 'a' }],
    },
    T,
  );
  expect(documentOf({ documents: firstState }, 'story', 'a')?.body).toEqual({ n: 1 });
  expect(documentOf({ documents: secondModel }, 'story', 'a')).toBeNull();
  expect(keys(secondModel, 'story')).toEqual(['b']);
  expect(keys(secondModel, 'daily')).toEqual([]);
});

test('holds the newest reports of each kind', () => {
  const all = Array.from({ length: 220 }, (_, n) => document('daily', `d${1000 + n}`, T + n));
  const keptKeys = keys(apply(noDocuments, all), 'daily');
  expect([keptKeys.length, keptKeys[0], keptKeys.at(-1)]).toEqual([
    maxReports.daily,
    'd1219',
    'd1020',
  ]);
});
