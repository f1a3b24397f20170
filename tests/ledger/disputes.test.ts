// Disputes and refunds after a credited payment, with repeated events in any order. The wallet
// returns the amount as far as its cash suffices. The unpaid part becomes debt, which later credits
// settle first. A won dispute or a failed refund returns the money.
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { listTransactions } from '../../src/gateway/wallet/history/read-transactions.ts';
import { listSelectedTopUps } from '../../src/gateway/wallet/top-ups/list-top-ups.ts';
import { listTopUpDisputes, saveDispute } from '../../src/store/gateway/top-up-disputes.ts';
import { listTopUpRefunds, saveRefund } from '../../src/store/gateway/top-up-refunds.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { CNY, openTestCheckout } from './test-checkout.ts';
import { expectAuditsPass } from './test-wallet.ts';

const { gateway, checkout, topUps, beginTopUp } = await openTestCheckout();
const { world, db } = gateway;

let accountId = '';
beforeEach(async () => {
  checkout.webhooks.delivered.length = 0;
  accountId = (await gateway.newAccount()).accountId;
});

const readCash = async () =>
  (await readAccountMoney(world, db, { accountId, livemode: true })).balance.cash;
const stateOf = async (id: string) => (await topUps.find(id, accountId))?.state;
/** Money movements, newest first: kind and amount in CNY. */
const readMoves = async () =>
  (await listTransactions(db, { accountId, livemode: true, before: null, limit: 100 }))
    .filter(({ kind }) => kind.startsWith('top_up'))
    .map(({ kind, moves: [move] }) => `${kind} ${(move?.amount ?? 0n) / CNY}`);
const payTopUp = async (amount?: bigint) => {
  const topUp = await beginTopUp(accountId, amount);
  await checkout.performAction(topUp.session, 'pay');
  return topUp;
};
const spendCny = (cny: bigint) =>
  creditAccount(world, db, {
    accountId,
    livemode: true,
    reference: null,
    reason: 'spent',
    actor: 'test',
    amount: -cny * CNY,
  });

test('a disputed payment leaves the wallet and returns when the dispute is won', async () => {
  const { id, session } = await payTopUp();
  await checkout.performBankAction(session, 'dispute', { fault: 'double' });
  const deliveredEvents = checkout.webhooks.delivered
    .slice(1)
    .map(({ type, status }) => `${type} ${status}`);
  expect(deliveredEvents.toSorted()).toEqual([
    ...Array.from({ length: 2 }, () => 'charge.dispute.created 200'),
    ...Array.from({ length: 2 }, () => 'charge.dispute.funds_withdrawn 200'),
  ]);
  expect([await readCash(), await readMoves()]).toEqual([0n, ['top_up_dispute 100', 'top_up 100']]);
  expect(await topUps.find(id, accountId)).toMatchObject({ disputed: 100n * CNY, unreclaimed: 0n });
  await checkout.performBankAction(session, 'won');
  expect([await readCash(), (await readMoves())[0]]).toEqual([100n * CNY, 'top_up_return 100']);
  await checkout.performBankAction(session, 'dispute', { fen: 4_000 });
  await checkout.performBankAction(session, 'lost');
  expect([await readCash(), (await readMoves())[0]]).toEqual([60n * CNY, 'top_up_dispute 40']);
});

test('an inquiry of the bank debits nothing until it becomes a dispute', async () => {
  const { id, session } = await payTopUp();
  await checkout.performBankAction(session, 'inquiry');
  expect(await readCash()).toBe(100n * CNY);
  expect((await listSelectedTopUps(db, 'troubled', 100)).map((topUp) => topUp.id)).toContain(id);
  await checkout.performBankAction(session, 'dispute');
  expect(await readCash()).toBe(0n);
});

test('events in any order, even a dispute before its payment, give the same balance', async () => {
  const { id, session } = await beginTopUp(accountId);
  await checkout.performAction(session, 'pay', 'silent');
  await checkout.performBankAction(session, 'dispute', { fault: 'backwards' });
  expect([await stateOf(id), await readCash()]).toEqual(['credited', 0n]);
  await checkout.performBankAction(session, 'won', { fault: 'backwards' });
  await checkout.resend(session, 'charge.dispute.created');
  await checkout.resend(session, 'checkout.session.completed');
  expect([await readCash(), await readMoves()]).toEqual([
    100n * CNY,
    ['top_up_return 100', 'top_up_dispute 100', 'top_up 100'],
  ]);
});

test('a stale response does not undo the outcome of a dispute', async () => {
  const { id, session } = await payTopUp();
  await checkout.performBankAction(session, 'dispute');
  const oldDisputes = await listTopUpDisputes(db, [id]);
  await checkout.performBankAction(session, 'won');
  for (const dispute of oldDisputes) await saveDispute(db, dispute);
  expect((await listTopUpDisputes(db, [id])).map(({ status }) => status)).toEqual(['won']);
  await topUps.sync(id);
  expect(await readCash()).toBe(100n * CNY);
});

test('debits at most the payment when it is both refunded and disputed', async () => {
  const { id, session } = await payTopUp();
  await checkout.refund(session, 3_000);
  await checkout.performBankAction(session, 'dispute');
  expect([await readCash(), await readMoves()]).toEqual([
    0n,
    ['top_up_dispute 70', 'top_up_refund 30', 'top_up 100'],
  ]);
  expect(await topUps.find(id, accountId)).toMatchObject({ unreclaimed: 0n, refunded: 30n * CNY });
  await checkout.performBankAction(session, 'won');
  expect(await readCash()).toBe(70n * CNY);
});

