// Makes one real call to an upstream of the relay without an account, so that operators can test
// their keys: `radar provider check relay`.
import { CancelToken } from '../../kernel/concurrency/cancel-token.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { StreamingClients } from '../../kernel/net/streaming-client.ts';
import type { World } from '../../kernel/world.ts';
import { allDialects } from './dialects/all-dialects.ts';
import type { ApiDialect, CompleteUsage } from './dialects/dialect.ts';
import type { RelayConfig, UpstreamConfig } from './relay-config.ts';
import { prepareResponse, type StartResult } from './start-response.ts';
import { ANTHROPIC_VERSION } from './upstream/model-list.ts';
import { openUpstreamHealth } from './upstream/upstream-health.ts';
import { openUpstreams } from './upstream/upstreams.ts';

/** Has the fields of `CapabilityCheck`. */
type UpstreamCheckResult = {
  readonly providers: readonly string[];
  readonly durationMs: number;
  readonly filled: readonly string[];
  readonly empty: readonly string[];
  readonly emptyLists: readonly string[];
  readonly billed: { readonly sku: string; readonly quantity: number; readonly unit: string };
  readonly failure: { readonly code: string; readonly detail: string } | null;
};

type UpstreamCheck = {
  /** The section `relay` of the configuration. */
  readonly relay: RelayConfig;
  readonly upstream: UpstreamConfig;
  /**
   * Body of the request; null: a sample body. If the body names no model, the upstream's first
   * model is used.
   */
  readonly input: object | null;
};

const SAMPLE_PROMPT = 'Reply with one word.';
const MAX_TOKENS = 16;

const samples: Readonly<Record<ApiDialect['name'], object>> = {
  chat: { messages: [{ role: 'user', content: SAMPLE_PROMPT }], max_tokens: MAX_TOKENS },
  messages: { messages: [{ role: 'user', content: SAMPLE_PROMPT }], max_tokens: MAX_TOKENS },
  responses: { input: SAMPLE_PROMPT, max_output_tokens: MAX_TOKENS },
  embeddings: { input: SAMPLE_PROMPT },
};

export async function checkUpstream(
  world: World,
  clients: StreamingClients,
  { relay, upstream, input }: UpstreamCheck,
): Promise<UpstreamCheckResult> {
  const startedAt = world.clock.now();
  const stopController = new AbortController();
  const upstreams = openUpstreams(
    world,
    // The routes are left out, because a route can send a model to other upstreams.
    { ...relay, models: {}, upstreams: [upstream] },
    {
      clients,
      stop: stopController.signal,
      openHealth: (name) => openUpstreamHealth(world.clock, { name, isOff: () => false }),
    },
  );
  const toCheckResult = (findings: Partial<UpstreamCheckResult>): UpstreamCheckResult => ({
    providers: [upstream.name],
    durationMs: world.clock.now() - startedAt,
    filled: [],
    empty: [],
    emptyLists: [],
    billed: { sku: 'chat', quantity: 0, unit: 'tokens' },
    failure: null,
    ...findings,
  });
  try {
    const models = await upstreams.models();
    if (models === null) {
      throw new Fault('upstream_error', 'The address /models of the upstream lists no models.');
    }
    const dialect = allDialects.find(({ kind }) => kind === upstream.kind);
    if (dialect === undefined) {
      throw new Fault('invalid_request', `No dialect has the kind ${upstream.kind}.`);
    }
    const body = { model: models[0]?.id, ...(input ?? samples[dialect.name]) };
    const request = { ...dialect.readRequest(JSON.stringify(body)), isStream: false };
    const usableUpstreams = await upstreams.upstreamsOf(request.model);
    if (usableUpstreams.length === 0) {
      const detail = `The upstream has no model ${request.model}.`;
      throw new Fault('not_found', detail);
    }
    const result = await prepareResponse(world, {
      dialect,
      request,
      upstreams: usableUpstreams,
      accountId: 'check',
      route: upstreams.routeOf(request.model),
      upstreamsOf: () => [],
      routeOf: upstreams.routeOf,
      isPriced: () => true,
      signals: {
        disconnected: new CancelToken(),
        stopping: new CancelToken(),
        isStopping: () => false,
      },
      headers: {
        dialect:
          upstream.kind === 'anthropic-messages' ? { 'anthropic-version': ANTHROPIC_VERSION } : {},
        session: {},
        traceparent: null,
        hops: 1,
      },
      deadlineMs: upstreams.deadlineMs,
      mayUse: () => false,
    }).begin();
    return toCheckResult(describeResult(result, models.length));
  } catch (error) {
    const isFault = error instanceof Fault;
    const code = isFault ? error.code : 'upstream_error';
    const detail = isFault ? (error.internal ?? error.message) : messageOf(error);
    return toCheckResult({ failure: { code, detail } });
  } finally {
    stopController.abort();
  }
}

function describeResult(result: StartResult, modelCount: number): Partial<UpstreamCheckResult> {
  if (result.kind === 'refused') {
    const { message } = result.error;
    return { failure: { code: 'invalid_request', detail: `status ${result.status}: ${message}` } };
  }
  if (result.kind !== 'complete') {
    return {
      failure: {
        code: 'upstream_error',
        detail: 'the upstream sent a stream instead of a complete response',
      },
    };
  }
  const paths = { models: modelCount, model: result.reportedModel, ...usagePaths(result.usage) };
  const [filled, empty] = [true, false].map((isFilled) =>
    Object.entries(paths).flatMap(([path, value]) => (Boolean(value) === isFilled ? path : [])),
  );
  const { usage } = result.usage;
  const quantity = usage === null ? 0 : usage.prompt + usage.completion;
  return {
    filled: filled ?? [],
    empty: empty ?? [],
    billed: { sku: 'chat', quantity, unit: 'tokens' },
  };
}

const usagePaths = ({ usage, written }: CompleteUsage) => ({
  text: written,
  'usage.input': usage?.prompt,
  'usage.output': usage?.completion,
  'usage.cache_read': usage?.cacheRead,
  'usage.reasoning': usage?.reasoning,
});
