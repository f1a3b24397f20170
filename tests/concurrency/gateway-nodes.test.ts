// Four processes on one PostgreSQL: they share accounts, keys, money and idempotency, and behave as
// one gateway. Real processes, started as an operator starts them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { makeKey, revokeKey } from '../../src/gateway/keys/change-keys.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { json, sendRequest, type TestResponse } from '../support/http-request.ts';
import { type ServingProcess, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const NODES = 4;
/** Noon in Shanghai, so that no day ends during the test and resets allowance and quota. */
const NOW = '2026-08-22T04:00:00Z';
const { world } = testWorld(7, Date.parse(NOW));
const { db, connection } = await openTestDatabase();
const DATA_DIR = temporaryDataDir();
const nodes: ServingProcess[] = [];
let accountId = '';
let key = '';

beforeAll(async () => {
  const env = { DATA_DIR, DATABASE_URL: urlOf(connection), RADAR_NOW: NOW };
  const startedNodes = Array.from({ length: NODES }, () =>
    startServing(env, ['--only', 'gateway']),
  );
  nodes.push(...(await Promise.all(startedNodes)));
  const email = 'nodes@example.com';
  const account = await addAccount(world, db, { email, password: 'four of a kind' });
  if (account.kind !== 'added') throw new Error(account.kind);
  accountId = account.id;
  key = (await makeKey(world, db, { accountId, kind: 'sk', livemode: false, name: 'x' })).text;
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
});

const nodeAt = (index: number) => nodes[index % nodes.length]?.gatewayUrl ?? '';

/** Repeats the request, as a client does after a 503 with Retry-After, which a busy node sends. */
const retryWhileBusy = (request: () => Promise<TestResponse>) =>
  until(async () => {
    const response = await request();
    return response.status === 503 ? null : response;
  });

const call = (nodeIndex: number, idempotencyKey: string, secretKey = key) =>
  retryWhileBusy(() =>
    sendRequest(nodeAt(nodeIndex), {
      method: 'POST',
      path: '/api/v1/capabilities/social',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: '{"platform":"douyin","action":"search","params":{"keyword":"lantern"}}',
    }),
  );

const readJson = async (nodeIndex: number, path: string) =>
  json(
    await retryWhileBusy(() =>
      sendRequest(nodeAt(nodeIndex), { path, headers: { authorization: `Bearer ${key}` } }),
    ),
  );

/** The number of today's calls, as the third node reports it. */
async function countUsed(): Promise<number> {
  const { limits } = (await readJson(2, '/api/v1/account')) as {
    limits: { quotas: { day: { used: number } } };
  };
  return limits.quotas.day.used;
}

describe('four processes on one database', () => {
  test('create one first account together, and each becomes ready', async () => {
    const hasAddress = nodes.map(({ text }) => text.out.includes('Gateway   http://127.0.0.1:'));
    expect(hasAddress).toEqual(Array(NODES).fill(true));
    const { listAccounts } = await import('../../src/gateway/accounts/account.ts');
    const emails = (await listAccounts(db)).map(({ email }) => email);
    expect(emails.sort()).toEqual(['nodes@example.com', 'owner@radar.localhost']);
    for (const index of nodes.keys())
      expect((await sendRequest(nodeAt(index), { path: '/readyz' })).status).toBe(200);
  });

  test('run and charge one idempotency key once, and replay one response', async () => {
    const responses = await Promise.all(
      Array.from({ length: 80 }, (_, index) => call(index, 'once')),
    );
    const byStatus = Object.groupBy(responses, ({ status }) => status);
    expect(Object.keys(byStatus)).toEqual(['200', '409']);
    expect(byStatus[200]).toHaveLength(1);
    for (const index of nodes.keys()) {
      const account = await readJson(index, '/api/v1/account');
      expect(account).toMatchObject({
        free_quota: { remaining: '1.964' },
        limits: { quotas: { day: { used: 1 } } },
      });
    }
    const { request_id: id } = json(byStatus[200]?.[0] ?? responses[0] ?? (await call(0, 'x')));
    expect(await readJson(3, `/api/v1/calls/${id}`)).toMatchObject({ answer: { status: 200 } });
  });

  test('charge each of many calls once and satisfy every invariant', async () => {
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => call(index, `many-${index}`)),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    const account = await readJson(1, '/api/v1/account');
    // 201 calls of 0.036 CNY use the allowance, and then the voucher of test mode.
    expect(account).toMatchObject({
      free_quota: { remaining: '0' },
      balance: { cash: '100', vouchers: '4.764', held: '0' },
      limits: { quotas: { day: { used: 201 } } },
    });
    const audit = await auditLedger(world, db, 'full');
    expect(audit.invariants.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  test('accept a new key immediately, and refuse a revoked one within a second', async () => {
    const newKey = await makeKey(world, db, {
      accountId,
      kind: 'sk',
      livemode: false,
      name: 'new',
    });
    const statuses = async (name: string) =>
      Promise.all(
        [...nodes.keys()].map(
          async (index) => (await call(index, `${name}-${index}`, newKey.text)).status,
        ),
      );
    expect(await statuses('new')).toEqual([200, 200, 200, 200]);
    await revokeKey(world, db, newKey.id);
    const revokedAt = Date.now();
    let round = 0;
    await until(async () => {
      round += 1;
      // The time counts from the start of the request, because a busy machine may deliver an
      // earlier response later.
      const isAfterOneSecond = Date.now() - revokedAt > 1_000;
      const currentStatuses = await statuses(`revoked-${round}`);
      if (isAfterOneSecond) expect(currentStatuses).toEqual([401, 401, 401, 401]);
      return isAfterOneSecond ? true : null;
    });
  });

  test('lose no call when a node is killed or stopped', async () => {
    const [killedNode, stoppedNode] = nodes;
    if (killedNode === undefined || stoppedNode === undefined) throw new Error('too few nodes');
    const usedBefore = await countUsed();
    await killedNode.end('SIGKILL');
    expect((await call(2, 'after-kill')).status).toBe(200);
    const names = Array.from({ length: 20 }, (_, index) => `drain-${index}`);
    const calls = Promise.allSettled(names.map((name) => call(1, name)));
    expect(await stoppedNode.end('SIGTERM')).toBe(0);
    await calls;
    // A client repeats a call without a response at another node, with the same key.
    for (const name of names) expect([200, 409]).toContain((await call(2, name)).status);
    expect(await countUsed()).toBe(usedBefore + 1 + names.length);
    expect(await readJson(2, '/api/v1/account')).toMatchObject({ balance: { held: '0' } });
  });
});
