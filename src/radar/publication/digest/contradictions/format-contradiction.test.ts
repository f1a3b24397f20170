// Sentences about figures: every scope and every unit has words in both languages.
import { describe, expect, it } from 'vitest';
import file from '../../../../../editorial/digest/scopes.json' with { type: 'json' };
import { unitNames } from '../../../language/figure-units.ts';
import type { OwnedClaim } from '../digest.ts';
import { formatChange, formatContradiction } from './format-contradiction.ts';

const at = Date.parse('2026-11-18T08:00:00Z');

function claimOf(
  id: string,
  figure: Partial<Pick<OwnedClaim, 'measure' | 'scopes' | 'unit' | 'quote'>> & { middle: number },
): OwnedClaim {
  const { middle, measure = 'price', scopes = [], unit = null, quote = String(middle) } = figure;
  const report = {
    id,
    owner: `owner ${id}`,
    sourceName: `Source ${id}`,
    isPost: false,
    at,
    text: '',
    isFirstParty: false,
    tier: 'T2' as const,
    score: 50,
    language: 'en',
    title: '',
    summary: null,
  };
  return {
    measure,
    scopes,
    unit,
    quote,
    at,
    report,
    reportId: id,
    sentence: quote,
    position: 0,
    value: { kind: 'number', low: middle, high: middle, middle, bound: 'exact' },
    correction: null,
    subjects: [],
  };
}

/** Every scope with the subject of its sentence. */
const scopes: Readonly<Record<string, [string, string]>> = {
  half: ['the price for the half-year', '半年价格'],
  'nine-months': ['the price for nine months', '前三季度价格'],
  q1: ['the price for the first quarter', '第一季度价格'],
  q2: ['the price for the second quarter', '第二季度价格'],
  q3: ['the price for the third quarter', '第三季度价格'],
  q4: ['the price for the fourth quarter', '第四季度价格'],
  quarter: ['the price for the quarter', '当季价格'],
  month: ['the price for the month', '当月价格'],
  m1: ['the price for January', '一月价格'],
  m12: ['the price for December', '十二月价格'],
  year: ['the price for the year', '全年价格'],
  daily: ['the price a day', '每日价格'],
  weekly: ['the price a week', '每周价格'],
  monthly: ['the price a month', '每月价格'],
  paying: ['the price who pay', '付费价格'],
  registered: ['the price who are registered', '注册价格'],
  'per-million': ['the price per million tokens', '每百万词元价格'],
  'per-month': ['the price per month', '每月价格'],
  'per-year': ['the price per year', '每年价格'],
  'per-hour': ['the price per hour', '每小时价格'],
  'per-thousand': ['the price per thousand tokens', '每千词元价格'],
  unit: ['the price of the unit', '该业务部门价格'],
  region: ['the price in the region', '当地价格'],
  total: ['the price in total', '累计价格'],
  added: ['the price in addition', '新增价格'],
  left: ['the price still remaining', '尚余价格'],
  part: ['the price in part', '部分价格'],
  past: ['the price earlier', '此前价格'],
  target: ['the price as a target', '目标价格'],
  talks: ['the price under discussion', '洽谈中价格'],
};

describe('a scope', () => {
  it('has an entry in this table, except ten of the twelve months', () => {
    const all = file.families.flatMap(({ scopes }) => scopes.map(({ name }) => name));
    const names = all.filter((name) => !/^m(?:[2-9]|1[01])$/u.test(name));
    expect(Object.keys(scopes).sort()).toEqual(names.sort());
  });

  it.each(Object.entries(scopes))('%s has words in both languages', (scope, [en, zh]) => {
    const found = {
      sides: [
        [claimOf('a', { middle: 5, scopes: [scope] })],
        [claimOf('b', { middle: 6, scopes: [scope] })],
      ],
    };
    expect(formatContradiction(found, 'en')).toBe(
      `Reports differ on ${en}: Source a says 5, Source b says 6.`,
    );
    expect(formatContradiction(found, 'zh')).toBe(
      `关于${zh}，各方说法不一：Source a称5，Source b称6。`,
    );
  });
});

