// Calls OpenAI's video API: `POST /videos` as a form, `GET /videos/{id}`, its `/content`, and
// DELETE. States: queued, in_progress, completed, failed.
import { z } from 'zod';
import { upstreamError } from '../provider-failures.ts';
import type { Provider } from '../providers/provider.ts';
import type { VideoConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import { encodeMultipart } from '../transcribe/multipart.ts';
import { lengthFor, maxVideoBytes, type VideoProvider, type VideoState } from './video-provider.ts';
import { openVideoProvider, openVideoTasks, refusedVideo, videoError } from './video-tasks.ts';

const task = z.object({
  id: z.string().min(1).max(200),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  progress: z.number().min(0).max(100).nullish(),
  error: videoError,
});

type Task = z.output<typeof task>;

const page = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1).max(200),
      prompt: z.string().nullish(),
      /** Seconds. */
      created_at: z.number(),
    }),
  ),
  has_more: z.boolean().nullish(),
});

export function openOpenaiVideo(
  world: ProviderWorld,
  config: Extract<VideoConfig, { kind: 'openai' }>,
): VideoProvider {
  const provider = openVideoProvider(world, config);
  const tasks = openVideoTasks(provider, { path: '/videos', schema: task, stateOf });
  return {
    name: provider.name,
    longestMs: provider.longestMs,
    submit: (signal, { prompt, seconds, idempotencyKey }) => {
      const body = encodeMultipart(world, [
        { name: 'model', value: config.model },
        { name: 'prompt', value: prompt },
        { name: 'seconds', value: String(lengthFor(seconds, config.seconds)) },
        { name: 'size', value: '1280x720' },
      ]);
      const headers = { 'idempotency-key': idempotencyKey };
      return tasks.submit({ body, headers, signal }, task);
    },
    poll: tasks.poll,
    cancel: tasks.cancel,
    content: (signal, { taskId }) =>
      readContent(provider, `${tasks.pathOf(taskId)}/content`, signal),
    list: (signal) => listVideos(provider, signal),
    health: provider.health,
  };
}

async function listVideos(provider: Provider, signal: AbortSignal) {
  const query = { limit: '100', order: 'desc' };
  const response = await provider.read({ path: '/videos', query, signal }, page);
  if (response.kind === 'failed') return response;
  if (response.kind !== 'read') return upstreamError(`${provider.name} does not list its videos`);
  const videos = response.value.data.map(({ id, prompt, created_at }) => {
    return { taskId: id, prompt: prompt ?? null, createdAt: created_at * 1000 };
  });
  return { kind: 'videos', videos, isAll: response.value.has_more !== true } as const;
}

function stateOf({ status, progress, error }: Task): VideoState {
  switch (status) {
    case 'queued':
      return { kind: 'queued' };
    case 'in_progress': {
      const progressShare = progress === null || progress === undefined ? null : progress / 100;
      return { kind: 'running', progress: progressShare };
    }
    case 'completed':
      return { kind: 'succeeded', contentUrl: null };
    case 'failed':
      return refusedVideo(error);
  }
}

async function readContent(provider: Provider, path: string, signal: AbortSignal) {
  const result = await provider.request({ path, maxBytes: maxVideoBytes, signal });
  if (result.kind === 'response') return { kind: 'video', bytes: result.bytes } as const;
  return result.kind === 'failed' ? result : upstreamError(`${provider.name}: the video is gone`);
}
