// Where reports disagree there are two sides, whatever the number of voices: those who say the
// value that most sources say, and everybody else. Statements of one value stand together.
import type { StoryContradiction } from '../../publication/documents/bodies.ts';

type Statement = StoryContradiction['statements'][number];

/** Everybody who says one value, the earliest first. */
export type Voices = { readonly value: string; readonly statements: readonly Statement[] };

/** Exactly two columns; the second holds every value but the first's. */
export type Sides = readonly [readonly Voices[], readonly Voices[]];

export function sidesOf(statements: readonly Statement[]): Sides {
  const byValue = [...Map.groupBy(statements, ({ value }) => plainValue(value)).values()];
  const voices = byValue.map((said): Voices => {
    const ordered = said.toSorted((a, b) => a.at - b.at);
    return { value: ordered[0]?.value ?? '', statements: ordered };
  });
  // Equal numbers of voices: who spoke first stands first.
  const ranked = voices.toSorted(
    (a, b) => b.statements.length - a.statements.length || firstAt(a) - firstAt(b),
  );
  return [ranked.slice(0, 1), ranked.slice(1)];
}

const firstAt = ({ statements }: Voices) => statements[0]?.at ?? 0;

/** `44 percent`, `44 %` and `44％` are one value; so are `1,200` and `1200`, `35亿` and `35 亿`. */
function plainValue(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s*(?:per ?cent|%)/g, '%')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/(?<=\p{Script=Han})\s+|\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
