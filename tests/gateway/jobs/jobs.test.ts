// Jobs over HTTP. A job is accepted with a 202, read, awaited, cancelled, expired or deleted, and
// charged like a call.
import { beforeAll, describe, expect, test } from 'vitest';
import { openJobWatch } from '../../../src/gateway/calls/jobs/watch-jobs.ts';
import { auditLedger } from '../../../src/gateway/wallet/integrity/audit-ledger.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time/durations.ts';
import { type GatewayContract, readGatewayContract } from '../../support/gateway-contract.ts';
import { json, sendRequest, type TestResponse } from '../../support/http-request.ts';
import { openTestGateway, problemIn, type TestKeys } from '../../support/test-gateway.ts';
import { until } from '../../support/until.ts';

const gateway = await openTestGateway();
const { clock } = gateway;
let contract: GatewayContract;
beforeAll(async () => {
  contract = await readGatewayContract(gateway.origin);
});

type JobBody = { readonly id: string; readonly status: string } & Record<string, unknown>;
const ASYNC = { prefer: 'respond-async' } as const;
const path = (id: string) => `/api/v1/jobs/${id}`;

async function acceptJob(body: object, { sk }: TestKeys, idempotencyKey?: string) {
  const options = { ...ASYNC, key: sk, ...(idempotencyKey && { idempotencyKey }) };
  const response = await gateway.call('paid', body, options);
  expect(response.status).toBe(202);
  const request = { method: 'POST', path: '/api/v1/capabilities/paid' };
  expect(contract.faultsOf(request, response)).toEqual([]);
  return { response, job: json(response).data as JobBody };
}

async function readJob(id: string, key: string): Promise<JobBody> {
  const response = await gateway.readPath(path(id), key);
  expect(contract.faultsOf({ path: path(id) }, response)).toEqual([]);
  return json(response) as JobBody;
}

const waitForEnd = (id: string, { sk }: TestKeys) =>
  until(async () => {
    const job = await readJob(id, sk);
    return ['queued', 'running'].includes(job.status) ? null : job;
  });

const cancelJob = (id: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  return gateway.sendRequest({ method: 'DELETE', path: path(id), headers });
};

const readMoney = async ({ sk }: TestKeys) => {
  const account = json(await gateway.readPath('/api/v1/account', sk));
  const { balance, free_quota: quota } = account as {
    balance: { held: string };
    free_quota: { remaining: string };
  };
  return { held: balance.held, remaining: quota.remaining };
};

