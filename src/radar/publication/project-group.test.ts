import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { itemTimelineAt, type Member, projectGroup } from './project-group.ts';

const NOW = Date.parse('2026-08-22T12:00:00Z');

const createMember = (overrides: Partial<Member>): Member => ({
  id: 'a',
  first_appeared_at: NOW,
  url: 'https://news.example/a',
  published_at: NOW - HOUR_MS,
  discovered_at: NOW,
  is_backfill: false,
  source_name: 'The Ledger',
  tier: 'T2',
  participation: 'editorial',
  title: 'Lantern opens a laboratory',
  original_title: null,
  summary: null,
  category: 'industry',
  score: 60,
  is_worthy: true,
  reason: 'Named parties',
  summary_by: 'rules',
  language: 'en',
  source_title: 'Lantern opens a laboratory',
  story_id: null,
  withdrawn_at: null,
  corrected_title: null,
  corrected_summary: null,
  corrected_category: null,
  ...overrides,
});

const selectedOf = (...members: Member[]) => {
  const { representativeId, items } = projectGroup(members);
  const selected = items.filter((item) => item.selected).map(({ id }) => id);
  return { representativeId, selected };
};

describe('an item’s own position in the timeline', () => {
  test.each([
    ['published an hour before its discovery', { published_at: NOW - HOUR_MS }, NOW],
    [
      'found more than 72 hours after its publication',
      { published_at: NOW - 73 * HOUR_MS },
      NOW - 73 * HOUR_MS,
    ],
    ['found exactly 72 hours after its publication', { published_at: NOW - 72 * HOUR_MS }, NOW],
    ['part of a first import', { is_backfill: true, published_at: NOW - HOUR_MS }, NOW - HOUR_MS],
    ['without a date', { published_at: null }, NOW],
    ['with a future date', { published_at: NOW + HOUR_MS }, NOW],
  ])('follows the timeline rule when the item is %s', (_what, overrides, expected) =>
    expect(itemTimelineAt(createMember(overrides))).toBe(expected),
  );
});

describe('the selected item of a duplicate group', () => {
  test('is the first party’s item, otherwise the earliest', () => {
    const early = createMember({ id: 'early', discovered_at: NOW - HOUR_MS });
    const late = createMember({ id: 'late' });
    const firstParty = createMember({ id: 'party', tier: 'T1', discovered_at: NOW + HOUR_MS });
    expect(selectedOf(late, early).representativeId).toBe('early');
    expect(selectedOf(late, early, firstParty)).toEqual({
      representativeId: 'party',
      selected: ['party'],
    });
  });

  test('is absent without a worthy, editorial and public item', () => {
    const unworthy = createMember({ id: 'x', is_worthy: false });
    const signal = createMember({ id: 'y', participation: 'signal' });
    const isolated = createMember({ id: 'z', participation: 'isolated' });
    const withdrawn = createMember({ id: 'w', withdrawn_at: NOW });
    expect(selectedOf(unworthy, signal, isolated, withdrawn)).toEqual({
      representativeId: null,
      selected: [],
    });
  });

  test('changes when the item is withdrawn', () => {
    const selectedItem = createMember({ id: 'a', tier: 'T1', withdrawn_at: NOW });
    expect(selectedOf(selectedItem, createMember({ id: 'b' }))).toEqual({
      representativeId: 'b',
      selected: ['b'],
    });
  });

  test('has the time of the group’s first item; the others have their own time', () => {
    const first = NOW - 5 * HOUR_MS;
    const copy = createMember({ id: 'copy', first_appeared_at: first, discovered_at: first });
    const party = createMember({ id: 'party', tier: 'T1', first_appeared_at: first });
    const timelineById = new Map(
      projectGroup([copy, party]).items.map(({ id, timelineAt }) => [id, timelineAt]),
    );
    expect(timelineById).toEqual(
      new Map([
        ['copy', first],
        ['party', first],
      ]),
    );
  });
});

describe('the public form of a member', () => {
  const firstItem = (overrides: Partial<Member>) =>
    projectGroup([createMember(overrides)]).items[0];

  test('has the correction instead of the enrichment, and the source’s title', () => {
    expect(
      firstItem({ corrected_title: 'Lantern opens two', corrected_category: 'paper' }),
    ).toMatchObject({
      title: 'Lantern opens two',
      originalTitle: 'Lantern opens a laboratory',
      category: 'paper',
    });
  });

  test('has no original title when the source gave none', () => {
    expect(firstItem({ source_title: '' })?.originalTitle).toBeNull();
    expect(firstItem({ source_title: '', corrected_title: 'Mine' })?.originalTitle).toBeNull();
  });

  test('has a null publishedAt when it is later than the discovery', () => {
    expect(firstItem({ published_at: NOW + 1 })?.publishedAt).toBeNull();
    expect(firstItem({ published_at: NOW })?.publishedAt).toBe(NOW);
  });

  test('has a reason exactly when it is selected', () => {
    expect(firstItem({})?.reason).toBe('Named parties');
    expect(firstItem({ is_worthy: false })?.reason).toBeNull();
  });
});
