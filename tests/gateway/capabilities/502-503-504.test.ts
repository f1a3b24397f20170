import { describe, expect, test } from 'vitest';
import { json } from '../../support/http-request.ts';
import { openTestGateway, problemIn } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();
const { clock, logged } = gateway;
const instance = '/api/v1/capabilities/paid';

async function expectNoCharge() {
  const account = json(await gateway.readPath('/api/v1/account'));
  expect(account).toMatchObject({
    free_quota: { remaining: '2' },
    balance: { held: '0' },
    limits: { quotas: { day: { used: 0 } } },
  });
}

describe('a provider’s failure is reported and not charged', () => {
  test.each([
    ['upstream_error', 502, 'Upstream error'],
    ['upstream_timeout', 504, 'Upstream timeout'],
    ['media_unavailable', 422, 'Media unavailable'],
  ])('%s', async (code, status, title) => {
    const response = await gateway.call('paid', { text: 'x', does: 'fail', code });
    expect(response.status).toBe(status);
    expect(problemIn(response)).toEqual({
      type: `/problems/${code.replaceAll('_', '-')}`,
      title,
      status,
      detail: `The input requested the failure ${code}.`,
      instance,
      code,
    });
    await expectNoCharge();
  });

  test('capability_unavailable has a Retry-After', async () => {
    const body = { text: 'x', does: 'fail', code: 'capability_unavailable' };
    const response = await gateway.call('paid', body);
    expect(problemIn(response)).toMatchObject({ status: 503, code: 'capability_unavailable' });
    expect(response.headers['retry-after']).toBe('5');
    await expectNoCharge();
  });
});

test('omits Retry-After when a capability is not configured, and logs what to do', async () => {
  gateway.paid.setMissing('install tesseract-ocr.');
  const response = await gateway.call('paid', { text: 'missing' });
  expect(problemIn(response)).toEqual({
    type: '/problems/capability-unavailable',
    title: 'Capability unavailable',
    status: 503,
    detail: 'Test paid is not available on this service. Nothing was charged.',
    instance,
    code: 'capability_unavailable',
  });
  expect(response.headers['retry-after']).toBeUndefined();
  expect(logged.some((line) => line.includes('install tesseract-ocr.'))).toBe(true);
  const attempt = await gateway.call('paid', { text: 'x' }, { key: gateway.keys.skTest });
  expect(attempt.status).toBe(200);
  gateway.paid.setMissing(null);
  expect(gateway.paid.runs).not.toContain('missing');
  await expectNoCharge();
});

test('a defect returns "try again", and the log has the cause', async () => {
  const response = await gateway.call('paid', { text: 'x', does: 'throw' });
  expect(problemIn(response)).toEqual({
    type: '/problems/temporarily-unavailable',
    title: 'Temporarily unavailable',
    status: 503,
    detail:
      'The gateway cannot answer this right now. Nothing was charged. Try again in a few seconds.',
    instance,
    code: 'temporarily_unavailable',
    retry_after: 5,
  });
  expect(response.text).not.toMatch(/node:internal|\.ts:\d|at \w+ \(/);
  expect([response.headers.server, response.headers['x-powered-by']]).toEqual([
    undefined,
    undefined,
  ]);
  const lines = logged.filter((line) => line.includes('a defect of the test capability'));
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    requestId: response.headers['x-request-id'],
  });
  await expectNoCharge();
});

test('a Fault of a capability becomes the response, and nothing is charged', async () => {
  const response = await gateway.call('paid', { text: 'x', does: 'fault' });
  expect(problemIn(response)).toMatchObject({
    status: 400,
    detail: 'The test capability refuses this input.',
  });
  await expectNoCharge();
});

test('a call beyond its time limit returns 504 and discards a later result', async () => {
  const callArrived = gateway.paid.waitForRuns(1);
  const pendingCall = gateway.call('paid', { text: 'for ever', does: 'wait' });
  await callArrived;
  clock.advance(2 * 60_000);
  const response = await pendingCall;
  expect(problemIn(response)).toMatchObject({ status: 504, code: 'upstream_timeout' });
  gateway.paid.release();
  await expectNoCharge();
});