describe('a job', () => {
  test('is accepted with its address and hold, and succeeds with its result', async () => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waitForRuns(1);
    const { response, job } = await acceptJob({ text: 'later', does: 'wait' }, keys);
    expect(response.headers.location).toBe(path(job.id));
    expect(response.headers['preference-applied']).toBe('respond-async');
    expect(json(response)).toMatchObject({
      data: {
        capability: 'paid',
        status: 'queued',
        progress: null,
        result: null,
        error: null,
        created_at: '2026-08-22T12:00:00.000Z',
        updated_at: '2026-08-22T12:00:00.000Z',
      },
      usage: { unit: 'per_call', quantity: 1, increment: 'call' },
      charge: { total: '0.036', free_quota: '0.036' },
    });
    await callArrived;
    expect(await readJob(job.id, keys.skTest)).toMatchObject({ status: 404 });
    expect(await readJob(job.id, keys.ak)).toMatchObject({ status: 'running' });
    expect(await readMoney(keys)).toEqual({ held: '0.036', remaining: '1.964' });
    gateway.paid.release();
    expect(await waitForEnd(job.id, keys)).toEqual({
      id: job.id,
      capability: 'paid',
      status: 'succeeded',
      progress: 1,
      error: null,
      result: { text: 'later' },
      created_at: '2026-08-22T12:00:00.000Z',
      updated_at: '2026-08-22T12:00:00.000Z',
    });
    expect(await readMoney(keys)).toEqual({ held: '0', remaining: '1.964' });
    const { request_id: id } = json(response);
    expect(json(await gateway.readPath(`/api/v1/calls/${id}`, keys.sk))).toMatchObject({
      status: 'succeeded',
      http_status: 202,
      charge: { total: '0.036' },
      answer: { status: 202, body: json(response) },
    });
  });

  test.each([
    [{ does: 'fail', code: 'media_unavailable' }, 422, 'media_unavailable'],
    [{ does: 'fail', code: 'capability_unavailable' }, 503, 'capability_unavailable'],
    [{ does: 'throw' }, 503, 'temporarily_unavailable'],
    [{ does: 'fault' }, 400, 'invalid_request'],
  ])('that fails (%o) gives the reason and costs nothing', async (input, status, code) => {
    const keys = await gateway.newAccount();
    const { response, job } = await acceptJob({ text: 'x', ...input }, keys);
    expect(await waitForEnd(job.id, keys)).toMatchObject({
      status: 'failed',
      result: null,
      error: { status, code, instance: path(job.id), request_id: json(response).request_id },
    });
    expect(await readMoney(keys)).toEqual({ held: '0', remaining: '2' });
  });

  test('that finds nothing succeeds and costs nothing', async () => {
    const keys = await gateway.newAccount();
    const { response, job } = await acceptJob({ text: 'x', does: 'find_nothing' }, keys);
    expect(await waitForEnd(job.id, keys)).toMatchObject({ status: 'succeeded' });
    expect(await readMoney(keys)).toEqual({ held: '0', remaining: '2' });
    const { request_id: id } = json(response);
    expect(json(await gateway.readPath(`/api/v1/calls/${id}`, keys.sk))).toMatchObject({
      charge: { total: '0' },
    });
  });

  test('of measured length is charged by the measured length', async () => {
    const keys = await gateway.newAccount();
    const body = { text: 'x', does: 'measure', seconds: 90 };
    const response = await gateway.call('timed', body, { ...ASYNC, key: keys.sk });
    const { id } = json(response).data as JobBody;
    expect(await waitForEnd(id, keys)).toMatchObject({ status: 'succeeded' });
    expect(await readMoney(keys)).toEqual({ held: '0', remaining: '1.91' });
  });

  test('is refused with 402 above its max_charge', async () => {
    const keys = await gateway.newAccount();
    const body = { text: 'dear', max_charge: '0.01' };
    const response = await gateway.call('paid', body, { ...ASYNC, key: keys.sk });
    expect(problemIn(response)).toMatchObject({ status: 402, code: 'max_charge_exceeded' });
    expect(gateway.paid.runs).not.toContain('dear');
  });

  test('of another account, with an unknown id or with an invalid id is not found', async () => {
    const [first, second] = [await gateway.newAccount(), await gateway.newAccount()];
    const { job } = await acceptJob({ text: 'x' }, first);
    for (const [id, key] of [
      [job.id, second.sk],
      ['job_000000000000000000000000', first.sk],
      ['%E2%98%83', first.sk],
    ] as const) {
      const response = await gateway.readPath(path(id), key);
      expect(problemIn(response)).toMatchObject({ status: 404, detail: 'There is no such job.' });
    }
    expect((await cancelJob(job.id, second.sk)).status).toBe(404);
    await waitForEnd(job.id, first);
  });
});

