// The general rules select ordinary reports of any field, and no advertisement or opinion.
import { expect, test } from 'vitest';
import { readEditorial } from '../read-editorial.ts';
import { openRuleBasedEnricher } from './rule-based-enricher.ts';

const editorial = await readEditorial('editorial/general');
const enricher = openRuleBasedEnricher(editorial, { siteLanguage: 'en' });

function isSelected(title: string, text: string, tier: 'T1' | 'T1_5' | 'T2', language = 'en') {
  const source = { name: 'Halden Courier', tier, participation: 'editorial' } as const;
  const { score } = enricher.enrich({ title, text, summary: '', url: '', language, source });
  return score >= editorial.scoring.thresholds[tier];
}

const tiers = ['T1', 'T1_5', 'T2'] as const;

test.each([
  [
    'Magda Orlov wins the Riga Open after a rook sacrifice in round nine',
    'Magda Orlov won the Riga Open on Sunday with 7.5 points from nine games.',
  ],
  [
    'Glacier above Halden loses a tenth of its ice in one summer',
    'The glacier above Halden lost a tenth of its ice this summer, the institute said on Monday.',
  ],
  [
    'Hospital in Marlstone begins trial of a vaccine against malaria',
    'The hospital in Marlstone has begun a trial with 400 children, it said on Friday.',
  ],
])('selects an ordinary report in each tier: %s', (title, text) => {
  expect(tiers.map((tier) => isSelected(title, text, tier))).toEqual([true, true, true]);
});

test('selects an ordinary report in a language without features', () => {
  const title = 'Orlova gana el torneo de Halden por tercera vez';
  const text = 'La gran maestra Orlova ganó el torneo de Halden con siete puntos y medio.';
  expect(isSelected(title, text, 'T2', 'es')).toBe(true);
});

test.each([
  [
    'Why rapid chess should decide the world title',
    'In my opinion the classical format has had its time, and I would like to see rapid games.',
  ],
  [
    'Save 30% on chess clocks this weekend with this promo code',
    'Use the code BISHOP at checkout.',
  ],
  ['Is this the best opening for club players?', 'I have played it for years, and I love it.'],
])('does not select: %s', (title, text) => {
  expect(tiers.map((tier) => isSelected(title, text, tier))).toEqual([false, false, false]);
});
