// Videos as jobs, through the real adapters over real HTTP, from working and failing providers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openUpstream } from '../../../demo/upstream/open-upstream.ts';
import { providersSchema } from '../../../src/gateway/capabilities/providers-config.ts';
import { openLog } from '../../../src/kernel/observability/log.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import {
  type AcceleratedJobs,
  acceleratedWorld,
  jobsAccount,
  openAcceleratedJobs,
} from '../../support/accelerated-jobs.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';

const { db } = await openTestDatabase();
const upstream = await openUpstream();
const { openai, ark } = upstream.servers;
const dataDir = mkdtempSync(join(tmpdir(), 'radar-videos-'));
// The world is one day behind the video provider, which uses the clock of the machine. A video is
// therefore never older than its request, although the world's time passes 60 times as fast.
const world = acceleratedWorld(-DAY_MS, 60);
const providers = providersSchema.parse(upstream.config);
const logged: string[] = [];
const log = openLog({ level: 'warn', now: world.clock.now, write: (line) => logged.push(line) });
const node: AcceleratedJobs = await openAcceleratedJobs({ ...world, log }, db, {
  providers,
  dataDir,
});
afterAll(async () => {
  await node.close();
  await upstream.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  for (const server of [openai, ark]) server.setFault(null);
});

let count = 0;
const beginVideo = (prompt: string, livemode = true) => {
  count += 1;
  const requestId = `req_${String(count).padStart(24, '0')}`;
  const input = { prompt, seconds: 4 };
  return node.acceptJob({ capability: 'svc-video', input, requestId, livemode });
};
const countSubmitted = (requests: readonly string[]) =>
  requests.filter((line) => line.startsWith('POST')).length;

test('stores a video for as long as the result of its job', async () => {
  const job = await node.waitForEnd(await beginVideo('Waves'));
  const { videos } = job.result as { videos: { url: string }[] };
  expect(job).toMatchObject({ status: 'succeeded', progress: 1, error: null });
  expect(videos).toEqual([
    {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/media\//),
      mime_type: 'video/mp4',
      width: 320,
      height: 180,
      duration_seconds: 4,
    },
  ]);
  const token = videos[0]?.url.split('/').at(-1) ?? '';
  // The token begins with the expiry in seconds, in base 36.
  const expiresAt = Number.parseInt(token.split('-')[0] ?? '', 36) * 1000;
  expect(expiresAt - job.updatedAt).toBeGreaterThan(6.9 * DAY_MS);
  expect(await node.media.find(token)).toMatchObject({ mimeType: 'video/mp4' });
});

test('several jobs with the same prompt produce as many videos', async () => {
  const submittedBefore = countSubmitted(openai.requests);
  const ids = await Promise.all(Array.from({ length: 8 }, () => beginVideo('The same waves')));
  const jobs = await Promise.all(ids.map((id) => node.waitForEnd(id)));
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['succeeded']));
  expect(countSubmitted(openai.requests) - submittedBefore).toBe(8);
});

test('finds a video after a truncated response, and submits no second video', async () => {
  const submittedBefore = [countSubmitted(openai.requests), countSubmitted(ark.requests)];
  const job = await node.waitForEnd(await beginVideo('upstream:truncated waves'));
  expect(job).toMatchObject({ status: 'succeeded' });
  expect([countSubmitted(openai.requests), countSubmitted(ark.requests)]).toEqual([
    (submittedBefore[0] ?? 0) + 1,
    submittedBefore[1],
  ]);
});

test('logs the changed field of a response and finds the video', async () => {
  const submittedBefore = countSubmitted(openai.requests);
  expect(await node.waitForEnd(await beginVideo('upstream:changed waves'))).toMatchObject({
    status: 'succeeded',
  });
  expect(countSubmitted(openai.requests)).toBe(submittedBefore + 1);
  expect(logged.join()).toContain('"internal":"video:openai /videos: field id: ');
});

test('uses the next provider when one has no capacity', async () => {
  openai.setFault('busy');
  const submittedBefore = countSubmitted(ark.requests);
  expect(await node.waitForEnd(await beginVideo('Waves elsewhere'))).toMatchObject({
    status: 'succeeded',
  });
  expect(countSubmitted(ark.requests)).toBe(submittedBefore + 1);
});

test('a temporarily unreachable provider does not lose the video', async () => {
  const id = await beginVideo('upstream-stuck patient waves');
  const waitForRequest = async () => {
    const { length } = openai.requests;
    await until(async () => (openai.requests.length > length ? true : null));
  };
  await waitForRequest();
  openai.setFault('resting');
  await waitForRequest();
  openai.setFault(null);
  await waitForRequest();
  const job = await node.jobs.find({ accountId: jobsAccount, livemode: true, id });
  expect(['queued', 'running']).toContain(job?.status);
  await node.jobs.cancel(id);
});

test('reports the provider’s reason when it refuses', async () => {
  expect(await node.waitForEnd(await beginVideo('upstream-refused waves'))).toMatchObject({
    status: 'failed',
    result: null,
    error: { code: 'upstream_error', message: 'The provider could not make this video.' },
  });
});

test('cancels the video at its provider', async () => {
  const id = await beginVideo('upstream-stuck waves');
  const readJob = () => node.jobs.find({ accountId: jobsAccount, livemode: true, id });
  const runningJob = await until(async () => {
    const job = await readJob();
    return job?.status === 'running' && job.progress !== null ? job : null;
  });
  expect(runningJob.progress).toBe(0.4);
  await node.jobs.cancel(id);
  expect(await readJob()).toMatchObject({ status: 'canceled', result: null, error: null });
  await until(async () => (openai.requests.some((line) => /^DELETE/.test(line)) ? true : null));
});

test('test mode runs the same job quickly without any provider', async () => {
  const submittedBefore = countSubmitted(openai.requests);
  expect(await node.waitForEnd(await beginVideo('anything', false), false)).toMatchObject({
    status: 'succeeded',
    result: { videos: [{ mime_type: 'video/mp4' }] },
  });
  const failedJob = await node.waitForEnd(await beginVideo('sandbox:upstream_error', false), false);
  expect(failedJob).toMatchObject({ status: 'failed', error: { code: 'upstream_error' } });
  const limitedJob = await node.waitForEnd(await beginVideo('sandbox:rate_limited', false), false);
  expect(limitedJob).toMatchObject({ status: 'failed', error: { code: 'rate_limited' } });
  const emptyJob = await node.waitForEnd(await beginVideo('sandbox:empty', false), false);
  expect(emptyJob).toMatchObject({ status: 'succeeded', result: { videos: [] } });
  expect(countSubmitted(openai.requests)).toBe(submittedBefore);
});