describe('the Idempotency-Key of a job', () => {
  const sendAgain = (body: object, { sk }: TestKeys, prefer: string) =>
    gateway.call('paid', body, { key: sk, idempotencyKey: 'k', prefer });

  test.each([['answer'], ['fail']])('identifies the 202 of the job (%s)', async (does) => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waitForRuns(1);
    const text = `once, to ${does}`;
    const sameRequest = { text, does: does === 'fail' ? does : 'wait' };
    const { response: running, job } = await acceptJob(sameRequest, keys, 'k');
    if (does === 'fail') await waitForEnd(job.id, keys);
    else await callArrived;
    const check = async () => {
      const refusal = await sendAgain(sameRequest, keys, 'respond-async');
      const url = `/api/v1/calls/${json(running).request_id}`;
      expect(problemIn(refusal)).toMatchObject({
        code: 'duplicate_idempotency_key',
        original: { request_id: json(running).request_id, status: 202, url },
      });
      const replay = await sendAgain(sameRequest, keys, 'respond-async, idempotent-replay');
      expect([replay.status, replay.text]).toEqual([202, running.text]);
      expect(replay.headers).toMatchObject({
        'idempotent-replayed': 'true',
        location: path(job.id),
      });
      const reusedKey = await sendAgain({ text: 'other' }, keys, 'respond-async');
      expect(problemIn(reusedKey)).toMatchObject({ code: 'idempotency_key_reused' });
    };
    await check();
    gateway.paid.release();
    await waitForEnd(job.id, keys);
    await check();
    expect(gateway.paid.runs.filter((run) => run === text)).toEqual([text]);
  });
});

describe('a waiting request', () => {
  const waitForJob = (origin: string, id: string, key: string, seconds: string) =>
    sendRequest(origin, {
      path: `${path(id)}?wait=${seconds}`,
      headers: { authorization: `Bearer ${key}` },
    });

  test('ends when the state changes on any node, and ends at once for a finished job', async () => {
    const keys = await gateway.newAccount();
    const otherNode = await gateway.openNode();
    const callArrived = gateway.paid.waitForRuns(1);
    const { job } = await acceptJob({ text: 'awaited', does: 'wait' }, keys);
    await callArrived;
    const pending = [gateway.origin, otherNode.origin].map((at) =>
      waitForJob(at, job.id, keys.sk, '60'),
    );
    gateway.paid.release();
    for (const response of await Promise.all(pending)) {
      expect(json(response)).toMatchObject({ status: 'succeeded', result: { text: 'awaited' } });
    }
    expect((await waitForJob(gateway.origin, job.id, keys.sk, '60')).status).toBe(200);
    for (const seconds of ['0', '61', '', '1.5', 'x']) {
      expect((await waitForJob(gateway.origin, job.id, keys.sk, seconds)).status).toBe(400);
    }
  });

  test('that begins during the check of another request continues to wait', async () => {
    const keys = await gateway.newAccount();
    const callsArrived = gateway.paid.waitForRuns(2);
    const { job: first } = await acceptJob({ text: 'first', does: 'wait' }, keys);
    const { job: second } = await acceptJob({ text: 'second', does: 'wait' }, keys);
    await callsArrived;
    const { status } = await readJob(first.id, keys.sk);
    const watch = openJobWatch(gateway.world, gateway.db, () => {});
    const ended: string[] = [];
    const pending = [first, second].map(({ id }) =>
      watch.awaitChange({ id, status: 'running' }, 60_000).then(() => ended.push(id)),
    );
    // This wait ends after the next check, because the job has another status.
    await watch.awaitChange({ id: first.id, status: 'queued' }, 60_000);
    expect([status, ended]).toEqual(['running', []]);
    gateway.paid.release();
    await Promise.all(pending);
    await watch.close();
  });

  test('ends at its time limit and when the process stops', async () => {
    const keys = await gateway.newAccount();
    const node = await gateway.openNode();
    const callArrived = gateway.paid.waitForRuns(1);
    const { job } = await acceptJob({ text: 'slow', does: 'wait' }, keys);
    await callArrived;
    let lateResponse: TestResponse | null = null;
    const pending = waitForJob(gateway.origin, job.id, keys.sk, '1').then((response) => {
      lateResponse = response;
    });
    await until(async () => {
      clock.advance(100);
      return lateResponse;
    });
    await pending;
    expect(lateResponse).toMatchObject({ status: 200 });
    const waitingRequest = waitForJob(node.origin, job.id, keys.sk, '60');
    await node.close();
    // The request may arrive before or after the process stops accepting requests.
    const response = await waitingRequest.catch(() => null);
    if (response !== null) expect([200, 503]).toContain(response.status);
    gateway.paid.release();
    await waitForEnd(job.id, keys);
  });
});

