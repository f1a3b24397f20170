// Random histories of calls. At the end of each history the usage sums equal the journal, even when
// the worker has summed only a part of the calls.
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { rollUpUsage } from '../../src/gateway/wallet/history/roll-up-usage.ts';
import { maintainLedger } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { readRevenue, readUsage } from '../../src/store/ledger/usage-rollups.ts';
import {
  type CallFilter,
  readWalletCalls,
  type WalletCall,
} from '../../src/store/ledger/wallet-history.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { expectAuditsPass, openTestWallet } from './test-wallet.ts';
import { authorizeRequestFor, CNY, captureRequestOf } from './wallet-values.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const wallet = await openTestWallet(world, db);
const seed = proofSeed();
const range = { from: '2026-01-01', to: '2027-12-31' };
const accounts = ['acct_a', 'acct_b'];

type Sums = { calls: number; succeeded: number; allowance: bigint; voucher: bigint; cash: bigint };

/** The sums in the journal: amounts that captures moved from held balances to revenue. */
async function journalSums(accountId: string): Promise<readonly (Sums & { group: string })[]> {
  type Money = Record<'allowance' | 'voucher' | 'cash', string>;
  const { rows } = await sql<Omit<Sums, keyof Money> & Money & { group: string }>`
    SELECT c.day || ' ' || c.key_id AS "group", count(*) AS calls,
      count(*) FILTER (WHERE c.state = 'captured') AS succeeded,
      coalesce(sum(m.allowance), 0)::text AS allowance,
      coalesce(sum(m.voucher), 0)::text AS voucher, coalesce(sum(m.cash), 0)::text AS cash
    FROM calls c LEFT JOIN LATERAL (
      SELECT sum(t.amount) FILTER (WHERE t.source LIKE 'held:allowance:%') AS allowance,
        sum(t.amount) FILTER (WHERE t.source LIKE 'held:voucher:%') AS voucher,
        sum(t.amount) FILTER (WHERE t.source = 'held:cash') AS cash
      FROM entries e CROSS JOIN LATERAL unnest(e.sources, e.targets, e.amounts, e.requests)
        AS t(source, target, amount, request_id)
      WHERE e.kind = 'capture' AND t.target LIKE 'revenue:%' AND t.request_id = c.request_id
    ) AS m ON true
    WHERE c.account_id = ${accountId} AND c.livemode
    GROUP BY 1 ORDER BY 1`.execute(sqlOf(db));
  return rows.map((row) => ({
    ...row,
    allowance: BigInt(row.allowance),
    voucher: BigInt(row.voucher),
    cash: BigInt(row.cash),
  }));
}

async function expectUsageOfJournal(): Promise<void> {
  let cash = 0n;
  for (const accountId of accounts) {
    const expected = await journalSums(accountId);
    const owner = { accountId, livemode: true };
    const usage = await readUsage(db, owner, { ...range, groupBy: 'day key' });
    expect(usage.map(({ units: _units, ...row }) => row)).toEqual(expected);
    for (const row of expected) cash += row.cash;
  }
  const revenue = await readRevenue(db, { ...range, groupBy: 'capability' });
  expect(revenue.reduce((sum, row) => sum + row.cash, 0n)).toBe(cash);
}

/** Every filter of calls gives the calls of an unfiltered list that match it, page by page. */
async function expectFilteredLists(): Promise<void> {
  const owner = { accountId: 'acct_a', livemode: true };
  const allCalls = await readWalletCalls(db, owner, {}, 100_000);
  const states = {
    succeeded: ['captured'],
    failed: ['released', 'expired'],
    running: ['held', 'unknown'],
  } as const;
  for (const outcome of ['succeeded', 'failed', 'running'] as const) {
    const filters: readonly CallFilter[] = [
      { outcome },
      { outcome, keyId: 'key_1' },
      { capability: 'none' },
    ];
    for (const filter of filters) {
      const includedStates = filter.outcome === undefined ? null : states[filter.outcome];
      const matchesFilter = (call: WalletCall) =>
        (includedStates === null || includedStates.some((state) => state === call.state)) &&
        (filter.keyId === undefined || filter.keyId === call.keyId) &&
        (filter.capability === undefined || filter.capability === call.capability);
      const expected = allCalls.filter(matchesFilter).map(({ requestId }) => requestId);
      const listedIds: string[] = [];
      for (let page: readonly WalletCall[] = []; ; ) {
        const lastCall = page.at(-1);
        const afterCursor = lastCall && { at: lastCall.openedAt, requestId: lastCall.requestId };
        page = await readWalletCalls(
          db,
          owner,
          { ...filter, ...(afterCursor && { after: afterCursor }) },
          3,
        );
        listedIds.push(...page.map(({ requestId }) => requestId));
        if (page.length < 3) break;
      }
      expect({ filter, listed: listedIds }).toEqual({ filter, listed: expected });
    }
  }
}

