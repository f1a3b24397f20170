// The `svc-video` capability returns a video from a prompt, created in background steps
// (`video-steps.ts`). `run` performs all steps for a waiting caller; a job performs one step at a
// time.
import { z } from 'zod';
import type { Capability, Outcome, RunContext, Steps } from '../capability.ts';
import { callFirstAvailable } from '../first-available.ts';
import type { MediaStore } from '../media/media-store.ts';
import { pollPauseMs } from '../poll-pause.ts';
import type { VideoConfig } from '../providers-config.ts';
import { readSandboxInput } from '../sandbox-inputs.ts';
import type { ProviderWorld } from '../switches.ts';
import { textOfLength } from '../text-rules.ts';
import { openArkVideo } from './ark-video.ts';
import { openOpenaiVideo } from './openai-video.ts';
import { sampleVideo } from './sample-video.ts';
import { storeVideo } from './store-video.ts';
import type { VideoProvider } from './video-provider.ts';
import { videoSteps } from './video-steps.ts';

const input = z.strictObject({
  prompt: textOfLength(1, 4000),
  seconds: z
    .int()
    .min(1)
    .max(30)
    .default(5)
    .describe('data.notes states when the video has another length'),
});

type Input = z.infer<typeof input>;

export function openVideo(
  world: ProviderWorld,
  config: readonly VideoConfig[],
): readonly VideoProvider[] {
  return config.map((providerConfig) =>
    providerConfig.kind === 'openai'
      ? openOpenaiVideo(world, providerConfig)
      : openArkVideo(world, providerConfig),
  );
}

export function openSvcVideo(
  providers: readonly VideoProvider[],
  media: MediaStore,
): Capability<Input> {
  const steps = videoSteps(providers, media);
  return {
    id: 'svc-video',
    name: 'Text to video',
    method: 'POST',
    key: 'sk',
    isAsync: true,
    path: '/api/v1/capabilities/svc-video',
    input,
    quote: () => ({ sku: null, unit: 'per_call', quantity: 1, increment: 'call' }),
    missing: async () =>
      providers.length > 0 ? null : 'Text to video needs an entry in providers.video.',
    run: (context, input) => run(context, steps, input),
    steps,
    sandbox: async (context, { prompt, seconds }) => {
      const sandboxInput = await readSandboxInput(context, prompt);
      if (sandboxInput.kind === 'fails') return sandboxInput.outcome;
      const video =
        sandboxInput.kind === 'empty' ? null : await storeVideo(media, sampleVideo(seconds));
      if (video?.kind === 'failed') return video;
      const videos = video === null ? [] : [video.video];
      return { kind: 'done', data: { videos }, quantity: 1 };
    },
    health: () => {
      const health = providers.map((provider) => provider.health());
      return { healthy: health.some(({ healthy }) => healthy), providers: health };
    },
  };
}

async function run(context: RunContext, steps: Steps<Input>, input: Input): Promise<Outcome> {
  const providers = steps.providers.map((name) => ({ name }));
  const startedTask = await callFirstAvailable(
    providers,
    'Text to video',
    async ({ name: provider }) => {
      const submission = await steps.submit(context, provider, input);
      return submission.kind === 'failed' ? submission : { ...submission, provider };
    },
  );
  if (startedTask.kind === 'failed') return startedTask;
  const { world, signal, progress } = context;
  for (let polls = 0; ; polls += 1) {
    const state = await steps.check(context, startedTask, input);
    if (state.kind === 'done') return state;
    if (state.kind === 'ended') return state.failure;
    // A failed request ends the call. A provider that is paused or slow is polled again.
    if (state.kind === 'missed' && state.failure.code === 'upstream_error') return state.failure;
    if (state.kind === 'running') progress(state.progress ?? 0);
    await world.clock.sleep(pollPauseMs(polls), signal);
  }
}
