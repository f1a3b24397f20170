import { expect, test } from 'vitest';
import { factsOf } from './published-facts.ts';

const claim = (attribute: string, value: string) => ({ anchor: 'alder', attribute, value });

test('a fact is of what kind and how much, however a report puts it', () => {
  const facts = factsOf([
    claim('raised', '3.4e8'),
    claim('raised@on:2026-11-18', '3.4e8'),
    claim('raised', '~3.4e8±5e6'),
    claim('fine#now', '≥49000000'),
    claim('gain', '4.5|4.45..4.55'),
  ]);
  expect([...facts]).toEqual(['raised 3.4e8', 'fine 49000000', 'gain 4.5']);
});

test('what is unsure or told of the past is no fact, nor is what nobody understands', () => {
  expect(factsOf([claim('?money', '1e6'), claim('outage@past', '3600'), {}]).size).toBe(0);
  expect(factsOf(null).size).toBe(0);
});