const steps = fc.array(
  fc.record({
    action: fc.constantFrom(
      ...(['pay', 'authorize', 'authorize', 'authorize', 'capture', 'capture'] as const),
      ...(['release', 'wait', 'roll_up', 'roll_up', 'recover'] as const),
    ),
    randomNumber: fc.nat(1_000),
    units: fc.integer({ min: 1, max: 120 }),
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
);

let openCalls: { readonly id: string; readonly units: number }[] = [];
let payments = 0;

async function applyStep(step: {
  readonly action: string;
  readonly randomNumber: number;
  readonly units: number;
}) {
  const { randomNumber, units } = step;
  const accountId = accounts[randomNumber % 2] ?? '';
  const call = openCalls[randomNumber % Math.max(1, openCalls.length)];
  switch (step.action) {
    case 'pay': {
      payments += 1;
      const money = { accountId, livemode: true, amount: CNY, reference: `pay-${payments}` };
      await topUp(world, db, { ...money, reason: null, actor: 'test' });
      return;
    }
    case 'authorize': {
      const deadlineAt = world.clock.now() + 3_600_000;
      const authorizeRequest = authorizeRequestFor(world, units, {
        accountId,
        keyId: `key_${randomNumber % 3}`,
        deadlineAt,
      });
      const authorized = await wallet.authorize(authorizeRequest);
      if (authorized.kind === 'authorized')
        openCalls.push({ id: authorizeRequest.requestId, units });
      return;
    }
    case 'capture':
    case 'release':
      if (call === undefined) return;
      openCalls = openCalls.filter((openCall) => openCall !== call);
      if (step.action === 'capture')
        await wallet.capture(captureRequestOf(call.id, units % (call.units + 1)));
      else await wallet.release({ requestId: call.id, status: 502, code: 'provider_error' });
      return;
    case 'wait':
      clock.advance((1 + (randomNumber % 40)) * 7 * 60_000);
      return;
    case 'roll_up':
      clock.advance(60_000);
      // Two concurrent workers add each call only once.
      await Promise.all([rollUpUsage(world, db), rollUpUsage(world, db)]);
      return;
    case 'recover':
      await maintainLedger(world, db);
  }
}

test(`usage and revenue equal the journal at any progress of the sums (RADAR_SEED=${seed})`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      for (const step of history) {
        await applyStep(step);
        if (step.action === 'roll_up') await expectFilteredLists();
      }
      await expectUsageOfJournal();
      await expectFilteredLists();
    }),
    { seed, numRuns: proofSize(15, 500), endOnFailure: true },
  );
  await expectAuditsPass(world, db);
});

test('sums that were deleted together are computed again', async () => {
  const sumsBefore = await readUsage(
    db,
    { accountId: 'acct_a', livemode: true },
    {
      ...range,
      groupBy: 'day capability',
    },
  );
  await sql`DELETE FROM usage_days`.execute(sqlOf(db));
  await sql`DELETE FROM usage_running`.execute(sqlOf(db));
  await sql`DELETE FROM usage_progress`.execute(sqlOf(db));
  await rollUpUsage(world, db);
  const sumsAfter = await readUsage(
    db,
    { accountId: 'acct_a', livemode: true },
    {
      ...range,
      groupBy: 'day capability',
    },
  );
  expect(sumsAfter).toEqual(sumsBefore);
  await expectUsageOfJournal();
  await expectAuditsPass(world, db);
});
