// An operator deletes an account on request. Only an owner may delete it, the audit log has the
// reason, and the ledger remains readable.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { App, CliApp } from '../../src/cli/app.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { findAccount } from '../../src/gateway/accounts/account.ts';
import { auditKinds } from '../../src/gateway/admin/audit-kinds.ts';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { messageOf } from '../../src/kernel/errors/fault.ts';
import { listAuditLines } from '../../src/operators/audit-log.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { tablesWith } from '../support/account-tables.ts';
import { openTestAdmin } from './test-admin.ts';

const CNY = 100_000_000n;
const admin = await openTestAdmin();
const { world, db } = admin;
const ada = await admin.signIn('Ada');
let accountCount = 1;

async function newCustomer() {
  const keys = await admin.newAccount();
  accountCount += 1;
  const path = `/admin/accounts/${keys.accountId}`;
  return { ...keys, email: `customer-${accountCount}@example.com`, path };
}

const readLastAuditLine = async () =>
  (await listAuditLines(db, { kinds: auditKinds, subject: null, limit: 1, skip: 0 }))[0];

async function runCommand(...args: string[]) {
  let out = '';
  const addOutput = (text: string) => {
    out += text;
  };
  const terminal = { isInteractive: false, out: addOutput, note: addOutput };
  const withApp: App['withApp'] = (work) => work({ world, db } as CliApp);
  const program = buildProgram({ terminal, withApp } as App, '0');
  const error = await program.parseAsync(args, { from: 'user' }).then(() => null, messageOf);
  return { out, error };
}

test('an owner deletes an account, and the audit log has the reason', async () => {
  const { accountId, sk, email, path } = await newCustomer();
  const payment = { accountId, livemode: true, actor: 'test', reason: null };
  await topUp(world, db, { ...payment, amount: 5n * CNY, reference: 'bank-7' });
  const rejection = await ada.submit(`${path}/delete`, `${path}/delete`, { confirm: 'acct_other' });
  expect(rejection.status).toBe(422);
  for (const id of ['e-reason', 'e-confirm']) expect(rejection.text).toContain(`id="${id}"`);
  expect(rejection.text).toContain('Remaining: ¥5.00 of paid money');
  const fields = { confirm: accountId, reason: 'letter 12' };
  const response = await ada.submit(`${path}/delete`, `${path}/delete`, fields);
  expect(response.text).toContain('This account is deleted');
  expect(response.text).not.toContain(`${path}/credit`);
  expect(await readLastAuditLine()).toMatchObject({
    actor: 'Ada',
    action: 'delete',
    kind: 'account',
    subject: accountId,
    before: { status: 'active' },
    after: { status: 'deleted', cash: '5' },
    note: 'letter 12',
  });
  expect(await tablesWith(db, email)).toEqual([]);
  admin.clock.advance(1_000);
  expect((await admin.readPath('/api/v1/account', sk)).status).toBe(401);
  for (const page of ['credit', 'voucher', 'limits', 'suspend', 'delete']) {
    expect([page, (await ada.get(`${path}/${page}`)).status]).toEqual([page, 404]);
  }
  expect((await ada.get('/admin/accounts?status=deleted')).text).toContain(accountId);
  expect((await auditLedger(world, db, 'full')).isIntact).toBe(true);
});

test('only an owner may delete an account', async () => {
  const { accountId, path } = await newCustomer();
  const fields = { confirm: accountId, reason: 'on request' };
  for (const role of ['treasurer', 'support'] as const) {
    const browser = await admin.signIn(`a ${role}`, role);
    expect((await browser.submit(`${path}/delete`, `${path}/delete`, fields)).status).toBe(403);
  }
  expect((await findAccount(db, accountId))?.status).toBe('active');
});

test('the command without confirmation prints the losses and deletes nothing', async () => {
  const { accountId, email } = await newCustomer();
  const firstOutput = await runCommand('account', 'delete', email);
  expect(firstOutput.error).toContain('Nothing was deleted.');
  expect(firstOutput.error).toContain(`radar account delete ${accountId} --confirm ${accountId}`);
  expect((await findAccount(db, accountId))?.status).toBe('active');
  const output = await runCommand('account', 'delete', email, '--confirm', accountId);
  expect(output).toMatchObject({ error: null });
  expect(output.out).toContain(`${accountId} is deleted. Its ledger keeps: CNY 0 paid`);
  expect(await tablesWith(db, email)).toEqual([]);
  expect(await readLastAuditLine()).toMatchObject({
    actor: 'shell',
    action: 'delete',
    note: 'on request',
  });
  const keyCommand = await runCommand('account', 'key', 'add', accountId);
  expect(keyCommand.error).toContain('was deleted. Only its ledger entries remain.');
  const { rows } = await sql`SELECT 1 FROM accounts WHERE status = 'deleted'`.execute(sqlOf(db));
  expect(rows.length).toBe(2);
});
