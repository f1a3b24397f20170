// Downloads one image and reads its text. Every failure is a value, so a faulty image does not
// affect the others.
import type { Semaphore } from '../../../kernel/concurrency/semaphore.ts';
import type { NetFailure } from '../../../kernel/net/net.ts';
import type { RunContext } from '../capability.ts';
import { readImageHeader } from '../image-header.ts';
import { betterAttempt, isConfident } from './choose-language.ts';
import type { OcrEngine, UnreadImage } from './ocr-engine.ts';
import type { OcrBlock, OcrPage } from './read-tsv.ts';

export type ImageError = {
  readonly code:
    | 'image_unavailable'
    | 'image_refused'
    | 'image_too_large'
    | 'unsupported_image'
    | 'unreadable_image'
    | 'timed_out';
  readonly message: string;
};

export type ImageText = {
  readonly url: string;
  readonly text: string;
  readonly blocks: readonly OcrBlock[] | null;
  readonly error: ImageError | null;
};

export type ImageReader = {
  readonly engine: OcrEngine;
  readonly fetchTimeoutMs: number;
  readonly privateHosts: readonly string[];
  readonly slots: Semaphore;
};

const maxBytes = 10 * 2 ** 20;
const maxPixels = 40_000_000;

/** Rejects only when the call is aborted. */
export async function readImage(
  context: Pick<RunContext, 'world' | 'accountId' | 'signal'>,
  reader: ImageReader,
  url: string,
): Promise<ImageText> {
  const { world, accountId, signal } = context;
  const outcome = await world.net.request({
    url,
    headers: { accept: 'image/png, image/jpeg, image/webp, image/bmp' },
    timeoutMs: reader.fetchTimeoutMs,
    maxBytes,
    gapMs: 0,
    privateHosts: reader.privateHosts,
    signal,
  });
  const failedImage = (code: ImageError['code'], message: string): ImageText => ({
    url,
    text: '',
    blocks: null,
    error: { code, message },
  });
  signal.throwIfAborted();
  if (outcome.kind === 'failed') return failedImage(...netError(outcome));
  if (outcome.status !== 200) {
    return failedImage('image_unavailable', `The server answered ${outcome.status}.`);
  }
  const header = readImageHeader(outcome.body);
  if (header === null)
    return failedImage('unsupported_image', 'The image is no PNG, JPEG, WebP or BMP.');
  const { width, height } = header;
  if (width * height > maxPixels) {
    return failedImage(
      'image_too_large',
      `The image has ${width} × ${height} pixels; at most 40 megapixels are allowed.`,
    );
  }
  const page = await reader.slots.run(accountId, () => readText(context, reader, outcome.body));
  signal.throwIfAborted();
  if (page === 'timed_out') return failedImage('timed_out', 'The image could not be read in time.');
  if (page === 'unreadable') return failedImage('unreadable_image', 'The image cannot be decoded.');
  return { url, ...page, error: null };
}

async function readText(
  { signal }: Pick<RunContext, 'signal'>,
  { engine }: ImageReader,
  bytes: Uint8Array,
): Promise<OcrPage | UnreadImage> {
  const english = await engine.recognize(bytes, 'eng', signal);
  if (typeof english === 'string') return english;
  if (isConfident(english.blocks)) return english;
  signal.throwIfAborted();
  const chinese = await engine.recognize(bytes, 'chi_sim', signal);
  if (typeof chinese === 'string') return english;
  const better = betterAttempt(
    { language: 'eng', blocks: english.blocks },
    { language: 'chi_sim', blocks: chinese.blocks },
  );
  return better.language === 'eng' ? english : chinese;
}

/** An image at an address that may not be read. */
export const refusedImage = (url: string): ImageText => ({
  url,
  text: '',
  blocks: null,
  error: { code: REFUSED[0], message: REFUSED[1] },
});

const REFUSED = ['image_refused', 'The address of the image may not be read.'] as const;

function netError({ reason }: NetFailure): [ImageError['code'], string] {
  switch (reason) {
    case 'address_refused':
    case 'invalid_url':
      return [...REFUSED];
    case 'too_large':
      return ['image_too_large', 'The image has more than 10 MiB.'];
    case 'timeout':
      return ['timed_out', 'The image could not be fetched in time.'];
    default:
      return ['image_unavailable', 'The image could not be fetched.'];
  }
}
