// Four gateways on one PostgreSQL are killed -9 one by one while jobs start, run and are charged on
// all of them. No accepted job is lost, no video is requested twice, no charge is wrong, and all
// nodes agree. Real processes, a real database, real HTTP.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServer } from '../../demo/upstream/server.ts';
import { handleTikhub, tikhubKey } from '../../demo/upstream/tikhub-endpoints.ts';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { listJobs } from '../../src/gateway/calls/jobs/list-jobs.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { sharedWorld } from '../support/accelerated-jobs.ts';
import { json, sendRequest, type TestResponse } from '../support/http-request.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { type ServingProcess, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { openVideoUpstream } from '../support/video-upstream.ts';

const NODES = 4;
/** Number of clients that start a job, wait for its end, and start the next one. */
const CLIENTS = 6;
const JOBS = proofSize(28, 280);
const KILLS = proofSize(5, 50);
const LIMIT_MS = proofSize(400_000, 1_200_000);

const seed = proofSeed();
const random = seededRandom(seed);
const randomBelow = (count: number) => Math.floor(random.next() * count);

const begunAt = runningClock().now();
const world = sharedWorld(begunAt);
const { db, connection } = await openTestDatabase();
const dataDir = temporaryDataDir();
const upstream = await openVideoUpstream(seededRandom(seed + 1));
const social = await openServer(handleTikhub);
const nodes: ServingProcess[] = [];
let accountId = '';
let key = '';

const script = join(import.meta.dirname, 'gateway-jobs-node.ts');
/** The compile cache of `bin/radar`. Nodes that start fast can be killed more often. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/radar');
const startNode = () => {
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: urlOf(connection),
    RADAR_CONFIG: join(dataDir, 'radar.config.json'),
    NODE_COMPILE_CACHE: compileCache,
  };
  return startServing(env, [String(begunAt)], [process.execPath, script]);
};

beforeAll(async () => {
  const providers = {
    video: [upstream.config],
    social: [{ kind: 'tikhub', url: social.url, key: tikhubKey }],
  };
  const config = { logLevel: 'error', providers };
  writeFileSync(join(dataDir, 'radar.config.json'), JSON.stringify(config));
  nodes.push(...(await Promise.all(Array.from({ length: NODES }, startNode))));
  const createdAccount = await addAccount(world, db, {
    email: 'jobs@example.com',
    password: 'four of a kind',
  });
  if (createdAccount.kind !== 'added') throw new Error(createdAccount.kind);
  accountId = createdAccount.id;
  const payment = { amount: 10n ** 10n, reference: 'jobs', reason: null, actor: 'test' };
  await topUp(world, db, { accountId, livemode: true, ...payment });
  key = (await makeKey(world, db, { accountId, kind: 'sk', livemode: true, name: 'x' })).text;
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await upstream.close();
  await social.close();
  await world.net.close();
});

type RequestedJob = { readonly name: string; readonly capability: string; readonly input: object };

const prices: Readonly<Record<string, string>> = { social: '0.036', 'svc-video': '0' };

/** Every fourth job is a search, which has a price. */
const jobs = Array.from({ length: JOBS }, (_, index): RequestedJob => {
  const name = `job-${index}`;
  const params = { keyword: '澄砚' };
  return index % 4 === 3
    ? { name, capability: 'social', input: { platform: 'douyin', action: 'search', params } }
    : { name, capability: 'svc-video', input: { prompt: name, seconds: 4 } };
});

/** Sends a request to a node; null when the node was killed before its response. */
const requestNode = (
  node: ServingProcess,
  request: Parameters<typeof sendRequest>[1],
): Promise<TestResponse | null> => {
  const headers = { authorization: `Bearer ${key}`, ...request.headers };
  return sendRequest(node.gatewayUrl, { ...request, headers }).catch(() => null);
};
const randomNode = () => requirePresent(nodes[randomBelow(NODES)], 'a node');
const jobPath = (id: string) => `/api/v1/jobs/${id}`;

