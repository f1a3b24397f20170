// What an operator types: credit, voucher, show, audit; and that a ledger which does not add up
// ends the command with a failure.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { sqlOf } from '../../src/store/db.ts';
import { radar, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { db, connection } = await openTestDatabase();
const environment = { DATABASE_URL: urlOf(connection), DATA_DIR: temporaryDataDir() };
const added = await addAccount(testWorld().world, db, {
  email: 'one@customer.example',
  password: 'a long enough password',
});

const command = async (...args: string[]) => {
  const { code, out, err } = await radar(args, environment);
  return { code, out, err };
};

test('money is given, shown and audited by commands', { timeout: 60_000 }, async () => {
  const id = added.kind === 'added' ? added.id : '';
  const credit = ['account', 'credit', 'one@customer.example', '12.5', '--paid'];
  expect(await command(...credit, '--reference', 'bank-1')).toMatchObject({
    ...{ code: 0, out: `12.5 CNY given to ${id} (entry 1).\n` },
  });
  expect((await command(...credit, '--reference', 'bank-1')).out).toMatch(/^Nothing done: entry 1/);
  expect((await command('account', 'voucher', id, '10', '--days', '3')).code).toBe(0);
  const shown = JSON.parse((await command('account', 'show', id, '--json')).out);
  expect(shown).toMatchObject({
    ...{ id, livemode: true },
    balance: { cash: '12.5', vouchers: '10', held: '0', total: '22.5' },
    allowance: { amount: '2', remaining: '2' },
  });
  const codes = ['account', 'voucher-codes'];
  const made = await command(
    ...codes,
    'make',
    '5',
    '--count',
    '2',
    '--until',
    '2027-01-01T00:00:00Z',
  );
  expect(made.out.split('\r\n')).toEqual([
    'code,amount_cny,redeem_until,days_valid',
    expect.stringMatching(/^CR(-\w{5}){4},5,2027-01-01T00:00:00.000Z,30$/),
    expect.stringMatching(/^CR(-\w{5}){4},5,2027-01-01T00:00:00.000Z,30$/),
    '',
  ]);
  const [batch] = JSON.parse((await command(...codes, 'list', '--json')).out);
  expect(batch).toMatchObject({ amount: '5', count: 2, redeemed: 0, withdrawnAt: null });
  expect((await command(...codes, 'withdraw', batch.id)).code).toBe(0);
  expect((await command(...codes, 'withdraw', batch.id)).code).not.toBe(0);
  expect((await command('account', 'top-ups', '--troubled')).out).toBe('There are none.\n');
  expect((await command('account', 'top-ups', id, '--json')).out).toBe('[]\n');
  const sound = await command('ledger', 'audit');
  expect([sound.code, sound.out.split('\n').at(-2)]).toEqual([0, 'The ledger adds up.']);
  await sql`UPDATE books SET available = available + 1 WHERE name = 'cash'`.execute(sqlOf(db));
  const broken = await command('ledger', 'audit');
  expect(broken.code).not.toBe(0);
  expect(broken.out).toContain('BROKEN 3. every balance is what a replay of the journal gives\n');
  expect(broken.err).toContain('The ledger does not add up: 1 of 12 are broken.');
});
