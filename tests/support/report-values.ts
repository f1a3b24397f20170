// Defines values for tests of report composition: a published item and simple selection rules.
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import type { CompositionContext } from '../../src/radar/reports/composition-context.ts';
import type { Report } from '../../src/radar/reports/events.ts';

/** 2026-09-24 08:00 in Shanghai, when the daily of that date is due. */
export const DAY_END = Date.parse('2026-09-24T08:00+08:00');

/** A report about an event of its own, an hour before the daily of 24 September is due. */
export function reportOf(id: string, overrides: Partial<Report> = {}): Report {
  const title = overrides.title ?? `Title of ${id}`;
  const summary = overrides.summary === undefined ? longSummary(id) : overrides.summary;
  return {
    id,
    title,
    summary,
    shown_title: title,
    shown_summary: summary,
    source_name: overrides.owner ?? `Source ${id}`,
    original_url: `https://press.example/${id}`,
    published_at: DAY_END - HOUR_MS,
    discovered_at: DAY_END - HOUR_MS,
    timeline_at: DAY_END - HOUR_MS,
    category: 'industry',
    score: 60,
    selected: true,
    language: 'en',
    owner: `Owner ${id}`,
    tier: 'T2',
    participation: 'editorial',
    group_id: `group ${id}`,
    story_id: null,
    ...overrides,
  };
}

const longSummary = (id: string) =>
  `The first sentence about ${id} is long enough to stand alone. The second adds little.`;

export const testContext: CompositionContext = {
  language: 'en',
  firstParties: (reports) =>
    new Set(
      reports
        .filter(({ tier, title, owner }) => tier === 'T1' && title.includes(owner))
        .map(({ id }) => id),
    ),
  categories: [
    { id: 'ai-models', label: { en: 'Models', 'zh-CN': '模型' } },
    { id: 'industry', label: { en: 'Industry', 'zh-CN': '行业' } },
    { id: 'opinion', label: { en: 'Opinion', 'zh-CN': '观点' } },
  ],
  rules: {
    version: 'test',
    othersMax: 10,
    daily: {
      entries: 5,
      entriesPerSection: 3,
      flashes: 2,
      flashBelow: 40,
      flashScore: 30,
      weights: { score: 1, owners: 10, firstParty: 5, signals: 1, language: 0 },
      remembersDays: 14,
      development: { newFacts: 2, newOwners: 3 },
    },
    weekly: {
      entries: 4,
      entriesPerSection: 2,
      weights: { score: 0.1, owners: 10, heat: 10, days: 5, language: 0 },
      heatHalfLifeHours: 24,
      sameOwnerShare: 0.25,
    },
    monthly: {
      entries: 4,
      entriesPerSection: 2,
      weights: { score: 0.1, owners: 10, heat: 10, days: 5, language: 0 },
      heatHalfLifeHours: 24,
      sameOwnerShare: 0.25,
    },
  },
};
