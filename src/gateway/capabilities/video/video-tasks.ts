// What kinds of film providers have in common: a task with an address of its own, which is asked
// for, looked at and called off there, and what a prompt that is refused means.
import { z } from 'zod';
import { upstreamError } from '../failed.ts';
import { type Ask, openProvider, type Provider } from '../providers/provider.ts';
import type { VideoConfig } from '../providers-config.ts';
import type { ProviderWorld } from '../switches.ts';
import type { FilmState, VideoProvider } from './video-provider.ts';

type TaskForm<Task> = {
  /** Where tasks are asked for; one of them is below it, by its id. */
  readonly path: string;
  readonly schema: z.ZodType<Task>;
  readonly stateOf: (task: Task) => FilmState;
};

type FilmTasks = Pick<VideoProvider, 'poll' | 'cancel'> & {
  readonly pathOf: (taskId: string) => string;
  /** Asks for a film; `schema` reads its task's id from the answer. */
  submit(
    ask: Omit<Ask, 'path' | 'method'>,
    schema: z.ZodType<{ readonly id: string }>,
  ): ReturnType<VideoProvider['submit']>;
};

export function openFilmProvider(world: ProviderWorld, config: VideoConfig): Provider {
  return openProvider(world, {
    ...{ name: `video:${config.kind}`, url: config.url, timeoutMs: config.timeoutMs },
    privateHosts: config.privateHosts,
    headers: config.key === undefined ? {} : { authorization: `Bearer ${config.key}` },
  });
}

export function openFilmTasks<Task>(
  provider: Provider,
  { path, schema, stateOf }: TaskForm<Task>,
): FilmTasks {
  const pathOf = (taskId: string) => `${path}/${encodeURIComponent(taskId)}`;
  return {
    pathOf,
    submit: async (ask, submitted) => {
      const read = await provider.read({ ...ask, path, method: 'POST' }, submitted);
      if (read.kind === 'read') return { kind: 'submitted', taskId: read.value.id };
      if (read.kind === 'refused') {
        const said = new TextDecoder().decode(read.bytes).slice(0, 300);
        const internal = `${provider.name} refused with ${read.status}: ${said}`;
        return { ...upstreamError(internal), message: 'The provider refused this prompt.' };
      }
      return read.kind === 'failed' ? read : upstreamError(`${provider.name} has no ${path}`);
    },
    poll: async (signal, taskId) => {
      const read = await provider.read({ path: pathOf(taskId), signal }, schema);
      if (read.kind === 'read') return stateOf(read.value);
      if (read.kind === 'absent') return { kind: 'unknown' };
      return read.kind === 'failed' ? read : upstreamError(`${provider.name}: ${read.status}`);
    },
    // A provider that has begun may say no, with a 4xx.
    cancel: async (signal, taskId) => {
      const answer = await provider.ask({ path: pathOf(taskId), method: 'DELETE', signal });
      if (answer.kind === 'failed') return answer;
      return { kind: answer.kind === 'refused' ? 'too_late' : 'canceled' };
    },
  };
}

/** Why a task ended without a film. */
export const filmError = z
  .object({ code: z.string().nullish(), message: z.string().nullish() })
  .nullish();

/** The reason is for the log. */
export function refusedFilm(error: z.output<typeof filmError>): FilmState {
  const internal = `${error?.code ?? 'no code'}: ${error?.message ?? 'no message'}`;
  return { kind: 'refused', message: 'The provider could not make this film.', internal };
}
