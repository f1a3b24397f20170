import { expect, inject, test } from 'vitest';
import { recoverHolds } from '../../../src/gateway/wallet/integrity/recover-holds.ts';
import { connectionOf } from '../../../src/store/platform/db.ts';
import { runStatement } from '../../support/database-server.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';
import { until } from '../../support/until.ts';

const gateway = await openTestGateway();
const { db, world, clock } = gateway;
const server = inject('databaseServer');
const connection = connectionOf(db);
const databaseName =
  'connectionString' in connection
    ? new URL(connection.connectionString).pathname.slice(1)
    : connection.database;

async function stopDatabase() {
  await runStatement(server, `ALTER DATABASE ${databaseName} WITH ALLOW_CONNECTIONS false`);
  // The test waits until all connections are closed, because a closing connection can still run a
  // statement.
  const terminateAll = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = '${databaseName}'`;
  await runStatement(server, terminateAll);
}
const restoreDatabase = () =>
  runStatement(server, `ALTER DATABASE ${databaseName} WITH ALLOW_CONNECTIONS true`);

/** Advances the clock until the promise has a result. */
async function advanceUntilDone<T>(pending: Promise<T>): Promise<T> {
  const result: T[] = [];
  void pending.then((value) => result.push(value));
  return until(async () => {
    clock.advance(1_000);
    return result[0] ?? null;
  });
}

test('without the database, calls receive a 503 and public pages still respond', async () => {
  expect((await gateway.call('paid', { text: 'before' })).status).toBe(200);
  const callArrived = gateway.paid.waitForRuns(1);
  const idempotencyKey = 'under-way';
  const body = { text: 'under way', does: 'wait' };
  const runningCall = gateway.call('paid', body, { idempotencyKey });
  await callArrived;
  await stopDatabase();

  const response = await gateway.call('paid', { text: 'away' });
  expect(problemIn(response)).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
  expect(Number(response.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(30);
  expect(gateway.paid.runs).not.toContain('away');
  const newAccount = await gateway.newAccount().then(
    () => null,
    () => 'refused',
  );
  expect(newAccount).toBe('refused');
  expect((await gateway.sendRequest({ path: '/capabilities/catalog' })).status).toBe(200);
  expect((await gateway.sendRequest({ path: '/healthz' })).status).toBe(200);

  // A running call cannot be captured now, so its response claims neither success nor failure.
  gateway.paid.release();
  const unknownOutcome = problemIn(await advanceUntilDone(runningCall));
  expect(unknownOutcome).toMatchObject({
    status: 503,
    code: 'temporarily_unavailable',
    retry_after: 5,
  });
  expect(unknownOutcome.detail).toContain('it is not known yet whether this call was charged');

  await restoreDatabase();
  const repeatedCall = await until(async () => {
    const afterOutage = await gateway.call('free', { text: 'back' });
    return afterOutage.status === 200 ? afterOutage : null;
  });
  expect(json(repeatedCall)).toMatchObject({ data: { text: 'back' } });
  // The hold of the uncaptured call is released after its deadline. Then its key can be used again.
  clock.advance(10 * 60_000);
  expect(await recoverHolds(world, db)).toMatchObject({ released: 1 });
  const account = json(await gateway.readPath('/api/v1/account'));
  expect(account).toMatchObject({ free_quota: { remaining: '1.964' }, balance: { held: '0' } });
  const retriedCall = await gateway.call('paid', { text: 'under way' }, { idempotencyKey });
  expect(retriedCall.status).toBe(200);
});

test('captures a running call when the database returns in time', async () => {
  const callArrived = gateway.paid.waitForRuns(1);
  const runningCall = gateway.call('paid', { text: 'in time', does: 'wait' });
  await callArrived;
  await stopDatabase();
  const loggedBefore = gateway.logged.length;
  gateway.paid.release();
  await until(async () => {
    const newLines = gateway.logged.slice(loggedBefore);
    return newLines.some((line) => line.includes('ledger batch repeated')) ? true : null;
  });
  await restoreDatabase();
  const response = await advanceUntilDone(runningCall);
  expect([response.status, json(response)]).toMatchObject([200, { data: { text: 'in time' } }]);
  const account = json(await gateway.readPath('/api/v1/account'));
  expect(account).toMatchObject({ balance: { held: '0' } });
});
