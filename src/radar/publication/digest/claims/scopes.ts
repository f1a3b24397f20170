// Scopes of a figure: its period, region, part or price basis. A target is no result, a part is no
// whole, and last year's figure is not today's. `editorial/digest/scopes.json` has their words.
import { z } from 'zod';
import file from '../../../../../editorial/digest/scopes.json' with { type: 'json' };
import type { PhraseLanguage, Scope } from '../digest.ts';

export const scopesFile = z.strictObject({
  families: z.array(
    z.strictObject({
      /** Names of measures; absent for all. */
      measures: z.array(z.string().min(1)).optional(),
      /**
       * Where the words are: before the figure, up to the next comma after the figure, in the
       * clause of the figure, or in its sentence.
       */
      place: z.enum(['before', 'beside', 'clause', 'sentence']),
      scopes: z.array(
        z.strictObject({
          name: z.string().regex(/^[a-z][a-z0-9-]*$/u),
          /** Regular expressions over folded, lower-case text. */
          patterns: z.array(z.string().min(1)).min(1),
          /** "The price per month"; 每月价格. */
          label: z.strictObject({ en: z.string().min(1), zh: z.string().min(1) }),
        }),
      ),
    }),
  ),
});

type ScopeCue = readonly [scope: Scope, pattern: RegExp];

const families = scopesFile.parse(file).families.map(({ measures, place, scopes }) => {
  const cues = scopes.map(({ name, patterns }): ScopeCue => {
    return [name, new RegExp(patterns.join('|'), 'gu')];
  });
  return { measures: measures === undefined ? null : new Set(measures), place, cues, scopes };
});

const labels = new Map(
  families.flatMap(({ scopes }) => scopes.map((row) => [row.name, row.label])),
);

/** The scope's words in a text. */
export function scopeLabel(scope: Scope, language: PhraseLanguage): string {
  return labels.get(scope)?.[language] ?? scope;
}

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
