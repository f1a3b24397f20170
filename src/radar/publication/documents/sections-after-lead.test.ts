// The sections of a daily leave out the entry that the lead shows.
import { expect, test } from 'vitest';
import type { DailyBody, ReportEntry } from './report-body.ts';
import { leadEntryOf, sectionsAfterLead } from './sections-after-lead.ts';

const createEntry = (name: string): ReportEntry => ({
  itemId: name,
  title: `Title of ${name}`,
  summary: `Summary of ${name}.`,
  sourceName: 'Wire',
  originalUrl: `https://wire.example/${name}`,
  publishedAt: null,
});

const daily: DailyBody = {
  kind: 'daily',
  date: '2026-11-20',
  generatedAt: 2,
  windowStart: 0,
  windowEnd: 1,
  corrections: [],
  lead: { title: 'Title of b', leadParagraph: 'Summary of b.' },
  sections: [{ category: 'paper', label: 'Papers', items: [createEntry('a'), createEntry('b')] }],
  flashes: [],
};

test('the entry that leads a daily is not repeated below the lead', () => {
  expect(leadEntryOf(daily)).toEqual(createEntry('b'));
  expect(sectionsAfterLead(daily)).toEqual([
    { category: 'paper', label: 'Papers', items: [createEntry('a')] },
  ]);
});

test('a section whose only entry leads the daily is left out', () => {
  const sections = [
    { category: 'tip', label: 'Tips', items: [createEntry('a')] },
    { category: 'paper', label: 'Papers', items: [createEntry('b')] },
  ] as const;
  expect(sectionsAfterLead({ ...daily, sections })).toEqual([sections[0]]);
});

test('a daily without a lead keeps its entries', () => {
  const body = { ...daily, lead: null };
  expect(sectionsAfterLead(body)).toEqual(daily.sections);
});
