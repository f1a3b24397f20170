import { expect, test } from 'vitest';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';

const gateway = await openTestGateway();

function createCallRequest(text: string, does: string) {
  const headers = {
    authorization: `Bearer ${gateway.keys.sk}`,
    'content-type': 'application/json',
  };
  const path = '/api/v1/capabilities/paid';
  return { method: 'POST', path, headers, body: JSON.stringify({ text, does }) };
}

test('a stopping process completes its calls, also those of disconnected clients', async () => {
  const node = await gateway.openNode();
  const callArrived = gateway.paid.waitForRuns(2);
  const connectedClient = sendRequest(node.origin, createCallRequest('stays', 'wait'));
  const abortController = new AbortController();
  const { method, path, headers, body } = createCallRequest('leaves', 'wait');
  const disconnectingClient = fetch(node.origin + path, {
    method,
    headers,
    body,
    signal: abortController.signal,
  });
  disconnectingClient.catch(() => {});
  await callArrived;
  abortController.abort();
  await expect(disconnectingClient).rejects.toThrow();

  let isClosed = false;
  const closing = node.close().then(() => {
    isClosed = true;
  });
  // No new call is accepted: a request on an open connection receives a problem, and a new
  // connection is refused.
  const lateRequest = await sendRequest(node.origin, createCallRequest('late', 'answer')).catch(
    () => null,
  );
  if (lateRequest !== null)
    expect(json(lateRequest)).toMatchObject({ code: 'temporarily_unavailable' });
  expect(isClosed).toBe(false);
  gateway.paid.release();
  const response = await connectedClient;
  expect(response.status).toBe(200);
  expect(response.headers.connection).toBe('close');
  await closing;
  expect(gateway.paid.runs.toSorted()).toEqual(['leaves', 'stays']);
  const { calls } = json(await gateway.readPath('/api/v1/calls')) as { calls: object[] };
  expect(calls).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  expect(json(await gateway.readPath('/api/v1/account'))).toMatchObject({ balance: { held: '0' } });
});
