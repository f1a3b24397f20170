// A stream uses more than its hold while the database server is stopped. The hold cannot be
// extended, so the response ends as if it had reached its limit, and its charge stays within the
// hold. Relay contract, 2.3 and 6.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { setModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { canKillServers, openKillableServer } from '../ledger/killable-server.ts';
import { atEnd } from '../support/at-end.ts';
import { until } from '../support/until.ts';
import { chatRequest, eventsIn, openTestRelay, streamedText } from './test-relay.ts';

/** The open responses of the model. The test writes their text. */
const responses: ServerResponse[] = [];
const model = createServer(async (req, res) => {
  res.on('error', () => {});
  req.resume().on('end', () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    responses.push(res);
    res.write(chunk('word '));
  });
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
const chunk = (content: string, reason: string | null = null) =>
  `data: ${JSON.stringify({
    choices: [{ index: 0, delta: { content }, finish_reason: reason }],
  })}\n\n`;
const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;

describe.skipIf(!canKillServers)('a stopped database', async () => {
  const server = await openKillableServer();
  const relay = await openTestRelay({
    db: server.db,
    isPauseSkipped: false,
    upstreams: [{ url, models: { 'demo-chat': 'm' } }],
    models: { 'demo-chat': { holdOutput: 100, maxOutput: 100_000, continue: 'never' } },
  });
  const { world, db, clock, keys } = relay;
  atEnd(async () => {
    model.close();
    model.closeAllConnections();
    await server.close();
  });
  await inTransaction(db, (tx) =>
    setModelPrices(world, tx, {
      model: 'demo-chat',
      // A token costs 0.0001 CNY, so that the allowance covers several holds.
      prices: [{ class: 'output', from: 0, variant: '', microFen: parseCny('100') ?? 0n }],
      actor: 'Ada',
      reason: 'outage',
    }),
  );
  clock.advance(62_000);
  const receiptOf = (requestId: string) =>
    readRelayReceipt(db, { accountId: keys.accountId, livemode: true, requestId });

  /** Waits for the database without advancing the clock of the relay's retries. */
  const waitForDatabase = () =>
    until(async () => (await receiptOf('req_none').catch(() => 'away')) === null || null);

  /** Opens a stream, stops the database server, and sends more than the hold covers. */
  async function streamBeyondHold() {
    const client = await relay.openStream(chatRequest('Hi', { stream: true }));
    await client.readBytes(10);
    const restartDatabase = server.stop();
    const outputs: string[] = [];
    void client.readAll().then((text) => outputs.push(text));
    // Sends 300 tokens in parts. The relay estimates one token for four bytes.
    let partCount = 0;
    await until(async () => {
      responses.at(-1)?.write(chunk('word '.repeat(10)));
      partCount += 1;
      return partCount === 24 || outputs.length > 0 || null;
    });
    return { client, restartDatabase, outputs };
  }

  test('the stream ends at its limit, and the charge within the hold is stored later', async () => {
    const { client, restartDatabase, outputs } = await streamBeyondHold();
    restartDatabase();
    await waitForDatabase();
    const text = await until(async () => {
      clock.advance(100);
      return outputs[0] ?? null;
    });
    const events = eventsIn(text);
    expect(events.at(-1)).toBe('[DONE]');
    expect(events.at(-2)).toMatchObject({ choices: [{ finish_reason: 'length' }] });
    const receipt = await receiptOf(client.requestId);
    expect(receipt).toMatchObject({ ended: 'completed', cut: 'balance', extended: 0n });
    expect(receipt?.charge).toBeGreaterThan(0n);
    expect(receipt?.charge).toBeLessThanOrEqual(receipt?.held ?? 0n);
    // The text is shorter than two holds cover, because the relay does not wait for the database.
    expect(streamedText(events).length).toBeLessThanOrEqual(2 * 100 * 4 + 50);
  });

  test('a charge that is never stored ends in an error, and recovery frees its hold', async () => {
    const { client, restartDatabase, outputs } = await streamBeyondHold();
    const text = await until(async () => {
      clock.advance(500);
      return outputs[0] ?? null;
    });
    const events = eventsIn(text);
    expect(events.at(-1)).toMatchObject({ error: { code: 'temporarily_unavailable' } });
    expect(text).not.toContain('[DONE]');
    restartDatabase();
    await waitForDatabase();
    clock.advance(2 * 3_600_000);
    await until(async () => {
      const recovered = await recoverHolds(world, db).catch(() => null);
      return recovered !== null && recovered.released > 0 ? true : null;
    });
    expect(await relay.callOf(client)).toMatchObject({ state: 'expired' });
  });

  test('the audit finds no violation', async () => {
    await relay.calls();
    const { invariants } = await auditLedger(world, db, 'full');
    expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
  });
});
