// Handles a request of a signed-in operator in either admin area. It checks first that the operator
// has a required second factor, and then that the role has the right of the route.
import { handleRoute, type OperatorRoute } from '../kernel/web/handle-route.ts';
import { matchRoute } from '../kernel/web/match-route.ts';
import type { OperatorRequest, OperatorResponse } from '../kernel/web/operator-area.ts';
import type { OperatorPageContext, OperatorPageResponse } from './pages/operator-page-context.ts';
import { PROFILE_PATH } from './pages/profile-page.ts';
import { refusedForm, refusedPage } from './pages/refused-page.ts';
import { authorize, hasRight, type OperatorRight } from './roles.ts';

type RefusedPage = Extract<OperatorPageResponse, { kind: 'page' }>;

/** `layout` renders a page within the layout of the area. */
export async function handleOperatorRoute<
  C extends OperatorPageContext,
  P extends { kind: 'page'; status?: number },
>(
  routes: readonly OperatorRoute<C, P | RefusedPage, OperatorRight>[],
  context: C,
  request: OperatorRequest,
  layout: (context: C, page: P | RefusedPage) => string,
): Promise<OperatorResponse> {
  const { world, sessions, session } = context;
  if (sessions.needsFactor(session) && !request.pathname.startsWith(PROFILE_PATH)) {
    return { kind: 'moved', to: `${PROFILE_PATH}/codes` };
  }
  /** The text for a form that the role of the session may not send; null: it may. */
  const refusal = (action: string): string | null => {
    const matched = matchRoute(routes, 'POST', action);
    const isPermitted = matched.kind !== 'route' || hasRight(session.role, matched.route.right);
    return isPermitted ? null : refusedForm(context);
  };
  return handleRoute(routes, { ...context, refusal }, request, {
    layout,
    refusedPage,
    authorize: (route) => {
      const access = authorize(session, route, world.clock.now());
      if (access === 'refused') {
        const { name: operator, address } = session;
        const { method, path } = route;
        world.log.warn({ operator, address, method, path }, 'an operator lacks the right');
      }
      return access;
    },
  });
}
