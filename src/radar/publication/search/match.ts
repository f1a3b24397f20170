// Decides whether an item matches the query `q`. Each part of the query must occur in the title,
// the original title, the summary, the source's name or the reason of selection.
import type { PublicItem } from '../item.ts';
import { isWordStart } from './characters.ts';
import { foldText } from './fold.ts';
import type { SearchPart } from './query.ts';

/**
 * The item's searchable text, folded. Query parts contain no white space, so no match spans two
 * fields.
 */
export function searchTextOf(item: PublicItem): string {
  const original = item.originalTitle ?? '';
  const reason = item.selected ? (item.reason ?? '') : '';
  const fields = [item.title, original, item.summary ?? '', item.sourceName, reason];
  return foldText(fields.join('\n'));
}

/** True when every part occurs in `text` (from `searchTextOf`). */
export function matchesParts(text: string, parts: readonly SearchPart[]): boolean {
  for (const part of parts) {
    if (!containsPart(text, part)) return false;
  }
  return true;
}

function containsPart(text: string, { text: partText, matchesInsideWords }: SearchPart): boolean {
  if (matchesInsideWords) return text.includes(partText);
  let position = text.indexOf(partText);
  while (position !== -1 && !isWordStart(text, position))
    position = text.indexOf(partText, position + 1);
  return position !== -1;
}
