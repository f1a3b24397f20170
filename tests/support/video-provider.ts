// A provider of videos in OpenAI's format over real HTTP. It waits before and after it accepts a
// request, so that a client can end at either point.
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
  readonly submitted: readonly Submission[];
  /**
   * Resolves after this number of further steps: a request arrived, was accepted, or got a
   * response.
   */
  steps(count: number): Promise<void>;
  close(): Promise<void>;
};

const LONGEST_MOMENT_MS = 150;

export async function openVideoUpstream(random: Random): Promise<VideoUpstream> {
  const endpoints = openaiEndpoints({ video: (seconds) => Buffer.from(sampleVideo(seconds)) });
  const submitted: Submission[] = [];
  let submissions = 0;
  let waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  const step = () => {
    submissions += 1;
    for (const { resolve } of waiting.filter(({ at }) => at <= submissions)) resolve();
    waiting = waiting.filter(({ at }) => at > submissions);
  };
  const moment = () => runningClock().sleep(random.next() * LONGEST_MOMENT_MS);
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    req.on('error', () => {});
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => req.on('close', resolve));
    // An incomplete request has no effect; a complete one is processed even after its client left.
    if (!req.complete) return;
    step();
    await moment();
    const { method = 'GET', headers } = req;
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', 'http://videos');
    const body = Buffer.concat(chunks);
    if (method === 'POST') submitted.push(submissionIn(body, headers['idempotency-key']));
    const reply = endpoints({ method, path, query, headers, body });
    step();
    await moment();
    res.writeHead(reply.status, reply.headers ?? { 'content-type': 'application/json' });
    res.end(reply.body);
    step();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  // Another process that finds a half-submitted job waits as long as a request may take.
  const options = { key: openaiKey, model: 'demo-video', timeoutMs: 20_000 };
  const config = { kind: 'openai', url, ...options } as const;
  return {
    config,
    submitted,
    steps: (count) =>
      new Promise((resolve) => {
        waiting.push({ at: submissions + count, resolve });
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
