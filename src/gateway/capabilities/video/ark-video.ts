// Films of Volcengine Ark's kind: tasks under `/api/v3/contents/generations/tasks`, whose result is
// an address that holds for 24 hours. States: queued, running, succeeded, failed, cancelled,
// expired.
import { z } from 'zod';
import { upstreamError } from '../failed.ts';
import { fetchResult } from '../providers/fetch-result.ts';
import { openProvider } from '../providers/provider.ts';
import type { VideoConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import { type FilmState, lengthFor, maxFilmBytes, type VideoProvider } from './video-provider.ts';

const tasks = '/api/v3/contents/generations/tasks';

const submitted = z.object({ id: z.string().min(1).max(200) });

const task = z
  .object({
    status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'expired']),
    content: z.object({ video_url: z.url().nullish() }).nullish(),
    error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
  })
  .refine(({ status, content }) => status !== 'succeeded' || Boolean(content?.video_url), {
    path: ['content', 'video_url'],
    message: 'missing in a task that succeeded',
  });

export function openArkVideo(
  world: ProviderWorld,
  config: Extract<VideoConfig, { kind: 'ark' }>,
): VideoProvider {
  const provider = openProvider(world, {
    ...{ name: 'video:ark', url: config.url, timeoutMs: config.timeoutMs },
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
  });
  const pathOf = (taskId: string) => `${tasks}/${encodeURIComponent(taskId)}`;
  return {
    name: provider.name,
    submit: async (signal, { prompt, seconds }) => {
      const length = lengthFor(seconds, config.seconds);
      // Ark takes the length as a flag behind the words.
      const content = [{ type: 'text', text: `${prompt} --dur ${length}` }];
      const json = { model: config.model, content };
      const read = await provider.read({ path: tasks, method: 'POST', json, signal }, submitted);
      if (read.kind === 'read') return { kind: 'submitted', taskId: read.value.id };
      if (read.kind === 'refused') {
        const said = new TextDecoder().decode(read.bytes).slice(0, 300);
        const internal = `${provider.name} refused with ${read.status}: ${said}`;
        return { ...upstreamError(internal), message: 'The provider refused this prompt.' };
      }
      return read.kind === 'failed' ? read : upstreamError(`${provider.name} has no tasks`);
    },
    poll: async (signal, taskId) => {
      const read = await provider.read({ path: pathOf(taskId), signal }, task);
      if (read.kind === 'read') return stateOf(read.value);
      if (read.kind === 'absent') return { kind: 'unknown' };
      return read.kind === 'failed' ? read : upstreamError(`${provider.name}: ${read.status}`);
    },
    // Only while it is queued; then Ark answers 4xx.
    cancel: async (signal, taskId) => {
      const answer = await provider.ask({ path: pathOf(taskId), method: 'DELETE', signal });
      if (answer.kind === 'failed') return answer;
      return { kind: answer.kind === 'refused' ? 'too_late' : 'canceled' };
    },
    content: async (signal, { contentUrl }) => {
      if (contentUrl === null) return upstreamError('a succeeded task without an address');
      const what = { url: contentUrl, maxBytes: maxFilmBytes, signal };
      const fetched = await fetchResult(world, config, what);
      return fetched.kind === 'failed' ? fetched : { kind: 'film', bytes: fetched.bytes };
    },
    // Its list names neither the words nor anything of ours: no task could be told from another.
    list: null,
    health: provider.health,
  };
}

function stateOf({ status, content, error }: z.output<typeof task>): FilmState {
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
    case 'failed': {
      const internal = `${error?.code ?? 'no code'}: ${error?.message ?? 'no message'}`;
      return { kind: 'refused', message: 'The provider could not make this film.', internal };
    }
  }
}
