// Random histories of payments: customers pay, fail, leave and return. Webhooks are repeated, late,
// out of order, forged or lost. Some refunds fail, disputes are won and lost, money is spent
// meanwhile, and connections break. At the end every wallet contains exactly the amount that was
// paid and not returned. No account with a debt has cash.
import { expect, inject, test } from 'vitest';
import { refundedOf } from '../../demo/upstream/checkout/checkout-state.ts';
import type { WebhookFault } from '../../demo/upstream/checkout/send-webhooks.ts';
import { bankActions } from '../../demo/upstream/checkout/simulate-dispute.ts';
import { creditAccount } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../src/gateway/wallet/history/read-account.ts';
import { listTransactions } from '../../src/gateway/wallet/history/read-transactions.ts';
import type { TopUp } from '../../src/gateway/wallet/top-ups/top-up.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { connectionOf } from '../../src/store/platform/db.ts';
import { runStatement } from '../support/database-server.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { CNY, openTestCheckout } from './test-checkout.ts';
import { expectAuditsPass } from './test-wallet.ts';

const { gateway, checkout, topUps, beginTopUp: begin } = await openTestCheckout();
const { world, db, clock } = gateway;
const server = inject('databaseServer');
const seed = proofSeed();
const random = seededRandom(seed);
const randomBelow = (count: number) => Math.floor(random.next() * count);
const pickOne = <T>(values: readonly T[]): T => values[randomBelow(values.length)] as T;

const webhookFaults: readonly (WebhookFault | null)[] = [
  null,
  null,
  'double',
  'late',
  'backwards',
  'forged',
  'stale',
  'silent',
];
const sessionEvents = [
  'completed',
  'async_payment_succeeded',
  'async_payment_failed',
  'expired',
] as const;

type StartedTopUp = { readonly accountId: string; readonly id: string; readonly session: string };

/** Rolls back all running transactions, as when a process dies. */
async function cutConnections(): Promise<void> {
  const connection = connectionOf(db);
  const name =
    'database' in connection
      ? connection.database
      : new URL(connection.connectionString).pathname.slice(1);
  await runStatement(
    server,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
  );
}

/** Performs one random event. */
async function takeStep(
  started: StartedTopUp[],
  accounts: readonly string[],
  spent: Map<string, bigint>,
) {
  const topUp = started.length === 0 ? null : pickOne(started);
  const chance = randomBelow(15);
  if (chance < 2 || topUp === null) {
    const accountId = pickOne(accounts);
    started.push({ accountId, ...(await begin(accountId, BigInt(10 + randomBelow(200)) * CNY)) });
    return;
  }
  const session = checkout.sessions.get(topUp.session);
  if (chance < 5 && session?.status === 'open') {
    return checkout.performAction(
      topUp.session,
      pickOne(['pay', 'pay', 'slow', 'slow-fails', 'expire']),
      pickOne(webhookFaults),
    );
  }
  if (chance < 6)
    return checkout.refund(topUp.session, 1 + randomBelow(12_000), pickOne(webhookFaults));
  if (chance < 8)
    return checkout.resend(topUp.session, `checkout.session.${pickOne(sessionEvents)}`);
  if (chance > 13) return checkout.failRefund(topUp.session, pickOne(webhookFaults));
  if (chance > 11) {
    const fen = pickOne([null, 1 + randomBelow(12_000)]);
    return checkout.performBankAction(topUp.session, pickOne(bankActions), {
      fen,
      fault: pickOne(webhookFaults),
    });
  }
  if (chance < 9) return void (await topUps.sync(topUp.id));
  if (chance < 10) {
    const amount = BigInt(1 + randomBelow(50)) * CNY;
    const account = { accountId: topUp.accountId, livemode: true, reference: null };
    const debit = { ...account, amount: -amount, reason: 'spent', actor: 'test' };
    const transfer = await creditAccount(world, db, debit);
    if (transfer.kind === 'posted') {
      spent.set(topUp.accountId, (spent.get(topUp.accountId) ?? 0n) + amount);
    }
    return;
  }
  if (chance < 11) return cutConnections();
  clock.advance(randomBelow(3) * 120_000);
  await topUps.syncDue();
}

