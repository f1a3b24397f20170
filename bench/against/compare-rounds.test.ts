import { describe, expect, it } from 'vitest';
import { type Comparison, comparedRow, compareRounds, inTurn } from './compare-rounds.ts';

const comparison = (more: Partial<Comparison>): Comparison => ({
  name: 'cached page: requests',
  unit: 'a second',
  better: 'more',
  before: [100, 200, 100],
  after: [110, 224, 111],
  ...more,
});

describe('a comparison of two versions', () => {
  it('is the median of the ratios of the rounds, so a slow round changes nothing', () => {
    const { ratio, low, high } = compareRounds(comparison({}));
    expect([ratio, low, high]).toEqual([1.11, 1.1, 1.12]);
  });

  it('is better or worse by the direction of the row', () => {
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
    const two = comparison({ before: [100, 100], after: [200, 200] });
    expect(compareRounds(two).verdict).toBe('too few rounds');
  });

  it('leaves out a round that only one version has', () => {
    expect(compareRounds(comparison({ after: [110, 220] })).ratio).toBe(1.1);
  });

  it('names both values, the rounds and their spread', () => {
    expect(comparedRow(comparison({}))).toEqual({
      name: 'cached page: requests',
      value: 1.11,
      unit: '×',
      note: 'better; 3 rounds, 1.10 to 1.12; before 100, after 111 a second',
    });
    const one = comparison({ before: [1_500], after: [1_500], unit: 'MB' });
    expect(comparedRow(one).note).toBe('too few rounds; one round; before 1,500, after 1,500 MB');
  });

  it('alternates which version is measured first', () => {
    expect([0, 1, 2].map((round) => inTurn(round, ['before', 'after'])[0])).toEqual([
      'before',
      'after',
      'before',
    ]);
  });
});
