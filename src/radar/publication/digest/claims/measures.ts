// The measure of a figure: raised money or a valuation, revenue or a price. Each measure of
// `editorial/digest/measures.json` has cue words; the cue nearest to a figure names its measure.
import { z } from 'zod';
import file from '../../../../../editorial/digest/measures.json' with { type: 'json' };
import type { FigureKind } from '../../../language/figure-units.ts';

export type CuedKind = FigureKind | 'date';

export const measuresFile = z.strictObject({
  measures: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-z][a-z-]*$/u),
      kinds: z.array(
        z.enum([
          ...['money', 'percent', 'points', 'times', 'duration', 'power', 'bytes', 'tokens'],
          ...['rate', 'count', 'measure', 'date'],
        ] as const),
      ),
      /** Regular expressions over lower-case text; the first list for English. */
      en: z.array(z.string().min(1)).min(1),
      zh: z.array(z.string().min(1)).min(1),
      label: z.strictObject({ en: z.string().min(1), zh: z.string().min(1) }),
      /** The cue counts as nearer by this number of characters. */
      bonus: z.number().optional(),
      /** All reports of one event state the same value, so the measure can be contradicted. */
      isSingle: z.boolean().optional(),
      /** The count only grows, so a later and higher one replaces it. */
      isGrowing: z.boolean().optional(),
      /** A figure of one person or company, which a sentence about the event must name. */
      isOfOneParty: z.boolean().optional(),
    }),
  ),
});

type Measure = {
  readonly name: string;
  readonly kinds: ReadonlySet<CuedKind>;
  readonly en: RegExp;
  readonly zh: RegExp;
  readonly label: { readonly en: string; readonly zh: string };
  readonly bonus: number;
  readonly isSingle: boolean;
  readonly isGrowing: boolean;
  readonly isOfOneParty: boolean;
};

const measures: readonly Measure[] = measuresFile.parse(file).measures.map((row) => ({
  name: row.name,
  kinds: new Set<CuedKind>(row.kinds),
  en: new RegExp(row.en.join('|'), 'gu'),
  zh: new RegExp(row.zh.join('|'), 'gu'),
  label: row.label,
  bonus: row.bonus ?? 0,
  isSingle: row.isSingle ?? false,
  isGrowing: row.isGrowing ?? false,
  isOfOneParty: row.isOfOneParty ?? false,
}));
const byName = new Map(measures.map((measure) => [measure.name, measure]));

/** The measure's name in a text; null for an unknown measure. */
export function measureLabel(name: string, language: 'en' | 'zh'): string | null {
  return byName.get(name)?.label[language] ?? null;
}

/** All reports of one event state the same value of this measure. */
export const isSingleMeasure = (name: string) => byName.get(name)?.isSingle === true;

export const isGrowingMeasure = (name: string) => byName.get(name)?.isGrowing === true;

export const isOfOneParty = (name: string) => byName.get(name)?.isOfOneParty === true;

type MeasureCue = { readonly name: string; readonly start: number; readonly end: number };
export type MeasureCues = { readonly of: (kind: CuedKind) => readonly MeasureCue[] };

/** The cues of one folded, lower-case sentence. Each kind is searched once, on first use. */
export function openMeasureCues(text: string): MeasureCues {
  const isHan = isChinese(text);
  const cuesByMeasure = new Map<string, readonly MeasureCue[]>();
  const cuesOf = (measure: Measure): readonly MeasureCue[] => {
    const cachedCues = cuesByMeasure.get(measure.name);
    if (cachedCues !== undefined) return cachedCues;
    const pattern = isHan ? measure.zh : measure.en;
    const { name } = measure;
    const cues = [...text.matchAll(pattern)].map((match) => {
      return { name, start: match.index, end: match.index + match[0].length };
    });
    cuesByMeasure.set(name, cues);
    return cues;
  };
  return { of: (kind) => measures.filter((measure) => measure.kinds.has(kind)).flatMap(cuesOf) };
}

type Span = { readonly start: number; readonly end: number };

/** English characters; a Han character counts as three. */
const farthest = 72;
const farthestOfDuration = 36;
const farthestOfCount = { after: 18, afterHan: 12, before: 27 } as const;

/** The measure whose cue is nearest to the figure; null when none is near enough. */
export function nearestMeasure(
  text: string,
  span: Span & { readonly kind: CuedKind },
  cues: MeasureCues,
): { readonly name: string; readonly distance: number } | null {
  const isHan = isChinese(text);
  let best: { name: string; distance: number } | null = null;
  for (const cue of cues.of(span.kind)) {
    if (span.kind === 'date' && cue.start >= span.start && cue.end <= span.end) continue;
    const isBefore = cue.end <= span.start;
    const gap = isBefore
      ? { start: cue.end, end: span.start }
      : { start: span.end, end: Math.max(cue.start, span.end) };
    const between = text.slice(gap.start, gap.end);
    // A cue after a comma more likely belongs to the next figure.
    const length = gapLength(between) + (!isBefore && /[,;:、]/u.test(between) ? 14 : 0);
    const isFar =
      span.kind === 'count'
        ? length >
          (isBefore
            ? farthestOfCount.before
            : isHan
              ? farthestOfCount.afterHan
              : farthestOfCount.after)
        : length > (span.kind === 'duration' ? farthestOfDuration : farthest);
    if (isFar) continue;
    const distance = length - (byName.get(cue.name)?.bonus ?? 0);
    if (best === null || distance < best.distance) best = { name: cue.name, distance };
  }
  return best;
}

function gapLength(gap: string): number {
  const han = gap.match(/\p{sc=Han}/gu)?.length ?? 0;
  const stops = gap.match(/[,;:()]|\b(?:and|while|but|whereas|than)\b|而|但|并|较/gu)?.length ?? 0;
  return gap.length + 2 * han + 9 * stops;
}

/** A Chinese sentence may contain Latin names, and an English one Han names. */
function isChinese(text: string): boolean {
  const han = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  const latin = text.match(/[a-z]+/gu)?.length ?? 0;
  return han > 1.5 * latin;
}
