import { expect, it } from 'vitest';
import { proofParts } from './proof-size.ts';

const partsOf = (range?: string) => proofParts(4, { RADAR_PROOF: 'full', RADAR_PARTS: range });

it('runs all parts without RADAR_PARTS, and the parts of its number or range', () => {
  expect(partsOf()).toEqual([1, 2, 3, 4]);
  expect(partsOf('3')).toEqual([3]);
  expect(partsOf('2-3')).toEqual([2, 3]);
});

it('refuses a RADAR_PARTS that is not a range or contains no part', () => {
  for (const range of ['', 'all', '2-', '3-2', '5']) {
    expect(() => partsOf(range), range).toThrow('RADAR_PARTS is a number or a range within 1-4');
  }
});

it('runs all parts of a short proof', () => {
  expect(proofParts(2, { RADAR_PARTS: '1' })).toEqual([1, 2]);
});
