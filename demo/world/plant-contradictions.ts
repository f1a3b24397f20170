// Plants contradictions: which figure of an event one report states differently, and whether a
// later report corrects it.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { roundToTwoDigits } from './facts/event-context.ts';
import { pick } from './grammar.ts';
import type { Facts, Pair, Plant, Value } from './world-model.ts';

/** The words for each figure in a later correction. */
export const figureNouns: Readonly<Record<string, Pair>> = {
  speedup: { en: 'the speed gain', zh: '提速幅度' },
  context: { en: 'the context length', zh: '上下文长度' },
  users: { en: 'the number of users', zh: '用户数' },
  gain: { en: 'the performance gain', zh: '性能提升幅度' },
  power: { en: 'the power draw', zh: '功耗' },
  duration: { en: 'the length of the outage', zh: '中断时长' },
  affected: { en: 'the share of failed requests', zh: '失败请求占比' },
  before: { en: 'the previous best score', zh: '此前最好成绩' },
  notice: { en: 'the notice period in days', zh: '通知期限（天数）' },
  amount: { en: 'the sum', zh: '金额' },
  valuation: { en: 'the valuation', zh: '估值' },
  staff: { en: 'the number of employees', zh: '员工人数' },
  years: { en: 'the number of years', zh: '年数' },
  capacity: { en: 'the capacity', zh: '容量' },
  jobs: { en: 'the number of jobs', zh: '岗位数' },
  share: { en: 'the share of sales', zh: '收入占比' },
  sample: { en: 'the number of respondents', zh: '受访人数' },
  damages: { en: 'the damages sought', zh: '索赔金额' },
  deadline: { en: 'the deadline in days', zh: '期限天数' },
  months: { en: 'the transition in months', zh: '过渡期月数' },
};

/**
 * Plants a differing figure in about a third of the events with three or more reports. In two of
 * five such events, a later report corrects the figure (`revision`).
 */
export function plantFor(
  facts: Facts,
  disputable: readonly string[],
  reports: number,
  random: Random,
): Plant | null {
  const slots = disputable.filter((slot) => facts[slot] !== undefined);
  if (slots.length === 0 || reports < 3 || random.next() >= 0.42) return null;
  const slot = pick(slots, random);
  const value = requirePresent(facts[slot], slot);
  const contradictingValue = realisticPeriod(slot, value, random) ?? changeValue(value, random);
  if (contradictingValue === null) return null;
  return {
    kind: random.next() < 0.4 ? 'revision' : 'contradiction',
    slot,
    other: contradictingValue,
  };
}

const periods: Readonly<Record<string, readonly number[]>> = {
  months: [3, 6, 9, 12, 18, 24],
  deadline: [14, 21, 30, 45, 60],
  notice: [14, 21, 30, 45, 60, 90],
};

/** Another realistic period; null for other figures. */
function realisticPeriod(slot: string, value: Value, random: Random): Value | null {
  const list = value.kind === 'count' ? periods[slot] : undefined;
  if (list === undefined || value.kind !== 'count') return null;
  return {
    ...value,
    value: pick(
      list.filter((option) => option !== value.value),
      random,
    ),
  };
}

/** A figure of the same kind, 20 to 45 percent off before it is rounded like the original. */
function changeValue(value: Value, random: Random): Value | null {
  if (value.kind === 'text' || value.kind === 'day') return null;
  const factor = pick([0.6, 0.7, 0.75, 0.8, 1.2, 1.25, 1.3, 1.45], random);
  const changedValue = value.value * factor;
  if (value.kind === 'minutes') return withDistinctValue(value, Math.round(changedValue / 5) * 5);
  if (value.kind === 'percent') {
    const digits = Number.isInteger(value.value) ? 1 : 10;
    return withDistinctValue(value, Math.min(97, Math.round(changedValue * digits) / digits));
  }
  if (value.kind === 'money' || value.value >= 100)
    return withDistinctValue(value, roundToTwoDigits(changedValue));
  return withDistinctValue(value, Math.round(changedValue));
}

function withDistinctValue<T extends Value & { readonly value: number }>(
  value: T,
  changedValue: number,
): T | null {
  return changedValue === value.value || changedValue <= 0
    ? null
    : { ...value, value: changedValue };
}
