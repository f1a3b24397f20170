// Calls Volcengine Ark's video API: tasks under `/api/v3/contents/generations/tasks`. The URL of a
// result is valid for 24 hours. States: queued, running, succeeded, failed, cancelled, expired.
import { z } from 'zod';
import { upstreamError } from '../provider-failures.ts';
import { fetchResult } from '../providers/fetch-result.ts';
import type { VideoConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import { lengthFor, maxVideoBytes, type VideoProvider, type VideoState } from './video-provider.ts';
import { openVideoProvider, openVideoTasks, refusedVideo, videoError } from './video-tasks.ts';

const path = '/api/v3/contents/generations/tasks';

const submittedTask = z.object({ id: z.string().min(1).max(200) });

const task = z
  .object({
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']),
    content: z.object({ video_url: z.url().nullish() }).nullish(),
    error: videoError,
  })
  .refine(({ status, content }) => status !== 'succeeded' || Boolean(content?.video_url), {
    path: ['content', 'video_url'],
    message: 'missing in a task that succeeded',
  });

export function openArkVideo(
  world: ProviderWorld,
  config: Extract<VideoConfig, { kind: 'ark' }>,
): VideoProvider {
  const provider = openVideoProvider(world, config);
  const tasks = openVideoTasks(provider, { path, schema: task, stateOf });
  return {
    name: provider.name,
    longestMs: provider.longestMs,
    submit: (signal, { prompt, seconds }) => {
      const length = lengthFor(seconds, config.seconds);
      // Ark reads flags such as the length anywhere in the prompt. A caller's prompt must not set a
      // size, a watermark or a length that the operator pays for.
      const safePrompt = prompt.replaceAll('--', '– ');
      const content = [{ type: 'text', text: `${safePrompt} --dur ${length}` }];
      return tasks.submit({ json: { model: config.model, content }, signal }, submittedTask);
    },
    poll: tasks.poll,
    cancel: tasks.cancel,
    content: async (signal, { contentUrl }) => {
      if (contentUrl === null) return upstreamError('a succeeded task without an address');
      const fileRequest = { url: contentUrl, maxBytes: maxVideoBytes, signal };
      const downloadResult = await fetchResult(world, config, fileRequest);
      return downloadResult.kind === 'failed'
        ? downloadResult
        : { kind: 'video', bytes: downloadResult.bytes };
    },
    // Ark's list contains neither prompts nor ids of this gateway, so a task cannot be identified.
    list: null,
    health: provider.health,
  };
}

function stateOf({ status, content, error }: z.output<typeof task>): VideoState {
  switch (status) {
    case 'queued':
      return { kind: 'queued' };
    case 'running':
      return { kind: 'running', progress: null };
    case 'succeeded':
      return { kind: 'succeeded', contentUrl: content?.video_url ?? null };
    case 'cancelled':
      return { kind: 'canceled' };
    case 'expired':
      return { kind: 'expired' };
    case 'failed':
      return refusedVideo(error);
  }
}
