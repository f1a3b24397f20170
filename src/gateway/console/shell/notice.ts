// What was just done, said once at the top of the page that follows. The address carries only which
// of our own sentences it is: the console's, or those of a page that has its own.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { ConsoleWords } from '../messages/console.ts';
import type { ConsoleAnswer, ConsoleAsked, OutsideContext } from './console-context.ts';

export type Done = keyof ConsoleWords['done'];

type Moved = ConsoleAnswer & { kind: 'moved' };

export const movedDone = (to: string, done: Done): Moved => movedNoted(to, done);

export const movedNoted = (to: string, done: string): Moved => ({
  kind: 'moved',
  to: `${to}?done=${done}`,
});

export function doneNotice(
  { words }: Pick<OutsideContext, 'words'>,
  asked: Pick<ConsoleAsked, 'query'>,
): Html {
  return notedNotice(words.done, asked);
}

/** `said`: a page's own sentences, by what was done. */
export function notedNotice(
  said: Readonly<Record<string, string>>,
  { query }: Pick<ConsoleAsked, 'query'>,
): Html {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(said, done)) return nothing;
  return html`<div class="notice positive" role="status"><p>${said[done]}</p></div>`;
}
