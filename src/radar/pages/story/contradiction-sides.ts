// A contradiction has two columns: the value with most statements, and all other values.
// Statements of the same value are grouped.
import type { StoryContradiction } from '../../publication/documents/bodies.ts';
import { groupByValue } from '../../publication/documents/story-summary.ts';

type Statement = StoryContradiction['statements'][number];

/** All statements of one value, the earliest first. */
export type ValueStatements = { readonly value: string; readonly statements: readonly Statement[] };

/** Exactly two columns: the value with most statements, and all other values. */
export type Sides = readonly [readonly ValueStatements[], readonly ValueStatements[]];

export function groupIntoSides(statements: readonly Statement[]): Sides {
  const ordered = statements.toSorted((a, b) => a.at - b.at);
  const statementsByValue = groupByValue(ordered).map(
    (group): ValueStatements => ({ value: group[0].value, statements: group }),
  );
  // When two values have equally many statements, the earlier value is first.
  const rankedValues = statementsByValue.toSorted(
    (a, b) => b.statements.length - a.statements.length || firstAt(a) - firstAt(b),
  );
  return [rankedValues.slice(0, 1), rankedValues.slice(1)];
}

const firstAt = ({ statements }: ValueStatements) => statements[0]?.at ?? 0;
