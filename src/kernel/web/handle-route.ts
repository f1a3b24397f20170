// Dispatches a request of an operator area by its route table.

import { noSuchPage, notAllowed } from './form-handler.ts';
import { matchRoute, type RoutePattern } from './match-route.ts';
import type { OperatorRequest, OperatorResponse, TextDownload } from './operator-area.ts';

type Redirect = { readonly kind: 'moved'; readonly to: string };

type RouteOf<C, P> = RoutePattern & {
  readonly answer: (
    context: C,
    request: Pick<OperatorRequest, 'query' | 'form' | 'acceptLanguage'> & {
      readonly params: Record<string, string>;
    },
  ) => Promise<P | Redirect | TextDownload>;
};

/** `framed` renders the page within the layout of the area. */
export async function handleRoute<C, P extends { kind: 'page'; status?: number }>(
  routes: readonly RouteOf<C, P>[],
  context: C,
  { method, pathname, query, form, acceptLanguage }: OperatorRequest,
  framed: (context: C, page: P) => string,
): Promise<OperatorResponse> {
  const matched = matchRoute(routes, method, pathname);
  if (matched.kind === 'unknown') throw noSuchPage();
  if (matched.kind === 'method') throw notAllowed();
  const { params } = matched;
  const answer = await matched.route.answer(context, { params, query, form, acceptLanguage });
  if (answer.kind === 'moved' || answer.kind === 'file') return answer;
  return { kind: 'page', status: answer.status ?? 200, document: framed(context, answer) };
}
