import { expect, test } from 'vitest';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

function callRequest(text: string, does: string) {
  const headers = {
    authorization: `Bearer ${gateway.keys.sk}`,
    'content-type': 'application/json',
  };
  const path = '/api/v1/capabilities/paid';
  return { method: 'POST', path, headers, body: JSON.stringify({ text, does }) };
}

test('a stopping process completes its calls, also of disconnected clients', async () => {
  const node = await gateway.openNode();
  const callArrived = gateway.paid.waiting(2);
  const stays = sendRequest(node.origin, callRequest('stays', 'wait'));
  const disconnected = new AbortController();
  const { method, path, headers, body } = callRequest('leaves', 'wait');
  const leaves = fetch(node.origin + path, { method, headers, body, signal: disconnected.signal });
  leaves.catch(() => {});
  await callArrived;
  disconnected.abort();
  await expect(leaves).rejects.toThrow();

  let isClosed = false;
  const closed = node.close().then(() => {
    isClosed = true;
  });
  // No new call is accepted: an open connection gets a problem, and a new one is refused.
  const late = await sendRequest(node.origin, callRequest('late', 'answer')).catch(() => null);
  if (late !== null) expect(json(late)).toMatchObject({ code: 'temporarily_unavailable' });
  expect(isClosed).toBe(false);
  gateway.paid.release();
  const response = await stays;
  expect(response.status).toBe(200);
  expect(response.headers.connection).toBe('close');
  await closed;
  expect(gateway.paid.runs.toSorted()).toEqual(['leaves', 'stays']);
  const { calls } = json(await gateway.read('/api/v1/calls')) as { calls: object[] };
  expect(calls).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  expect(json(await gateway.read('/api/v1/account'))).toMatchObject({ balance: { held: '0' } });
});
