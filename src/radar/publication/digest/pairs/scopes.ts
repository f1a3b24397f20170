// In what scope a figure is told: on the year or on the quarter, at the close or at the day's high,
// with tools or without, by the company or by analysts (`editorial/digest/scopes.json`);
// and whether a third figure makes the one of the other, as 28 crew make 214 on board of 186.
import { z } from 'zod';
import file from '../../../../../editorial/digest/scopes.json' with { type: 'json' };
import { HOUR_MS } from '../../../../kernel/time/durations.ts';
import { contextOf } from './context.ts';
import type { Facing, Pair } from './face-reports.ts';
import type { Mention } from './mention.ts';

const list = z.array(z.string().min(1)).min(1);
export const scopesFile = z.strictObject({
  /** By dimension and scope, regular expressions over lower-case text. */
  dimensions: z.record(
    z.string().regex(/^[a-z-]+$/u),
    z.strictObject({
      /** Of which kinds of figures it is asked; of all where it does not say. */
      kinds: list.optional(),
      scopes: z.record(z.string(), list),
    }),
  ),
});

const dimensions = Object.values(scopesFile.parse(file).dimensions).map((one) => ({
  isOf: ({ kind }: Mention) => one.kinds?.includes(kind) ?? true,
  /** Most texts hold none of its words. */
  any: new RegExp(Object.values(one.scopes).flat().join('|'), 'u'),
  scopes: Object.values(one.scopes).map((patterns) => new RegExp(patterns.join('|'), 'u')),
}));

/** Two figures that this keeps apart are of two things, whatever else speaks for them. */
export function isApartInScope(pair: Pair, facing: Facing): boolean {
  return areScopesApart(pair) || isReconciled(pair, facing) || hasGrown(pair);
}

/** By dimension, which of its scopes a text names, a bit for each. */
type Scopes = readonly number[];

const known = new Map<string, Scopes>();
const mostKnown = 2_000;

function scopesIn(text: string): Scopes {
  const found = known.get(text);
  if (found !== undefined) return found;
  const scopes = dimensions.map(({ any, scopes: own }) =>
    any.test(text) ? own.reduce((bits, one, at) => bits | (one.test(text) ? 1 << at : 0), 0) : 0,
  );
  if (known.size >= mostKnown) known.clear();
  known.set(text, scopes);
  return scopes;
}

const near = ({ sentence }: Mention): Scopes => scopesIn(sentence);
const wide = ({ sentence, report }: Mention): Scopes => {
  const title = scopesIn(report.title.toLowerCase());
  return scopesIn(sentence).map((bits, at) => bits | (title[at] ?? 0));
};

/** Whether the one sentence names a scope that neither the other nor its title does. */
function areScopesApart({ a, b }: Pair): boolean {
  const [own, theirs, ownWide, theirsWide] = [near(a), near(b), wide(a), wide(b)];
  return dimensions.some(({ isOf }, at) => {
    const isLacked = (one: Scopes, other: Scopes) => ((one[at] ?? 0) & ~(other[at] ?? 0)) !== 0;
    return isOf(a) && (isLacked(own, theirsWide) || isLacked(theirs, ownWide));
  });
}

const isTime = ({ kind }: Mention) => /^(?:date|year|clock|rank|scoreline)$/u.test(kind);
const restSlack = 0.015;
const shareSlack = 0.6;
const growsFromMs = 1.5 * HOUR_MS;

/** Whether a third figure is what the two differ by, or a share is the one of the other. */
function isReconciled({ a, b }: Pair, facing: Facing): boolean {
  if (isTime(a)) return false;
  const [low, high] = [Math.min(a.value, b.value), Math.max(a.value, b.value)];
  const others = [
    ...facing.a.filter((one) => one.group !== a.group),
    ...facing.b.filter((one) => one.group !== b.group),
  ];
  const gap = high - low;
  const isRest = others.some(
    (one) =>
      one.kind === a.kind &&
      one.unit === a.unit &&
      one.value !== low &&
      one.value !== high &&
      Math.abs(one.value - gap) <= restSlack * gap,
  );
  const share = (100 * low) / high;
  const isIt = (value: number) => Math.abs(value - share) < shareSlack;
  const isPart =
    a.kind !== 'percent' &&
    others.some(({ kind, value }) => kind === 'percent' && (isIt(value) || isIt(100 - value)));
  return isRest || isPart;
}

/** Hours on, the later report counts more of what only ever becomes more. */
function hasGrown({ a, b }: Pair): boolean {
  const [first, later] = a.report.at <= b.report.at ? [a, b] : [b, a];
  const isLater = later.report.at - first.report.at > growsFromMs;
  const isMore = later.kind === 'count' && later.value > first.value;
  return isLater && isMore && [...contextOf(first).near].some((mark) => mark.startsWith('fate:'));
}
