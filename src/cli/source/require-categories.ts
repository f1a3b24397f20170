// Checks the category hints of definitions against the editorial folder in use.
import { Fault } from '../../kernel/errors/fault.ts';
import type { CliApp } from '../app.ts';

/** Throws a Fault that names every unknown category. */
export async function requireCategories(
  { readCategories, editorialFolder }: CliApp,
  definitions: readonly unknown[],
): Promise<void> {
  const hints = definitions.flatMap((json) =>
    typeof json === 'object' && json !== null && 'categoryHint' in json
      ? [{ id: nameOf(json), hint: json.categoryHint }]
      : [],
  );
  if (hints.length === 0) return;
  const categories = await readCategories(editorialFolder);
  const unknownHints = hints.filter(({ hint }) => !categories.some((id) => id === hint));
  if (unknownHints.length === 0) return;
  const message = unknownHints
    .map(({ id, hint }) => `${id}: categoryHint: unknown "${hint}"`)
    .join('; ');
  throw new Fault('invalid_request', `${message}. Categories: ${categories.join(', ')}.`);
}

/** The id of a definition that may be invalid. */
export function nameOf(json: unknown): string {
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : null;
  return typeof id === 'string' ? id : 'a source without an id';
}
