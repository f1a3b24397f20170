import { describe, expect, it } from 'vitest';
import {
  alternatePair,
  type Comparison,
  compareRounds,
  formatComparison,
} from './compare-rounds.ts';

const comparison = (overrides: Partial<Comparison>): Comparison => ({
  name: 'cached page: requests',
  unit: 'a second',
  better: 'more',
  before: [100, 200, 100],
  after: [110, 224, 111],
  ...overrides,
});

describe('a comparison of two versions', () => {
  it('returns the median of the ratios of all rounds, so that one slow round has no effect', () => {
    const { ratio, low, high } = compareRounds(comparison({}));
    expect([ratio, low, high]).toEqual([1.11, 1.1, 1.12]);
  });

  it('calls a difference better or worse by the direction of the row', () => {
    expect(compareRounds(comparison({})).verdict).toBe('better');
    expect(compareRounds(comparison({ better: 'less' })).verdict).toBe('worse');
    const slower = { before: [100, 200, 100], after: [80, 170, 90] };
    expect(compareRounds(comparison(slower)).verdict).toBe('worse');
    expect(compareRounds(comparison({ ...slower, better: 'less' })).verdict).toBe('better');
  });

  it('has the verdict “no difference” when one round has the opposite direction', () => {
    expect(compareRounds(comparison({ after: [130, 260, 99] })).verdict).toBe('no difference seen');
  });

  it('has the verdict “no difference” within five percent', () => {
    expect(compareRounds(comparison({ after: [104, 208, 104] })).verdict).toBe(
      'no difference seen',
    );
  });

  it('needs at least three rounds for a verdict', () => {
    const twoRounds = comparison({ before: [100, 100], after: [200, 200] });
    expect(compareRounds(twoRounds).verdict).toBe('too few rounds');
  });

  it('ignores a round that only one version has measured', () => {
    expect(compareRounds(comparison({ after: [110, 220] })).ratio).toBe(1.1);
  });

  it('prints both values, the number of rounds and their range', () => {
    expect(formatComparison(comparison({}))).toEqual({
      name: 'cached page: requests',
      value: 1.11,
      unit: '×',
      note: 'better; 3 rounds, 1.10 to 1.12; before 100, after 111 a second',
    });
    const oneRound = comparison({ before: [1_500], after: [1_500], unit: 'MB' });
    expect(formatComparison(oneRound).note).toBe(
      'too few rounds; one round; before 1,500, after 1,500 MB',
    );
  });

  it('alternates the version that is measured first', () => {
    expect([0, 1, 2].map((round) => alternatePair(round, ['before', 'after'])[0])).toEqual([
      'before',
      'after',
      'before',
    ]);
  });
});
