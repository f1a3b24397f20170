// Payments at the hosted checkout. Repeated and unordered events credit a payment exactly once. A
// payment that differs from the request is refused. A refund takes the wallet's cash; the rest of
// the refund becomes a debt.
import { beforeEach, expect, test } from 'vitest';
import { checkoutKey, checkoutSecret } from '../../demo/upstream/checkout/open-checkout-server.ts';
import { signatureOf } from '../../demo/upstream/checkout/send-webhooks.ts';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { listTransactions } from '../../src/gateway/wallet/history/read-transactions.ts';
import { listSelectedTopUps } from '../../src/gateway/wallet/top-ups/list-top-ups.ts';
import { openTopUps } from '../../src/gateway/wallet/top-ups/open-top-ups.ts';
import { topUpsSchema } from '../../src/gateway/wallet/top-ups/top-ups-config.ts';
import { json } from '../support/http-request.ts';
import { CNY, openTestCheckout } from './test-checkout.ts';
import { expectAuditsPass } from './test-wallet.ts';

const { gateway, checkout, topUps, beginTopUp } = await openTestCheckout();
const { world, db, clock } = gateway;

let accountId = '';
beforeEach(async () => {
  checkout.setFault(null);
  checkout.webhooks.delivered.length = 0;
  accountId = (await gateway.newAccount()).accountId;
});

const readCash = async () =>
  (await readAccountMoney(world, db, { accountId, livemode: true })).balance.cash;
const readEntries = async () =>
  (await listTransactions(db, { accountId, livemode: true, before: null, limit: 100 }))
    .filter(({ kind }) => kind.startsWith('top_up'))
    .map(({ kind, reference, reason, moves }) => ({ kind, reference, reason, moves }));
const stateOf = async (id: string) => (await topUps.find(id, accountId))?.state;
const postWebhook = (body: string, signature?: string) =>
  gateway.sendRequest({
    method: 'POST',
    path: '/webhooks/stripe',
    body,
    headers: {
      'content-type': 'application/json',
      ...(signature !== undefined && { 'stripe-signature': signature }),
    },
  });

test('a payment is in the wallet when its webhook is acknowledged', async () => {
  const { id, session } = await beginTopUp(accountId, 250n * CNY);
  expect(await topUps.find(id, accountId)).toMatchObject({
    state: 'open',
    amount: 250n * CNY,
    isRealMoney: false,
    unreclaimed: 0n,
    payUrl: `${checkout.url}/pay/${session}`,
  });
  await checkout.performAction(session, 'pay');
  expect(checkout.webhooks.delivered).toEqual([
    { type: 'checkout.session.completed', status: 200 },
  ]);
  expect(await stateOf(id)).toBe('credited');
  expect(await readCash()).toBe(250n * CNY);
  expect(await readEntries()).toEqual([
    {
      kind: 'top_up',
      reference: `top-up:${id}`,
      reason: session,
      moves: [{ source: 'top-ups', target: 'cash', amount: 250n * CNY }],
    },
  ]);
});

test('requests the session once, in CNY and fen', async () => {
  const { id, session } = await beginTopUp(accountId, 12_340_000_000n);
  expect(checkout.sessions.get(session)).toMatchObject({
    amount: 12_340,
    currency: 'cny',
    reference: id,
    locale: 'en',
    product: 'Content Radar balance',
    metadata: { top_up: id, installation: expect.stringMatching(/^[0-9a-f]{24}$/) },
    successUrl: `https://gateway.example/console/top-up/${id}?from=checkout`,
    cancelUrl: `https://gateway.example/console/top-up/${id}?from=canceled`,
  });
  const sessionRequests = checkout.requests.filter((line) => line === 'POST /v1/checkout/sessions');
  expect(sessionRequests.length).toBe(checkout.sessions.size);
});

test('credits once when an event arrives ten times while the customer returns', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay', 'silent');
  await Promise.all([
    ...Array.from({ length: 10 }, () => checkout.resend(session, 'checkout.session.completed')),
    ...Array.from({ length: 5 }, () => topUps.sync(id)),
  ]);
  expect(checkout.webhooks.delivered.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect([await readCash(), (await readEntries()).length]).toEqual([100n * CNY, 1]);
});

test('credits a customer who returns before any webhook', async () => {
  const { id, session } = await beginTopUp(accountId);
  expect((await topUps.sync(id))?.state).toBe('open');
  await checkout.performAction(session, 'pay', 'silent');
  expect((await topUps.sync(id))?.state).toBe('credited');
  expect(await readCash()).toBe(100n * CNY);
});

test('the sync loop finds a payment without return and without webhook', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay', 'silent');
  clock.advance(60_000);
  await topUps.syncDue();
  expect(await stateOf(id)).toBe('open');
  clock.advance(90_000);
  await Promise.all([topUps.syncDue(), topUps.syncDue()]);
  expect([await stateOf(id), await readCash()]).toEqual(['credited', 100n * CNY]);
  clock.advance(48 * 3_600_000);
  while ((await topUps.syncDue()) > 0);
  clock.advance(48 * 3_600_000);
  expect(await topUps.syncDue()).toBe(0);
});

