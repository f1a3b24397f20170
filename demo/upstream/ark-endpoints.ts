// Simulates video tasks in the format of Volcengine Ark.
import { makeLetters } from './posts.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';

export const arkKey = 'demo-ark-key';
const tasksPath = '/api/v3/contents/generations/tasks';

/** `video`: a video of the given number of seconds. */
export function arkEndpoints({
  video,
}: {
  readonly video: (seconds: number) => Buffer;
}): (request: UpstreamRequest) => Reply {
  const polls = new Map<string, number>();
  const states = new Map<string, string>();
  const secondsById = new Map<string, string>();
  return (request) => {
    const { method, path, headers } = request;
    const [, seconds] = /^\/video-(\d+)\.mp4$/.exec(path) ?? [];
    if (seconds !== undefined) {
      const body = video(Number(seconds));
      return { status: 200, headers: { 'content-type': 'video/mp4' }, body };
    }
    if (headers.authorization !== `Bearer ${arkKey}`) {
      return jsonReply({ error: { code: 'AuthenticationError', message: 'Bad key.' } }, 401);
    }
    if (method === 'POST' && path === tasksPath)
      return submitTask(request, { polls, states, secondsById });
    const id = path.startsWith(`${tasksPath}/`) ? path.slice(tasksPath.length + 1) : '';
    const state = states.get(id);
    if (state === undefined) {
      return jsonReply({ error: { code: 'NotFound', message: 'No such task.' } }, 404);
    }
    if (method === 'DELETE') {
      const isQueued = (polls.get(id) ?? 0) <= 1;
      if (isQueued) states.set(id, 'cancelled');
      const message = 'The task is running.';
      return isQueued ? jsonReply({}) : jsonReply({ error: { code: 'Conflict', message } }, 409);
    }
    const pollCount = (polls.get(id) ?? 0) + 1;
    polls.set(id, pollCount);
    if (state !== '') return jsonReply({ id, model: 'demo-ark', status: state });
    if (pollCount < 3) return jsonReply({ id, status: pollCount === 1 ? 'queued' : 'running' });
    const content = { video_url: `http://${headers.host}/video-${secondsById.get(id)}.mp4` };
    return jsonReply({ id, model: 'demo-ark', status: 'succeeded', content, created_at: 0 });
  };
}

type Tasks = {
  readonly polls: Map<string, number>;
  /** Final state by task; empty: the task succeeds. */
  readonly states: Map<string, string>;
  readonly secondsById: Map<string, string>;
};

function submitTask({ body }: UpstreamRequest, { polls, states, secondsById }: Tasks): Reply {
  const input = JSON.parse(body.toString()) as { content: { type: string; text: string }[] };
  const text = input.content[0]?.text ?? '';
  // The only supported flag is `--dur`.
  const [, seconds] = / --dur (5|10)$/.exec(text) ?? [];
  if (seconds === undefined || text.split('--').length !== 2) {
    return jsonReply({ error: { code: 'InvalidParameter', message: 'duration' } }, 400);
  }
  const id = `cgt-${makeLetters(`${text} ${polls.size}`, 16)}`;
  polls.set(id, 0);
  secondsById.set(id, seconds);
  states.set(id, text.includes('upstream-expired') ? 'expired' : '');
  return jsonReply({ id });
}
