import { expect, it } from 'vitest';
import { finishChinese, finishEnglish } from './finish-sentence.ts';
import { showValue } from './show-value.ts';
import type { Value } from './world-model.ts';

const day = Date.parse('2026-11-05T10:00:00Z');
const cases: readonly (readonly [Value, string, string, string])[] = [
  [{ kind: 'money', currency: 'USD', value: 125e6 }, '$125 million', '$125m', '1.25亿美元'],
  [{ kind: 'money', currency: 'CNY', value: 1.3e9 }, '1.3 billion yuan', '1.3bn yuan', '13亿元'],
  [{ kind: 'money', currency: 'USD', value: 0.4 }, '$0.40', '$0.40', '0.4美元'],
  [{ kind: 'percent', value: 12.5 }, '12.5 percent', '12.5%', '12.5%'],
  [{ kind: 'count', value: 12_400 }, '12,400', '12,400', '1.24万'],
  [{ kind: 'tokens', value: 256_000 }, '256,000 tokens', '256k', '25.6万词元'],
  [
    { kind: 'minutes', value: 85 },
    'an hour and 25 minutes',
    'an hour and 25 minutes',
    '1小时25分钟',
  ],
  [{ kind: 'minutes', value: 45 }, '45 minutes', '45 minutes', '45分钟'],
  [{ kind: 'megawatts', value: 120 }, '120 megawatts', '120 MW', '120兆瓦'],
  [{ kind: 'day', value: day }, '5 November', '5 November', '11月5日'],
];

it('a figure is the same amount in every notation and language', () => {
  for (const [value, plain, terse, zh] of cases) {
    expect([
      showValue(value, 'en', 'plain'),
      showValue(value, 'en', 'terse'),
      showValue(value, 'zh', 'plain'),
    ]).toEqual([plain, terse, zh]);
  }
});

it('sentences have their articles, capitals, full stops and spaces', () => {
  expect(finishEnglish('a agent of a university said  so..', false)).toBe(
    'An agent of a university said so.',
  );
  expect(finishEnglish('it works', true)).toBe('it works');
  expect(finishChinese('奥林菲 发布 Halyard 5.2 ，称 更快。。', false)).toBe(
    '奥林菲发布Halyard 5.2，称更快。',
  );
  expect(finishChinese('奥林菲发布Halyard 5.2', true)).toBe('奥林菲发布 Halyard 5.2');
});