test('credits a delayed payment when it arrives, and credits no failed payment', async () => {
  const slowTopUp = await beginTopUp(accountId);
  await checkout.performAction(slowTopUp.session, 'slow', 'backwards');
  expect([await stateOf(slowTopUp.id), await readCash()]).toEqual(['credited', 100n * CNY]);
  const failingTopUp = await beginTopUp(accountId);
  await checkout.performAction(failingTopUp.session, 'slow-fails');
  expect([await stateOf(failingTopUp.id), await readCash()]).toEqual(['failed', 100n * CNY]);
  await checkout.resend(failingTopUp.session, 'checkout.session.completed');
  expect(await stateOf(failingTopUp.id)).toBe('failed');
  const abandonedTopUp = await beginTopUp(accountId);
  await checkout.performAction(abandonedTopUp.session, 'expire');
  expect([await stateOf(abandonedTopUp.id), await readCash()]).toEqual(['expired', 100n * CNY]);
});

test('returns an error to a webhook while the checkout is unreachable, then credits', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay', 'silent');
  checkout.setFault('broken');
  await checkout.resend(session, 'checkout.session.completed');
  expect(checkout.webhooks.delivered.map(({ status }) => status)).toEqual(Array(8).fill(503));
  expect(await stateOf(id)).toBe('open');
  checkout.setFault(null);
  await checkout.resend(session, 'checkout.session.completed');
  expect([await stateOf(id), await readCash()]).toEqual(['credited', 100n * CNY]);
});

test('an unreachable checkout at the start of a top-up charges nothing', async () => {
  checkout.setFault('broken');
  await expect(beginTopUp(accountId)).rejects.toMatchObject({
    code: 'temporarily_unavailable',
    internal: expect.stringContaining('answered 500'),
  });
  expect(await topUps.list(accountId, 10)).toMatchObject([{ state: 'begun', payUrl: null }]);
  clock.advance(26 * 3_600_000);
  checkout.setFault(null);
  while ((await topUps.syncDue()) > 0);
  expect(await topUps.list(accountId, 10)).toMatchObject([{ state: 'expired' }]);
});

test('does not credit an amount or currency that differs from the request', async () => {
  const smallerTopUp = await beginTopUp(accountId);
  Object.assign(checkout.sessions.get(smallerTopUp.session) ?? {}, { amount: 1 });
  await checkout.performAction(smallerTopUp.session, 'pay');
  const foreignTopUp = await beginTopUp(accountId);
  Object.assign(checkout.sessions.get(foreignTopUp.session) ?? {}, { currency: 'jpy' });
  await checkout.performAction(foreignTopUp.session, 'pay');
  expect(await readCash()).toBe(0n);
  const troubledTopUps = (await listSelectedTopUps(db, 'troubled', 100)).filter(
    (topUp) => topUp.accountId === accountId,
  );
  // Both top-ups began in the same millisecond, so their order depends on random ids.
  expect(troubledTopUps.map(({ state, problem }) => `${state}: ${problem}`).toSorted()).toEqual([
    'refused: it is for 0.01 CNY',
    'refused: it is paid in jpy',
  ]);
  expect(checkout.webhooks.delivered.map(({ status }) => status)).toEqual([200, 200]);
});

test('refuses a session of another installation or another top-up', async () => {
  const { id, session } = await beginTopUp(accountId);
  const metadata = checkout.sessions.get(session)?.metadata as Record<string, string>;
  const originalMetadata = { ...metadata };
  metadata.installation = 'f'.repeat(24);
  await checkout.performAction(session, 'pay');
  expect((await topUps.sync(id))?.state).toBe('open');
  metadata.installation = originalMetadata.installation ?? '';
  metadata.top_up = (await beginTopUp(accountId)).id;
  await checkout.resend(session, 'checkout.session.completed');
  expect((await topUps.sync(id))?.state).toBe('open');
  expect(await readCash()).toBe(0n);
  metadata.top_up = id;
  expect((await topUps.sync(id))?.state).toBe('credited');
});

test('debits each of several partial refunds once', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay');
  await checkout.refund(session, 3_000, 'double');
  expect(await readCash()).toBe(70n * CNY);
  await checkout.refund(session, 7_000);
  await checkout.resend(session, 'checkout.session.completed');
  expect(await readCash()).toBe(0n);
  expect((await readEntries()).map(({ kind, moves }) => [kind, moves[0]?.amount])).toEqual([
    ['top_up_refund', 70n * CNY],
    ['top_up_refund', 30n * CNY],
    ['top_up', 100n * CNY],
  ]);
  expect(await topUps.find(id, accountId)).toMatchObject({ refunded: 100n * CNY, unreclaimed: 0n });
});

