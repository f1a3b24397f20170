// Equal values in different notations, with the precision of each notation.
import { describe, expect, it } from 'vitest';
import { readDays } from './read-dates.ts';
import { readFigures } from './read-figures.ts';

const readValues = (text: string) =>
  readFigures(text).map(({ kind, unit, value, bound }) => {
    return [kind, unit, Number(value.toPrecision(6)), bound];
  });

describe('figures', () => {
  it.each([
    ['$125m', 'money', 'USD', 125_000_000, ''],
    ['$125 million', 'money', 'USD', 125_000_000, ''],
    ['125 million dollars', 'money', 'USD', 125_000_000, ''],
    ['1.25亿美元', 'money', 'USD', 125_000_000, ''],
    ['三亿元', 'money', 'CNY', 300_000_000, ''],
    ['近200亿元', 'money', 'CNY', 20_000_000_000, '~'],
    ['over $2bn', 'money', 'USD', 2_000_000_000, '≥'],
    ['12%', 'percent', null, 12, ''],
    ['12 per cent', 'percent', null, 12, ''],
    ['百分之十二', 'percent', null, 12, ''],
    ['3 hours and 25 minutes', 'duration', null, 12_300, ''],
    ['3小时25分钟', 'duration', null, 12_300, ''],
    ['一年半', 'duration', null, 47_336_400, ''],
    ['40万词元', 'tokens', null, 400_000, ''],
    ['two dozen people', 'count', null, 24, ''],
    ['两千五百', 'count', null, 2_500, ''],
    ['210兆瓦', 'power', 'W', 210_000_000, ''],
    ['two thousand one hundred workers', 'count', null, 2_100, ''],
    ['300 miles', 'measure', 'm', 482_803, ''],
    ['480 kilometers', 'measure', 'm', 480_000, ''],
    ['6.5吨', 'measure', 'kg', 6_500, ''],
    ['130 km/h', 'measure', 'm/s', 36.1111, ''],
    ['6.8级地震', 'measure', 'magnitude', 6.8, ''],
    ['92.3分', 'points', 'score', 92.3, ''],
  ])('of %s have the kind %s, the unit %s, the value %s and the bound "%s"', (...row) => {
    const [text, kind, unit, value, bound] = row;
    expect(readValues(text)).toEqual([[kind, unit, value, bound]]);
  });

  it('exclude versions, years, articles and dates', () => {
    expect(readValues('gpt-5.6 and v4.1 in 2026, a model for $x a month, one of them')).toEqual([]);
  });

  it('include ranges, as an approximate value', () => {
    expect(readValues('between $1 billion and $1.2 billion')).toEqual([
      ['money', 'USD', 1_100_000_000, '~'],
    ]);
  });
});

describe('days', () => {
  const at = Date.parse('2026-11-18T08:00:00Z'); // a Wednesday
  it.each([
    ['on 18 november', '2026-11-18'],
    ['nov. 18, 2025', '2025-11-18'],
    ['11月18日', '2026-11-18'],
    ['on tuesday', '2026-11-17'],
    ['will be released on thursday', '2026-11-19'],
    ['本周五', '2026-11-20'],
    ['下周五', '2026-11-27'],
    ['yesterday', '2026-11-17'],
    ['12月31日', '2026-12-31'],
    ['by the end of october', '2027-10-31'],
    ['until march 5', '2027-03-05'],
    ['11月底', '2026-11-30'],
  ])('include %s as %s', (text, day) => {
    expect(readDays(text, at).map((day) => day.value)).toEqual([day]);
  });
});
