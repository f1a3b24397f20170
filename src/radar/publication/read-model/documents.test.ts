import { expect, test } from 'vitest';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import type { DocumentKind } from '../../../store/schema/stories.ts';
import {
  applyDocuments,
  documentFrom,
  documentOf,
  newestDocuments,
  noDocuments,
  REPORTS_MAX,
} from './documents.ts';

const NOW = Date.parse('2026-08-22T12:00:00Z');
const createDocument = (kind: DocumentKind, key: string, sortAt = NOW, body: object = { key }) =>
  documentFrom({ kind, key, sortAt, text: JSON.stringify(body) });
const ranking = (...storyIds: string[]) =>
  createDocument('ranking', 'current', NOW, { topics: storyIds.map((storyId) => ({ storyId })) });
const applyUpserts = (
  before: typeof noDocuments,
  upserts: ReturnType<typeof createDocument>[],
  now = NOW,
) => applyDocuments(before, { upserts, removals: [] }, now);
const keysOf = (documents: typeof noDocuments, kind: DocumentKind) =>
  newestDocuments({ documents }, kind, 1_000).map(({ key }) => key);

test('holds stories of the window and the ranking, and drops the others once a minute', () => {
  const oldStory = NOW - 8 * DAY_MS;
  const firstState = applyUpserts(noDocuments, [
    createDocument('story', 'old', oldStory),
    createDocument('story', 'ranked', oldStory),
    ranking('ranked'),
    createDocument('story', 'a'),
    createDocument('story', 'b'),
    createDocument('story', 'c', NOW - 1),
  ]);
  expect(keysOf(firstState, 'story')).toEqual(['b', 'a', 'c', 'ranked']);
  const later = applyUpserts(firstState, [], NOW + 8 * DAY_MS);
  expect([keysOf(later, 'story'), keysOf(firstState, 'story').length]).toEqual([['ranked'], 4]);
  expect(keysOf(applyUpserts(later, [ranking()], NOW + 8 * DAY_MS), 'story')).toEqual([]);
});

test('a removal overrides an upsert, and the earlier read model is unchanged', () => {
  const firstState = applyUpserts(noDocuments, [createDocument('story', 'a', NOW, { n: 1 })]);
  const secondState = applyDocuments(
    firstState,
    {
      upserts: [createDocument('story', 'a', NOW, { n: 2 }), createDocument('story', 'b')],
      removals: [{ kind: 'story', key: 'a' }],
    },
    NOW,
  );
  expect(documentOf({ documents: firstState }, 'story', 'a')?.body).toEqual({ n: 1 });
  expect(documentOf({ documents: secondState }, 'story', 'a')).toBeNull();
  expect(keysOf(secondState, 'story')).toEqual(['b']);
  expect(keysOf(secondState, 'daily')).toEqual([]);
});

test('holds the newest reports of each kind', () => {
  const all = Array.from({ length: 220 }, (_, index) =>
    createDocument('daily', `d${1000 + index}`, NOW + index),
  );
  const keptKeys = keysOf(applyUpserts(noDocuments, all), 'daily');
  expect([keptKeys.length, keptKeys[0], keptKeys.at(-1)]).toEqual([
    REPORTS_MAX.daily,
    'd1219',
    'd1020',
  ]);
});
