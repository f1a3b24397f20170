// Dispatches a request of an operator area by its route table.

import { methodNotAllowed, pageNotFound } from './form-handler.ts';
import { matchRoute, type RoutePattern } from './match-route.ts';
import type { OperatorRequest, OperatorResponse, TextDownload } from './operator-area.ts';

type Redirect = { readonly kind: 'moved'; readonly to: string };

export type OperatorRoute<C, P, R> = RoutePattern & {
  /** The right that an operator needs for this route. */
  readonly right: R;
  readonly handle: (
    context: C,
    request: Pick<OperatorRequest, 'query' | 'form' | 'acceptLanguage'> & {
      readonly params: Record<string, string>;
    },
  ) => Promise<P | Redirect | TextDownload>;
};

type RouteHandling<C, P, R> = {
  /** Renders the page within the layout of the area. */
  readonly layout: (context: C, page: P) => string;
  readonly authorize: (
    route: RoutePattern & { readonly right: R },
  ) => 'allowed' | 'sign_in_again' | 'refused';
  /** The page of a session that lacks the right. */
  readonly refusedPage: (context: C) => P;
};

export async function handleRoute<C, P extends { kind: 'page'; status?: number }, R>(
  routes: readonly OperatorRoute<C, P, R>[],
  context: C,
  { method, pathname, query, form, acceptLanguage }: OperatorRequest,
  { layout, authorize, refusedPage }: RouteHandling<C, P, R>,
): Promise<OperatorResponse> {
  const routeMatch = matchRoute(routes, method, pathname);
  if (routeMatch.kind === 'unknown') throw pageNotFound();
  if (routeMatch.kind === 'method') throw methodNotAllowed();
  const access = authorize(routeMatch.route);
  if (access === 'sign_in_again') return { kind: 'sign_in_again' };
  if (access === 'refused') {
    return { kind: 'page', status: 403, document: layout(context, refusedPage(context)) };
  }
  const { params: pathParams } = routeMatch;
  const response = await routeMatch.route.handle(context, {
    params: pathParams,
    query,
    form,
    acceptLanguage,
  });
  if (response.kind === 'moved' || response.kind === 'file') return response;
  return { kind: 'page', status: response.status ?? 200, document: layout(context, response) };
}
