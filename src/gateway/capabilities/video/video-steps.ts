// Performs the steps of a video that survive a restart: submit, search after a lost response, poll,
// download and store, or cancel. The caller stores the state.
import { requirePresent } from '../../../kernel/errors/assert.ts';
import type {
  ProviderFailure,
  StepContext,
  Steps,
  Task,
  TaskSearch,
  TaskStatus,
} from '../capability.ts';
import type { MediaStore } from '../media/media-store.ts';
import { providerFailure, upstreamError } from '../provider-failures.ts';
import { storeVideo } from './store-video.ts';
import type { ListedVideo, VideoProvider, VideoState } from './video-provider.ts';

type VideoJobInput = { readonly prompt: string; readonly seconds: number };

/** The largest difference between the clocks of a provider and of this machine. */
const skewMs = 5 * 60_000;

export function videoSteps(
  providers: readonly VideoProvider[],
  media: MediaStore,
): Steps<VideoJobInput> {
  const providersByName = nameProviders(providers);
  const providerNamed = (name: string) => providersByName.get(name) ?? null;
  return {
    providers: [...providersByName.keys()],
    submit: ({ signal, requestId }, name, { prompt, seconds }) =>
      requirePresent(providerNamed(name), name).submit(signal, {
        prompt,
        seconds,
        idempotencyKey: requestId,
      }),
    submitMs: (name) => providerNamed(name)?.longestMs ?? 0,
    find: async ({ signal }, name, { input, since, findUsedTaskIds }) => {
      const provider = providerNamed(name);
      const taskList = provider?.list ? await provider.list(signal) : null;
      if (taskList === null) return { kind: 'unclear' };
      if (taskList.kind === 'failed') return { kind: isTemporary(taskList) ? 'missed' : 'unclear' };
      const recentVideos = taskList.videos.filter(({ createdAt }) => createdAt >= since - skewMs);
      const isListComplete = taskList.isAll || recentVideos.length < taskList.videos.length;
      return identifyTask(
        recentVideos,
        isListComplete,
        input,
        await findUsedTaskIds(recentVideos.map(taskIdOf)),
      );
    },
    check: (context, task, input) => {
      const provider = providerNamed(task.provider);
      const providerRemoved = upstreamError(`${task.provider} is not configured any more`);
      return provider
        ? check(context, { provider, media, input }, task)
        : Promise.resolve(missedStatus(providerRemoved));
    },
    cancel: async ({ signal }, { provider, taskId }) => {
      const result = await providerNamed(provider)?.cancel(signal, taskId);
      return result?.kind !== 'failed';
    },
  };
}

/** Providers by unique name. Further providers of one kind have a number in their name. */
function nameProviders(providers: readonly VideoProvider[]): ReadonlyMap<string, VideoProvider> {
  const providersByName = new Map<string, VideoProvider>();
  for (const provider of providers) {
    let name = provider.name;
    for (let suffix = 2; providersByName.has(name); suffix += 1)
      name = `${provider.name}#${suffix}`;
    providersByName.set(name, provider);
  }
  return providersByName;
}

const isTemporary = ({ code, mayHaveRun }: ProviderFailure) =>
  code === 'capability_unavailable' || code === 'upstream_timeout' || mayHaveRun === true;

const taskIdOf = ({ taskId }: ListedVideo) => taskId;

function identifyTask(
  recentVideos: readonly ListedVideo[],
  isListComplete: boolean,
  { prompt }: VideoJobInput,
  usedTaskIds: ReadonlySet<string>,
): TaskSearch {
  const unclaimedVideos = recentVideos.filter(({ taskId }) => !usedTaskIds.has(taskId));
  const matchingVideos = unclaimedVideos.filter((video) => video.prompt === prompt);
  const [first, ...otherMatches] = matchingVideos;
  if (first !== undefined) {
    return otherMatches.length === 0
      ? { kind: 'found', taskId: first.taskId }
      : { kind: 'unclear' };
  }
  const hasPrompts = unclaimedVideos.every((video) => video.prompt !== null);
  return { kind: isListComplete && hasPrompts ? 'absent' : 'unclear' };
}

const missedStatus = (failure: ProviderFailure): TaskStatus => ({ kind: 'missed', failure });

type VideoContext = {
  readonly provider: VideoProvider;
  readonly media: MediaStore;
  readonly input: VideoJobInput;
};

async function check(
  { signal }: StepContext,
  { provider, media, input }: VideoContext,
  { taskId }: Task,
): Promise<TaskStatus> {
  const state = await provider.poll(signal, taskId);
  if (state.kind === 'failed') return missedStatus(state);
  if (state.kind === 'queued' || state.kind === 'running') return state;
  if (state.kind !== 'succeeded') {
    return { kind: 'ended', failure: failureOf(provider.name, state) };
  }
  // An expired URL is replaced at the next poll.
  const video = await provider.content(signal, { taskId, contentUrl: state.contentUrl });
  if (video.kind === 'failed') return missedStatus(video);
  const storedVideo = await storeVideo(media, video.bytes);
  if (storedVideo.kind === 'failed') return missedStatus(storedVideo);
  const notes = lengthNotes(input.seconds, storedVideo.video.duration_seconds);
  const data = { videos: [storedVideo.video] };
  return { kind: 'done', data: notes.length === 0 ? data : { ...data, notes }, quantity: 1 };
}

/** Empty when the video has the requested length, within half a second. */
function lengthNotes(requested: number, actual: number | null): readonly string[] {
  if (actual === null || Math.abs(actual - requested) <= 0.5) return [];
  return [
    `The video has ${Math.round(actual * 10) / 10} s: ` +
      `the provider does not support ${requested} s, and this is its nearest length.`,
  ];
}

/** The failure for an unsuccessful state. */
function failureOf(name: string, state: VideoState): ProviderFailure {
  if (state.kind === 'refused') {
    return { ...upstreamError(`${name}: ${state.internal}`), message: state.message };
  }
  if (state.kind === 'expired') {
    return providerFailure(
      'upstream_timeout',
      'The provider did not finish in time.',
      `${name}: expired`,
    );
  }
  return upstreamError(`${name}: the task is ${state.kind}`);
}
