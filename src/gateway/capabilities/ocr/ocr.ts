// The `ocr` capability: text in pictures, read by Debian's tesseract. Free, 1 to 10 pictures a
// call, and a call of bad pictures alone is still answered: each says what was wrong with it.
import { z } from 'zod';
import type { World } from '../../../kernel/world.ts';
import { rememberedCheck } from '../cached-check.ts';
import type { Capability, Outcome } from '../capability.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { runCommand } from '../run-command.ts';
import { askMagic } from '../sandbox-inputs.ts';
import { openSlots } from '../slots.ts';
import { type PictureText, readPicture } from './read-image.ts';

const input = z.strictObject({
  image_urls: z
    .array(z.url({ protocol: /^https?$/ }).max(4096))
    .min(1)
    .max(10),
});

type Input = z.infer<typeof input>;

/** How many pictures of one call are under way at once. */
const picturesAtOnce = 4;

export function openOcr(world: World, config: ProvidersConfig['ocr']): Capability<Input> {
  const reader = { ...config, slots: openSlots(config.concurrency) };
  return {
    ...{ id: 'ocr', name: 'Image OCR', method: 'POST', path: '/api/v1/capabilities/ocr' },
    ...{ key: 'sk', isAsync: false, input },
    quote: () => ({ sku: 'ocr', unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: rememberedCheck(world, () => whatIsMissing(world, config.command)),
    run: async (context, { image_urls }) => {
      const perCall = openSlots(picturesAtOnce);
      let done = 0;
      const images = await Promise.all(
        image_urls.map((url) =>
          perCall.run(async () => {
            const picture = await readPicture(context, reader, url);
            done += 1;
            context.progress(done / image_urls.length);
            return picture;
          }),
        ),
      );
      return { kind: 'done', data: { images }, quantity: 1 };
    },
    sandbox: async (context, { image_urls }) => {
      const images: PictureText[] = [];
      for (const url of image_urls) {
        const magic = await askMagic(context, url);
        if (magic.kind === 'fails') return magic.outcome;
        images.push(sandboxPicture(url, magic.kind === 'empty'));
      }
      return { kind: 'done', data: { images }, quantity: 1 } satisfies Outcome;
    },
    health: () => ({ healthy: true, providers: [] }),
  };
}

function sandboxPicture(url: string, isEmpty: boolean): PictureText {
  const text = isEmpty ? '' : 'Sandbox text';
  const box = [16, 16, 180, 24] as const;
  return { url, text, blocks: isEmpty ? [] : [{ text, confidence: 0.98, box }], error: null };
}

const languages = ['eng', 'chi_sim'];

async function whatIsMissing(world: World, command: string): Promise<string | null> {
  const outcome = await runCommand(world, {
    file: command,
    args: ['--list-langs'],
    ...{ timeoutMs: 10_000, maxBytes: 64 * 1024 },
  });
  const install = 'apt-get install tesseract-ocr tesseract-ocr-chi-sim';
  if (outcome.kind !== 'ended' || outcome.status !== 0) {
    return `OCR needs tesseract (${command}), which does not run here: ${install}.`;
  }
  // Older versions list the languages on standard error.
  const listed = `${outcome.out.toString('utf8')}\n${outcome.note}`.split(/\s+/);
  const absent = languages.filter((language) => !listed.includes(language));
  return absent.length === 0 ? null : `Tesseract lacks ${absent.join(' and ')}: ${install}.`;
}
