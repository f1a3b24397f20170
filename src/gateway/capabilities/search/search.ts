// The `search` capability queries all configured engines concurrently and merges their results.
// Without an engine it searches this installation's radar. A failed engine is omitted; the call
// fails when all engines fail.
import { z } from 'zod';
import { wholeNumber } from '../../../kernel/http/whole-number.ts';
import type { Capability, Outcome, RunContext } from '../capability.ts';
import { mergeFailures } from '../provider-failures.ts';
import type { SearchConfig } from '../providers-config.ts';
import { readSandboxInput } from '../sandbox-inputs.ts';
import type { ProviderWorld } from '../switches.ts';
import { textOfLength } from '../text-rules.ts';
import { mergeResults } from './merge-results.ts';
import { openSearchProvider, type SearchProvider, type SearchResult } from './search-provider.ts';

const input = z.strictObject({
  q: textOfLength(1, 400),
  limit: wholeNumber(1, 20, 10),
  page: wholeNumber(1, 10, 1),
});

type Input = z.infer<typeof input>;

/** `radarUrl`: this installation's radar; null while it is not known, or when there is none. */
export function openSearch(
  world: ProviderWorld,
  config: readonly SearchConfig[],
  radarUrl: () => string | null,
): Capability<Input> {
  const configuredProviders = config.map((entry) => openSearchProvider(world, entry));
  let radarSearch: { readonly url: string; readonly provider: SearchProvider } | null = null;
  const providers = (): readonly SearchProvider[] => {
    if (configuredProviders.length > 0) return configuredProviders;
    const url = radarUrl();
    if (url === null) return [];
    if (radarSearch?.url !== url) radarSearch = { url, provider: openRadar(world, url) };
    return [radarSearch.provider];
  };
  return {
    id: 'search',
    name: 'Web search',
    method: 'GET',
    key: 'ak',
    isAsync: false,
    path: '/api/v1/search/engine/search',
    input,
    quote: () => ({ sku: null, unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: async () =>
      providers().length > 0 ? null : 'Web search needs an entry in providers.search.',
    run: (context, input) => runSearch(context, providers(), input),
    sandbox: runSandbox,
    health: () => {
      const health = providers().map((provider) => provider.health());
      return { healthy: health.some(({ healthy }) => healthy), providers: health };
    },
  };
}

function openRadar(world: ProviderWorld, url: string): SearchProvider {
  return openSearchProvider(world, { kind: 'radar', url, timeoutMs: 10_000, privateHosts: [] });
}

async function runSearch(
  { signal }: RunContext,
  providers: readonly SearchProvider[],
  { q, limit, page }: Input,
): Promise<Outcome> {
  const input = { query: q.trim(), limit, page };
  const outcomes = await Promise.all(
    providers.map(async (provider) => ({ provider, result: await provider.search(signal, input) })),
  );
  const resultsByProvider = outcomes.flatMap(({ provider, result }) =>
    result.kind === 'found' ? [{ name: provider.name, results: result.results }] : [],
  );
  if (resultsByProvider.length === 0) {
    const failures = outcomes.flatMap(({ result }) => (result.kind === 'failed' ? [result] : []));
    return mergeFailures(failures, 'Web search');
  }
  const results = mergeResults(resultsByProvider.map(({ results }) => results)).slice(0, limit);
  const provider = resultsByProvider.map(({ name }) => name).join('+');
  return { kind: 'done', data: { query: q, results, provider }, quantity: 1 };
}

async function runSandbox(context: RunContext, { q }: Input): Promise<Outcome> {
  const sandboxInput = await readSandboxInput(context, q);
  if (sandboxInput.kind === 'fails') return sandboxInput.outcome;
  const result: SearchResult = {
    title: 'Sandbox result',
    url: 'https://example.com/result',
    snippet: 'Nothing was searched for this result.',
    published_at: '2026-01-01T00:00:00.000Z',
    source: 'example.com',
  };
  const results = sandboxInput.kind === 'empty' ? [] : [result];
  return { kind: 'done', data: { query: q, results, provider: 'sandbox' }, quantity: 1 };
}
