// Selects the upstreams that a route permits, in the order of the route. Relay contract, 1.4 and
// 3.1.
import type { ModelRouteConfig, UpstreamConfig } from '../relay-config.ts';
import type { Upstream } from './upstream.ts';

type RoutedModel = {
  readonly model: string;
  readonly route: ModelRouteConfig;
  /** All upstreams. They determine the vector space even while one of them lists no models. */
  readonly configs: readonly UpstreamConfig[];
};

/**
 * Returns the upstreams that serve a model. Embeddings of different vector spaces are not
 * comparable, so only upstreams in the space of the first upstream serve them.
 */
export function upstreamsOfRoute(
  upstreams: readonly Upstream[],
  { model, route, configs }: RoutedModel,
): readonly Upstream[] {
  const { upstreams: names, space } = route;
  const orderedUpstreams =
    names === undefined
      ? upstreams
      : names.flatMap((name) => upstreams.filter(({ rules }) => rules.name === name));
  if (Object.keys(space).length === 0) return orderedUpstreams;
  const spaceOf = (name: string) => (Object.hasOwn(space, name) ? space[name] : null);
  const firstEmbedder = findFirstEmbedder(model, names, configs);
  return orderedUpstreams.filter(
    ({ rules: { name, kind } }) =>
      kind !== 'embeddings' ||
      firstEmbedder === undefined ||
      spaceOf(name) === spaceOf(firstEmbedder),
  );
}

/**
 * Finds the first upstream with embeddings of the model, in the order of the route or by priority.
 */
function findFirstEmbedder(
  model: string,
  names: ModelRouteConfig['upstreams'],
  configs: readonly UpstreamConfig[],
): string | undefined {
  const embedders = configs.filter(
    ({ kind, models }) =>
      kind === 'embeddings' && (models === undefined || Object.hasOwn(models, model)),
  );
  if (names !== undefined)
    return names.find((name) => embedders.some((each) => each.name === name));
  return embedders.toSorted((a, b) => a.priority - b.priority)[0]?.name;
}
