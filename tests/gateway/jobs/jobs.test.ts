// Jobs over HTTP: accepted with a 202, read, waited for, cancelled, expired, deleted; charged like
// calls.
import { beforeAll, describe, expect, test } from 'vitest';
import { auditLedger } from '../../../src/gateway/wallet/integrity/audit-ledger.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
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

type Wire = { readonly id: string; readonly status: string } & Record<string, unknown>;
const ASYNC = { prefer: 'respond-async' } as const;
const path = (id: string) => `/api/v1/jobs/${id}`;

async function begin(body: object, { sk }: TestKeys, idempotencyKey?: string) {
  const options = { ...ASYNC, key: sk, ...(idempotencyKey && { idempotencyKey }) };
  const response = await gateway.call('paid', body, options);
  expect(response.status).toBe(202);
  const request = { method: 'POST', path: '/api/v1/capabilities/paid' };
  expect(contract.faultsOf(request, response)).toEqual([]);
  return { answer: response, job: json(response).data as Wire };
}

async function readJob(id: string, key: string): Promise<Wire> {
  const response = await gateway.read(path(id), key);
  expect(contract.faultsOf({ path: path(id) }, response)).toEqual([]);
  return json(response) as Wire;
}

const untilEnded = (id: string, { sk }: TestKeys) =>
  until(async () => {
    const job = await readJob(id, sk);
    return ['queued', 'running'].includes(job.status) ? null : job;
  });

const cancel = (id: string, key: string) => {
  const headers = { authorization: `Bearer ${key}` };
  return gateway.sendRequest({ method: 'DELETE', path: path(id), headers });
};

const money = async ({ sk }: TestKeys) => {
  const account = json(await gateway.read('/api/v1/account', sk));
  const { balance, free_quota: quota } = account as {
    balance: { held: string };
    free_quota: { remaining: string };
  };
  return { held: balance.held, remaining: quota.remaining };
};

