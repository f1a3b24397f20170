// Contradictions and superseded figures as sentences, in the digest's language.
import { labelOf } from './attributes.ts';
import { agree } from './compare-claims.ts';
import type { Contradiction, OwnedClaim } from './digest.ts';
import type { Dispute, Supersession } from './disputes.ts';
import { oppositeLabel } from './pairs/find-opposites.ts';
import { roleLabel } from './pairs/find-roles.ts';
import { showValue, type Tongue } from './show-value.ts';

const marks: Readonly<Record<string, readonly [string, string]>> = {
  ...{ input: ['input', '输入'], output: ['output', '输出'], cached: ['cached', '缓存'] },
  ...{ 'per-million': ['per million tokens', '每百万词元'], 'per-month': ['per month', '每月'] },
  ...{ 'per-year': ['per year', '每年'], 'per-hour': ['per hour', '每小时'] },
  ...{ daily: ['daily', '日活'], weekly: ['weekly', '周活'], monthly: ['monthly', '月活'] },
  ...{ quarter: ['quarter', '季度'], year: ['year', '年度'], half: ['half-year', '半年'] },
  ...{ q1: ['Q1', '一季度'], q2: ['Q2', '二季度'], q3: ['Q3', '三季度'], q4: ['Q4', '四季度'] },
};

const kinds: Readonly<Record<string, readonly [string, string]>> = {
  ...{ money: ['the amount', '金额'], percent: ['the percentage', '比例'] },
  ...{ duration: ['how long', '时长'], date: ['the date', '日期'], year: ['the year', '年份'] },
  ...{ clock: ['the hour', '时间'], count: ['the number', '数量'] },
  ...{ rank: ['the place in the order', '名次'], scoreline: ['the score', '比分'] },
};

/** `number-flights`, `some-money` and figures that were aligned by their words. */
function plainLabel(name: string, tongue: Tongue): string {
  const kind = kinds[/^some-(.+)$/u.exec(name)?.[1] ?? ''];
  if (kind !== undefined) return kind[tongue === 'en' ? 0 : 1];
  const noun = /^number-(.+)$/u.exec(name)?.[1];
  if (noun === undefined) return tongue === 'en' ? 'the figure' : '数字';
  return tongue === 'en' ? `the number of ${noun}` : `${noun}数量`;
}

/** What an attribute with its scope is called. */
function subjectOf(attribute: string, tongue: Tongue): string {
  const [name = '', ...scope] = attribute.split('@');
  const known = labelOf(name, tongue) ?? oppositeLabel(name, tongue) ?? roleLabel(name, tongue);
  const label = known ?? plainLabel(name, tongue);
  const index = tongue === 'en' ? 0 : 1;
  const said = scope.map((mark) => marks[mark]?.[index] ?? mark);
  if (said.length === 0) return label;
  return tongue === 'en' ? `${label} (${said.join(', ')})` : `${label}（${said.join('，')}）`;
}

/** One side's claim per owner, the first of each. */
function voices(side: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const seen = new Set<string>();
  return side.filter((claim) => {
    const isNew = !seen.has(claim.report.owner);
    seen.add(claim.report.owner);
    return isNew;
  });
}

export function contradictionOf(dispute: Dispute, tongue: Tongue): Contradiction {
  const statements = dispute.sides.flatMap((side) =>
    voices(side).map((claim) => ({
      value: showValue(claim, tongue),
      reportId: claim.reportId,
      source: claim.report.sourceName,
      at: claim.at,
    })),
  );
  return { subject: subjectOf(dispute.attribute, tongue), statements };
}

const mostNamed = 3;

/** "Reports differ on the price: A says X, B says Y." */
export function sayDispute(dispute: Dispute, tongue: Tongue): string {
  const subject = subjectOf(dispute.attribute, tongue);
  const sides = dispute.sides.map((side) => {
    const named = [...new Set(voices(side).map((claim) => claim.report.sourceName))];
    const first = side[0];
    const value = first === undefined ? '' : showValue(first, tongue);
    const names = listed(named.slice(0, mostNamed), tongue);
    if (tongue === 'zh') return `${names}称${value}`;
    return `${names} ${named.length > 1 ? 'say' : 'says'} ${value}`;
  });
  return tongue === 'en'
    ? `Reports differ on ${subject}: ${sides.join(', ')}.`
    : `关于${subject}，各方说法不一：${sides.join('，')}。`;
}

/** "The price was X, now Y, according to B." */
export function saySupersession(one: Supersession, tongue: Tongue): string {
  const subject = subjectOf(one.attribute, tongue);
  const [now] = one.now;
  const was = distinct(one.was).map((claim) => showValue(claim, tongue));
  if (now === undefined) return '';
  const value = showValue(now, tongue);
  const source = now.report.sourceName;
  if (tongue === 'zh') return `${subject}此前为${was.join('、')}，现为${value}（据${source}）。`;
  const head = subject.charAt(0).toUpperCase() + subject.slice(1);
  return `${head} was ${was.join(' or ')}, now ${value}, according to ${source}.`;
}

function distinct(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  return claims.filter((claim, index) => !claims.slice(0, index).some((one) => agree(one, claim)));
}

function listed(names: readonly string[], tongue: Tongue): string {
  if (tongue === 'zh') return names.join('、');
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
