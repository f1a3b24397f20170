// Simulates a provider of videos in OpenAI's format over real HTTP. It pauses before and after it
// accepts a request, so that a client can stop at either point.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openaiEndpoints, openaiKey } from '../../demo/upstream/openai-endpoints.ts';
import { sampleVideo } from '../../src/gateway/capabilities/video/sample-video.ts';
import type { Random } from '../../src/kernel/crypto/random.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';

export type Submission = { readonly prompt: string; readonly idempotencyKey: string };

export type VideoUpstream = {
  /** An entry of `providers.video`. */
  readonly config: Readonly<Record<'url' | 'key' | 'model', string>> & {
    readonly kind: 'openai';
    readonly timeoutMs: number;
  };
  readonly submissions: readonly Submission[];
  /**
   * Resolves after this number of further steps: a request arrived, was accepted, or got a
   * response.
   */
  waitForSteps(count: number): Promise<void>;
  close(): Promise<void>;
};

const LONGEST_PAUSE_MS = 150;

export async function openVideoUpstream(random: Random): Promise<VideoUpstream> {
  const endpoints = openaiEndpoints({ video: (seconds) => Buffer.from(sampleVideo(seconds)) });
  const submissions: Submission[] = [];
  let stepCount = 0;
  let waiters: { readonly at: number; readonly resolve: () => void }[] = [];
  const countStep = () => {
    stepCount += 1;
    for (const { resolve } of waiters.filter(({ at }) => at <= stepCount)) resolve();
    waiters = waiters.filter(({ at }) => at > stepCount);
  };
  const pauseBriefly = () => runningClock().sleep(random.next() * LONGEST_PAUSE_MS);
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    req.on('error', () => {});
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => req.on('close', resolve));
    // An incomplete request has no effect; a complete request is processed even when its client has
    // disconnected.
    if (!req.complete) return;
    countStep();
    await pauseBriefly();
    const { method = 'GET', headers } = req;
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', 'http://videos');
    const body = Buffer.concat(chunks);
    if (method === 'POST') submissions.push(submissionIn(body, headers['idempotency-key']));
    const reply = endpoints({ method, path, query, headers, body });
    countStep();
    await pauseBriefly();
    res.writeHead(reply.status, reply.headers ?? { 'content-type': 'application/json' });
    res.end(reply.body);
    countStep();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  // A process that finds a job in submission waits for the whole time limit of a request.
  const options = { key: openaiKey, model: 'demo-video', timeoutMs: 20_000 };
  const config = { kind: 'openai', url, ...options } as const;
  return {
    config,
    submissions,
    waitForSteps: (count) =>
      new Promise((resolve) => {
        waiters.push({ at: stepCount + count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function submissionIn(body: Buffer, key: string | string[] | undefined): Submission {
  const [, prompt = ''] = /name="prompt"\r\n\r\n([^\r]*)/.exec(body.toString()) ?? [];
  return { prompt, idempotencyKey: String(key) };
}
