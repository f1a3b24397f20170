// A provider's link to a finished video expires. When it expires before or during the download, the
// job requests a new link. The job is submitted to the provider once.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { providersSchema } from '../../../src/gateway/capabilities/providers-config.ts';
import { sampleVideo } from '../../../src/gateway/capabilities/video/sample-video.ts';
import { acceleratedWorld, openAcceleratedJobs } from '../../support/accelerated-jobs.ts';
import { openTestDatabase } from '../../support/test-database.ts';

/** The responses of the video's address, in order. The last response repeats. */
type Link = 'expired' | 'cut off' | 'video';
let links: Link[] = [];
let requests: string[] = [];
let jobCount = 0;

const video = Buffer.from(sampleVideo(4));
const tasks = '/api/v3/contents/generations/tasks';
const server = createServer((req, res) => {
  req.resume();
  const line = `${req.method} ${req.url?.replace(tasks, '')}`;
  requests.push(line);
  if (line === 'POST ') return sendJson(res, { id: `cgt-${jobCount}` });
  if (line.startsWith('GET /cgt-')) {
    const requestCount = requests.filter((request) => request === line).length;
    const taskContent = { video_url: `http://${req.headers.host}/video-${requestCount}.mp4` };
    return sendJson(res, { id: line.slice(5), status: 'succeeded', content: taskContent });
  }
  const link = links.length > 1 ? links.shift() : links[0];
  if (link === 'expired') {
    res.writeHead(403, { 'content-type': 'application/xml' });
    return res.end(
      '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
    );
  }
  res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.length });
  if (link === 'video') return res.end(video);
  res.write(video.subarray(0, 100));
  // Waits until the written bytes are sent, before the connection ends.
  return setImmediate(() => res.destroy());
});

function sendJson(res: ServerResponse, value: object): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify(value));
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { db } = await openTestDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'radar-links-'));
const providers = providersSchema.parse({
  video: [{ kind: 'ark', url, model: 'm', privateHosts: [new URL(url).host] }],
});
const node = await openAcceleratedJobs(acceleratedWorld(0, 60), db, { providers, dataDir });
afterAll(async () => {
  await node.close();
  server.close();
  server.closeAllConnections();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  requests = [];
});

const beginJob = () => {
  jobCount += 1;
  const requestId = `req_${String(jobCount).padStart(24, '0')}`;
  return node.acceptJob({
    capability: 'svc-video',
    input: { prompt: 'Waves', seconds: 4 },
    requestId,
  });
};
const videoRequests = () => requests.filter((line) => line.startsWith('GET /video'));

test.each<Link>(['expired', 'cut off'])(
  'requests a new link when the first link is %s',
  async (firstLink) => {
    links = [firstLink, 'video'];
    const job = await node.waitForEnd(await beginJob());
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    expect(videoRequests()).toEqual(['GET /video-1.mp4', 'GET /video-2.mp4']);
    expect(requests.filter((line) => line === 'POST ')).toEqual(['POST ']);
    const [video] = (job.result as { videos: { url: string }[] }).videos;
    expect(await node.media.find(video?.url.split('/').at(-1) ?? '')).toMatchObject({
      mimeType: 'video/mp4',
    });
  },
);

test('ends the job when all links have expired, and requests no link twice', async () => {
  links = ['expired'];
  const job = await node.waitForEnd(await beginJob());
  expect(job).toMatchObject({ status: 'failed', result: null, error: { code: 'upstream_error' } });
  expect(videoRequests().length).toBeGreaterThan(1);
  expect(new Set(videoRequests()).size).toBe(videoRequests().length);
  expect(requests.filter((line) => line === 'POST ')).toEqual(['POST ']);
});
