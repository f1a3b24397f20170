// What was just done, said once at the top of the page that follows. The address carries only which
// of our own sentences it is.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import type { ConsoleAnswer, ConsoleAsked, OutsideContext } from './console-context.ts';
import type { ConsoleWords } from './words.ts';

export type Done = keyof ConsoleWords['done'];

export const movedDone = (to: string, done: Done): ConsoleAnswer & { kind: 'moved' } => ({
  kind: 'moved',
  to: `${to}?done=${done}`,
});

export function doneNotice(
  { words }: Pick<OutsideContext, 'words'>,
  { query }: Pick<ConsoleAsked, 'query'>,
): Html {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(words.done, done)) return nothing;
  return html`<div class="notice positive" role="status"><p>${words.done[done as Done]}</p></div>`;
}
