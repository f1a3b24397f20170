// Scopes of a figure: its period, region, part or price basis. A target is no result, a part is no
// whole, and last year's figure is not today's.
import { cue } from '../../../language/cues.ts';
import type { Scope } from '../digest.ts';

type ScopeCue = readonly [scope: Scope, pattern: RegExp];

const periods: readonly ScopeCue[] = [
  ['half', /\b(?:first|second) half\b|\bh[12]\b|半年|上半年|下半年/u],
  ['nine-months', /\bnine months\b|前三季度|九个月/u],
  ['q1', /\b(?:q1|first[- ]quarter|three months (?:to|ended) march)\b|一季度|1季度|首季/u],
  ['q2', /\b(?:q2|second[- ]quarter|three months (?:to|ended) june)\b|二季度|2季度/u],
  ['q3', /\b(?:q3|third[- ]quarter|three months (?:to|ended) september)\b|(?<!前)三季度|3季度/u],
  ['q4', /\b(?:q4|fourth[- ]quarter|three months (?:to|ended) december)\b|四季度|4季度/u],
  ['quarter', /\bquarter(?:ly)?\b|季度|单季|当季/u],
  ['month', cue('periods-month')],
  ['year', cue('periods-year')],
];
const growthCues: readonly ScopeCue[] = [
  ['of-profit', /\b(?:profits?|net income|earnings)\b|利润|盈利/u],
  ['of-revenue', /\b(?:revenues?|sales|turnover)\b|营收|收入|销售额/u],
  ['of-users', /\b(?:users?|subscribers?|customers?)\b|用户|日活|月活|客户/u],
  ['of-shares', /\b(?:shares?|stock)\b|股价|股票/u],
  ['of-costs', /\b(?:costs?|spending|expenses|capex)\b|成本|支出|开支|费用/u],
  ['of-shipments', /\b(?:shipments?|deliveries|orders|units)\b|出货|交付|订单|销量/u],
  ['of-traffic', /\b(?:traffic|usage|downloads?|queries)\b|流量|调用|下载/u],
];
const users: readonly ScopeCue[] = [
  ['daily', /\bdaily\b|(?:every|each|a|per) day\b|日活|每日|每天|日均/u],
  ['weekly', /\bweekly\b|(?:every|each|a|per) week\b|周活|每周/u],
  ['monthly', /\bmonthly\b|(?:every|each|a|per) month\b|月活|每月/u],
  ['paying', /\bpaying\b|\bpaid\b|付费/u],
  ['registered', /\bregistered\b|注册/u],
];
const per: readonly ScopeCue[] = [
  ['per-million', /(?:per|a|\/)\s?(?:1\s?)?(?:million|m\b|mtok)|每百万|\/百万|\/m\b/u],
  ['per-month', /(?:per|a|each|every|\/)\s?mo(?:nth)?\b|monthly|每月|\/月|月费|每个月|包月/u],
  ['per-year', /(?:per|a|each|every|\/)\s?(?:year|yr)\b|annual|yearly|每年|\/年|年费|包年/u],
  ['per-hour', /(?:per|an|a|\/)\s?(?:hour|hr)\b|hourly|每小时|\/小时/u],
  ['per-thousand', /(?:per|a|\/)\s?(?:1,?000|thousand|k\b)|每千|\/千/u],
];
const direction: readonly ScopeCue[] = [
  ['cached', /\bcached?\b|\bcache (?:hits?|reads?)|缓存/u],
  ['input', cue('input')],
  ['output', cue('output')],
];
const monthNames = 'january february march april may june july august september october'
  .concat(' november december')
  .split(' ');
const months: readonly ScopeCue[] = monthNames.map((name, index) => {
  const pattern = `\\b(?:in|for|during) ${name}\\b|\\b${name} (?:sales|deliver|revenue)`;
  return [
    `m${index + 1}` as Scope,
    new RegExp(`${pattern}|(?<!\\d)${index + 1}月(?:份)?(?!\\d)`, 'u'),
  ];
});
/** The name of a month takes precedence over the word "month". */
const allPeriods = [
  ...periods.filter(([mark]) => mark !== 'month'),
  ...months,
  ...periods.filter(([mark]) => mark === 'month'),
];
const withPeriod = new Set(
  'revenue profit loss growth decline margin capex arr sales-share units downloads'.split(' '),
);
const cumulative: readonly ScopeCue[] = [['total', cue('total')]];
const withTotal = new Set(
  'raised fine battery damages settlement years-served box-office'.split(' '),
);
const preMoney: readonly ScopeCue[] = [
  ['pre', /\bpre-money\b|\bbefore the (?:new )?(?:money|round|investment)\b|投前/u],
];
const business: readonly ScopeCue[] = [
  ['unit', cue('business-unit')],
  ['segment', cue('business-segment')],
];
const withBusiness = new Set(
  'revenue profit loss growth decline margin jobs-cut staff users customers'.split(' '),
);
const phases: readonly ScopeCue[] = [['phase', cue('phase')]];
const withPhase = new Set(
  'capex capacity power-draw volume area payload energy length units production jobs-added'.split(
    ' ',
  ),
);
const models: readonly ScopeCue[] = [
  ['top', cue('top-model')],
  ['add-on', cue('add-on')],
];

