// The audit detects each kind of corruption. A database is changed in fourteen ways without the
// ledger's functions, and exactly the affected invariant must fail.
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import {
  expireBalances,
  isLedgerDue,
  maintainLedger,
  sealJournal,
} from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import type { AuditView } from '../../src/store/ledger/read-audit.ts';
import { inTransaction, sqlOf } from '../../src/store/platform/db.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { expectSound, openTestWallet } from './test-wallet.ts';
import { answerOf, CNY, openingFor, openingOf } from './wallet-values.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const wallet = await openTestWallet(world, db);

const live = { accountId: 'acct_one', livemode: true };
const record = { reason: null, actor: 'test' };
await topUp(world, db, { ...live, ...record, amount: 100n * CNY, reference: 'pay' });
const done = openingFor(world, 60, { idempotency: { key: 'k', fingerprint: 'f' } });
const other = openingFor(world, 5);
for (const opening of [done, other]) {
  await wallet.authorize(opening);
  await wallet.capture(answerOf(opening.requestId, opening.quantity));
}
await wallet.authorize(openingFor(world, 3));
await sealJournal(world, db);
await wallet.authorize(openingFor(world, 4));

class Undo extends Error {}
const append = `ALTER TABLE entries DISABLE TRIGGER entries_append_only;`;
const entry = (kind: string, moves: string, more = "NULL, '2026-08-22'") =>
  `INSERT INTO entries (account_id, livemode, kind, sources, targets, amounts, requests, at)
   VALUES ('acct_one', true, '${kind}', ${moves}, ${more});`;

const spoiled: Readonly<Record<AuditView, string>> = {
  balanced: `ALTER TABLE entries DROP CONSTRAINT entries_moves;
    ${entry('credit', `'{promotions}', '{}', '{5}'`)}`,
  never_negative: `${entry('credit', `'{voucher:none}', '{promotions}', '{5}'`)}`,
  cache_is_replay: `UPDATE books SET available = available + 1 WHERE name = 'cash';`,
  resolved_once: `INSERT INTO entries (account_id, livemode, kind, sources, targets, amounts,
      requests, at)
    SELECT account_id, livemode, kind, sources, targets, amounts, requests, at FROM entries
    WHERE kind = 'capture' AND '${done.requestId}' = ANY (requests);`,
  captured_once_per_key: `DROP INDEX calls_idempotency;
    UPDATE calls SET idempotency_key = 'k' WHERE request_id = '${other.requestId}';`,
  allocations_are_the_charge: `UPDATE calls SET parts[1] = parts[1] - 1
    WHERE request_id = '${other.requestId}';`,
  spending_order: entry('reserve', `'{cash}', '{held:cash}', '{5}'`, "NULL, '2026-08-21'"),
  charged_what_was_answered: `UPDATE answers SET body = '{"charge":{"total":"9"}}'
    WHERE request_id = '${done.requestId}';`,
  revenue_is_price_times_quantity: `UPDATE calls SET usage = '{"quantity": 59}'
    WHERE request_id = '${done.requestId}';`,
  allowance_within_its_day: entry('allowance', `'{promotions}', '{allowance:2026-08-22}', '{1}'`),
  chain_intact: `${append} UPDATE entries SET actor = 'nobody' WHERE kind = 'top_up';`,
  top_ups_are_in_the_books: `INSERT INTO top_ups (id, account_id, amount, state, begun_at,
      looked_at)
    VALUES ('tu_1', 'acct_one', 5, 'credited', '2026-08-22', '2026-08-22');`,
  refunds_within_the_charge: entry(
    'refund',
    `'{refunds}', '{cash}', '{99999999999}'`,
    `'{${done.requestId}}', '2026-08-22'`,
  ),
  usage_is_the_calls: `INSERT INTO usage_days VALUES ('acct_one', true, '2026-08-22', 'key_x',
    'social', 1, 1, 1, 0, 0, 5);`,
};

test('a new ledger passes all integrity checks', () => expectSound(world, db));

test.each(Object.entries(spoiled))('%s is detected', async (view, damage) => {
  // A wrong order of balances requires that an allowance is left.
  const before =
    view === 'spending_order'
      ? entry('allowance', `'{promotions}', '{allowance:2026-08-22}', '{1}'`)
      : '';
  const spoil = inTransaction(db, async (tx) => {
    for (const statement of `${before}${damage}`.split(/;\s*/).filter(Boolean)) {
      await sql.raw(statement).execute(sqlOf(tx));
    }
    const { rows } = await sql<{ subject: string }>`
      SELECT subject FROM ${sql.id('ledger_audit', view)}`.execute(sqlOf(tx));
    expect(rows.length).toBeGreaterThan(0);
    throw new Undo();
  });
  await expect(spoil).rejects.toThrow(Undo);
});

test('the journal and its seals cannot be changed', async () => {
  const changes = [
    `UPDATE entries SET actor = 'nobody'`,
    'DELETE FROM entries',
    'TRUNCATE entries',
    'DELETE FROM seals',
    `UPDATE seals SET hash = ''`,
  ];
  for (const change of changes) {
    await expect(sql.raw(change).execute(sqlOf(db))).rejects.toThrow('append-only');
  }
});

test('an audit reports every violation with its rows', async () => {
  await sql`UPDATE books SET available = available + 1 WHERE name = 'cash'`.execute(sqlOf(db));
  const audit = await auditLedger(world, db);
  await sql`UPDATE books SET available = available - 1 WHERE name = 'cash'`.execute(sqlOf(db));
  const [broken, ...others] = audit.invariants.filter(({ violations }) => violations.length > 0);
  expect([audit.holds, others]).toEqual([false, []]);
  expect(broken).toMatchObject({
    number: 3,
    name: 'cache_is_replay',
    promise: 'every balance is what a replay of the journal gives',
    violations: [{ subject: 'cash of acct_one (livemode t)' }],
  });
});

test('seals every entry once, in blocks, completely', async () => {
  await sealJournal(world, db);
  expect(await sealJournal(world, db)).toBe(0);
  const { entries, sealed, holds } = await auditLedger(world, db);
  expect([holds, sealed]).toEqual([true, entries]);
  expect(await isLedgerDue(world, db)).toBe(false);
});

test('keeps responses for one day and calls indefinitely', async () => {
  const { readStoredResponse: readAnswer } = await import('../../src/store/ledger/read-calls.ts');
  expect(await readAnswer(db, done.requestId, clock.now())).not.toBeNull();
  clock.advance(DAY_MS);
  expect(await readAnswer(db, done.requestId, clock.now())).toBeNull();
  await maintainLedger(world, db);
  const { rows } = await sql`SELECT 1 FROM answers`.execute(sqlOf(db));
  expect(rows).toEqual([]);
  const query = { ...live, key: 'k', fingerprint: 'f' };
  expect((await wallet.findIdempotencyKey(query))?.kind).toBe('duplicate');
});

test('expired money is removed from unused wallets', async () => {
  await wallet.authorize(openingOf(world, { accountId: 'acct_idle', deadlineAt: clock.now() }));
  clock.advance(30 * 3_600_000);
  await maintainLedger(world, db);
  expect(await expireBalances(world, db)).toBe(0);
  const { rows } = await sql<{ left: string }>`SELECT sum(available)::text AS left FROM books
    WHERE account_id = 'acct_idle' AND kind <> 'platform'`.execute(sqlOf(db));
  expect(rows).toEqual([{ left: '0' }]);
});

afterEach(() => expectSound(world, db));