describe('a job until its deletion', () => {
  test('DELETE cancels the job, releases its hold, and can be repeated', async () => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waitForRuns(1);
    const { job } = await acceptJob({ text: 'unwanted', does: 'wait' }, keys);
    await callArrived;
    expect(problemIn(await cancelJob(job.id, keys.ak))).toMatchObject({ code: 'key_not_allowed' });
    const canceled = await cancelJob(job.id, keys.sk);
    expect(contract.faultsOf({ method: 'DELETE', path: path(job.id) }, canceled)).toEqual([]);
    expect(json(canceled)).toMatchObject({ status: 'canceled', result: null, error: null });
    expect(await readMoney(keys)).toEqual({ held: '0', remaining: '2' });
    gateway.paid.release();
    expect(json(await cancelJob(job.id, keys.sk))).toEqual(json(canceled));
    const { job: finishedJob } = await acceptJob({ text: 'done' }, keys);
    const jobBefore = await waitForEnd(finishedJob.id, keys);
    expect(json(await cancelJob(finishedJob.id, keys.sk))).toEqual(jobBefore);
  });

  test('expires after an hour and releases its hold', async () => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waitForRuns(1);
    const { job } = await acceptJob({ text: 'endless', does: 'wait' }, keys);
    await callArrived;
    clock.advance(HOUR_MS);
    expect(await waitForEnd(job.id, keys)).toMatchObject({
      status: 'expired',
      result: null,
      error: { status: 504, code: 'upstream_timeout' },
    });
    expect((await readMoney(keys)).held).toBe('0');
    gateway.paid.release();
  });

  test('is readable for thirty days, and its result for seven days', async () => {
    const keys = await gateway.newAccount();
    const { job } = await acceptJob({ text: 'kept' }, keys);
    await waitForEnd(job.id, keys);
    clock.advance(7 * DAY_MS - 1);
    expect(await readJob(job.id, keys.sk)).toMatchObject({ result: { text: 'kept' } });
    clock.advance(1);
    expect(await readJob(job.id, keys.sk)).toMatchObject({
      status: 'succeeded',
      result: null,
      result_expired: true,
    });
    clock.advance(23 * DAY_MS - 1);
    expect((await gateway.readPath(path(job.id), keys.sk)).status).toBe(200);
    clock.advance(1);
    expect((await gateway.readPath(path(job.id), keys.sk)).status).toBe(404);
  });
});

test('the ledger violates no invariant after these jobs', async () => {
  const audit = await auditLedger(gateway.world, gateway.db, 'full');
  expect(audit.invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

test('lists the jobs of an account newest first, by page', async () => {
  const keys = await gateway.newAccount();
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const { job } = await acceptJob({ text }, keys);
    await waitForEnd(job.id, keys);
    ids.unshift(job.id);
    clock.advance(1_000);
  }
  const listJobs = async (query: string, key = keys.ak) => {
    const response = await gateway.readPath(`/api/v1/jobs${query}`, key);
    expect(contract.faultsOf({ path: '/api/v1/jobs' }, response)).toEqual([]);
    return json(response) as { jobs: JobBody[]; has_more: boolean; next_cursor: string | null };
  };
  const first = await listJobs('?limit=2');
  expect(first.jobs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(first.jobs[0]).toEqual(await readJob(ids[0] ?? '', keys.sk));
  expect(first.has_more).toBe(true);
  const nextPage = await listJobs(`?limit=2&cursor=${first.next_cursor}`);
  expect([nextPage.jobs.map(({ id }) => id), nextPage.has_more, nextPage.next_cursor]).toEqual([
    ids.slice(2),
    false,
    null,
  ]);
  expect((await listJobs('', keys.skTest)).jobs).toEqual([]);
  expect((await listJobs('', (await gateway.newAccount()).sk)).jobs).toEqual([]);
  const invalidCursor = await gateway.readPath('/api/v1/jobs?cursor=x', keys.sk);
  expect(problemIn(invalidCursor).code).toBe('invalid_request');
});
