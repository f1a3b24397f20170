// The audit detects each kind of corruption, from the latest checkpoint and over the whole journal.
// The tests change a database in fifteen ways without the functions of the ledger. The affected
// invariant must report each change.
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { type AuditScope, auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import {
  expireBalances,
  isLedgerDue,
  maintainLedger,
  sealJournal,
} from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import type { AuditView } from '../../src/store/ledger/read-audit.ts';
import { readStoredResponse } from '../../src/store/ledger/read-calls.ts';
import { makeCheckpoint } from '../../src/store/ledger/transfers.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { expectNoViolations, openTestWallet } from './test-wallet.ts';
import { authorizeRequestFor, authorizeRequestOf, CNY, captureRequestOf } from './wallet-values.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const wallet = await openTestWallet(world, db);

const liveWallet = { accountId: 'acct_one', livemode: true };
const record = { reason: null, actor: 'test' };
await topUp(world, db, { ...liveWallet, ...record, amount: 100n * CNY, reference: 'pay' });
const firstCall = authorizeRequestFor(world, 7);
await wallet.authorize(firstCall);
await wallet.capture(captureRequestOf(firstCall.requestId, firstCall.quantity));
const runningAtCheckpoint = authorizeRequestFor(world, 2);
await wallet.authorize(runningAtCheckpoint);
await sealJournal(world, db);
const checkpoint = await checkpointNow();
clock.advance(1_000);
await wallet.capture(captureRequestOf(runningAtCheckpoint.requestId, runningAtCheckpoint.quantity));
await topUp(world, db, { ...liveWallet, ...record, amount: CNY, reference: 'pay-2' });
const capturedCall = authorizeRequestFor(world, 60, {
  idempotency: { key: 'k', fingerprint: 'f' },
});
const otherCall = authorizeRequestFor(world, 5);
for (const authorizeRequest of [capturedCall, otherCall]) {
  await wallet.authorize(authorizeRequest);
  await wallet.capture(captureRequestOf(authorizeRequest.requestId, authorizeRequest.quantity));
}
await wallet.authorize(authorizeRequestFor(world, 3));
await sealJournal(world, db);
await wallet.authorize(authorizeRequestFor(world, 4));

async function checkpointNow(): Promise<number | null> {
  const { isIntact, lastSeal } = await auditLedger(world, db, 'since-checkpoint');
  expect(isIntact).toBe(true);
  return makeCheckpoint(db, { now: clock.now(), seal: lastSeal });
}

/** Applies `damage`, returns the subjects that the view lists, and rolls back. */
async function subjectsAfter(damage: string, view: AuditView, scope: AuditScope) {
  let subjects: readonly string[] = [];
  const applyDamage = inTransaction(db, async (tx) => {
    for (const statement of damage.split(/;\s*/).filter(Boolean)) {
      await sql.raw(statement).execute(sqlOf(tx));
    }
    if (scope === 'since-checkpoint') {
      await sql`SELECT ledger_audit.start_at_checkpoint()`.execute(sqlOf(tx));
    }
    const { rows } = await sql<{ subject: string }>`
      SELECT subject FROM ${sql.id('ledger_audit', view)}`.execute(sqlOf(tx));
    subjects = rows.map(({ subject }) => subject);
    throw new Undo();
  });
  await expect(applyDamage).rejects.toThrow(Undo);
  return subjects;
}

class Undo extends Error {}
const appendSql = `ALTER TABLE entries DISABLE TRIGGER entries_append_only;`;
const entry = (kind: string, moves: string, requestsAndTime = "NULL, '2026-08-22'") =>
  `INSERT INTO entries (account_id, livemode, kind, sources, targets, amounts, requests, at)
   VALUES ('acct_one', true, '${kind}', ${moves}, ${requestsAndTime});`;

const damageByView: Readonly<Record<AuditView, string>> = {
  balanced: `ALTER TABLE entries DROP CONSTRAINT entries_moves;
    ${entry('credit', `'{promotions}', '{}', '{5}'`)}`,
  never_negative: `${entry('credit', `'{voucher:none}', '{promotions}', '{5}'`)}`,
  cache_is_replay: `UPDATE books SET available = available + 1 WHERE name = 'cash';`,
  resolved_once: `INSERT INTO entries (account_id, livemode, kind, sources, targets, amounts,
      requests, at)
    SELECT account_id, livemode, kind, sources, targets, amounts, requests, at FROM entries
    WHERE kind = 'capture' AND '${capturedCall.requestId}' = ANY (requests);`,
  captured_once_per_key: `UPDATE calls SET idempotency_key = 'k'
    WHERE request_id = '${otherCall.requestId}';`,
  allocations_are_the_charge: `UPDATE calls SET parts[1] = parts[1] - 1
    WHERE request_id = '${otherCall.requestId}';`,
  spending_order: entry('reserve', `'{cash}', '{held:cash}', '{5}'`, "NULL, '2026-08-21'"),
  charged_what_was_answered: `UPDATE answers SET body = '{"charge":{"total":"9"}}'
    WHERE request_id = '${capturedCall.requestId}';`,
  revenue_is_price_times_quantity: `UPDATE calls SET usage = '{"quantity": 59}'
    WHERE request_id = '${capturedCall.requestId}';`,
  allowance_within_its_day: entry('allowance', `'{promotions}', '{allowance:2026-08-22}', '{1}'`),
  chain_intact: `${appendSql} UPDATE entries SET actor = 'nobody' WHERE kind = 'top_up';`,
  top_ups_are_in_the_books: `INSERT INTO top_ups (id, account_id, amount, state, begun_at,
      looked_at)
    VALUES ('tu_1', 'acct_one', 5, 'credited', '2026-08-22', '2026-08-22');`,
  refunds_within_the_charge: entry(
    'refund',
    `'{refunds}', '{cash}', '{99999999999}'`,
    `'{${capturedCall.requestId}}', '2026-08-22'`,
  ),
  usage_is_the_calls: `INSERT INTO usage_days VALUES ('acct_one', true, '2026-08-22', 'key_x',
    'social', 1, 1, 1, 0, 0, 5);`,
  lines_are_the_usage: `UPDATE calls SET unit = 'per_token', usage = '{
    "tokens": {"input": 7, "output": 0},
    "lines": [{"class": "input", "tokens": 8, "price": "1", "attempt": 1}],
    "relay": {"attempts": [{"billed": {"input": 7}}]}
  }' WHERE request_id = '${capturedCall.requestId}';`,
};

const scopes = ['full', 'since-checkpoint'] as const;

test('a ledger without faults passes both audits', async () => {
  await expectNoViolations(world, db);
});

const cases = Object.entries(damageByView).flatMap(([view, damage]) =>
  scopes.map((scope) => [view as AuditView, scope, damage] as const),
);

test.each(cases)('a violation of %s is detected (%s)', async (view, scope, damage) => {
  // A wrong spending order needs an allowance that still has money.
  const allowanceBefore =
    view === 'spending_order'
      ? entry('allowance', `'{promotions}', '{allowance:2026-08-22}', '{1}'`)
      : '';
  expect(await subjectsAfter(`${allowanceBefore}${damage}`, view, scope)).not.toEqual([]);
});

test('an audit from the checkpoint passes and does not replay earlier entries', async () => {
  const {
    checkpoint: start,
    startSeq,
    entries,
    isIntact,
  } = await auditLedger(world, db, 'since-checkpoint');
  expect([checkpoint, start, isIntact]).toEqual([1, 1, true]);
  expect(startSeq).toBeGreaterThan(0);
  expect(startSeq).toBeLessThan(entries);
});

test('a change before the checkpoint is detected by a full audit only', async () => {
  const damage = `UPDATE calls SET usage = '{"quantity": 6}'
    WHERE request_id = '${firstCall.requestId}'`;
  const view = 'revenue_is_price_times_quantity';
  expect(await subjectsAfter(damage, view, 'since-checkpoint')).toEqual([]);
  expect(await subjectsAfter(damage, view, 'full')).toEqual([`call ${firstCall.requestId}`]);
});

test.each([
  ['a balance', `UPDATE checkpoint_balances SET amount = amount + 1 WHERE book = 'cash'`],
  ['a running call', 'DELETE FROM checkpoint_balances WHERE request_id IS NOT NULL'],
])('a checkpoint with another state of %s is detected by both audits', async (_what, damage) => {
  for (const scope of scopes) {
    expect(await subjectsAfter(damage, 'chain_intact', scope)).toContain('checkpoint 1');
  }
});

test('a second capture of a call that ended before the checkpoint is detected', async () => {
  const damage = `INSERT INTO entries (account_id, livemode, kind, sources, targets, amounts,
      requests, at)
    SELECT account_id, livemode, kind, sources, targets, amounts, requests, at FROM entries
    WHERE kind = 'capture' AND '${firstCall.requestId}' = ANY (requests)`;
  for (const scope of scopes) {
    expect(await subjectsAfter(damage, 'resolved_once', scope)).toEqual([
      `call ${firstCall.requestId}`,
    ]);
  }
});

test('the journal, its seals and its checkpoints cannot be changed', async () => {
  const changes = [
    `UPDATE entries SET actor = 'nobody'`,
    'DELETE FROM entries',
    'TRUNCATE entries',
    'DELETE FROM seals',
    `UPDATE seals SET hash = ''`,
    `UPDATE ledger_checkpoints SET last_seq = 0`,
    'DELETE FROM ledger_checkpoints',
  ];
  for (const change of changes) {
    await expect(sql.raw(change).execute(sqlOf(db))).rejects.toThrow('append-only');
  }
});

test('an audit reports every violation with its rows', async () => {
  await sql`UPDATE books SET available = available + 1 WHERE name = 'cash'`.execute(sqlOf(db));
  const audit = await auditLedger(world, db, 'full');
  await sql`UPDATE books SET available = available - 1 WHERE name = 'cash'`.execute(sqlOf(db));
  const [brokenInvariant, ...otherInvariants] = audit.invariants.filter(
    ({ violations }) => violations.length > 0,
  );
  expect([audit.isIntact, otherInvariants]).toEqual([false, []]);
  expect(brokenInvariant).toMatchObject({
    number: 3,
    name: 'cache_is_replay',
    promise: 'every balance equals the result of a replay of the journal',
    violations: [{ subject: 'cash of acct_one (livemode t)' }],
  });
});

test('seals every entry exactly once, in blocks', async () => {
  await sealJournal(world, db);
  expect(await sealJournal(world, db)).toBe(0);
  const { entries, sealed, isIntact } = await auditLedger(world, db, 'full');
  expect([isIntact, sealed]).toEqual([true, entries]);
  expect(await isLedgerDue(world, db)).toBe(false);
});

test('deletes a response after one day, and keeps the idempotency key of its call', async () => {
  const { requestId } = capturedCall;
  expect(await readStoredResponse(db, requestId, clock.now())).not.toBeNull();
  clock.advance(DAY_MS);
  expect(await readStoredResponse(db, requestId, clock.now())).toBeNull();
  await maintainLedger(world, db);
  const { rows } = await sql`SELECT 1 FROM answers`.execute(sqlOf(db));
  expect(rows).toEqual([]);
  const query = { ...liveWallet, key: 'k', fingerprint: 'f' };
  expect((await wallet.findIdempotencyKey(query))?.kind).toBe('duplicate');
});

test('expired money is removed from unused wallets', async () => {
  await wallet.authorize(
    authorizeRequestOf(world, { accountId: 'acct_idle', deadlineAt: clock.now() }),
  );
  clock.advance(30 * 3_600_000);
  await maintainLedger(world, db);
  expect(await expireBalances(world, db)).toBe(0);
  const { rows } = await sql<{ remaining: string }>`
    SELECT sum(available)::text AS remaining FROM books
    WHERE account_id = 'acct_idle' AND kind <> 'platform'`.execute(sqlOf(db));
  expect(rows).toEqual([{ remaining: '0' }]);
});

afterEach(async () => {
  await expectNoViolations(world, db);
});
