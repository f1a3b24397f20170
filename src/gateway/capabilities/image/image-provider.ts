// Calls image providers at `/images/generations` of the configured address. The request is
// `{ model, prompt, size, n }`. The response contains the image in base 64, or a temporary URL,
// which is fetched at once.
import { z } from 'zod';
import type { ProviderFailure, ProviderHealth, RunContext } from '../capability.ts';
import { upstreamError } from '../provider-failures.ts';
import { fetchResult } from '../providers/fetch-result.ts';
import { openProvider } from '../providers/provider.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import type { nearestSize } from './nearest-size.ts';

export type GeneratedImages = {
  readonly kind: 'made';
  readonly images: readonly Uint8Array[];
  readonly revisedPrompt: string | null;
};

export type ImageProvider = {
  readonly name: string;
  make(
    context: Pick<RunContext, 'signal' | 'requestId'>,
    input: { readonly prompt: string; readonly size: ReturnType<typeof nearestSize> },
  ): Promise<GeneratedImages | ProviderFailure>;
  health(): ProviderHealth;
};

/** Some servers send an empty string for the field that they do not fill. */
const emptyAsNull = z.literal('').transform(() => null);

const responseBody = z.object({
  data: z
    .array(
      z
        .object({
          b64_json: emptyAsNull.or(z.base64()).nullish(),
          url: emptyAsNull.or(z.url()).nullish(),
          revised_prompt: z.string().nullish(),
        })
        .refine((image) => Boolean(image.b64_json ?? image.url), 'neither b64_json nor url'),
    )
    .min(1),
});

const maxImageBytes = 30 * 2 ** 20;

export function openImageProvider(
  world: ProviderWorld,
  config: ProvidersConfig['image'][number],
): ImageProvider {
  const provider = openProvider(world, {
    name: `image:${config.kind}`,
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
  });
  return {
    name: provider.name,
    make: async ({ signal }, { prompt, size }) => {
      const json = { model: config.model, prompt, size, n: 1 };
      const path = '/images/generations';
      const maxBytes = 2 * maxImageBytes;
      const response = await provider.read(
        { path, method: 'POST', json, maxBytes, signal },
        responseBody,
      );
      if (response.kind === 'refused')
        return promptFailure(provider.name, response.status, response.bytes);
      if (response.kind === 'absent') return upstreamError(`${provider.name} has no ${path}`);
      if (response.kind === 'failed') return response;
      const images: Uint8Array[] = [];
      for (const { b64_json, url } of response.value.data) {
        const image = b64_json
          ? { kind: 'fetched' as const, bytes: Buffer.from(b64_json, 'base64') }
          : await fetchResult(world, config, { url: url ?? '', maxBytes: maxImageBytes, signal });
        if (image.kind === 'failed') return image;
        images.push(image.bytes);
      }
      const revisedPrompt = response.value.data[0]?.revised_prompt ?? null;
      return { kind: 'made', images, revisedPrompt };
    },
    health: provider.health,
  };
}

/**
 * A 400 of these providers means that the prompt violates their rules. The form of the request is
 * correct, because this program builds it.
 */
function promptFailure(name: string, status: number, bytes: Uint8Array): ProviderFailure {
  const text = new TextDecoder().decode(bytes).slice(0, 300);
  const internal = `${name} refused with ${status}: ${text}`;
  return { ...upstreamError(internal), message: 'The provider refused this prompt.' };
}
