// Finds the route of a path. Segments that begin with a colon are parameters.

export type RoutePattern = { readonly method: 'GET' | 'POST'; readonly path: string };

export type RouteMatch<R> =
  | { readonly kind: 'route'; readonly route: R; readonly params: Record<string, string> }
  /** The path exists for other methods. */
  | { readonly kind: 'method' }
  | { readonly kind: 'unknown' };

/** The first matching route. Parameters stay percent-encoded. */
export function matchRoute<R extends RoutePattern>(
  routes: readonly R[],
  method: string,
  path: string,
): RouteMatch<R> {
  const segments = path.split('/').filter(Boolean);
  let isKnownPath = false;
  for (const route of routes) {
    const params = matchSegments(route.path.split('/').filter(Boolean), segments);
    if (params === null) continue;
    if (route.method === method) return { kind: 'route', route, params };
    isKnownPath = true;
  }
  return isKnownPath ? { kind: 'method' } : { kind: 'unknown' };
}

function matchSegments(pattern: readonly string[], segments: readonly string[]) {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}
