// Common parts of video providers: submission, polling and cancellation of tasks by their URLs, and
// the state of a task with a refused prompt.
import { z } from 'zod';
import { upstreamError } from '../provider-failures.ts';
import { openProvider, type Provider, type ProviderRequest } from '../providers/provider.ts';
import type { VideoConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import type { VideoProvider, VideoState } from './video-provider.ts';

type TaskForm<Task> = {
  /** Path of the task collection. The path of a task is this path, a slash and the task's id. */
  readonly path: string;
  readonly schema: z.ZodType<Task>;
  readonly stateOf: (task: Task) => VideoState;
};

type VideoTasks = Pick<VideoProvider, 'poll' | 'cancel'> & {
  readonly pathOf: (taskId: string) => string;
  /** Requests a video; `schema` extracts the task id from the response. */
  submit(
    request: Omit<ProviderRequest, 'path' | 'method'>,
    schema: z.ZodType<{ readonly id: string }>,
  ): ReturnType<VideoProvider['submit']>;
};

export function openVideoProvider(world: ProviderWorld, config: VideoConfig): Provider {
  return openProvider(world, {
    name: `video:${config.kind}`,
    url: config.url,
    timeoutMs: config.timeoutMs,
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
  });
}

export function openVideoTasks<Task>(
  provider: Provider,
  { path, schema, stateOf }: TaskForm<Task>,
): VideoTasks {
  const pathOf = (taskId: string) => `${path}/${encodeURIComponent(taskId)}`;
  return {
    pathOf,
    submit: async (request, submitted) => {
      const response = await provider.read({ ...request, path, method: 'POST' }, submitted);
      if (response.kind === 'read') return { kind: 'submitted', taskId: response.value.id };
      if (response.kind === 'refused') {
        const text = new TextDecoder().decode(response.bytes).slice(0, 300);
        const internal = `${provider.name} refused with ${response.status}: ${text}`;
        return { ...upstreamError(internal), message: 'The provider refused this prompt.' };
      }
      return response.kind === 'failed'
        ? response
        : upstreamError(`${provider.name} has no ${path}`);
    },
    poll: async (signal, taskId) => {
      const response = await provider.read({ path: pathOf(taskId), signal }, schema);
      if (response.kind === 'read') return stateOf(response.value);
      if (response.kind === 'absent') return { kind: 'unknown' };
      return response.kind === 'failed'
        ? response
        : upstreamError(`${provider.name}: ${response.status}`);
    },
    // A provider may refuse to cancel a started task, with a 4xx.
    cancel: async (signal, taskId) => {
      const result = await provider.request({ path: pathOf(taskId), method: 'DELETE', signal });
      if (result.kind === 'failed') return result;
      return { kind: result.kind === 'refused' ? 'too_late' : 'canceled' };
    },
  };
}

/** The error of a task that ended without a video. */
export const videoError = z
  .object({ code: z.string().nullish(), message: z.string().nullish() })
  .nullish();

/** The provider's reason appears only in the log. */
export function refusedVideo(error: z.output<typeof videoError>): VideoState {
  const internal = `${error?.code ?? 'no code'}: ${error?.message ?? 'no message'}`;
  return { kind: 'refused', message: 'The provider could not make this video.', internal };
}