/** A price with conditions of its own. */
const special = cue('special-price');
const left = cue('left');
const leftAfter = cue('left-after');
const region = cue('region');
const withRegion = new Set(
  'revenue profit growth decline users subscribers customers units stores recalled jobs-cut staff'
    .concat(' market-share')
    .split(' '),
);

const part = cue('part');
const target = cue('target');
const talks = cue('talks');
const past = cue('past');
const compared = cue('compared');

/** Scopes that must be equal before two figures of `measure` are compared. */
export function scopesOf(measure: string, clause: FigureClause): readonly Scope[] {
  const marks: Scope[] = [];
  const { near, sentence, context } = clause;
  if (withPeriod.has(measure)) {
    const mark =
      nearest(allPeriods, clause) ??
      first(periods, near) ??
      first(allPeriods, sentence) ??
      first(allPeriods, context);
    if (mark !== null) marks.push(mark);
  }
  if (measure === 'growth' || measure === 'decline') {
    const mark = nearest(growthCues, clause) ?? first(growthCues, sentence);
    if (mark !== null) marks.push(mark);
  }
  if (measure === 'users' || measure === 'subscribers') {
    const mark =
      nearest(users, clause) ?? first(users, near.slice(0, clause.at)) ?? first(users, sentence);
    if (mark !== null) marks.push(mark);
  }
  if (measure === 'price' || measure === 'salary') {
    const each = nearest(per, clause) ?? first(per, sentence) ?? first(per, context);
    const way = nearest(direction, clause) ?? first(direction, near);
    if (each !== null) marks.push(each);
    if (way !== null) marks.push(way);
    const model = first(models, near.slice(0, clause.at));
    if (model !== null) marks.push(model);
    if (special.test(near)) marks.push('special');
  }
  if (measure === 'valuation' && first(preMoney, near) !== null) marks.push('pre');
  if (withRegion.has(measure) && region.test(near)) marks.push('region');
  if (left.test(near.slice(0, clause.at)) || leftAfter.test(near.slice(clause.end)))
    marks.push('left');
  if (withTotal.has(measure) && first(cumulative, near) !== null) marks.push('total');
  const head = near.slice(0, clause.at);
  const unit = withBusiness.has(measure) ? first(business, head) : null;
  if (unit !== null) marks.push(unit);
  if (withPhase.has(measure) && first(phases, head) !== null) marks.push('phase');
  if (part.test(near.slice(0, clause.at))) marks.push('part');
  const beside = near.slice(0, clause.end) + (near.slice(clause.end).split(/[,，;]/u)[0] ?? '');
  // A word such as "over" names the base of the growth; the figure itself is current.
  const isGrowth = measure === 'growth' || measure === 'decline';
  if (past.test(beside) && !(isGrowth && compared.test(beside)) && measure !== 'years-served') {
    marks.push('past');
  }
  if (target.test(near)) marks.push('target');
  if (talks.test(near)) marks.push('talks');
  return marks;
}

export type FigureClause = {
  /** The clause that contains the figure, and the positions of the figure in it. */
  readonly near: string;
  readonly at: number;
  readonly end: number;
  readonly sentence: string;
  /** Title and first sentence of the report. */
  readonly context: string;
};

function first(words: readonly ScopeCue[], text: string): Scope | null {
  return words.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/**
 * The mark whose word is nearest to the figure. Words after the figure count as slightly nearer.
 */
function nearest(words: readonly ScopeCue[], clause: FigureClause): Scope | null {
  const { near, at, end } = clause;
  let best: { mark: Scope; gap: number } | null = null;
  for (const [mark, pattern] of words) {
    for (const match of near.matchAll(new RegExp(pattern, 'gu'))) {
      const after = match.index >= end;
      const bounds = after ? [end, match.index] : [match.index + match[0].length, at];
      const between = near.slice(bounds[0], bounds[1]);
      const gap =
        between.length + (after ? 0 : 3) + 15 * (between.match(/[,，、;]/gu)?.length ?? 0);
      if (gap < 40 && (best === null || gap < best.gap)) best = { mark, gap };
    }
  }
  return best?.mark ?? null;
}
