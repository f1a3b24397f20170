import { expect, test } from 'vitest';
import { findFirstParties, type PartyReport } from './first-party.ts';

const createReport = (
  id: string,
  title: string,
  overrides: Partial<PartyReport> = {},
): PartyReport => ({
  id,
  title,
  summary: null,
  owner: id,
  sourceName: id,
  tier: 'T2',
  ...overrides,
});
const ownReport = (title: string, overrides: Partial<PartyReport> = {}) =>
  createReport('own', title, {
    owner: 'Orrery Labs',
    sourceName: 'Orrery News',
    tier: 'T1',
    ...overrides,
  });
const isFirstParty = (...reports: PartyReport[]) => findFirstParties(reports).has('own');

test.each([
  ['names itself', [ownReport('Orrery Labs opens an office')]],
  ['names itself without the company’s last word', [ownReport('Orrery opens an office')]],
  [
    'names itself below the title',
    [ownReport('Meridian 3', { summary: 'From Orrery Labs, today.' })],
  ],
  [
    'is named in the title of another source',
    [ownReport('Meridian 3'), createReport('b', '「Orrery Labs」发布 Meridian 3')],
  ],
  [
    'is named in its own script',
    [ownReport('发布新模型', { owner: '星野实验室', summary: '星野实验室今日' })],
  ],
])('a first party %s', (_how, reports) => {
  expect(isFirstParty(...reports)).toBe(true);
});

test.each([
  [
    'reports about others',
    [ownReport('Halden opens an office'), createReport('b', 'Halden opens an office')],
  ],
  ['is not in tier T1', [ownReport('Orrery Labs opens an office', { tier: 'T1_5' })]],
  [
    'is named by itself alone, under another title',
    [ownReport('A'), ownReport('Orrery', { id: 'b' })],
  ],
  [
    'has a name that is part of a word',
    [ownReport('Metallurgy', { owner: 'Metal', sourceName: 'M' })],
  ],
  ['has no report', []],
])('a source that %s is not a first party', (_how, reports) => {
  expect(isFirstParty(...reports)).toBe(false);
});
