// Scopes of a figure: its period, region, part or price basis. A target is no result, a part is no
// whole, and last year's figure is not today's.
import { cuePattern } from '../../../language/cues.ts';
import type { Scope } from '../digest.ts';

type ScopeCue = readonly [scope: Scope, pattern: RegExp];

type Family = {
  /** Names of measures; null for all. */
  readonly measures: ReadonlySet<string> | null;
  /** Where the words stand: in the clause, in its part up to the figure, or in the sentence. */
  readonly place: 'clause' | 'before' | 'beside' | 'sentence';
  readonly cues: readonly ScopeCue[];
};

const names = (list: string) => new Set(list.split(' '));

const monthNames = 'january february march april may june july august september october'
  .concat(' november december')
  .split(' ');
const months = monthNames.map((name, index): ScopeCue => {
  const pattern = `\\b(?:in|for|during) ${name}\\b|\\b${name} (?:sales|deliver|revenue)`;
  return [`m${index + 1}`, new RegExp(`${pattern}|(?<!\\d)${index + 1}月(?:份)?(?!\\d)`, 'gu')];
});

const families: readonly Family[] = [
  {
    measures: names('revenue profit loss growth decline margin capex arr units downloads'),
    place: 'sentence',
    cues: [
      ['half', /\b(?:first|second) half\b|\bh[12]\b|半年/gu],
      ['nine-months', /\bnine months\b|前三季度|九个月/gu],
      ['q1', /\b(?:q1|first[- ]quarter|three months (?:to|ended) march)\b|一季度|1季度|首季/gu],
      ['q2', /\b(?:q2|second[- ]quarter|three months (?:to|ended) june)\b|二季度|2季度/gu],
      ['q3', /\b(?:q3|third[- ]quarter|three months (?:to|ended) sept\w*)\b|三季度|3季度/gu],
      ['q4', /\b(?:q4|fourth[- ]quarter|three months (?:to|ended) december)\b|四季度|4季度/gu],
      ['quarter', /\bquarter(?:ly)?\b|季度|单季|当季/gu],
      ...months,
      ['month', cuePattern('periods-month', 'gu')],
      ['year', cuePattern('periods-year', 'gu')],
    ],
  },
  {
    measures: names('users subscribers'),
    place: 'sentence',
    cues: [
      ['daily', /\bdaily\b|(?:every|each|a|per) day\b|日活|每日|每天|日均/gu],
      ['weekly', /\bweekly\b|(?:every|each|a|per) week\b|周活|每周/gu],
      ['monthly', /\bmonthly\b|(?:every|each|a|per) month\b|月活|每月/gu],
      ['paying', /\bpaying\b|\bpaid\b|付费/gu],
      ['registered', /\bregistered\b|注册/gu],
    ],
  },
  {
    measures: names('price salary'),
    place: 'sentence',
    cues: [
      ['per-million', /(?:per|a|\/)\s?(?:1\s?)?(?:million|m\b|mtok)|每百万|\/百万|\/m\b/gu],
      ['per-month', /(?:per|a|each|every|\/)\s?mo(?:nth)?\b|monthly|每月|\/月|月费|每个月|包月/gu],
      ['per-year', /(?:per|a|each|every|\/)\s?(?:year|yr)\b|annual|yearly|每年|\/年|年费|包年/gu],
      ['per-hour', /(?:per|an|a|\/)\s?(?:hour|hr)\b|hourly|每小时|\/小时/gu],
      ['per-thousand', /(?:per|a|\/)\s?(?:1,?000|thousand|k\b)|每千|\/千/gu],
    ],
  },
  {
    measures: names(
      'revenue profit growth decline users subscribers customers units stores recalled staff ' +
        'jobs-cut',
    ),
    place: 'clause',
    cues: [['region', cuePattern('region', 'gu')]],
  },
  {
    measures: names('raised fine battery damages settlement years-served box-office'),
    place: 'clause',
    cues: [['total', cuePattern('total', 'gu')]],
  },
  {
    measures: names('revenue profit loss growth decline margin jobs-cut staff users customers'),
    place: 'before',
    cues: [['unit', cuePattern('business-unit', 'gu')]],
  },
  {
    measures: null,
    place: 'before',
    cues: [['part', cuePattern('part', 'gu')]],
  },
  { measures: null, place: 'beside', cues: [['past', cuePattern('past', 'gu')]] },
  { measures: null, place: 'clause', cues: [['target', cuePattern('target', 'gu')]] },
  { measures: null, place: 'clause', cues: [['talks', cuePattern('talks', 'gu')]] },
  { measures: null, place: 'before', cues: [['left', cuePattern('left', 'gu')]] },
];

export type FigureClause = {
  /** The clause that contains the figure, and the positions of the figure in it. */
  readonly near: string;
  readonly at: number;
  readonly end: number;
  readonly sentence: string;
};

/** Scopes that must be equal before two figures of `measure` are compared. */
export function scopesOf(measure: string, clause: FigureClause): readonly Scope[] {
  return families.flatMap(({ measures, place, cues }) => {
    if (measures?.has(measure) === false) return [];
    const { near, at, end } = clause;
    const comma = end + near.slice(end).search(/[,，;]|$/u);
    const text = near.slice(
      0,
      { before: at, beside: comma, clause: undefined, sentence: undefined }[place],
    );
    const scope =
      nearest(cues, { ...clause, near: text }) ??
      (place === 'sentence' ? nearest(cues, { ...clause, near: clause.sentence }) : null);
    return scope === null ? [] : [scope];
  });
}

/** The scope whose word is nearest to the figure. A word after the figure counts as nearer. */
function nearest(cues: readonly ScopeCue[], { near, at, end }: FigureClause): Scope | null {
  const matches = cues.flatMap(([scope, pattern]) =>
    [...near.matchAll(pattern)].map(({ index, 0: { length } }) => {
      const isAfter = index >= end;
      const between = isAfter ? near.slice(end, index) : near.slice(index + length, at);
      const commas = between.match(/[,，、;]/gu)?.length ?? 0;
      return { scope, gap: between.length + (isAfter ? 0 : 3) + 15 * commas };
    }),
  );
  return matches.sort((a, b) => a.gap - b.gap)[0]?.scope ?? null;
}
