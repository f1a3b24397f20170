// Commands of an operator: keys, credit, voucher, show, audit. An inconsistent ledger makes the
// command fail.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { App, CliApp, Terminal } from '../../src/cli/app.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { readSecurityLog } from '../../src/gateway/accounts/security-log.ts';
import { messageOf } from '../../src/kernel/errors/fault.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { runRadarCommand, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const { db, connection } = await openTestDatabase();
const environment = { DATABASE_URL: urlOf(connection), DATA_DIR: temporaryDataDir() };
const { world, clock } = testWorld();
/** A clock that advances immediately when the program pauses. */
const advancingClock = {
  ...world.clock,
  sleep: async (ms: number) => {
    clock.advance(ms);
  },
};
const addedAccount = await addAccount(world, db, {
  email: 'one@customer.example',
  password: 'a long enough password',
});

/** Runs a command in a separate process, with its exit code. */
const runProgram = async (...args: string[]) => {
  const { code, out, err } = await runRadarCommand(args, environment);
  return { code, out, err };
};

/** Runs a command within this process. */
async function runCommand(...args: string[]) {
  const output = { out: '', err: '' };
  const terminal: Terminal = {
    isInteractive: false,
    out: (text) => {
      output.out += text;
    },
    note: (text) => {
      output.err += text;
    },
  };
  const withApp: App['withApp'] = (work) =>
    work({ world: { ...world, clock: advancingClock }, db } as CliApp);
  const program = buildProgram({ terminal, withApp } as App, '0');
  try {
    await program.parseAsync(args, { from: 'user' });
    return { code: 0, ...output };
  } catch (error) {
    return { code: 1, ...output, err: messageOf(error) };
  }
}

test('changes a key by commands and names errors', async () => {
  const account = ['account', 'key'];
  const keyOptions = ['--kind', 'ak', '--test', '--name', 'CI', '--scopes', 'chat,model:gpt-5*'];
  const createdKey = await runCommand(...account, 'add', 'one@customer.example', ...keyOptions);
  const [id = ''] = /key_\w+/.exec(createdKey.err) ?? [];
  const editKey = (...change: string[]) => runCommand(...account, 'edit', id, ...change);
  const narrowedKey = await editKey(
    ...['--name', 'Nightly', '--networks', '10.0.0.0/8,127.0.0.1', '--budget', '5'],
    ...['--budget-period', 'day', '--expires', '2099-01-01T00:00:00Z'],
  );
  expect([narrowedKey.code, narrowedKey.err]).toEqual([0, '']);
  for (const text of ['Nightly', 'chat, model:gpt-5*', '10.0.0.0/8', '5 CNY a day', '2099-01-01']) {
    expect(narrowedKey.out).toContain(text);
  }
  expect((await editKey('--no-networks', '--no-expires', '--budget-period', 'total')).code).toBe(0);
  const keyList = await runCommand(...account, 'list', 'one@customer.example', '--json');
  expect(JSON.parse(keyList.out)).toMatchObject([
    {
      id,
      name: 'Nightly',
      scopes: ['chat', 'model:gpt-5*'],
      networks: [],
      budget: '5 CNY in all',
      expiresAt: null,
      isEnded: false,
    },
  ]);
  const wrongOptions = [
    [[], 'There is nothing to change'],
    [
      ['--scopes', 'ocr'],
      '--scopes "ocr" is not a scope of ak keys. They have: search, chat, model:<id>.',
    ],
    [['--name', ' '], 'has 1 to 100 characters'],
    [['--networks', '300.0.0.1'], '300.0.0.1'],
    [['--budget', 'much'], '--budget "much" is no amount in CNY'],
    [['--budget-period', 'year'], '--budget-period is day, month or total, not "year"'],
    [['--expires', 'tomorrow'], '--expires "tomorrow" is no RFC 3339 time'],
    [['--expires', '2020-01-01T00:00:00Z'], 'cannot expire in the past'],
  ] as const;
  const results = await Promise.all(wrongOptions.map(([change]) => editKey(...change)));
  expect(results.map(({ code, out }) => [code, out])).toEqual(wrongOptions.map(() => [1, '']));
  for (const [index, [, words]] of wrongOptions.entries())
    expect(results[index]?.err).toContain(words);
  const timeBefore = clock.now();
  expect((await runCommand(...account, 'revoke', id)).code).toBe(0);
  // No node has the key in its cache when the command returns.
  expect(clock.now() - timeBefore).toBeGreaterThanOrEqual(900);
  expect((await editKey('--name', 'Late')).err).toContain('is expired or revoked');
  const accountId = addedAccount.kind === 'added' ? addedAccount.id : '';
  const events = await readSecurityLog(db, accountId, { before: null, limit: 100 });
  const kinds = events.map(({ kind, subject }) => `${kind} ${subject}`);
  expect(kinds).toEqual(
    expect.arrayContaining(['test_key_made CI', 'key_changed Nightly', 'key_revoked Nightly']),
  );
  const unknownKey = await runCommand(...account, 'edit', 'key_0', '--name', 'x');
  expect(unknownKey).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no key key_0'),
  });
});

