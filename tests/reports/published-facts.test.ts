import { expect, test } from 'vitest';
import { extractClaims } from '../../src/radar/publication/digest/claims/extract-claims.ts';
import { factsOf } from '../../src/radar/reports/published-facts.ts';

function factsIn(title: string, text: string): readonly string[] {
  const claims = extractClaims({
    id: 'i1',
    owner: 'The Press',
    sourceName: 'The Press',
    isPost: false,
    isFirstParty: false,
    tier: 'T1',
    score: 50,
    language: 'en',
    at: Date.parse('2026-11-24T08:00:00Z'),
    title,
    summary: null,
    text,
  });
  return [...factsOf(JSON.parse(JSON.stringify(claims)))].sort();
}

test('claims of a report are facts, independent of their wording', () => {
  const facts = factsIn('Alder raises $340 million', 'The company cut 120 jobs in March.');
  expect(facts.length).toBeGreaterThan(0);
  expect(factsIn('Alder secures $340 million', '')).toEqual(
    factsIn('Alder raises $340 million', ''),
  );
});

test('different figures are different facts', () => {
  const factsBefore = factsIn('Alder raises $340 million', '');
  const factsNow = factsIn('Alder raises $500 million', '');
  expect(factsNow.filter((fact) => factsBefore.includes(fact))).toEqual([]);
  expect(factsNow).toHaveLength(factsBefore.length);
});

test('a claim without a measure, about the past, or replaced by a correction is no fact', () => {
  const claim = { measure: 'funding', scopes: [], value: { kind: 'number', middle: 5 } };
  expect([...factsOf([claim])]).toEqual(['funding 5']);
  expect([...factsOf([{ ...claim, measure: null }])]).toEqual([]);
  expect([...factsOf([{ ...claim, scopes: ['past'] }])]).toEqual([]);
  expect([...factsOf([{ ...claim, correction: { side: 'previous' } }])]).toEqual([]);
  expect([...factsOf([{ ...claim, correction: { side: 'current' } }])]).toEqual(['funding 5']);
});

test('a list in another form has no facts', () => {
  expect(factsOf(null).size).toBe(0);
  expect(factsOf([{ attribute: 'raised', value: '3.4e8' }, {}]).size).toBe(0);
});