const rounds = proofSize(4, 60);

test(`credits every payment once in any order of events (RADAR_SEED=${seed})`, {
  timeout: 30 * 60_000,
}, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const accounts = [await gateway.newAccount(), await gateway.newAccount()].map(
      ({ accountId }) => accountId,
    );
    const started: StartedTopUp[] = [];
    const spent = new Map<string, bigint>();
    for (let stepCount = 0; stepCount < 15; stepCount += 1) {
      // Concurrent steps, as in separate processes.
      const concurrentSteps = Array.from({ length: 1 + randomBelow(5) }, () =>
        takeStep(started, accounts, spent),
      );
      await Promise.allSettled(concurrentSteps);
    }
    await checkout.webhooks.idle();
    for (const { id } of started) await retryAfterCut(() => topUps.sync(id));
    await retryAfterCut(() => topUps.syncDue());
    await retryAfterCut(() => compareWallets(accounts, started, spent));
  }
  await expectAuditsPass(world, db);
});

/** The first query after a cut may still use the broken connection. */
async function retryAfterCut<T>(request: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      if (attempt === 5 || !/terminat|closed|ended|reset/i.test(String(error))) throw error;
    }
  }
}

type ReturnedAmounts = Pick<TopUp, 'amount' | 'refunded' | 'disputed'>;

const returnedAmount = ({ amount, refunded, disputed }: ReturnedAmounts): bigint =>
  refunded + disputed < amount ? refunded + disputed : amount;

async function compareWallets(
  accounts: readonly string[],
  started: readonly StartedTopUp[],
  spent: ReadonlyMap<string, bigint>,
): Promise<void> {
  for (const accountId of accounts) {
    const listedTopUps = await topUps.list(accountId, 1_000);
    const sessionIds = started
      .filter((topUp) => topUp.accountId === accountId)
      .map(({ session }) => session);
    const paidSessionIds = sessionIds.filter((id) => checkout.sessions.get(id)?.paid === 'paid');
    const creditedTopUps = listedTopUps.filter(({ state }) => state === 'credited');
    expect(creditedTopUps.map(({ sessionId }) => sessionId).sort()).toEqual(paidSessionIds.sort());
    for (const { sessionId, amount, refunded, disputed, unreclaimed } of creditedTopUps) {
      const session = checkout.sessions.get(sessionId ?? '');
      const fen = (count: number) => BigInt(count) * 1_000_000n;
      const withholdingDisputes = (session?.payment?.disputes ?? []).filter(
        ({ status }) => status === 'needs_response' || status === 'lost',
      );
      expect([amount, refunded, disputed]).toEqual([
        fen(session?.amount ?? 0),
        fen(session === undefined ? 0 : refundedOf(session)),
        fen(withholdingDisputes.reduce((total, dispute) => total + dispute.amount, 0)),
      ]);
      expect(
        unreclaimed >= 0n && unreclaimed <= returnedAmount({ amount, refunded, disputed }),
      ).toBe(true);
    }
    const sum = (amountOf: (topUp: (typeof creditedTopUps)[number]) => bigint) =>
      creditedTopUps.reduce((total, topUp) => total + amountOf(topUp), 0n);
    const cash = sum((topUp) => topUp.amount - returnedAmount(topUp) + topUp.unreclaimed);
    const money = await readAccountMoney(world, db, { accountId, livemode: true });
    expect(money.balance.cash).toBe(cash - (spent.get(accountId) ?? 0n));
    expect(money.balance.cash === 0n || sum(({ unreclaimed }) => unreclaimed) === 0n).toBe(true);
    const page = { accountId, livemode: true, before: null, limit: 1_000 };
    const entries = await listTransactions(db, page);
    const paymentEntries = entries.filter(({ kind }) => kind === 'top_up');
    expect(new Set(paymentEntries.map(({ reference }) => reference)).size).toBe(
      creditedTopUps.length,
    );
    expect(paymentEntries.length).toBe(creditedTopUps.length);
  }
}