/** Every unit with a value, in English and in Chinese. */
const unitTexts: Readonly<Record<string, [value: number, en: string, zh: string]>> = {
  'm/s': [120, '120 metres a second', '120米每秒'],
  'm²': [120, '120 square metres', '120平方米'],
  m: [120, '120 metres', '120米'],
  nm: [120, '120 nm', '120 nm'],
  TOPS: [120, '120 TOPS', '120 TOPS'],
  dB: [120, '120 dB', '120 dB'],
  px: [48000000, '48 million pixels', '4800万像素'],
  in: [120, '120 inches', '120英寸'],
  kg: [120, '120 kilograms', '120公斤'],
  Wh: [42000, '42 kWh', '42千瓦时'],
  mAh: [120, '120 mAh', '120 mAh'],
  '°F': [120, '120 °F', '120 °F'],
  '°C': [120, '120 °C', '120 °C'],
  magnitude: [120, '120', '120级'],
  Hz: [3600000000, '3.6 GHz', '3.6 GHz'],
  barrels: [120, '120 barrels', '120桶'],
  litres: [120, '120 litres', '120升'],
  points: [120, '120 percentage points', '120个百分点'],
  percent: [120, '120%', '120%'],
  score: [120, '120 points', '120分'],
  USD: [120, '$120', '120美元'],
  CNY: [120, '120 yuan', '120元'],
  EUR: [120, '€120', '120欧元'],
  GBP: [120, '£120', '120英镑'],
  JPY: [120, '¥120', '120日元'],
  KRW: [120, '₩120', '120韩元'],
  HKD: [120, 'HK$120', '120港元'],
  INR: [120, '₹120', '120印度卢比'],
  CHF: [120, 'CHF 120', '120瑞士法郎'],
  crown: [120, '120 crowns', '120克朗'],
  peso: [120, '120 pesos', '120比索'],
  BRL: [120, 'R$120', '120巴西雷亚尔'],
  TRY: [120, 'TRY 120', '120土耳其里拉'],
  RUB: [120, 'RUB 120', '120俄罗斯卢布'],
  ILS: [120, '₪120', '120以色列新谢克尔'],
  AED: [120, 'AED 120', '120阿联酋迪拉姆'],
  SAR: [120, 'SAR 120', '120沙特里亚尔'],
  PLN: [120, 'PLN 120', '120波兰兹罗提'],
  HUF: [120, 'HUF 120', '120匈牙利福林'],
  THB: [120, 'THB 120', '120泰铢'],
  MYR: [120, 'MYR 120', '120马来西亚林吉特'],
  IDR: [120, 'IDR 120', '120印度尼西亚卢比'],
  SGD: [120, 'SGD 120', '120新加坡元'],
  AUD: [120, 'A$120', '120澳大利亚元'],
  CAD: [120, 'CA$120', '120加拿大元'],
  TWD: [120, 'NT$120', '120新台币'],
  times: [120, '120 times', '120倍'],
  duration: [259200, '3 days', '3天'],
  W: [500000000, '500 MW', '500兆瓦'],
  bytes: [8000000000, '8 GB', '8 GB'],
  rate: [120, '120 tokens a second', '120词元每秒'],
  tokens: [120, '120 tokens', '120词元'],
};

describe('a unit', () => {
  it('has an entry in this table', () => {
    expect(Object.keys(unitTexts).sort()).toEqual([...unitNames].sort());
  });

  it.each(Object.entries(unitTexts))('%s has words in both languages', (unit, [value, en, zh]) => {
    // The quotation is in the other language, so that the value is formatted.
    const changeIn = (quote: string) => ({
      previous: [claimOf('a', { middle: value, unit, quote })],
      current: claimOf('b', { middle: value, unit, quote }),
    });
    expect(formatChange(changeIn('五'), 'en')).toBe(
      `The price is now ${en}, first ${en}, according to Source b.`,
    );
    expect(formatChange(changeIn('five'), 'zh')).toBe(`Source b称，价格现为${zh}，最初为${zh}。`);
  });

  it('is added to a number that was quoted without a unit', () => {
    const deadline = (id: string, days: number, quote: string) =>
      claimOf(id, { middle: days * 86_400, measure: 'deadline', unit: 'duration', quote });
    const change = { previous: [deadline('a', 21, '21 days')], current: deadline('b', 14, '14') };
    expect(formatChange(change, 'en')).toBe(
      'The time given is now 14 days, first 21 days, according to Source b.',
    );
    expect(formatChange(change, 'zh')).toBe('Source b称，期限现为14天，最初为21天。');
  });
});

describe('a count', () => {
  it.each([
    [999, '999', '999'],
    [12_500, '12,500', '1.25万'],
    [48_000_000, '48 million', '4800万'],
    [2_100_000_000, '2.1 billion', '21亿'],
  ])('of %d is written for readers of both languages', (value, en, zh) => {
    const change = (quote: string) => ({
      previous: [claimOf('a', { middle: value, quote })],
      current: claimOf('b', { middle: value, quote }),
    });
    expect(formatChange(change('五'), 'en')).toContain(`is now ${en}, first ${en},`);
    expect(formatChange(change('five'), 'zh')).toContain(`现为${zh}，最初为${zh}。`);
  });
});
