// A provider accepts a video and sends no response; meanwhile the node loses its claim. The next
// node does not submit the video again while the first submission can still succeed.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { providersSchema } from '../../../src/gateway/capabilities/providers-config.ts';
import { sampleVideo } from '../../../src/gateway/capabilities/video/sample-video.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import {
  type AcceleratedWorld,
  jobsAccount,
  openAcceleratedJobs,
} from '../../support/accelerated-jobs.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { TEST_NOW, testWorld } from '../../support/test-world.ts';
import { until } from '../../support/until.ts';

const TIMEOUT_MS = 600_000;
const CLAIM_MS = 60_000;
/** A provider may list an accepted video late. */
const LISTED_AFTER_MS = 120_000;

const events: string[] = [];
const video = Buffer.from(sampleVideo(4));
const task = { id: 'video-1', status: 'completed' };
const server = createServer((req, res) => {
  req.resume();
  const route = `${req.method} ${req.url?.split('?')[0]}`;
  if (route !== 'POST /videos') return respond(res, route);
  const attempt = events.filter((line) => line.startsWith('submitted')).length + 1;
  events.push(`submitted ${attempt}`);
  res.on('close', () => events.push(`closed ${attempt}`));
  return attempt === 1 ? undefined : respond(res, route);
});

function respond(res: ServerResponse, route: string): void {
  if (route.endsWith('/content')) return void res.end(video);
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify(route === 'GET /videos' ? { data: [], has_more: false } : task));
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { db } = await openTestDatabase();
const providers = providersSchema.parse({
  video: [{ kind: 'openai', url, key: 'k', model: 'm', timeoutMs: TIMEOUT_MS }],
});

const dataDir = mkdtempSync(join(tmpdir(), 'radar-hanging-'));

/** A node with its own clock. */
async function openNode(seed: number, at: number) {
  const { world, clock } = testWorld(seed, at);
  const stoppedClock = { ...clock, withStoppedClock: <T>(work: () => Promise<T>) => work() };
  const stoppedWorld: AcceleratedWorld = { ...world, clock: stoppedClock };
  return { clock, ...(await openAcceleratedJobs(stoppedWorld, db, { providers, dataDir })) };
}

const dueAt = async (id: string) => {
  const [row] = await sqlOf(db)
    .selectFrom('jobs')
    .select(['due_at', 'claim'])
    .where('id', '=', id)
    .execute();
  return row?.claim === null ? row.due_at : null;
};

const firstNode = await openNode(1, TEST_NOW);
const waitForEvent = (line: string) => until(async () => (events.includes(line) ? true : null));
const closing: (() => Promise<void>)[] = [firstNode.close];
afterAll(async () => {
  server.closeAllConnections();
  await Promise.all(closing.map((close) => close()));
  server.close();
  rmSync(dataDir, { recursive: true });
});

test('does not submit a video while the submission of another node may succeed', async () => {
  const requestId = 'req_000000000000000000000001';
  const input = { prompt: 'Waves', seconds: 4 };
  const id = await firstNode.acceptJob({ capability: 'svc-video', input, requestId });
  await waitForEvent('submitted 1');

  // The first node's clock stands still, so it cannot renew its claim or notice the loss.
  const secondNode = await openNode(2, TEST_NOW + CLAIM_MS + 1);
  closing.push(secondNode.close);
  const secondAttemptAt = await until(() => dueAt(id));
  expect(secondAttemptAt - TEST_NOW).toBe(2 * TIMEOUT_MS + LISTED_AFTER_MS);

  // The first node now detects the loss of its claim and aborts its request.
  firstNode.clock.advance(CLAIM_MS / 2);
  await waitForEvent('closed 1');
  expect(events).toEqual(['submitted 1', 'closed 1']);

  secondNode.clock.set(secondAttemptAt);
  const jobOutcome = await until(async () => {
    secondNode.clock.advance(2_000);
    const job = await secondNode.jobs.find({ accountId: jobsAccount, livemode: true, id });
    return job?.status === 'queued' || job?.status === 'running' ? null : job;
  });
  expect(jobOutcome.status).toBe('succeeded');
  expect(events).toEqual(['submitted 1', 'closed 1', 'submitted 2', 'closed 2']);
});