describe('a job', () => {
  test('is accepted with its address and hold, and succeeds with its result', async () => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waiting(1);
    const { answer: response, job } = await begin({ text: 'later', does: 'wait' }, keys);
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
    expect(await readJob(job.id, keys.skTest).catch(() => null)).toMatchObject({ status: 404 });
    expect(await readJob(job.id, keys.ak)).toMatchObject({ status: 'running' });
    expect(await money(keys)).toEqual({ held: '0.036', remaining: '1.964' });
    gateway.paid.release();
    expect(await untilEnded(job.id, keys)).toEqual({
      id: job.id,
      capability: 'paid',
      status: 'succeeded',
      progress: 1,
      error: null,
      result: { text: 'later' },
      created_at: '2026-08-22T12:00:00.000Z',
      updated_at: '2026-08-22T12:00:00.000Z',
    });
    expect(await money(keys)).toEqual({ held: '0', remaining: '1.964' });
    const { request_id: id } = json(response);
    expect(json(await gateway.read(`/api/v1/calls/${id}`, keys.sk))).toMatchObject({
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
    const { answer: response, job } = await begin({ text: 'x', ...input }, keys);
    expect(await untilEnded(job.id, keys)).toMatchObject({
      status: 'failed',
      result: null,
      error: { status, code, instance: path(job.id), request_id: json(response).request_id },
    });
    expect(await money(keys)).toEqual({ held: '0', remaining: '2' });
  });

  test('that finds nothing succeeds and costs nothing', async () => {
    const keys = await gateway.newAccount();
    const { answer: response, job } = await begin({ text: 'x', does: 'find_nothing' }, keys);
    expect(await untilEnded(job.id, keys)).toMatchObject({ status: 'succeeded' });
    expect(await money(keys)).toEqual({ held: '0', remaining: '2' });
    const { request_id: id } = json(response);
    expect(json(await gateway.read(`/api/v1/calls/${id}`, keys.sk))).toMatchObject({
      charge: { total: '0' },
    });
  });

  test('of measured length is charged by the measured length', async () => {
    const keys = await gateway.newAccount();
    const body = { text: 'x', does: 'measure', seconds: 90 };
    const response = await gateway.call('timed', body, { ...ASYNC, key: keys.sk });
    const { id } = json(response).data as Wire;
    expect(await untilEnded(id, keys)).toMatchObject({ status: 'succeeded' });
    expect(await money(keys)).toEqual({ held: '0', remaining: '1.91' });
  });

  test('is refused above its max_charge: 402', async () => {
    const keys = await gateway.newAccount();
    const body = { text: 'dear', max_charge: '0.01' };
    const response = await gateway.call('paid', body, { ...ASYNC, key: keys.sk });
    expect(problemIn(response)).toMatchObject({ status: 402, code: 'max_charge_exceeded' });
    expect(gateway.paid.runs).not.toContain('dear');
  });

  test('of another account, of no account or with an invalid id: 404', async () => {
    const [first, second] = [await gateway.newAccount(), await gateway.newAccount()];
    const { job } = await begin({ text: 'x' }, first);
    for (const [id, key] of [
      [job.id, second.sk],
      ['job_000000000000000000000000', first.sk],
      ['%E2%98%83', first.sk],
    ] as const) {
      const response = await gateway.read(path(id), key);
      expect(problemIn(response)).toMatchObject({ status: 404, detail: 'There is no such job.' });
    }
    expect((await cancel(job.id, second.sk)).status).toBe(404);
    await untilEnded(job.id, first);
  });
});

describe('its Idempotency-Key', () => {
  const sendAgain = (body: object, { sk }: TestKeys, prefer: string) =>
    gateway.call('paid', body, { key: sk, idempotencyKey: 'k', prefer });

  test.each([['answer'], ['fail']])('leads to its 202 (%s)', async (does) => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waiting(1);
    const text = `once, to ${does}`;
    const same = { text, does: does === 'fail' ? does : 'wait' };
    const { answer: running, job } = await begin(same, keys, 'k');
    if (does === 'fail') await untilEnded(job.id, keys);
    else await callArrived;
    const check = async () => {
      const refusal = await sendAgain(same, keys, 'respond-async');
      const url = `/api/v1/calls/${json(running).request_id}`;
      expect(problemIn(refusal)).toMatchObject({
        code: 'duplicate_idempotency_key',
        original: { request_id: json(running).request_id, status: 202, url },
      });
      const replay = await sendAgain(same, keys, 'respond-async, idempotent-replay');
      expect([replay.status, replay.text]).toEqual([202, running.text]);
      expect(replay.headers).toMatchObject({
        'idempotent-replayed': 'true',
        location: path(job.id),
      });
      const reused = await sendAgain({ text: 'other' }, keys, 'respond-async');
      expect(problemIn(reused)).toMatchObject({ code: 'idempotency_key_reused' });
    };
    await check();
    gateway.paid.release();
    await untilEnded(job.id, keys);
    await check();
    expect(gateway.paid.runs.filter((run) => run === text)).toEqual([text]);
  });
});

describe('a waiting request', () => {
  const wait = (origin: string, id: string, key: string, seconds: string) =>
    sendRequest(origin, {
      path: `${path(id)}?wait=${seconds}`,
      headers: { authorization: `Bearer ${key}` },
    });

  test('ends when the state changes on any node, and at once for a finished job', async () => {
    const keys = await gateway.newAccount();
    const other = await gateway.openNode();
    const callArrived = gateway.paid.waiting(1);
    const { job } = await begin({ text: 'awaited', does: 'wait' }, keys);
    await callArrived;
    const pending = [gateway.origin, other.origin].map((at) => wait(at, job.id, keys.sk, '60'));
    gateway.paid.release();
    for (const response of await Promise.all(pending)) {
      expect(json(response)).toMatchObject({ status: 'succeeded', result: { text: 'awaited' } });
    }
    expect((await wait(gateway.origin, job.id, keys.sk, '60')).status).toBe(200);
    for (const seconds of ['0', '61', '', '1.5', 'x']) {
      expect((await wait(gateway.origin, job.id, keys.sk, seconds)).status).toBe(400);
    }
  });

  test('ends at its time limit and when the process stops', async () => {
    const keys = await gateway.newAccount();
    const node = await gateway.openNode();
    const callArrived = gateway.paid.waiting(1);
    const { job } = await begin({ text: 'slow', does: 'wait' }, keys);
    await callArrived;
    let late: TestResponse | null = null;
    const pending = wait(gateway.origin, job.id, keys.sk, '1').then((response) => {
      late = response;
    });
    await until(async () => {
      clock.advance(100);
      return late;
    });
    await pending;
    expect(late).toMatchObject({ status: 200 });
    const waitingRequest = wait(node.origin, job.id, keys.sk, '60');
    await node.close();
    // If the reservation was made in time it is used; otherwise another one is made.
    const response = await waitingRequest.catch(() => null);
    if (response !== null) expect([200, 503]).toContain(response.status);
    gateway.paid.release();
    await untilEnded(job.id, keys);
  });
});

