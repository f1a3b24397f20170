// Defines the `providers` section of `radar.config.json`: the providers of each capability with
// address and key. A capability without an entry is not configured.
import { z } from 'zod';
import { type MicroFen, parseCny } from '../../kernel/money.ts';

const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

const privateHosts = z
  .array(z.string())
  .default([])
  .describe('Private hosts (host:port) that may be requested, besides the configured address');

/** Settings of every provider. */
const provider = {
  url: url.describe('Base address, as in the documentation of the provider'),
  key: z.string().min(1).optional().describe('A secret, sent as the provider requires'),
  timeoutMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('Time limit for one whole response'),
  privateHosts,
};

const model = z.string().min(1).describe('The model, by the provider’s name for it');

const command = (name: string) =>
  z.string().min(1).default(name).describe(`The ${name} program: a name or a path`);

const social = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tikhub'), ...provider }),
  z.strictObject({ kind: z.literal('bilibili'), ...provider }),
  z.strictObject({ kind: z.literal('youtube-data'), ...provider }),
  z.strictObject({
    kind: z.literal('oembed'),
    platform: z.enum(['youtube', 'tiktok', 'twitter']),
    ...provider,
  }),
]);

const ocr = z.strictObject({
  command: z
    .string()
    .min(1)
    .optional()
    .describe('A tesseract program, name or path; without it the included engine is used'),
  concurrency: z.int().min(1).max(64).default(2).describe('Images read concurrently'),
  fetchTimeoutMs: z.int().min(100).max(120_000).default(20_000),
  readTimeoutMs: z.int().min(100).max(300_000).default(60_000),
  privateHosts,
});

const speech = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('openai'), model, ...provider }),
  z.strictObject({
    kind: z.literal('command'),
    command: z.string().min(1).describe('A program that prints a transcription as JSON'),
    args: z
      .array(z.string())
      .default([])
      .describe('{audio} stands for the audio file, a 16 kHz mono WAV'),
    timeoutMs: z.int().min(100).max(14_400_000).default(1_800_000),
  }),
]);

const download = z.strictObject({
  command: command('yt-dlp'),
  ffmpeg: command('ffmpeg'),
  ffprobe: command('ffprobe'),
  minVersion: z.string().default('2024.07.02').describe('The oldest yt-dlp that is used'),
  concurrency: z.int().min(1).max(32).default(2),
  timeoutMs: z.int().min(1000).max(7_200_000).default(1_800_000),
  maxSeconds: z.int().min(1).max(14_400).default(14_400),
  maxBytes: z
    .int()
    .min(1)
    .max(2 ** 31)
    .default(2 ** 31),
  privateHosts,
});

const image = z.strictObject({ kind: z.literal('openai'), model, ...provider });

const lengths = (seconds: readonly number[]) =>
  z
    .array(z.int().min(1).max(60))
    .min(1)
    .default([...seconds])
    .describe('Lengths in seconds that the model supports; a request uses the next longer one');

const video = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('openai'), model, seconds: lengths([4, 8, 12]), ...provider }),
  z.strictObject({ kind: z.literal('ark'), model, seconds: lengths([5, 10]), ...provider }),
]);

const search = z.strictObject({
  kind: z.enum(['searxng', 'brave', 'tavily', 'radar']),
  ...provider,
});

const mediaStore = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('folder') }),
  z.strictObject({
    kind: z.literal('s3'),
    url: url.describe('The endpoint, without the bucket'),
    bucket: z.string().min(1),
    region: z.string().min(1).default('us-east-1'),
    accessKeyId: z.string().min(1),
    secretAccessKey: z.string().min(1).describe('A secret'),
    timeoutMs: z.int().min(100).max(600_000).default(60_000),
  }),
]);

export const providersSchema = z.strictObject({
  social: z
    .array(social)
    .default([])
    .describe('Tried in this order: after a failure the next provider is used'),
  links: z
    .strictObject({
      hosts: z
        .record(z.string(), url)
        .default({})
        .describe('Addresses that replace hosts of short links'),
      timeoutMs: z.int().min(100).max(60_000).default(8_000),
    })
    .prefault({}),
  ocr: ocr.prefault({}),
  speech: z.array(speech).default([]),
  download: download.prefault({}).describe('How the media behind a link are fetched'),
  image: z.array(image).default([]),
  video: z.array(video).default([]),
  search: z
    .array(search)
    .default([])
    .describe('Results of several engines are merged; without an entry, this radar is searched'),
  media: mediaStore
    .prefault({ kind: 'folder' })
    .describe('The store of generated media: images for 24 hours, videos for seven days'),
});

export type ProvidersConfig = z.infer<typeof providersSchema>;
export type SocialConfig = ProvidersConfig['social'][number];
export type SpeechConfig = ProvidersConfig['speech'][number];
export type VideoConfig = ProvidersConfig['video'][number];
export type SearchConfig = ProvidersConfig['search'][number];
export type MediaStoreConfig = ProvidersConfig['media'];

const cost = z
  .string()
  .regex(/^(0|[1-9]\d{0,5})(\.\d{1,8})?$/, 'an amount in CNY, such as "0.012"')
  .optional();

/** Cost of one unit in CNY, by capability. A capability without an entry has an unknown cost. */
export const providerCostsSchema = z.strictObject({
  social: cost.describe('CNY per call'),
  transcribe: cost.describe('CNY per second of audio'),
  ocr: cost.describe('CNY per call'),
  'svc-image': cost.describe('CNY per call'),
  'svc-video': cost.describe('CNY per call'),
  search: cost.describe('CNY per call'),
  chat: cost.describe('CNY per call, the mean of the upstreams’ bills'),
});
export type ProviderCosts = Readonly<Record<string, string | undefined>>;

/** Cost in micro-fen per unit; null when the configuration has none. */
export function unitCost(costs: ProviderCosts, capability: string): MicroFen | null {
  const cost = costs[capability];
  return cost === undefined ? null : parseCny(cost);
}