test('a refund of spent money becomes a debt, which later money pays', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay');
  const spending = { accountId, livemode: true, reference: null, reason: 'spent', actor: 'test' };
  await creditAccount(world, db, { ...spending, amount: -60n * CNY });
  await checkout.refund(session, 10_000);
  expect([await readCash(), (await topUps.find(id, accountId))?.unreclaimed]).toEqual([
    0n,
    60n * CNY,
  ]);
  const troubledTopUps = (await listSelectedTopUps(db, 'troubled', 100)).filter(
    (topUp) => topUp.accountId === accountId,
  );
  expect(troubledTopUps).toMatchObject([{ id, refunded: 100n * CNY, unreclaimed: 60n * CNY }]);
  await creditAccount(world, db, { ...spending, amount: 25n * CNY });
  expect(await topUps.sync(id)).toMatchObject({ unreclaimed: 35n * CNY });
  expect(await readCash()).toBe(0n);
});

test('a refund event before its payment event credits and debits the payment', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay', 'silent');
  await checkout.refund(session, 4_000);
  expect([await stateOf(id), await readCash()]).toEqual(['credited', 60n * CNY]);
});

test('refuses a webhook without a valid signature and sends no request', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay', 'forged');
  await checkout.resend(session, 'checkout.session.completed');
  expect(await stateOf(id)).toBe('credited');
  const requestCount = checkout.requests.length;
  const body = JSON.stringify({ id: 'evt_1', type: 'x', data: { object: { id: 'x' } } });
  const now = clock.now();
  const refusedResponses = [
    await postWebhook(body),
    await postWebhook(body, 't=1,v1=00'),
    await postWebhook(body, signatureOf('whsec_of_somebody_else', body, now)),
    await postWebhook(body, signatureOf(checkoutSecret, body, now - 301_000)),
    await postWebhook(body, signatureOf(checkoutSecret, body, now + 301_000)),
    await postWebhook(`${body} `, signatureOf(checkoutSecret, body, now)),
    await postWebhook('[]', signatureOf(checkoutSecret, '[]', now)),
  ];
  expect(refusedResponses.map((response) => [response.status, json(response).detail])).toEqual([
    [400, 'This webhook is refused: the header Stripe-Signature is missing.'],
    [400, 'This webhook is refused: no signature matches a configured secret.'],
    [400, 'This webhook is refused: no signature matches a configured secret.'],
    [400, 'This webhook is refused: it was signed more than 300 seconds from now.'],
    [400, 'This webhook is refused: it was signed more than 300 seconds from now.'],
    [400, 'This webhook is refused: no signature matches a configured secret.'],
    [400, 'This webhook is refused: the body is not an event.'],
  ]);
  expect(checkout.requests.length).toBe(requestCount);
  const ignoredResponse = await postWebhook(body, signatureOf(checkoutSecret, body, now - 299_000));
  expect(json(ignoredResponse)).toEqual({
    received: true,
    ignored: 'events of type x are not used',
  });
  const largeBody = 'x'.repeat(300_000);
  expect((await postWebhook(largeBody, signatureOf(checkoutSecret, largeBody, now))).status).toBe(
    413,
  );
});

test('refuses amounts outside of the limits or finer than a fen', async () => {
  const requestCountBefore = checkout.requests.length;
  for (const amount of [0n, -CNY, 9n * CNY, 50_001n * CNY, 20n * CNY + 1n]) {
    await expect(beginTopUp(accountId, amount)).rejects.toMatchObject({ code: 'invalid_request' });
  }
  expect(checkout.requests.length).toBe(requestCountBefore);
});

test('refuses top-ups and webhooks without a checkout', async () => {
  const topUpsWithoutCheckout = await openTopUps(world, db, {
    siteUrl: () => 'https://gateway.example',
    siteName: 'Content Radar',
    config: topUpsSchema.parse({}),
  });
  expect(topUpsWithoutCheckout.isConfigured).toBe(false);
  const input = { accountId, amount: 100n * CNY, email: null, language: 'en' } as const;
  await expect(topUpsWithoutCheckout.begin(input)).rejects.toMatchObject({
    code: 'temporarily_unavailable',
  });
  expect(await topUpsWithoutCheckout.receiveEvent(Buffer.from('{}'), 't=1,v1=00')).toMatchObject({
    kind: 'refused',
  });
  expect(await topUpsWithoutCheckout.syncDue()).toBe(0);
});

test('no log contains the provider’s key or a secret', () => {
  const logText = gateway.logged.join('\n');
  expect(logText).toContain('a top-up was paid');
  for (const secret of [checkoutKey, checkoutSecret]) expect(logText).not.toContain(secret);
});

test('the balances are correct after all tests of this file', () => expectAuditsPass(world, db));
