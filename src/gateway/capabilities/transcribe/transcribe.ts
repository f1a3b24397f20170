// The `transcribe` capability returns the speech in a post's video, billed per started second of
// the video's real length. The price of one minute is held at first. Before the speech provider is
// called, the hold is adjusted to the measured price.

import { z } from 'zod';
import { openSemaphore } from '../../../kernel/concurrency/semaphore.ts';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { cachedCheck } from '../cached-check.ts';
import type { Capability, Outcome, RunContext } from '../capability.ts';
import { callFirstAvailable } from '../first-available.ts';
import { providerFailure } from '../provider-failures.ts';
import type { ProvidersConfig } from '../providers-config.ts';
import { readSandboxInput, sandboxWord } from '../sandbox-inputs.ts';
import { followLink } from '../social/links/follow-link.ts';
import { readLink } from '../social/links/read-link.ts';
import { acceptedPlatforms } from '../social/platforms.ts';
import type { ProviderWorld } from '../switches.ts';
import { fetchMedia } from './fetch-media.ts';
import { makeAudio } from './make-audio.ts';
import { findMissingPrograms } from './missing-programs.ts';
import { openSpeech, type SpeechProvider, type Transcript } from './speech-provider.ts';
import { srtOf, vttOf } from './subtitles.ts';
import { removeAbandonedFolders, withWorkFolder } from './work-folder.ts';

const input = z.strictObject({
  url: z.string().min(1).max(4096).describe('A share link, or a share text with one'),
  format: z.enum(['srt', 'vtt']).optional(),
});

type Input = z.infer<typeof input>;
type Config = Pick<ProvidersConfig, 'speech' | 'download' | 'links'>;

/** The hold until the length is known. */
const heldSeconds = 60;

export function openTranscribe(world: ProviderWorld, config: Config): Capability<Input> {
  const providers = config.speech.map((speechConfig) => openSpeech(world, speechConfig));
  const { concurrency } = config.download;
  // A transcription uses its slot for up to 30 minutes. Therefore one account can never use all
  // slots when there are several.
  const slots = openSemaphore(concurrency, Math.max(1, concurrency - 1));
  removeAbandonedFolders().catch((error) =>
    world.log.warn({ error: messageOf(error) }, 'work folders of killed processes not removed'),
  );
  const missingPrograms = cachedCheck(world, () => findMissingPrograms(world, config.download));
  return {
    id: 'transcribe',
    name: 'Video transcription',
    method: 'POST',
    key: 'sk',
    isAsync: false,
    path: '/api/v1/capabilities/transcribe',
    input,
    check: ({ url }) => {
      const link = readLink(url);
      if (link === null || (link.kind === 'other' && sandboxWord(url) === null)) {
        const accepted = `A link to a post on one of these is accepted: ${acceptedPlatforms()}.`;
        throw new Fault('invalid_request', `url is no link to a post. ${accepted}`);
      }
    },
    quote: () => {
      return { sku: 'transcribe', unit: 'per_minute', quantity: heldSeconds, increment: 'second' };
    },
    missing: async () =>
      providers.length === 0
        ? 'Transcription needs an entry in providers.speech.'
        : missingPrograms(),
    run: (context, input) =>
      slots.run(context.accountId, () => run(context, config, providers, input)),
    sandbox: runSandbox,
    health: () => {
      const health = providers.map((provider) => provider.health());
      // Only providers with the audio format of the first provider can be used.
      const usable = health.filter(
        (_, index) => providers[index]?.audioKind === providers[0]?.audioKind,
      );
      return { healthy: usable.some(({ healthy }) => healthy), providers: health };
    },
  };
}

async function run(
  context: RunContext,
  config: Config,
  providers: readonly SpeechProvider[],
  { url, format }: Input,
): Promise<Outcome> {
  const link = readLink(url);
  if (link === null || link.kind === 'other') {
    return providerFailure('media_unavailable', 'The link leads to no post.');
  }
  const resolvedLink = link.kind === 'short' ? await followLink(context, config.links, link) : link;
  if (resolvedLink.kind === 'failed') return resolvedLink;
  return withWorkFolder(async (folder) => {
    const media = await fetchMedia(context, config.download, resolvedLink.ref, folder);
    context.signal.throwIfAborted();
    if (media.kind === 'failed') return media;
    context.progress(0.3);
    const audioKind = providers[0]?.audioKind ?? 'opus';
    const audio = await makeAudio(context, config.download, {
      file: media.file,
      folder,
      audioKind,
    });
    context.signal.throwIfAborted();
    if (audio.kind === 'failed') return audio;
    context.progress(0.5);
    const billedSeconds = Math.ceil(audio.seconds);
    const adjusted = await context.adjustHold(billedSeconds);
    if (adjusted === 'insufficient') return { kind: 'insufficient' };
    const transcript = await callFirstAvailable(
      providers.filter((provider) => provider.audioKind === audioKind),
      'Video transcription',
      (provider) => provider.transcribe(context, audio.file),
    );
    context.signal.throwIfAborted();
    if (transcript.kind === 'failed') return transcript;
    const duration = Math.round(audio.seconds * 1000) / 1000;
    const data = dataOf(transcript, { format, duration, title: media.title });
    return { kind: 'done', data, quantity: billedSeconds };
  });
}

function dataOf(
  { text, language, segments }: Transcript,
  details: {
    readonly format: Input['format'];
    readonly duration: number;
    readonly title: string | null;
  },
) {
  const { format, duration, title } = details;
  // A provider without timestamps: one cue spans the whole length.
  const cues = segments.length > 0 || text === '' ? segments : [{ start: 0, end: duration, text }];
  return {
    text,
    language,
    duration_seconds: duration,
    segments,
    title,
    ...(format === 'srt' && { srt: srtOf(cues) }),
    ...(format === 'vtt' && { vtt: vttOf(cues) }),
  };
}

async function runSandbox(context: RunContext, { url, format }: Input): Promise<Outcome> {
  const sandboxInput = await readSandboxInput(context, url);
  if (sandboxInput.kind === 'fails') return sandboxInput.outcome;
  if (sandboxInput.kind === 'empty')
    return providerFailure('media_unavailable', 'The video has no sound.');
  const duration = 61.2;
  const billedSeconds = Math.ceil(duration);
  const adjusted = await context.adjustHold(billedSeconds);
  if (adjusted === 'insufficient') return { kind: 'insufficient' };
  const text = 'Nothing was listened to for this transcript.';
  const segments = [{ start: 0, end: duration, text }];
  const transcript: Transcript = { kind: 'transcript', text, language: 'en', segments };
  const data = dataOf(transcript, { format, duration, title: 'Sandbox video' });
  return { kind: 'done', data, quantity: billedSeconds };
}
