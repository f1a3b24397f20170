// GET /api/v1/relay/receipts/{request_id}: the tests compare the whole body, and its fields with
// the OpenAPI schema. Relay contract, 3.6.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { modelReceipt } from '../../../src/gateway/api/openapi/envelopes.ts';
import { topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { openWallet } from '../../../src/gateway/wallet/ledger/open-wallet.ts';
import { json } from '../../support/http-request.ts';
import { openTestGateway } from '../../support/test-gateway.ts';
import { until } from '../../support/until.ts';

const gateway = await openTestGateway();
const { world, db, keys, clock } = gateway;
const { accountId } = keys;
const wallet = await openWallet(world, db);
const payment = { amount: 10n ** 10n, reference: 'paid', reason: null, actor: 'test' };
await topUp(world, db, { accountId, livemode: true, ...payment });

const authorizeCall = (requestId: string) =>
  wallet.authorize({
    requestId,
    accountId,
    livemode: true,
    keyId: 'key_one',
    capability: 'chat',
    sku: 'chat',
    priceVersion: 2,
    unit: 'per_token',
    quantity: 100,
    amount: 1_000_000n,
    maxCharge: null,
    budget: null,
    idempotency: null,
    quotas: { day: 1_000, month: 1_000 },
    deadlineAt: clock.now() + 60_000,
  });
const attempt = (overrides: object) => ({
  model: 'm',
  upstream: null,
  failure: null,
  tries: 1,
  startedAt: clock.now(),
  firstTokenMs: null,
  isContinuation: false,
  usage: null,
  ...overrides,
});
const readReceipt = (requestId: string) => gateway.readPath(`/api/v1/relay/receipts/${requestId}`);

/** A schema that accepts exactly the declared fields. */
function strictSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    return z.strictObject(
      Object.fromEntries(shape.map(([name, fieldShape]) => [name, strictSchema(fieldShape)])),
    );
  }
  return schema instanceof z.ZodArray ? z.array(strictSchema(schema.element as z.ZodType)) : schema;
}

test('a charged call has its lines and attempts', async () => {
  await authorizeCall('req_charged');
  const lines = [
    { class: 'input', tokens: 7, price: '3000000000', attempt: 2 },
    { class: 'tool:web_search', tokens: 2, price: '1000', attempt: 2 },
  ];
  await wallet.capture({
    requestId: 'req_charged',
    captured: 23_000n,
    usage: {
      unit: 'per_token',
      quantity: 13,
      increment: 'token',
      model: 'm',
      counted: 'upstream',
      tokens: { input: 7, output: 6 },
      lines,
      relay: {
        dialect: 'messages',
        model: 'm',
        ended: 'completed',
        skippedEvents: 1,
        attempts: [
          attempt({ failure: 'silent', usage: { counted: 'estimated', input: 7, output: 3 } }),
          attempt({
            upstream: 'north',
            firstTokenMs: 40,
            usage: { counted: 'upstream', input: 7, output: 6, reasoning: 2 },
            billed: { input: 7, output: 6, 'tool:web_search': 2 },
          }),
        ],
      },
    },
    status: 200,
    contentType: 'application/json',
    body: Buffer.from('{}'),
  });
  const response = await readReceipt('req_charged');
  const at = new Date(clock.now()).toISOString();
  const attemptFields = { model: 'm', started_at: at, continuation: false };
  expect([response.status, json(response)]).toEqual([
    200,
    {
      request_id: 'req_charged',
      key: 'key_one',
      dialect: 'messages',
      model_requested: 'm',
      price_version: 2,
      held: '0.01',
      extended: '0',
      charge: '0.00023',
      ceiling_applied: false,
      shortfall: '0',
      counted: 'upstream',
      ended: 'completed',
      cut: null,
      skipped_events: 1,
      lines: [
        { class: 'input', tokens: 7, price: '30', amount: '0.00021', attempt: 2 },
        { class: 'tool:web_search', tokens: 2, price: '0.00001', amount: '0.00002', attempt: 2 },
      ],
      attempts: [
        {
          ...attemptFields,
          n: 1,
          upstream: null,
          class_of_failure: 'silent',
          tries: 1,
          first_token_ms: null,
          usage: { counted: 'estimated', input: 7, output: 3 },
          billed: false,
        },
        {
          ...attemptFields,
          n: 2,
          upstream: 'north',
          class_of_failure: null,
          tries: 1,
          first_token_ms: 40,
          usage: { counted: 'upstream', input: 7, output: 6, reasoning: 2 },
          billed: true,
        },
      ],
    },
  ]);
  expect(strictSchema(modelReceipt).safeParse(json(response))).toMatchObject({ success: true });
});

test('a call that an earlier version recorded has its usage at the last attempt', async () => {
  await authorizeCall('req_earlier');
  await wallet.capture({
    requestId: 'req_earlier',
    captured: 210n,
    usage: {
      unit: 'per_token',
      tokens: { input: 7, output: 0 },
      lines: [{ class: 'input', tokens: 7, price: '30000000' }],
      relay: {
        dialect: 'chat',
        model: 'm',
        ended: 'completed',
        attempts: [attempt({ usage: undefined }), attempt({ usage: undefined })],
      },
    },
    status: 200,
    contentType: 'application/json',
    body: Buffer.from('{}'),
  });
  expect(json(await readReceipt('req_earlier'))).toMatchObject({
    lines: [{ attempt: 2 }],
    attempts: [
      { usage: null, billed: false },
      { usage: { input: 7, output: 0 }, billed: true },
    ],
  });
});

test('a failed call has its attempts and no charge', async () => {
  await authorizeCall('req_failed');
  const attempts = [attempt({ failure: 'silent' })];
  await wallet.release({
    requestId: 'req_failed',
    status: 504,
    code: 'upstream_timeout',
    usage: { relay: { dialect: 'chat', model: 'm', ended: 'failed', attempts } },
  });
  const response = await readReceipt('req_failed');
  expect(json(response)).toMatchObject({
    dialect: 'chat',
    charge: '0',
    ended: 'failed',
    lines: [],
    attempts: [{ n: 1, class_of_failure: 'silent', billed: false, usage: null }],
  });
  expect(strictSchema(modelReceipt).safeParse(json(response))).toMatchObject({ success: true });
  // The call used nothing, so the list of calls does not show it.
  expect(json(await gateway.readPath('/api/v1/calls/req_failed'))).toMatchObject({
    status: 'failed',
    usage: null,
  });
});

test('waits for the receipt of a new call, which is recorded after the response', async () => {
  const requestId = `req_${world.ids.next()}`;
  const pending = readReceipt(requestId);
  let isOver = false;
  const finished = pending.finally(() => {
    isOver = true;
  });
  await authorizeCall(requestId);
  await until(async () => {
    clock.advance(100);
    return isOver || null;
  });
  expect([(await finished).status, json(await finished).ended]).toEqual([200, 'running']);
});

test('returns 404 for another account’s call and for an unknown call', async () => {
  const otherAccount = await gateway.newAccount();
  const foreignReceipt = await gateway.readPath(
    '/api/v1/relay/receipts/req_failed',
    otherAccount.sk,
  );
  expect([foreignReceipt.status, (await readReceipt('req_none')).status]).toEqual([404, 404]);
});
