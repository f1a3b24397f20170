// `radar provider check`: calls each configured provider of a capability once. Fallback providers
// are called too.
import type { ProviderCheckOptions, ProviderCheckResult } from '../../cli/app.ts';
import type { Config } from '../../config.ts';
import {
  type CapabilityCheck,
  checkCapability,
} from '../../gateway/capabilities/check-capability.ts';
import { openMediaStore } from '../../gateway/capabilities/media/open-media-store.ts';
import { openCapabilities } from '../../gateway/capabilities/open-capabilities.ts';
import { type ProvidersConfig, unitCost } from '../../gateway/capabilities/providers-config.ts';
import { checkUpstream } from '../../gateway/relay/check-upstream.ts';
import type { UpstreamConfig } from '../../gateway/relay/relay-config.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny } from '../../kernel/money.ts';
import { openStreamingClients } from '../../kernel/net/streaming-client.ts';
import type { World } from '../../kernel/world.ts';
import { hostInUrl } from './run.ts';

/**
 * The section of `providers` for each capability. OCR has a single program or engine instead of a
 * list.
 */
const sections = {
  social: 'social',
  transcribe: 'speech',
  'svc-image': 'image',
  'svc-video': 'video',
  search: 'search',
} as const;

const sampleInputs: Readonly<Record<string, unknown>> = {
  social: { platform: 'youtube', action: 'search', params: { keyword: 'first look' } },
  'svc-image': { prompt: 'A red circle on white paper' },
  'svc-video': { prompt: 'A red circle that grows slowly' },
  // Values of a query are text.
  search: { q: 'first look', limit: '5' },
};

/** Old public posts for providers that support single posts of one platform. */
const samplePosts: Readonly<Record<string, string>> = {
  bilibili: 'https://www.bilibili.com/video/BV1GJ411x7h7',
  youtube: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
  tiktok: 'https://www.tiktok.com/@scout2015/video/6718335390845095173',
  twitter: 'https://x.com/Interior/status/507185938620219395',
};

type ProviderEntry = { readonly kind: string; readonly platform?: string };

/**
 * A harmless request that the provider supports; undefined where a request needs the operator's
 * media.
 */
function sampleInput(id: string, entry: ProviderEntry | null): unknown {
  const platform = entry?.platform ?? entry?.kind ?? '';
  const url = id === 'social' ? samplePosts[platform] : undefined;
  return url === undefined ? sampleInputs[id] : { platform, action: 'content', params: { url } };
}

export async function checkProviders(
  config: Config,
  world: World,
  { capability: id, provider, input }: ProviderCheckOptions,
): Promise<readonly ProviderCheckResult[]> {
  if (id === RELAY) return checkUpstreams(config, world, { provider: provider ?? null, input });
  const variants = variantsOf(config.file.providers, id, provider ?? null);
  const results: ProviderCheckResult[] = [];
  for (const { name, entry, providers } of variants) {
    const checkInput = { id, providers, input: input ?? sampleInput(id, entry) };
    const check = await checkVariant(config, world, checkInput);
    results.push({ name, ...check, cost: costOf(config, id, check.billed.quantity) });
  }
  return results;
}

const RELAY = 'relay';

/** Checks each upstream of the relay, or the upstreams with this name or kind. */
async function checkUpstreams(
  { file: { relay } }: Config,
  world: World,
  { provider, input }: { readonly provider: string | null; readonly input: unknown },
): Promise<readonly ProviderCheckResult[]> {
  const isChosen = ({ name, kind }: UpstreamConfig) =>
    provider === null || name === provider || kind === provider;
  const upstreams = relay.upstreams.filter(isChosen);
  if (upstreams.length === 0) {
    const names = relay.upstreams.map(({ name, kind }) => `${name} (${kind})`).join(', ') || 'none';
    const nameClause = provider === null ? '' : ` named ${provider}`;
    throw new Fault(
      'invalid_request',
      `relay.upstreams has no upstream${nameClause}. It has: ${names}.`,
    );
  }
  if (input !== undefined && (typeof input !== 'object' || input === null)) {
    throw new Fault('invalid_request', '--input must be a JSON object, the body of a request.');
  }
  const clients = openStreamingClients();
  try {
    const results: ProviderCheckResult[] = [];
    for (const upstream of upstreams) {
      const check = await checkUpstream(world, clients, { relay, upstream, input: input ?? null });
      results.push({ name: upstream.name, ...check, cost: null });
    }
    return results;
  } finally {
    clients.close();
  }
}

/** CNY by `providerCosts`; null when it has no entry for the capability. */
function costOf({ file }: Config, id: string, quantity: number): string | null {
  const cost = unitCost(file.providerCosts, id);
  return cost === null ? null : formatCny(cost * BigInt(Math.ceil(quantity)));
}

type Variant = {
  readonly name: string;
  /** Null: the capability has no list of providers, or the list is empty. */
  readonly entry: ProviderEntry | null;
  readonly providers: ProvidersConfig;
};

/** One configuration for each provider, which contains only this provider. */
function variantsOf(
  providers: ProvidersConfig,
  id: string,
  wantedKind: string | null,
): readonly Variant[] {
  const section = Object.hasOwn(sections, id) ? sections[id as keyof typeof sections] : null;
  if (section === null) return [{ name: id, entry: null, providers }];
  const entries: readonly ProviderEntry[] = providers[section];
  const selected = entries.filter(({ kind }) => wantedKind === null || kind === wantedKind);
  if (wantedKind !== null && selected.length === 0) {
    const kindNames = entries.map(({ kind }) => kind).join(', ') || 'none';
    throw new Fault(
      'invalid_request',
      `providers.${section} has no provider of the kind ${wantedKind}. It has: ${kindNames}.`,
    );
  }
  if (selected.length === 0) return [{ name: id, entry: null, providers }];
  return selected.map((entry) => ({
    name: entry.kind,
    entry,
    providers: { ...providers, [section]: [entry] },
  }));
}

type CheckRequest = {
  readonly id: string;
  readonly providers: ProvidersConfig;
  readonly input: unknown;
};

async function checkVariant(
  config: Config,
  world: World,
  { id, providers, input }: CheckRequest,
): Promise<CapabilityCheck> {
  const urlOf = (configuredUrl: string | null, port: number) =>
    configuredUrl ?? `http://${hostInUrl(config.host)}:${port}`;
  const siteUrl = () => urlOf(config.gatewayUrl, config.gatewayPort);
  const media = openMediaStore(world, providers.media, { dataDir: config.dataDir, siteUrl });
  const radarUrl = () => urlOf(config.radarUrl, config.radarPort);
  const capabilities = openCapabilities(world, providers, media, { radarUrl });
  const capability = capabilities.find((capability) => capability.id === id);
  if (capability === undefined) {
    const knownNames = [...capabilities.map((each) => each.id), RELAY].join(', ');
    throw new Fault('invalid_request', `There is no capability ${id}. There are: ${knownNames}.`);
  }
  const missing = await capability.missing();
  if (missing !== null) {
    throw new Fault('invalid_request', `${missing} See docs/providers.md.`);
  }
  if (input === undefined) {
    throw new Fault(
      'invalid_request',
      `${id} needs your own media: add --input with a request body, for example ` +
        `--input '${id === 'ocr' ? '{"image_urls":["https://…"]}' : '{"url":"https://…"}'}'.`,
    );
  }
  const parsed = capability.input.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    );
    throw new Fault('invalid_request', `--input: ${problems.join('; ')}`);
  }
  capability.check?.(parsed.data);
  return checkCapability(world, capability, parsed.data);
}
