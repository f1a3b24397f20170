// The `svc-image` capability generates images from a prompt. Type and size of an image are read
// from its bytes, not from the provider's description. The gateway stores and serves each image for
// 24 hours.
import { z } from 'zod';
import type { Capability, Outcome, RunContext } from '../capability.ts';
import { callFirstAvailable } from '../first-available.ts';
import type { MediaStore } from '../media/media-store.ts';
import { type MediaFacts, readMedia } from '../media/read-media.ts';
import { upstreamError } from '../provider-failures.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { readSandboxInput } from '../sandbox-inputs.ts';
import type { ProviderWorld } from '../switches.ts';
import { textOfLength } from '../text-rules.ts';
import { openImageProvider } from './image-provider.ts';
import { nearestSize, ratioOf } from './nearest-size.ts';
import { sampleImage } from './sample-image.ts';

const input = z.strictObject({
  prompt: textOfLength(1, 4000),
  aspect_ratio: z
    .string()
    .refine((text) => ratioOf(text) !== null, {
      error: () => 'must be W:H, both 1 to 32, between 1:4 and 4:1',
    })
    .meta({
      description:
        'W:H, both 1 to 32, between 1:4 and 4:1; data.notes states if the image has another ratio',
      pattern: '^([1-9]|[12][0-9]|3[0-2]):([1-9]|[12][0-9]|3[0-2])$',
    })
    .default('1:1'),
});

type Input = z.infer<typeof input>;

export function openSvcImage(
  world: ProviderWorld,
  config: ProvidersConfig['image'],
  media: MediaStore,
): Capability<Input> {
  const providers = config.map((entry) => openImageProvider(world, entry));
  return {
    id: 'svc-image',
    name: 'Text to image',
    method: 'POST',
    key: 'sk',
    isAsync: false,
    path: '/api/v1/capabilities/svc-image',
    input,
    isRepeatable: false,
    quote: () => ({ sku: 'svc_image', unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: async () =>
      providers.length > 0 ? null : 'Text to image needs an entry in providers.image.',
    run: async (context, { prompt, aspect_ratio }) => {
      const size = nearestSize(ratioOf(aspect_ratio) ?? 1);
      const images = await callFirstAvailable(providers, 'Text to image', (provider) =>
        provider.make(context, { prompt, size }),
      );
      if (images.kind === 'failed') return images;
      return storeImages(media, images.images, {
        revisedPrompt: images.revisedPrompt,
        aspect_ratio,
      });
    },
    sandbox: (context, input) => runSandbox(context, media, input),
    health: () => {
      const health = providers.map((provider) => provider.health());
      return { healthy: health.some(({ healthy }) => healthy), providers: health };
    },
  };
}

async function storeImages(
  media: MediaStore,
  imageFiles: readonly Uint8Array[],
  {
    revisedPrompt,
    aspect_ratio,
  }: { readonly revisedPrompt: string | null; readonly aspect_ratio: string },
): Promise<Outcome> {
  const images: object[] = [];
  const notes = new Set<string>();
  for (const bytes of imageFiles) {
    const mediaFacts = readMedia(bytes);
    const isImage = mediaFacts !== null && mediaFacts.mimeType !== 'video/mp4';
    const storedImage = isImage ? await media.store(bytes) : null;
    if (storedImage === null) return upstreamError('the result is no PNG, JPEG or WebP');
    const { width, height } = mediaFacts ?? {};
    images.push({ url: storedImage.url, mime_type: storedImage.mimeType, width, height });
    if (!hasRatio(mediaFacts, aspect_ratio)) {
      notes.add(
        `The image is ${width}x${height}: the provider does not support ${aspect_ratio}, and ` +
          'this is its nearest size.',
      );
    }
  }
  const data = { images, revised_prompt: revisedPrompt };
  const isAsRequested = notes.size === 0;
  return { kind: 'done', data: isAsRequested ? data : { ...data, notes: [...notes] }, quantity: 1 };
}

/** The ratio may differ by two percent, because pixels are whole numbers. */
function hasRatio(mediaFacts: MediaFacts | null, aspect_ratio: string): boolean {
  const { width, height } = mediaFacts ?? {};
  const ratio = ratioOf(aspect_ratio);
  if (!width || !height || ratio === null) return true;
  return Math.abs(Math.log(width / height / ratio)) <= 0.02;
}

async function runSandbox(
  context: RunContext,
  media: MediaStore,
  { prompt, aspect_ratio }: Input,
): Promise<Outcome> {
  const sandboxInput = await readSandboxInput(context, prompt);
  if (sandboxInput.kind === 'fails') return sandboxInput.outcome;
  return storeImages(media, sandboxInput.kind === 'empty' ? [] : [sampleImage(aspect_ratio)], {
    revisedPrompt: null,
    aspect_ratio,
  });
}