test('a failed refund returns to the wallet once, also when reported repeatedly', async () => {
  const { id, session } = await payTopUp();
  await checkout.refund(session, 3_000);
  await checkout.refund(session, 5_000);
  expect(await readCash()).toBe(20n * CNY);
  await checkout.failRefund(session, 'double');
  await checkout.resend(session, 'charge.refund.updated');
  await checkout.resend(session, 'charge.refunded');
  await topUps.sync(id);
  expect([await readCash(), await readMoves()]).toEqual([
    70n * CNY,
    ['top_up_refund_failed 50', 'top_up_refund 50', 'top_up_refund 30', 'top_up 100'],
  ]);
  expect(checkout.webhooks.delivered.every(({ status }) => status === 200)).toBe(true);
  expect(await topUps.find(id, accountId)).toMatchObject({ refunded: 30n * CNY, unreclaimed: 0n });
  // A later failure and a later refund are also posted once, with their events in reverse order.
  await checkout.failRefund(session, 'backwards');
  await checkout.refund(session, 10_000, 'backwards');
  expect([await readCash(), (await readMoves()).slice(0, 2)]).toEqual([
    0n,
    ['top_up_refund 100', 'top_up_refund_failed 30'],
  ]);
});

test('a refund that is first reported as failed moves no money', async () => {
  const { id, session } = await payTopUp();
  await checkout.refund(session, 4_000, 'silent');
  await checkout.failRefund(session, 'backwards');
  await checkout.resend(session, 'charge.refunded');
  expect([await readCash(), await readMoves()]).toEqual([100n * CNY, ['top_up 100']]);
  expect((await listTopUpRefunds(db, [id])).map(({ status, reason }) => [status, reason])).toEqual([
    ['failed', 'expired_or_canceled_card'],
  ]);
});

test('a failed refund ends its debt', async () => {
  const { id, session } = await payTopUp();
  await spendCny(70n);
  await checkout.refund(session, 10_000);
  expect([await readCash(), (await topUps.find(id, accountId))?.unreclaimed]).toEqual([
    0n,
    70n * CNY,
  ]);
  await checkout.failRefund(session);
  expect([await readCash(), (await topUps.find(id, accountId))?.unreclaimed]).toEqual([
    30n * CNY,
    0n,
  ]);
});

test('a stale response does not undo a failed refund', async () => {
  const { id, session } = await payTopUp();
  await checkout.refund(session, 10_000);
  const oldRefunds = await listTopUpRefunds(db, [id]);
  await checkout.failRefund(session);
  for (const refund of oldRefunds) await saveRefund(db, refund);
  await topUps.sync(id);
  expect([await readCash(), (await listTopUpRefunds(db, [id]))[0]?.status]).toEqual([
    100n * CNY,
    'failed',
  ]);
});

test('new cash settles the oldest debt first', async () => {
  const firstTopUp = await payTopUp();
  gateway.clock.advance(1_000);
  const secondTopUp = await payTopUp(50n * CNY);
  await spendCny(150n);
  await checkout.performBankAction(firstTopUp.session, 'dispute');
  await checkout.refund(secondTopUp.session, 5_000);
  const debtOf = () =>
    Promise.all(
      [firstTopUp, secondTopUp].map(
        async ({ id }) => ((await topUps.find(id, accountId))?.unreclaimed ?? 0n) / CNY,
      ),
    );
  expect(await debtOf()).toEqual([100n, 50n]);
  await payTopUp(70n * CNY);
  expect([await readCash(), await debtOf()]).toEqual([0n, [30n, 50n]]);
  await creditAccount(world, db, {
    accountId,
    livemode: true,
    reference: 'gift',
    reason: 'gift',
    actor: 'test',
    amount: 40n * CNY,
  });
  expect([await readCash(), await debtOf()]).toEqual([0n, [0n, 40n]]);
  await checkout.performBankAction(firstTopUp.session, 'won');
  expect([await readCash(), await debtOf()]).toEqual([60n * CNY, [0n, 0n]]);
});

test('the next sync completes the writes of a killed process', async () => {
  const { id, session } = await payTopUp();
  let delivery = Promise.resolve();
  await inTransaction(db, async (tx) => {
    await sql`SELECT FROM wallets WHERE account_id = ${accountId} FOR UPDATE`.execute(sqlOf(tx));
    delivery = checkout.performBankAction(session, 'dispute');
    // The dispute is stored and the transfer waits for the wallet's lock. The connection ends here,
    // as it does when the process is killed -9.
    while (!(await endWaitingConnections()));
  });
  await delivery;
  const [firstStatus, ...otherStatuses] = checkout.webhooks.delivered
    .slice(1)
    .map(({ status }) => status);
  expect(firstStatus).toBe(503);
  expect(otherStatuses.slice(-2)).toEqual([200, 200]);
  expect([await readCash(), await readMoves()]).toEqual([0n, ['top_up_dispute 100', 'top_up 100']]);
  expect(await topUps.find(id, accountId)).toMatchObject({ disputed: 100n * CNY, unreclaimed: 0n });
});

async function endWaitingConnections(): Promise<boolean> {
  const { rows } = await sql`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(sqlOf(db));
  return rows.length > 0;
}

test('a dispute of an unknown or foreign payment changes nothing', async () => {
  const { session } = await beginTopUp(accountId);
  const metadata = checkout.sessions.get(session)?.metadata as Record<string, string>;
  metadata.installation = 'f'.repeat(24);
  await checkout.performAction(session, 'pay', 'silent');
  await checkout.performBankAction(session, 'dispute');
  expect(checkout.webhooks.delivered.map(({ status }) => status)).toEqual([200, 200]);
  expect(await readMoves()).toEqual([]);
});

test('the balances are correct after all tests of this file', () => expectAuditsPass(world, db));
