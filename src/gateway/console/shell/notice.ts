// Shows the notice of a completed action at the top of the next page. The URL contains only the key
// of the message.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import type { ConsoleMessages } from '../messages/console.ts';
import type { ConsoleRequest, ConsoleResponse, VisitorContext } from './console-context.ts';

export type ConsoleNoticeCode = keyof ConsoleMessages['done'];

type Redirect = ConsoleResponse & { kind: 'moved' };

export const redirectWithNotice = (to: string, noticeCode: ConsoleNoticeCode): Redirect =>
  redirectWithPageNotice(to, noticeCode);

export const redirectWithPageNotice = (to: string, noticeCode: string): Redirect => ({
  kind: 'moved',
  to: `${to}?done=${noticeCode}`,
});

export function renderDoneNotice(
  { messages }: Pick<VisitorContext, 'messages'>,
  request: Pick<ConsoleRequest, 'query'>,
): Html {
  return renderPageNotice(messages.done, request);
}

/** `texts`: messages of the page, by their keys. */
export function renderPageNotice(
  texts: Readonly<Record<string, string>>,
  { query }: Pick<ConsoleRequest, 'query'>,
): Html {
  const noticeCode = query.get('done') ?? '';
  if (!Object.hasOwn(texts, noticeCode)) return nothing;
  return html`<div class="notice positive" role="status"><p>${texts[noticeCode]}</p></div>`;
}
