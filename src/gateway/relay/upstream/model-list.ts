// Provides the models of an upstream: from the configuration, or from the upstream's own list,
// which is cached. An unreachable upstream keeps its last list.

import { CancelToken } from '../../../kernel/concurrency/cancel-token.ts';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import type { StreamingClients } from '../../../kernel/net/streaming-client.ts';
import { startTimer } from '../../../kernel/time/clock.ts';
import type { World } from '../../../kernel/world.ts';
import type { UpstreamConfig } from '../relay-config.ts';
import { readBounded } from './read-bounded.ts';
import type { ListedModelInfo } from './upstream.ts';

export type ModelList = {
  /** Models by id; null: the upstream has not listed its models yet. */
  current(): ReadonlyMap<string, ListedModel> | null;
  isFresh(): boolean;
  /** Refreshes an old list; never rejects. */
  refresh(): Promise<void>;
};

export type ListedModel = { readonly model: ListedModelInfo; readonly upstreamModel: string };

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Retry interval for an unreachable upstream. */
const RETRY_MS = 5_000;

export function openModelList(
  world: World,
  clients: StreamingClients,
  { config, ttlMs }: { readonly config: UpstreamConfig; readonly ttlMs: number },
): ModelList {
  const { name, models } = config;
  if (models !== undefined) {
    const configuredModels = new Map(
      Object.entries(models).map(([id, upstreamModel]) => [
        id,
        { model: modelOf(id, 0, name), upstreamModel },
      ]),
    );
    return { current: () => configuredModels, isFresh: () => true, refresh: async () => {} };
  }
  let cachedModels: ReadonlyMap<string, ListedModel> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let pendingRefresh: Promise<void> | null = null;
  const refreshModels = async () => {
    try {
      const listedModels = await requestModels(world, clients, config);
      cachedModels = new Map(
        listedModels.map((model) => [model.id, { model, upstreamModel: model.id }]),
      );
      freshUntil = world.clock.now() + ttlMs;
    } catch (error) {
      freshUntil = world.clock.now() + Math.min(RETRY_MS, ttlMs);
      world.log.warn(
        { upstream: name, error: messageOf(error) },
        'models not listed; the last list stays in use',
      );
    }
  };
  const isFresh = () => {
    // A remaining time above the lifetime shows that the clock moved back.
    const remainingMs = freshUntil - world.clock.now();
    return remainingMs > 0 && remainingMs <= ttlMs;
  };
  return {
    current: () => cachedModels,
    isFresh,
    refresh: async () => {
      if (isFresh()) return;
      pendingRefresh ??= refreshModels().finally(() => {
        pendingRefresh = null;
      });
      await pendingRefresh;
    },
  };
}

async function requestModels(
  { clock }: World,
  clients: StreamingClients,
  config: UpstreamConfig,
): Promise<ListedModelInfo[]> {
  const { url, name, kind } = config;
  const timeout = new CancelToken<'timed_out'>();
  const cancelTimer = startTimer(clock, TIMEOUT_MS, () => timeout.cancel('timed_out'));
  try {
    const headers = {
      accept: 'application/json',
      ...authorization(config),
      ...(kind === 'anthropic-messages' && { 'anthropic-version': ANTHROPIC_VERSION }),
    };
    const client = clients.clientFor({ url: `${url}/models`, method: 'GET', headers });
    const { status, body } = await client.prepare(null, timeout).send();
    const bytes = await readBounded(body, MAX_BYTES);
    return readModels(status, bytes, name);
  } finally {
    cancelTimer();
  }
}

/** The API version that the relay sends when the client sent none. */
export const ANTHROPIC_VERSION = '2023-06-01';

export function authorization({ kind, key }: UpstreamConfig): Record<string, string> {
  if (key === undefined) return {};
  return kind === 'anthropic-messages' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` };
}

function readModels(status: number, bytes: Buffer | null, owner: string): ListedModelInfo[] {
  const refuse = (problem: string): never => {
    throw new Fault('upstream_error', `GET /models: ${problem}`);
  };
  if (bytes === null) return refuse('the response is too long');
  if (status !== 200) return refuse(`status ${status}`);
  const { data } = JSON.parse(bytes.toString('utf8')) as { readonly data?: unknown };
  if (!Array.isArray(data)) return refuse('"data" is no list');
  return data.flatMap((model: unknown) => {
    const {
      id,
      created,
      created_at: date,
      owned_by: ownedBy,
    } = (model ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || id === '') return [];
    const createdAt = typeof created === 'number' ? Math.trunc(created) : secondsOf(date);
    return [modelOf(id, createdAt, typeof ownedBy === 'string' ? ownedBy : owner)];
  });
}

/** Converts the RFC 3339 date of Anthropic's lists to epoch seconds. */
const secondsOf = (date: unknown) => {
  const ms = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isFinite(ms) ? Math.floor(ms / 1000) : 0;
};

const modelOf = (id: string, created: number, owner: string): ListedModelInfo => ({
  id,
  object: 'model',
  created,
  owned_by: owner,
});
