import { describe, expect, it } from 'vitest';
import { scoreExtractions, scorePage } from './score-extraction.ts';

describe('the score of an extraction', () => {
  it('counts shingles of four words, each as often as it occurs', () => {
    // Expected: abcd bcde. Found: abcd bcde cdex. Two of three are correct, and none is missing.
    expect(scorePage({ expected: 'a b c d e', actual: 'a b c d e x' })).toEqual({
      precision: 2 / 3,
      recall: 1,
    });
    expect(scorePage({ expected: 'a b c d a b c d', actual: 'a b c d' })).toEqual({
      precision: 1,
      recall: 1 / 5,
    });
  });

  it('has no precision without words and no recall without expected words', () => {
    expect(scorePage({ expected: 'a b c d', actual: '' })).toEqual({ precision: null, recall: 0 });
    expect(scorePage({ expected: '', actual: 'a' })).toEqual({ precision: 0, recall: null });
  });

  it('averages over pages before it computes F1', () => {
    const pages = [
      { expected: 'a b c d', actual: 'a b c d' },
      { expected: 'a b c d', actual: 'w x y z' },
      { expected: 'a b c d', actual: '' },
    ];
    expect(scoreExtractions(pages)).toEqual({ precision: 1 / 2, recall: 1 / 3, f1: 0.4 });
  });
});
