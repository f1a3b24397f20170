// A contradiction has two columns: the value that most sources state, and all other values.
// Statements of the same value are grouped.
import type { StoryContradiction } from '../../publication/documents/bodies.ts';
import { groupByValue } from '../../publication/documents/story-summary.ts';

type Statement = StoryContradiction['statements'][number];

/** All statements of one value, the earliest first. */
export type Voices = { readonly value: string; readonly statements: readonly Statement[] };

/** Exactly two columns; the second one has all values except the first's. */
export type Sides = readonly [readonly Voices[], readonly Voices[]];

export function sidesOf(statements: readonly Statement[]): Sides {
  const ordered = statements.toSorted((a, b) => a.at - b.at);
  const voices = groupByValue(ordered).map(
    (group): Voices => ({ value: group[0].value, statements: group }),
  );
  // When two values have equally many statements, the earlier value is first.
  const ranked = voices.toSorted(
    (a, b) => b.statements.length - a.statements.length || firstAt(a) - firstAt(b),
  );
  return [ranked.slice(0, 1), ranked.slice(1)];
}

const firstAt = ({ statements }: Voices) => statements[0]?.at ?? 0;
