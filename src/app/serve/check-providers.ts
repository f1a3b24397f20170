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
import type { ProvidersConfig } from '../../gateway/capabilities/providers-config.ts';
import { Fault } from '../../kernel/errors/fault.ts';
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

const inputs: Readonly<Record<string, unknown>> = {
  social: { platform: 'youtube', action: 'search', params: { keyword: 'open weights' } },
  'svc-image': { prompt: 'A red circle on white paper' },
  'svc-video': { prompt: 'A red circle that grows slowly' },
  search: { q: 'open weights', limit: 5 },
};

export async function checkProviders(
  config: Config,
  world: World,
  { capability: id, provider, input = inputs[id] }: ProviderCheckOptions,
): Promise<readonly ProviderCheckResult[]> {
  const variants = variantsOf(config.file.providers, id, provider ?? null);
  const results: ProviderCheckResult[] = [];
  for (const { name, providers } of variants) {
    results.push({ name, ...(await checkOne(config, world, { id, providers, input })) });
  }
  return results;
}

type Variant = { readonly name: string; readonly providers: ProvidersConfig };

/** One configuration for each provider, which contains only this provider. */
function variantsOf(
  providers: ProvidersConfig,
  id: string,
  wantedKind: string | null,
): readonly Variant[] {
  const section = Object.hasOwn(sections, id) ? sections[id as keyof typeof sections] : null;
  if (section === null) return [{ name: id, providers }];
  const entries: readonly { readonly kind: string }[] = providers[section];
  const selected = entries.filter(({ kind }) => wantedKind === null || kind === wantedKind);
  if (wantedKind !== null && selected.length === 0) {
    const kindNames = entries.map(({ kind }) => kind).join(', ') || 'none';
    throw new Fault(
      'invalid_request',
      `providers.${section} has no provider of the kind ${wantedKind}. It has: ${kindNames}.`,
    );
  }
  if (selected.length === 0) return [{ name: id, providers }];
  return selected.map((entry) => ({
    name: entry.kind,
    providers: { ...providers, [section]: [entry] },
  }));
}

type Trial = { readonly id: string; readonly providers: ProvidersConfig; readonly input: unknown };

async function checkOne(
  config: Config,
  world: World,
  { id, providers, input }: Trial,
): Promise<CapabilityCheck> {
  const urlOf = (own: string | null, port: number) =>
    own ?? `http://${hostInUrl(config.host)}:${port}`;
  const siteUrl = () => urlOf(config.gatewayUrl, config.gatewayPort);
  const media = openMediaStore(world, providers.media, { dataDir: config.dataDir, siteUrl });
  const radarUrl = () => urlOf(config.radarUrl, config.radarPort);
  const capabilities = openCapabilities(world, providers, media, { radarUrl });
  const capability = capabilities.find((capability) => capability.id === id);
  if (capability === undefined) {
    const knownNames = capabilities.map((capability) => capability.id).join(', ');
    throw new Fault('invalid_request', `There is no capability ${id}. There are: ${knownNames}.`);
  }
  const missing = await capability.missing();
  if (missing !== null) {
    throw new Fault('invalid_request', `${missing} See docs/providers.md.`);
  }
  if (input === undefined) {
    throw new Fault(
      'invalid_request',
      `${id} works on media of yours: add --input with a request body, for example ` +
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
