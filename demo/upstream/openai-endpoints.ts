// Simulates a provider in OpenAI's format: images, speech, and videos that are ready after a few
// polls.
import { runningClock } from '../../src/kernel/time/clock.ts';
import { drawText } from './draw-image.ts';
import { makeLetters } from './posts.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';

export const openaiKey = 'demo-openai-key';

/** Transcript that the demonstration returns for every audio file. */
const transcript = [
  'Welcome to the harbour.',
  'Today we look at what changed this week,',
  'and at what did not.',
] as const;

/** `video`: a video of the given number of seconds. */
export type OpenaiOptions = { readonly video: (seconds: number) => Buffer };

export function openaiEndpoints({ video }: OpenaiOptions): (request: UpstreamRequest) => Reply {
  const polls = new Map<string, number>();
  const deletedFiles = new Set<string>();
  const videoTasks: object[] = [];
  return (request) => {
    if (request.headers.authorization !== `Bearer ${openaiKey}`) {
      return jsonReply({ error: { message: 'Incorrect API key provided.' } }, 401);
    }
    const { method, path } = request;
    if (method === 'POST' && path === '/v1/images/generations') return makeImage(request);
    if (method === 'POST' && path === '/v1/audio/transcriptions') return transcribe(request);
    if (method === 'POST' && path === '/v1/videos') return submitVideo(request, polls, videoTasks);
    if (path === '/v1/videos')
      return jsonReply({ object: 'list', data: videoTasks, has_more: false });
    const [, id = '', subPath] = /^\/v1\/videos\/([\w-]+)(\/content)?$/.exec(path) ?? [];
    if (!polls.has(id) || deletedFiles.has(id)) {
      return jsonReply({ error: { message: 'Video not found.', type: 'not_found' } }, 404);
    }
    if (method === 'DELETE') {
      deletedFiles.add(id);
      return jsonReply({ id, object: 'video.deleted', deleted: true });
    }
    if (subPath) {
      const body = video(Number(/_(\d+)s_/.exec(id)?.[1] ?? 4));
      return { status: 200, headers: { 'content-type': 'video/mp4' }, body };
    }
    const count = (polls.get(id) ?? 0) + 1;
    polls.set(id, count);
    return jsonReply(videoTask(id, count));
  };
}

function makeImage({ body, headers }: UpstreamRequest): Reply {
  const input = JSON.parse(body.toString()) as { prompt: string; size: string; model: string };
  if (/forbidden/i.test(input.prompt)) {
    const message = 'Your request was rejected by the safety system.';
    return jsonReply({ error: { message, code: 'moderation_blocked' } }, 400);
  }
  const [width = 1024, height = 1024] = input.size.split('x').map(Number);
  const image = drawText(['HARBOUR MEDIA'], 60, { width, height });
  const revised_prompt = `${input.prompt}, as a line drawing`;
  if (/by address/.test(input.prompt)) {
    const path = /expired/.test(input.prompt) ? 'gone.png' : 'drawn.png';
    const url = `http://${headers.host}/results/${path}`;
    return jsonReply({ created: 0, data: [{ url, revised_prompt }] });
  }
  const bytes = /no image/.test(input.prompt) ? Buffer.from('<svg onload="x()"/>') : image;
  return jsonReply({ created: 0, data: [{ b64_json: bytes.toString('base64'), revised_prompt }] });
}

function transcribe({ body }: UpstreamRequest): Reply {
  const form = body.toString('latin1');
  const hasFile = /name="file"; filename="[\w.]+"\r\ncontent-type: audio\/ogg\r\n\r\nOggS/.test(
    form,
  );
  if (!hasFile || !form.includes('name="model"') || !form.includes('verbose_json')) {
    return jsonReply({ error: { message: 'Invalid form.' } }, 400);
  }
  const segments = transcript.map((text, id) => ({
    id,
    start: id * 1.1,
    end: (id + 1) * 1.1,
    text: ` ${text}`,
  }));
  const duration = segments.length * 1.1;
  const text = transcript.join(' ');
  return jsonReply({ task: 'transcribe', language: 'english', duration, text, segments });
}

function submitVideo(
  { body }: UpstreamRequest,
  polls: Map<string, number>,
  videoTasks: object[],
): Reply {
  const form = body.toString('utf8');
  const field = (name: string) => new RegExp(`name="${name}"\r\n\r\n([^\r]*)`).exec(form)?.[1];
  const prompt = field('prompt');
  const seconds = field('seconds') ?? '';
  if (!prompt || !['4', '8', '12'].includes(seconds)) {
    return jsonReply({ error: { message: 'Invalid seconds.' } }, 400);
  }
  const controlWords = ['refused', 'stuck'].filter((word) => prompt.includes(`upstream-${word}`));
  const id = [
    'video',
    `${seconds}s`,
    ...controlWords,
    makeLetters(`${prompt} ${polls.size}`, 12),
  ].join('_');
  polls.set(id, 0);
  const created_at = Math.floor(runningClock().now() / 1000);
  videoTasks.unshift({ ...videoTask(id, 0), created_at, prompt });
  return jsonReply(videoTask(id, 0));
}

/** A task is queued at the first poll, running at the second, and finished at the third. */
function videoTask(id: string, polls: number) {
  const commonFields = {
    id,
    object: 'video',
    model: 'demo-video',
    created_at: 0,
    seconds: /_(\d+)s_/.exec(id)?.[1] ?? '4',
  };
  if (polls <= 1) return { ...commonFields, status: 'queued', progress: 0 };
  if (id.includes('stuck')) return { ...commonFields, status: 'in_progress', progress: 40 };
  if (polls === 2) return { ...commonFields, status: 'in_progress', progress: 60 };
  if (!id.includes('refused')) return { ...commonFields, status: 'completed', progress: 100 };
  const error = { code: 'moderation_blocked', message: 'The video was blocked.' };
  return { ...commonFields, status: 'failed', progress: 60, error };
}

/** The file behind an address of a response; one address has expired. */
export function handleResults({ path }: UpstreamRequest): Reply {
  if (path.endsWith('/gone.png')) return { status: 403, headers: {}, body: 'Request has expired' };
  const image = drawText(['HARBOUR MEDIA'], 60, { width: 1024, height: 1024 });
  return { status: 200, headers: { 'content-type': 'image/png' }, body: image };
}
