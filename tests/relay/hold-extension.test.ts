// A stream without a limit uses more than its hold. The relay raises the hold during the stream, or
// ends the response as if it had reached its limit. Relay contract, 2.3.
import { expect, test } from 'vitest';
import { setModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readRelayReceipt } from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { formatCny, parseCny } from '../../src/kernel/money.ts';
import { inTransaction } from '../../src/store/platform/db.ts';
import { chatRequest, eventsIn, openTestRelay } from './test-relay.ts';

const kinds = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const;
const relay = await openTestRelay({
  upstreams: kinds.map((kind) => ({ kind })),
  // The reply has forty bytes of text: ten tokens by the relay's estimate, fewer by the report.
  models: {
    'demo-chat': { holdOutput: 10, maxOutput: 100 },
    'demo-only-0': { holdOutput: 2 },
    'demo-only-2': { holdOutput: 2 },
  },
});
const { world, db, clock, keys } = relay;
const setPlan = (model: string, cny: string) =>
  inTransaction(db, (tx) => {
    const microFen = parseCny(cny) ?? 0n;
    const prices = [{ class: 'output', from: 0, variant: '', microFen }];
    return setModelPrices(world, tx, { model, prices, actor: 'Ada', reason: 'test' });
  });
// A token costs 0.01 CNY in one price list, and 0.9 in the other: two tokens fit into the allowance
// of 2 CNY.
await setPlan('demo-chat', '10000');
clock.advance(61_500);
await setPlan('demo-only-0', '900000');
clock.advance(61_500);
await setPlan('demo-only-2', '900000');
clock.advance(62_000);

const receiptOf = (requestId: unknown) =>
  readRelayReceipt(db, {
    accountId: keys.accountId,
    livemode: true,
    requestId: String(requestId),
  });

test('raises an insufficient hold, and the charge is exact', async () => {
  const response = await relay.chat(chatRequest('Hi there my friend', { stream: true }), {
    'x-relay-receipt': '1',
  });
  const events = eventsIn(response.text);
  expect(events.at(-1)).toBe('[DONE]');
  const call = await relay.callOf(response);
  const receipt = await receiptOf(response.headers['x-request-id']);
  expect(receipt?.extended).toBeGreaterThan(0n);
  expect(receipt?.held).toBeGreaterThan(parseCny('0.1') ?? 0n);
  expect(call?.charge?.total).toBe(receipt?.charge);
  expect(receipt).toMatchObject({ cut: null, shortfall: 0n });
  const comment = JSON.parse(String(events.at(-2)).replace(': relay-receipt ', ''));
  expect(comment).toMatchObject({
    held: formatCny(receipt?.held ?? 0n),
    extended: formatCny(receipt?.extended ?? 0n),
  });
});

const endlessRequest = 'Hi upstream:endless';
const limitEvents = {
  '/v1/chat/completions': [{ choices: [{ finish_reason: 'length' }] }, '[DONE]'],
  '/v1/responses': [
    {
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    },
  ],
} as const;

// A request to Messages always has a limit, which the hold covers.
test.each([
  [
    '/v1/chat/completions',
    { model: 'demo-only-0', messages: [{ role: 'user', content: endlessRequest }] },
  ],
  ['/v1/responses', { model: 'demo-only-2', input: endlessRequest }],
] as const)(
  '%s: the response ends at its limit when the balance does not cover an extension',
  async (path, body) => {
    const response = await relay.send({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${keys.ak}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, ...body }),
    });
    const texts = response.text
      .split('\n\n')
      .flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
    const events = texts.map((text) => (text === '[DONE]' ? text : JSON.parse(text)));
    const expected = limitEvents[path];
    expect(events.slice(-expected.length)).toMatchObject(expected);
    const call = await relay.callOf(response);
    expect(call).toMatchObject({ state: 'captured', status: 200 });
    // A credit restores the balance for the next call.
    const credit = { amount: call?.charge?.total ?? 0n, reason: null, actor: 'test' };
    const wallet = { accountId: keys.accountId, livemode: true };
    await topUp(world, db, { ...wallet, ...credit, reference: path });
    expect(await receiptOf(response.headers['x-request-id'])).toMatchObject({ cut: 'balance' });
  },
);

test('the audit reports no violation', async () => {
  await relay.calls();
  const { invariants } = await auditLedger(world, db, 'full');
  expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
});
