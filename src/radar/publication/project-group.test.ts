import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../kernel/time/durations.ts';
import { type Member, ownTimelineAt, projectGroup } from './project-group.ts';

const T = Date.parse('2026-08-22T12:00:00Z');

const member = (more: Partial<Member>): Member => ({
  id: 'a',
  first_appeared_at: T,
  url: 'https://news.example/a',
  published_at: T - HOUR_MS,
  discovered_at: T,
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
  ...more,
});

const selectedOf = (...members: Member[]) => {
  const { representativeId, items } = projectGroup(members);
  return { representativeId, selected: items.filter((i) => i.selected).map((i) => i.id) };
};

describe('an item’s own place in the timeline', () => {
  test.each([
    ['new and known', { published_at: T - HOUR_MS }, T],
    ['first found more than 72 hours later', { published_at: T - 73 * HOUR_MS }, T - 73 * HOUR_MS],
    ['found exactly 72 hours later', { published_at: T - 72 * HOUR_MS }, T],
    ['of a first import', { is_backfill: true, published_at: T - HOUR_MS }, T - HOUR_MS],
    ['undated', { published_at: null }, T],
    ['dated in the future', { published_at: T + HOUR_MS }, T],
  ])('%s', (_what, more, expected) => expect(ownTimelineAt(member(more))).toBe(expected));
});

describe('the one seat of a reading group', () => {
  test('goes to the first party, then to whoever was first', () => {
    const early = member({ id: 'early', discovered_at: T - HOUR_MS });
    const late = member({ id: 'late' });
    const firstParty = member({ id: 'party', tier: 'T1', discovered_at: T + HOUR_MS });
    expect(selectedOf(late, early).representativeId).toBe('early');
    expect(selectedOf(late, early, firstParty)).toEqual({
      representativeId: 'party',
      selected: ['party'],
    });
  });

  test('is empty without a worthy, editorial and public item', () => {
    const unworthy = member({ id: 'x', is_worthy: false });
    const signal = member({ id: 'y', participation: 'signal' });
    const isolated = member({ id: 'z', participation: 'isolated' });
    const withdrawn = member({ id: 'w', withdrawn_at: T });
    expect(selectedOf(unworthy, signal, isolated, withdrawn)).toEqual({
      representativeId: null,
      selected: [],
    });
  });

  test('passes on when its holder is withdrawn', () => {
    const holder = member({ id: 'a', tier: 'T1', withdrawn_at: T });
    expect(selectedOf(holder, member({ id: 'b' }))).toEqual({
      representativeId: 'b',
      selected: ['b'],
    });
  });

  test('stands where the group first appeared; the others stand where they were found', () => {
    const first = T - 5 * HOUR_MS;
    const copy = member({ id: 'copy', first_appeared_at: first, discovered_at: first });
    const party = member({ id: 'party', tier: 'T1', first_appeared_at: first });
    const at = new Map(projectGroup([copy, party]).items.map((i) => [i.id, i.timelineAt]));
    expect(at).toEqual(
      new Map([
        ['copy', first],
        ['party', first],
      ]),
    );
  });
});

describe('what readers see of a member', () => {
  const shown = (more: Partial<Member>) => projectGroup([member(more)]).items[0];

  test('a correction overrides the enrichment, and the source’s title is kept', () => {
    expect(
      shown({ corrected_title: 'Lantern opens two', corrected_category: 'paper' }),
    ).toMatchObject({
      title: 'Lantern opens two',
      originalTitle: 'Lantern opens a laboratory',
      category: 'paper',
    });
  });

  test('an entry without a title of its own has no original title', () => {
    expect(shown({ source_title: '' })?.originalTitle).toBeNull();
    expect(shown({ source_title: '', corrected_title: 'Mine' })?.originalTitle).toBeNull();
  });

  test('publishedAt is null when it is later than the discovery', () => {
    expect(shown({ published_at: T + 1 })?.publishedAt).toBeNull();
    expect(shown({ published_at: T })?.publishedAt).toBe(T);
  });

  test('a reason is given exactly to what is selected', () => {
    expect(shown({})?.reason).toBe('Named parties');
    expect(shown({ is_worthy: false })?.reason).toBeNull();
  });
});
