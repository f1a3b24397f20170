// Handles a request of a signed-in operator in either admin area. The second factor is checked
// first, then the right.
import { handleRoute, type OperatorRoute } from '../kernel/web/handle-route.ts';
import type { OperatorRequest, OperatorResponse } from '../kernel/web/operator-area.ts';
import type { World } from '../kernel/world.ts';
import { PROFILE_PATH } from './pages/profile-page.ts';
import { authorize, type OperatorRight } from './roles.ts';
import type { OperatorSession, OperatorSessions } from './sessions.ts';

type RouteContext = {
  readonly world: World;
  readonly sessions: OperatorSessions;
  readonly session: OperatorSession;
};

/** `layout` renders a page within the layout of the area. */
export async function handleOperatorRoute<
  C extends RouteContext,
  P extends { kind: 'page'; status?: number },
>(
  routes: readonly OperatorRoute<C, P, OperatorRight>[],
  context: C,
  request: OperatorRequest,
  layout: (context: C, page: P) => string,
): Promise<OperatorResponse> {
  const { world, sessions, session } = context;
  if (sessions.needsFactor(session) && !request.pathname.startsWith(PROFILE_PATH)) {
    return { kind: 'moved', to: `${PROFILE_PATH}/codes` };
  }
  return handleRoute(routes, context, request, {
    layout,
    authorize: (route) => {
      try {
        return authorize(session, route, world.clock.now());
      } catch (error) {
        const { name: operator, address } = session;
        const { method, path } = route;
        world.log.warn({ operator, address, method, path }, 'an operator lacks the right');
        throw error;
      }
    },
  });
}
