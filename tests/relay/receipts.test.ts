// The stored receipt of a relay call, and its amounts in headers and in the comment of a stream.
import { expect, test } from 'vitest';
import {
  formatLineAmount,
  readRelayReceipt,
} from '../../src/gateway/wallet/history/read-relay-receipt.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { chatRequest, openTestRelay } from './test-relay.ts';

const relay = await openTestRelay({
  upstreams: [{ publicName: 'north' }],
  price: { perCall: '0.01', version: 3 },
});

test('a receipt has the hold, the charge, and the attempts by their public names', async () => {
  const response = await relay.chat(chatRequest('Hi'));
  expect(response.headers).toMatchObject({
    'x-relay-hold': '0.01',
    'x-relay-price-version': '3',
    'x-relay-charge': '0.01',
    'x-relay-attempts': '1',
  });
  const requestId = String(response.headers['x-request-id']);
  const { accountId } = relay.keys;
  const receipt = await readRelayReceipt(relay.db, { accountId, livemode: true, requestId });
  expect(receipt).toMatchObject({
    held: parseCny('0.01'),
    charge: parseCny('0.01'),
    dialect: 'chat',
    model: 'demo-chat',
    ended: 'completed',
    lines: [{ class: 'request', tokens: 1, price: parseCny('0.01'), attempt: 1 }],
    attempts: [
      {
        model: 'demo-chat',
        upstream: 'north',
        failure: null,
        tries: 1,
        isBilled: true,
        usage: { counted: 'upstream', input: expect.any(Number), output: expect.any(Number) },
      },
    ],
  });
  const otherReceipt = { accountId: 'someone', livemode: true, requestId };
  expect(await readRelayReceipt(relay.db, otherReceipt)).toBeNull();
});

test('the receipt of a failed call has its attempts and no usage', async () => {
  const response = await relay.chat(chatRequest('upstream:busy'));
  expect(response.status).toBe(503);
  const requestId = String(response.headers['x-request-id']);
  const { accountId } = relay.keys;
  expect((await relay.callOf(response))?.state).toBe('released');
  const receipt = await readRelayReceipt(relay.db, { accountId, livemode: true, requestId });
  expect(receipt).toMatchObject({
    charge: 0n,
    dialect: 'chat',
    model: 'demo-chat',
    ended: 'failed',
    tokens: null,
    lines: [],
    attempts: [{ model: 'demo-chat', upstream: 'north', failure: 'busy', tries: 1, usage: null }],
  });
});

test('the receipt of a broken stream has its attempts', async () => {
  relay.clock.advance(61_000);
  const body = chatRequest('upstream:dies-3', { stream: true });
  const response = await relay.chat(body, { 'x-relay-continue': 'never' });
  const requestId = String(response.headers['x-request-id']);
  const { accountId } = relay.keys;
  expect((await relay.callOf(response))?.state).toBe('released');
  const receipt = await readRelayReceipt(relay.db, { accountId, livemode: true, requestId });
  expect(receipt).toMatchObject({ ended: 'failed', attempts: [{ tries: 1 }] });
});

test('a stream ends with its receipt as a comment when the client requests it', async () => {
  const response = await relay.chat(chatRequest('Hi', { stream: true }), {
    'x-relay-receipt': '1',
  });
  const events = response.text.trimEnd().split('\n\n');
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(events.at(-2)?.replace(': relay-receipt ', '') ?? '')).toEqual({
    request_id: response.headers['x-request-id'],
    held: '0.01',
    charge: '0.01',
    attempts: 1,
    receipt: `/api/v1/relay/receipts/${response.headers['x-request-id']}`,
  });
});

test.each([
  ['input', 7, '30', '0.00021'],
  ['cache_read', 1, '0.00000001', '0.00000000000001'],
  ['request', 1, '0.001', '0.001'],
  ['tool:web_search', 3, '0.07', '0.21'],
  ['output', 1_000_000, '150', '150'],
])('%s: %i tokens at %s CNY cost exactly %s', (name, tokens, price, amount) => {
  const line = { class: name, tokens, price: parseCny(price) ?? 0n };
  expect(formatLineAmount(line)).toBe(amount);
});