test('credits, shows and audits money by commands', async () => {
  const id = addedAccount.kind === 'added' ? addedAccount.id : '';
  const creditCommand = ['account', 'credit', 'one@customer.example', '12.5', '--paid'];
  expect(await runProgram(...creditCommand, '--reference', 'bank-1')).toMatchObject({
    code: 0,
    out: `12.5 CNY given to ${id} (entry 1).\n`,
  });
  expect((await runCommand(...creditCommand, '--reference', 'bank-1')).out).toMatch(
    /^Nothing done: entry 1/,
  );
  const hugeCredit = await runCommand('account', 'credit', id, '92233720368', '--reason', 'typo');
  expect(hugeCredit.err).toBe('The amount may be at most 10000000 CNY.');
  expect((await runCommand('account', 'voucher', id, '10', '--days', '3')).code).toBe(0);
  const account = JSON.parse((await runCommand('account', 'show', id, '--json')).out);
  expect(account).toMatchObject({
    id,
    livemode: true,
    balance: { cash: '12.5', vouchers: '10', held: '0', total: '22.5' },
    allowance: { amount: '2', remaining: '2' },
  });
  const codes = ['account', 'voucher-codes'];
  const createdCodes = await runCommand(
    ...codes,
    'make',
    '5',
    '--count',
    '2',
    '--until',
    '2027-01-01T00:00:00Z',
  );
  expect(createdCodes.out.split('\r\n')).toEqual([
    'code,amount_cny,redeem_until,days_valid',
    expect.stringMatching(/^CR(-\w{5}){4},5,2027-01-01T00:00:00.000Z,30$/),
    expect.stringMatching(/^CR(-\w{5}){4},5,2027-01-01T00:00:00.000Z,30$/),
    '',
  ]);
  const [batch] = JSON.parse((await runCommand(...codes, 'list', '--json')).out);
  expect(batch).toMatchObject({ amount: '5', count: 2, redeemed: 0, withdrawnAt: null });
  expect((await runCommand(...codes, 'withdraw', batch.id)).code).toBe(0);
  expect((await runCommand(...codes, 'withdraw', batch.id)).code).not.toBe(0);
  expect((await runCommand('account', 'top-ups', '--troubled')).out).toBe(
    'There are no top-ups.\n',
  );
  expect((await runCommand('account', 'top-ups', id, '--json')).out).toBe('[]\n');
  const soundAudit = await runProgram('ledger', 'audit');
  const lastLine = soundAudit.out.split('\n').at(-2);
  expect([soundAudit.code, lastLine]).toEqual([0, 'The ledger is consistent.']);
  await sql`UPDATE books SET available = available + 1 WHERE name = 'cash'`.execute(sqlOf(db));
  const brokenAudit = await runProgram('ledger', 'audit');
  expect(brokenAudit.code).not.toBe(0);
  expect(brokenAudit.out).toContain(
    'BROKEN 3. every balance equals the result of a replay of the journal\n',
  );
  expect(brokenAudit.err).toContain('The ledger is not consistent: 1 of 15 invariants are broken.');
});

test('a refund names all missing options in one message', async () => {
  const refund = ['account', 'refund', 'one@customer.example', 'req_none'];
  expect((await runCommand(...refund)).err).toBe('Missing: --amount <cny> and --reason <text>.');
  expect((await runCommand(...refund, '--amount', '1')).err).toBe('Missing: --reason <text>.');
});
