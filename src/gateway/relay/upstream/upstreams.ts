// Opens the configured upstreams, finds the upstreams that offer a model, and lists all models.

import type { StreamingClients } from '../../../kernel/net/streaming-client.ts';
import { type Deadlines, openDeadlines } from '../../../kernel/time/deadlines.ts';
import type { World } from '../../../kernel/world.ts';
import { allDialects } from '../dialects/all-dialects.ts';
import {
  type ModelRouteConfig,
  openRoutes,
  type RelayConfig,
  type UpstreamConfig,
} from '../relay-config.ts';
import { authorization, type ModelList, openModelList } from './model-list.ts';
import { upstreamsOfRoute } from './route-upstreams.ts';
import type { ListedModelInfo, Upstream } from './upstream.ts';
import type { UpstreamHealth } from './upstream-health.ts';

export type Upstreams = {
  readonly isConfigured: boolean;
  /** Upstreams of any kind that have the model or may have it. */
  upstreamsOf(model: string): readonly Upstream[] | Promise<readonly Upstream[]>;
  /** Time after a call's first attempt within which further attempts may start. */
  readonly deadlineMs: number;
  /** The longest possible time of a call, at any upstream. */
  readonly longestCallMs: number;
  /** Timers of calls. */
  readonly deadlines: Deadlines;
  /** The settings of a model, completed with defaults. */
  routeOf(model: string): ModelRouteConfig;
  /** In order of their ids; null while no upstream has listed its models. */
  models(): Promise<readonly ListedModelInfo[] | null>;
};

type UpstreamListDeps = {
  readonly clients: StreamingClients;
  readonly openHealth: (name: string) => UpstreamHealth;
  /** Ends the timers of all upstreams. */
  readonly stop?: AbortSignal;
};

/** The time limits of the sandbox, which serves test keys. */
export const SANDBOX_MS = 60_000;
const longestAttemptMs = ({ maxMs, responseTimeoutMs }: UpstreamConfig) =>
  Math.max(maxMs, responseTimeoutMs);

export function openUpstreams(
  world: World,
  { upstreams: configs, models: routes, modelsTtlMs: ttlMs, deadlineMs }: RelayConfig,
  { clients, openHealth, stop }: UpstreamListDeps,
): Upstreams {
  const deadlines = openDeadlines(world.clock, stop);
  const all = configs.map((config) => {
    const list = openModelList(world, clients, { config, ttlMs });
    const health = openHealth(config.name);
    return { list, upstream: openUpstream(config, { list, clients, health, deadlines }) };
  });
  const refreshAll = () => Promise.all(all.map(({ list }) => list.refresh()));
  const routeOf = openRoutes(routes);
  const upstreamsOf = (model: string) => {
    const withModel = all.flatMap(({ upstream }) =>
      upstream.modelFor(model) === null ? [] : [upstream],
    );
    return upstreamsOfRoute(withModel, { model, route: routeOf(model), configs });
  };
  return {
    isConfigured: all.length > 0,
    deadlineMs,
    longestCallMs: deadlineMs + Math.max(SANDBOX_MS, ...configs.map(longestAttemptMs)),
    deadlines,
    routeOf,
    upstreamsOf: (model) => {
      const withModel = upstreamsOf(model);
      const refreshed = all.every(({ list }) => list.isFresh()) ? null : refreshAll();
      // A model without an upstream may be new, so the lists are refreshed first. A request for a
      // known model does not wait.
      if (withModel.length > 0 || refreshed === null) return withModel;
      return refreshed.then(() => upstreamsOf(model));
    },
    models: async () => {
      await refreshAll();
      const mergedModels = new Map<string, ListedModelInfo>();
      const knownLists = all.flatMap(({ list, upstream }) => {
        const models = list.current();
        return models === null ? [] : [{ name: upstream.rules.name, models }];
      });
      for (const { name, models } of knownLists) {
        for (const [id, { model }] of models) {
          const isServed = routeOf(id).upstreams?.includes(name) ?? true;
          if (isServed && !mergedModels.has(id)) mergedModels.set(id, model);
        }
      }
      if (knownLists.length === 0) return null;
      return [...mergedModels.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}

type UpstreamDeps = {
  readonly list: ModelList;
  readonly clients: StreamingClients;
  readonly health: UpstreamHealth;
  readonly deadlines: Deadlines;
};

function openUpstream(
  config: UpstreamConfig,
  { list, clients, health, deadlines }: UpstreamDeps,
): Upstream {
  const { url, key: _key, models: _models, ...rules } = config;
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    'user-agent': 'ContentRadar/relay',
    ...authorization(config),
  };
  const path = allDialects.find(({ kind }) => kind === config.kind)?.path ?? '';
  const client = clients.clientFor({ url: `${url}${path}`, method: 'POST', headers });
  const tokenCountClient =
    config.kind === 'anthropic-messages'
      ? clients.clientFor({ url: `${url}/messages/count_tokens`, method: 'POST', headers })
      : null;
  return {
    rules,
    health,
    deadlines,
    modelFor: (model) => {
      const listedModels = list.current();
      return listedModels === null ? model : (listedModels.get(model)?.upstreamModel ?? null);
    },
    prepare: client.prepare,
    countTokens: tokenCountClient?.prepare ?? null,
  };
}