describe('a finished job', () => {
  test('by DELETE: canceled, released, and equal when repeated', async () => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waiting(1);
    const { job } = await begin({ text: 'unwanted', does: 'wait' }, keys);
    await callArrived;
    expect(problemIn(await cancel(job.id, keys.ak))).toMatchObject({ code: 'key_not_allowed' });
    const canceled = await cancel(job.id, keys.sk);
    expect(contract.faultsOf({ method: 'DELETE', path: path(job.id) }, canceled)).toEqual([]);
    expect(json(canceled)).toMatchObject({ status: 'canceled', result: null, error: null });
    expect(await money(keys)).toEqual({ held: '0', remaining: '2' });
    gateway.paid.release();
    expect(json(await cancel(job.id, keys.sk))).toEqual(json(canceled));
    const { job: done } = await begin({ text: 'done' }, keys);
    const before = await untilEnded(done.id, keys);
    expect(json(await cancel(done.id, keys.sk))).toEqual(before);
  });

  test('after an hour: expired, released', async () => {
    const keys = await gateway.newAccount();
    const callArrived = gateway.paid.waiting(1);
    const { job } = await begin({ text: 'endless', does: 'wait' }, keys);
    await callArrived;
    clock.advance(3_600_000);
    expect(await untilEnded(job.id, keys)).toMatchObject({
      status: 'expired',
      result: null,
      error: { status: 504, code: 'upstream_timeout' },
    });
    expect((await money(keys)).held).toBe('0');
    gateway.paid.release();
  });

  test('is readable with its result for seven days, without it for thirty', async () => {
    const keys = await gateway.newAccount();
    const { job } = await begin({ text: 'kept' }, keys);
    await untilEnded(job.id, keys);
    const day = DAY_MS;
    clock.advance(7 * day - 1);
    expect(await readJob(job.id, keys.sk)).toMatchObject({ result: { text: 'kept' } });
    clock.advance(1);
    expect(await readJob(job.id, keys.sk)).toMatchObject({
      status: 'succeeded',
      result: null,
      result_expired: true,
    });
    clock.advance(23 * day - 1);
    expect((await gateway.read(path(job.id), keys.sk)).status).toBe(200);
    clock.advance(1);
    expect((await gateway.read(path(job.id), keys.sk)).status).toBe(404);
  });
});

test('the ledger holds nothing of these jobs', async () => {
  const audit = await auditLedger(gateway.world, gateway.db, 'full');
  expect(audit.invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

test('lists the jobs of an account newest first, by page', async () => {
  const keys = await gateway.newAccount();
  const ids: string[] = [];
  for (const text of ['one', 'two', 'three']) {
    const { job } = await begin({ text }, keys);
    await untilEnded(job.id, keys);
    ids.unshift(job.id);
    clock.advance(1_000);
  }
  const list = async (query: string, key = keys.ak) => {
    const response = await gateway.read(`/api/v1/jobs${query}`, key);
    expect(contract.faultsOf({ path: '/api/v1/jobs' }, response)).toEqual([]);
    return json(response) as { jobs: Wire[]; has_more: boolean; next_cursor: string | null };
  };
  const first = await list('?limit=2');
  expect(first.jobs.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect(first.jobs[0]).toEqual(await readJob(ids[0] ?? '', keys.sk));
  expect(first.has_more).toBe(true);
  const nextPage = await list(`?limit=2&cursor=${first.next_cursor}`);
  expect([nextPage.jobs.map(({ id }) => id), nextPage.has_more, nextPage.next_cursor]).toEqual([
    ids.slice(2),
    false,
    null,
  ]);
  expect((await list('', keys.skTest)).jobs).toEqual([]);
  expect((await list('', (await gateway.newAccount()).sk)).jobs).toEqual([]);
  const foreign = await gateway.read('/api/v1/jobs?cursor=x', keys.sk);
  expect(problemIn(foreign).code).toBe('invalid_request');
});
