// A gateway is killed -9 at every step of a job. The next gateway loses no job, sends no request
// twice, and charges once or not at all. Real processes, a real database, real HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { openUpstream } from '../../demo/upstream/open-upstream.ts';
import { jobPoints } from '../../src/gateway/calls/jobs/job-deps.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { findCall } from '../../src/gateway/wallet/history/read-calls.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { formatCny } from '../../src/kernel/money.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { acceleratedWorld, jobsAccount, openAcceleratedJobs } from '../support/accelerated-jobs.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const { db, connection } = await openTestDatabase();
const upstream = await openUpstream();
const dataDir = mkdtempSync(join(tmpdir(), 'radar-jobs-'));
afterAll(async () => {
  await upstream.close();
  rmSync(dataDir, { recursive: true });
});

const { openai, ark } = upstream.servers;
const video = { capability: 'svc-video', input: { prompt: 'Waves', seconds: 4 } };
const search = {
  capability: 'social',
  input: { platform: 'douyin', action: 'search', params: { keyword: '澄砚' } },
};
const image = { capability: 'svc-image', input: { prompt: 'A harbour' } };
const listPosts = () =>
  [...openai.requests, ...ark.requests].filter((line) => line.startsWith('POST'));

let callCount = 0;

/**
 * Kills a process at the point and lets another process continue. Returns the outcome, and the
 * requests to the providers in between.
 */
async function killAt(point: string, kind: 'openai' | 'ark', call: object) {
  callCount += 1;
  const requestId = `req_${String(callCount).padStart(24, '0')}`;
  const video = upstream.config.video.filter((config) => config.kind === kind);
  const config = { ...upstream.config, video };
  const postCountBefore = listPosts().length;
  const script = join(import.meta.dirname, 'gateway-jobs-process.ts');
  const values = [connection, config, dataDir, point, { ...call, requestId }];
  const args = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);

  // Ten minutes later the claims of the killed process have expired.
  const world = acceleratedWorld(600_000, 100);
  const jobs = await openAcceleratedJobs(world, db, {
    providers: providersSchema.parse(config),
    dataDir,
  });
  const job = await until(async () => {
    const { rows } = await sql<{ id: string; status: string; error: { message: string } | null }>`
      SELECT id, status, error FROM jobs WHERE request_id = ${requestId}`.execute(sqlOf(db));
    const [row] = rows;
    return row && ['accepting', 'queued', 'running'].includes(row.status) ? null : (row ?? 'none');
  });
  const charges = await findCall(world, db, { accountId: jobsAccount, livemode: true, requestId });
  const { invariants } = await auditLedger(world, db, 'full');
  expect(invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  await jobs.close();
  return {
    status: job === 'none' ? 'none' : job.status,
    submissions: listPosts().length - postCountBefore,
    call: charges?.state ?? 'none',
    charged: charges?.charge ? formatCny(charges.charge.total) : null,
  };
}

const succeededOnce = { status: 'succeeded', submissions: 1, call: 'captured', charged: '0' };
const failedOnce = { status: 'failed', call: 'released', charged: null };

describe('a video job whose process is killed', () => {
  // The client has received no job id, so the job may be missing.
  test('before acceptance leaves no charge and no request', async () => {
    expect(await killAt('begun', 'openai', video)).toEqual({
      status: 'none',
      submissions: 0,
      call: 'released',
      charged: null,
    });
  });

  test.each(jobPoints.slice(1, -1))('at "%s" makes the video once', async (point) => {
    expect(await killAt(point, 'openai', video)).toEqual(succeededOnce);
  });

  test.each([
    ['asking', 0],
    ['answered', 1],
  ])(
    'at "%s" fails instead of repeating when the provider cannot find a lost request',
    async (point, submissions) => {
      expect(await killAt(point, 'ark', video)).toEqual({ ...failedOnce, submissions });
    },
  );

  test('after the provider returned an id makes the video once at that provider', async () => {
    expect(await killAt('recorded', 'ark', video)).toEqual(succeededOnce);
  });
});

describe('another job whose process is killed', () => {
  test.each(['asking', 'decided', 'resolved'])('at "%s" is charged once', async (point) => {
    const outcome = await killAt(point, 'openai', search);
    expect(outcome).toEqual({ ...succeededOnce, submissions: 0, charged: '0.036' });
  });

  test('while an image is generated fails instead of repeating', async () => {
    expect(await killAt('answered', 'openai', image)).toEqual({ ...failedOnce, submissions: 1 });
  });
});