/** Starts a job. After no response or a retry status it repeats the request with the same key. */
async function startJob({
  name,
  capability,
  input,
}: RequestedJob): Promise<{ id: string; requestId: string }> {
  return until(async () => {
    const response = await requestNode(randomNode(), {
      method: 'POST',
      path: `/api/v1/capabilities/${capability}`,
      body: JSON.stringify(input),
      headers: {
        'content-type': 'application/json',
        'idempotency-key': name,
        prefer: 'respond-async, idempotent-replay',
      },
    });
    if (response === null) return null;
    const body = json(response);
    if (response.status === 202) {
      return { id: (body.data as { id: string }).id, requestId: String(body.request_id) };
    }
    // A job of a killed node is locked until its claim expires.
    expect(body).toMatchObject({ code: 'idempotency_in_progress' });
    return null;
  });
}

const waitForEnd = (id: string) =>
  until(async () => {
    const response = await requestNode(randomNode(), { path: `${jobPath(id)}?wait=60` });
    if (response === null) return null;
    expect(response.status).toBe(200);
    const job = json(response);
    return ['queued', 'running'].includes(String(job.status)) ? null : job;
  });

type CompletedJob = RequestedJob & { readonly id: string; readonly requestId: string };

/** Completes all jobs with several concurrent clients. */
async function completeJobs(): Promise<readonly CompletedJob[]> {
  const remainingJobs = [...jobs];
  const completedJobs: CompletedJob[] = [];
  const client = async () => {
    for (let job = remainingJobs.shift(); job !== undefined; job = remainingJobs.shift()) {
      const startedJob = await startJob(job);
      await waitForEnd(startedJob.id);
      completedJobs.push({ ...job, ...startedJob });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return completedJobs;
}

/** Repeatedly kills a serving node and starts another one, until the run is over. */
async function killNodesUntil(completion: Promise<unknown>): Promise<number> {
  let isOver = false;
  void completion.then(() => {
    isOver = true;
  });
  for (let kills = 0; ; kills += 1) {
    await Promise.race([upstream.waitForSteps(1 + randomBelow(12)), completion]);
    if (isOver || kills === KILLS) return kills;
    const nodeIndex = randomBelow(NODES);
    await nodes[nodeIndex]?.end('SIGKILL');
    nodes[nodeIndex] = await startNode();
  }
}

describe(`four nodes that are killed one by one (seed ${seed})`, () => {
  let completedJobs: readonly CompletedJob[] = [];

  test(
    'complete every accepted job once',
    async () => {
      const completion = completeJobs();
      const [kills] = await Promise.all([killNodesUntil(completion), completion]);
      completedJobs = await completion;
      expect(kills).toBeGreaterThan(0);
      const jobs = await listJobs(db, { status: null, accountId, limit: 1_000, skip: 0 });
      const jobStates = jobs.map(({ id, status }) => [id, status]);
      expect(jobStates.sort()).toEqual(completedJobs.map(({ id }) => [id, 'succeeded']).sort());
    },
    LIMIT_MS,
  );

  test('request each video once, with its own idempotency key', () => {
    const submitted = upstream.submissions.map(({ prompt, idempotencyKey }) => [
      prompt,
      idempotencyKey,
    ]);
    const videoJobs = completedJobs.filter(({ capability }) => capability === 'svc-video');
    expect(submitted.sort()).toEqual(
      videoJobs.map(({ name, requestId }) => [name, requestId]).sort(),
    );
  });

  test('charge each job once, leave no hold, and keep the balances correct', async () => {
    const charges = completedJobs.map(async ({ capability, requestId }) => {
      const response = await requestNode(randomNode(), { path: `/api/v1/calls/${requestId}` });
      const { status, charge } = json(requirePresent(response, 'a node')) as {
        status: string;
        charge: { total: string };
      };
      return [capability, status, charge.total];
    });
    expect(await Promise.all(charges)).toEqual(
      completedJobs.map(({ capability }) => [capability, 'succeeded', prices[capability]]),
    );
    const account = json(
      requirePresent(await requestNode(randomNode(), { path: '/api/v1/account' }), 'a node'),
    );
    expect(account).toMatchObject({ balance: { held: '0' } });
    const { invariants } = await auditLedger(world, db, 'full');
    expect(invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  test('report the same state of every job', async () => {
    for (const { id } of completedJobs) {
      const pendingResponses = nodes.map((node) => requestNode(node, { path: jobPath(id) }));
      const responses = (await Promise.all(pendingResponses)).map((response) => [
        response?.status,
        response?.text,
      ]);
      expect(responses).toEqual(Array(NODES).fill([200, responses[0]?.[1]]));
    }
  });
});
