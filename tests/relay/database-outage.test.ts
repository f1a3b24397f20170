// The relay without its database. Cached keys stay valid for a second; later requests receive 503
// with Retry-After. Open streams continue to their end, and usage is written after the outage.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, inject, test } from 'vitest';
import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { connectionOf } from '../../src/store/platform/db.ts';
import { runStatement } from '../support/database-server.ts';
import { until } from '../support/until.ts';
import {
  chatRequest,
  contentIn,
  errorIn,
  eventsIn,
  openTestRelay,
  streamedText,
} from './test-relay.ts';

const server = inject('databaseServer');

/** Makes the database unreachable until the returned function is called. */
async function blockDatabase(db: Db): Promise<() => Promise<void>> {
  const connection = connectionOf(db);
  const name =
    'connectionString' in connection
      ? new URL(connection.connectionString).pathname.slice(1)
      : connection.database;
  await runStatement(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
  const terminateAll = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE datname = '${name}'`;
  await runStatement(server, terminateAll);
  return () => runStatement(server, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
}

/**
 * The model server sends half of its response. It sends the second half when the test calls
 * `finishResponse`.
 */
let finishResponse = () => {};
const commonFields = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'demo-chat',
};
const event = (content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({
    ...commonFields,
    choices: [{ index: 0, delta: { content }, finish_reason: reason }],
  })}\n\n`;
const model = createServer(async (req, res) => {
  let body = '';
  for await (const piece of req) body += piece;
  if (JSON.parse(body).stream === true) {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(event('the first half, '));
    finishResponse = () => res.end(`${event('the second', 'stop')}data: [DONE]\n\n`);
    return;
  }
  res.writeHead(200, { 'content-type': 'application/json' });
  const message = { role: 'assistant', content: 'Well.' };
  res.end(
    JSON.stringify({ ...commonFields, choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  );
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  model.close();
  model.closeAllConnections();
});
const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
const upstreams = [{ url, models: { 'demo-chat': 'demo-chat' } }];
const stream = { stream: true };
const WHOLE_TEXT = 'the first half, the second';

test('a free stream continues, keys stay valid for a second, usage is written later', async () => {
  const relay = await openTestRelay({ upstreams });
  expect((await relay.chat(chatRequest('before'))).status).toBe(200);
  const client = await relay.openStream(chatRequest('Well?', stream));
  await client.readBytes(50);
  const restoreDatabase = await blockDatabase(relay.db);

  relay.clock.advance(800);
  const firstCall = await relay.chat(chatRequest('known'));
  expect([firstCall.status, contentIn(firstCall)]).toEqual([200, 'Well.']);
  relay.clock.advance(200);
  const outageResponse = await relay.chat(chatRequest('away'));
  expect(outageResponse.status).toBe(503);
  expect(errorIn(outageResponse).code).toBe('temporarily_unavailable');
  expect(Number(outageResponse.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(outageResponse.headers['retry-after'])).toBeLessThanOrEqual(30);

  finishResponse();
  const events = eventsIn(await client.readAll());
  expect([streamedText(events), events.at(-1)]).toEqual([WHOLE_TEXT, '[DONE]']);
  // The relay retries to write the usage until the database stores it.
  await until(async () => {
    relay.clock.advance(500);
    return relay.logged.some((line) => line.includes('usage not written')) ? true : null;
  });

  await restoreDatabase();
  const afterOutage = await until(async () => {
    const response = await relay.chat(chatRequest('back'));
    return response.status === 200 ? response : null;
  });
  expect(contentIn(afterOutage)).toBe('Well.');
  const rows = await until(async () => {
    const storedRows = await relay.usageRows().catch(() => []);
    return storedRows.length >= 4 ? storedRows : null;
  });
  const endings = rows.map(({ ended, request_id }) => [request_id, ended]);
  expect(endings).toContainEqual([client.requestId, 'completed']);
  expect(endings).toContainEqual([String(firstCall.headers['x-request-id']), 'completed']);
  expect(relay.logged.filter((line) => line.includes('usage records lost'))).toEqual([]);
});

test('a charged stream ends only after its charge is stored', async () => {
  const relay = await openTestRelay({
    upstreams,
    price: { perCall: '0.01', version: 1 },
  });
  const client = await relay.openStream(chatRequest('Well?', stream));
  await client.readBytes(50);
  const restoreDatabase = await blockDatabase(relay.db);
  const refusal = await relay.chat(chatRequest('away'));
  expect([refusal.status, errorIn(refusal).code]).toEqual([503, 'temporarily_unavailable']);
  finishResponse();
  const outputs: Awaited<ReturnType<typeof client.readAll>>[] = [];
  void client.readAll().then((text) => outputs.push(text));
  // The relay retries the charge for a limited time before it reports a failure.
  const text = await until(async () => {
    relay.clock.advance(500);
    return outputs[0] ?? null;
  });
  const events = eventsIn(text);
  expect(streamedText(events)).toBe(WHOLE_TEXT);
  expect(events.at(-1)).toMatchObject({ error: { code: 'temporarily_unavailable' } });

  await restoreDatabase();
  relay.clock.advance(2 * 3_600_000);
  await until(async () => {
    const recovered = await recoverHolds(relay.world, relay.db).catch(() => null);
    return recovered !== null && recovered.released > 0 ? true : null;
  });
  expect(await relay.callOf(client)).toMatchObject({ state: 'expired' });
});
