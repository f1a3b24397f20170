// The `ocr` capability reads text in images with the engine of the package or an operator's own
// tesseract. A call is free and reads 1 to 10 images. A faulty image does not affect the others;
// its entry has the error.

import { z } from 'zod';
import { openSemaphore } from '../../../kernel/concurrency/semaphore.ts';
import { hasPrivateHost } from '../../../kernel/net/address-rules.ts';
import type { World } from '../../../kernel/world.ts';
import type { Capability, Outcome } from '../capability.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { readSandboxInput } from '../sandbox-inputs.ts';
import { openCommandEngine } from './command-engine.ts';
import { openEmbeddedEngine } from './embedded-engine.ts';
import { type ImageText, readImage, refusedImage } from './read-image.ts';

const input = z.strictObject({
  image_urls: z
    .array(z.url({ protocol: /^https?$/ }).max(4096))
    .min(1)
    .max(10),
});

type Input = z.infer<typeof input>;

/** Concurrent images of one call. */
const imagesAtOnce = 4;

export function openOcr(world: World, config: ProvidersConfig['ocr']): Capability<Input> {
  const { command, readTimeoutMs } = config;
  const engine =
    command === undefined
      ? openEmbeddedEngine(world, { readTimeoutMs })
      : openCommandEngine(world, { command, readTimeoutMs });
  const reader = { ...config, engine, slots: openSemaphore(config.concurrency) };
  return {
    id: 'ocr',
    name: 'Image OCR',
    method: 'POST',
    path: '/api/v1/capabilities/ocr',
    key: 'sk',
    isAsync: false,
    input,
    quote: () => ({ sku: 'ocr', unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: engine.missing,
    run: async (context, { image_urls }) => {
      const slotsOfCall = openSemaphore(imagesAtOnce);
      let doneCount = 0;
      const images = await Promise.all(
        image_urls.map((url) =>
          slotsOfCall.run(context.accountId, async () => {
            const image = await readImage(context, reader, url);
            doneCount += 1;
            context.progress(doneCount / image_urls.length);
            return image;
          }),
        ),
      );
      return { kind: 'done', data: { images }, quantity: 1 };
    },
    sandbox: async (context, { image_urls }) => {
      const images: ImageText[] = [];
      for (const url of image_urls) {
        const sandboxInput = await readSandboxInput(context, url);
        if (sandboxInput.kind === 'fails') return sandboxInput.outcome;
        // As in live mode, only the image with a private address is refused; the others are read.
        images.push(
          hasPrivateHost(url)
            ? refusedImage(url)
            : sandboxImage(url, sandboxInput.kind === 'empty'),
        );
      }
      return { kind: 'done', data: { images }, quantity: 1 } satisfies Outcome;
    },
    health: () => ({ healthy: true, providers: [] }),
  };
}

function sandboxImage(url: string, isEmpty: boolean): ImageText {
  const text = isEmpty ? '' : 'Sandbox text';
  const box = [16, 16, 180, 24] as const;
  return { url, text, blocks: isEmpty ? [] : [{ text, confidence: 0.98, box }], error: null };
}
