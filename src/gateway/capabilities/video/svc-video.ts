// The `svc-video` capability: a film from words, made in the background. `run` is the whole way for
// a caller that waits; a job goes it in steps of its own, with the same providers (`openVideo`).
import { z } from 'zod';
import type { World } from '../../../kernel/world.ts';
import type { Capability, Failed, Outcome, RunContext } from '../capability.ts';
import { failed, upstreamError } from '../failed.ts';
import { firstAble } from '../first-able.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readMedia } from '../media/read-media.ts';
import type { VideoConfig } from '../providers-config.ts';
import { askMagic } from '../sandbox-inputs.ts';
import { wordsOf } from '../text-rules.ts';
import { openArkVideo } from './ark-video.ts';
import { openOpenaiVideo } from './openai-video.ts';
import { sampleFilm } from './sample-film.ts';
import type { FilmState, VideoProvider } from './video-provider.ts';

const input = z.strictObject({
  prompt: wordsOf(1, 4000),
  seconds: z.int().min(1).max(30).default(5),
});

type Input = z.infer<typeof input>;

const firstPollMs = 1_000;
const longestPollMs = 15_000;

export function openVideo(world: World, config: readonly VideoConfig[]): readonly VideoProvider[] {
  return config.map((one) =>
    one.kind === 'openai' ? openOpenaiVideo(world, one) : openArkVideo(world, one),
  );
}

export function openSvcVideo(
  providers: readonly VideoProvider[],
  media: MediaStore,
): Capability<Input> {
  return {
    ...{ id: 'svc-video', name: 'Text to video', method: 'POST', key: 'sk', isAsync: true },
    ...{ path: '/api/v1/capabilities/svc-video', input },
    quote: () => ({ sku: null, unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: async () =>
      providers.length > 0 ? null : 'Text to video needs an entry in providers.video.',
    run: (context, wish) => run(context, providers, media, wish),
    sandbox: async (context, { prompt, seconds }) => {
      const magic = await askMagic(context, prompt);
      if (magic.kind === 'fails') return magic.outcome;
      const film = magic.kind === 'empty' ? null : await keepFilm(media, sampleFilm(seconds));
      if (film?.kind === 'failed') return film;
      const videos = film === null ? [] : [film.video];
      return { kind: 'done', data: { videos }, quantity: 1 };
    },
    health: () => {
      const health = providers.map((provider) => provider.health());
      return { healthy: health.some(({ healthy }) => healthy), providers: health };
    },
  };
}

async function run(
  context: RunContext,
  providers: readonly VideoProvider[],
  media: MediaStore,
  { prompt, seconds }: Input,
): Promise<Outcome> {
  const { signal, requestId } = context;
  const begun = await firstAble(providers, 'films', async (provider) => {
    const submitted = await provider.submit(signal, { prompt, seconds, idempotencyKey: requestId });
    return submitted.kind === 'failed' ? submitted : { ...submitted, provider };
  });
  if (begun.kind === 'failed') return begun;
  const { provider, taskId } = begun;
  const state = await waitForEnd(context, provider, taskId);
  if (state.kind === 'failed') return state;
  if (state.kind !== 'succeeded') return endedBadly(provider.name, state);
  const film = await provider.content(signal, { taskId, contentUrl: state.contentUrl });
  if (film.kind === 'failed') return film;
  const kept = await keepFilm(media, film.bytes);
  if (kept.kind === 'failed') return kept;
  return { kind: 'done', data: { videos: [kept.video] }, quantity: 1 };
}

async function waitForEnd(
  { world, signal, progress }: RunContext,
  provider: VideoProvider,
  taskId: string,
): Promise<FilmState | Failed> {
  for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPollMs)) {
    const state = await provider.poll(signal, taskId);
    // A provider that is away for a moment has not lost the film.
    const isAway = state.kind === 'failed' && state.code !== 'upstream_error';
    if (state.kind === 'running') progress(state.progress ?? 0);
    else if (state.kind !== 'queued' && !isAway) return state;
    await world.clock.sleep(pauseMs, signal);
  }
}

/** What a state that is no success means for whoever asked. */
function endedBadly(name: string, state: FilmState): Failed {
  if (state.kind === 'refused') {
    return { ...upstreamError(`${name}: ${state.internal}`), message: state.message };
  }
  if (state.kind === 'expired') {
    return failed('upstream_timeout', 'The provider did not finish in time.', `${name}: expired`);
  }
  return upstreamError(`${name}: the task is ${state.kind}`);
}

type KeptFilm = {
  readonly kind: 'kept';
  readonly video: {
    readonly url: string;
    readonly mime_type: string;
    readonly width: number | null;
    readonly height: number | null;
    readonly duration_seconds: number | null;
  };
};

/** A finished film's bytes, checked and kept: one entry of a job's `videos`. */
async function keepFilm(media: MediaStore, bytes: Uint8Array): Promise<KeptFilm | Failed> {
  const facts = readMedia(bytes);
  const kept = facts?.mimeType === 'video/mp4' ? await media.keep(bytes) : null;
  if (facts === null || kept === null) return upstreamError('the result is no MP4');
  const { width, height, durationSeconds } = facts;
  const video = { url: kept.url, mime_type: kept.mimeType, width, height };
  return { kind: 'kept', video: { ...video, duration_seconds: durationSeconds } };
}
