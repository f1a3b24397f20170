// What was just done on a page that has sentences of its own, said once at the top of the page that
// follows.
import { type Html, html, nothing } from '../../kernel/html/html.ts';
import type { ConsoleAsked } from './console-context.ts';

export function notedNotice(
  said: Readonly<Record<string, string>>,
  { query }: Pick<ConsoleAsked, 'query'>,
): Html {
  const done = query.get('done') ?? '';
  if (!Object.hasOwn(said, done)) return nothing;
  return html`<div class="notice positive" role="status"><p>${said[done]}</p></div>`;
}
