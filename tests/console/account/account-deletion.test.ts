// Deletion of an account by its owner. Personal data are removed from every table, and the balances
// stay correct. Keys and sessions end, and late calls leave no data.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  findAccount,
  resumeAccount,
  suspendAccount,
} from '../../../src/gateway/accounts/account.ts';
import {
  eraseLateData,
  openAccountDeletion,
} from '../../../src/gateway/accounts/delete-account.ts';
import { makeInvites } from '../../../src/gateway/accounts/invites.ts';
import { issueVoucher, topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../../src/gateway/wallet/integrity/audit-ledger.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import { accountErasures } from '../../../src/store/accounts/erase-account.ts';
import { writeKeyRate } from '../../../src/store/gateway/key-rates.ts';
import { connectionOf, sqlOf } from '../../../src/store/platform/db.ts';
import { referringTables, tablesWith } from '../../support/account-tables.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { until } from '../../support/until.ts';
import { openTestConsole } from '../test-console.ts';

const DELETE = '/console/account/delete';
const SIGN_IN = '/console/sign-in';
const CNY = 100_000_000n;
const mailServer = await openMailServer();
const testConsole = await openTestConsole({
  smtp: mailServer.smtp,
});
const { world, db, clock } = testConsole;
let customers = 1;

/** Texts of a customer in the tables, by their origin. */
const traces = (number: number) => ({
  email: `customer-${number}@example.com`,
  agent: `Agent-of-customer-${number}`,
  network: `198.51.100.${number}`,
  key: `Key of customer ${number}`,
  keyNetwork: `203.0.113.${number}`,
  hook: `https://shop-${number}.example/hook`,
  request: `request of customer ${number}`,
  idempotency: `order-of-customer-${number}`,
  invite: `for customer ${number} of the choir`,
});

async function newCustomer() {
  customers += 1;
  const number = customers;
  const { accountId, sk } = await testConsole.newAccount();
  const trace = traces(number);
  const headers = { 'user-agent': trace.agent, 'x-forwarded-for': trace.network };
  const browser = testConsole.browser(headers);
  clock.advance(20_000);
  const password = `password ${number} of a test`;
  await browser.submit(SIGN_IN, SIGN_IN, { email: trace.email, password });
  const call = (text: string, overrides: object = {}) =>
    testConsole.call(
      'paid',
      { text, ...overrides },
      { key: sk, idempotencyKey: trace.idempotency },
    );
  return { number, accountId, sk, trace, browser, password, call };
}

type Customer = Awaited<ReturnType<typeof newCustomer>>;

/** Creates rows in every table that can contain personal data. */
async function fillTables({ accountId, trace, browser, call }: Customer) {
  await call(trace.request);
  const keyFields = { name: trace.key, networks: trace.keyNetwork };
  await browser.submit('/console/keys/new', '/console/keys/new', keyFields);
  const webhook = { url: trace.hook, event: ['job.finished', 'budget.reached'] };
  await browser.submit('/console/webhooks', '/console/webhooks', webhook);
  const endpoint = /\/console\/webhooks\/(hook_[\w-]+)/.exec(
    (await browser.get('/console/webhooks')).text,
  )?.[1];
  const webhookPage = `/console/webhooks/${endpoint}`;
  await browser.submit(webhookPage, `${webhookPage}/test`);
  await browser.submit('/console/budgets', '/console/budgets/balance', { below: '7.5' });
  const address = `new-${trace.email}`;
  const change = { address, confirm: `password ${customers} of a test` };
  await browser.submit('/console/account', '/console/account/address', change);
  await writeKeyRate(db, accountId, { perSecond: 5, burst: 5 });
  await makeInvites(world, db, { count: 1, days: 14, note: trace.invite, madeBy: 'Ada' });
  await sql`UPDATE account_invites SET account_id = ${accountId}, used_at = created_at
    WHERE note = ${trace.invite}`.execute(sqlOf(db));
}

async function deleteAccount({ trace, browser }: Customer, formInput = trace.email) {
  return browser.submit(DELETE, DELETE, { address: formInput });
}

const tablesWithTraces = async (trace: object) => {
  const tables = new Set<string>();
  for (const value of Object.values(trace)) {
    for (const name of await tablesWith(db, value)) tables.add(name);
  }
  return [...tables].sort();
};

const isLedgerIntact = async () => (await auditLedger(world, db, 'full')).isIntact;

async function countRows(
  table: 'answers' | 'entries' | 'jobs',
  accountId: string,
): Promise<number> {
  const condition =
    table === 'answers'
      ? sql`request_id IN (SELECT request_id FROM calls WHERE account_id = ${accountId})`
      : sql`account_id = ${accountId}`;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM ${sql.table(table)} WHERE ${condition}`.execute(sqlOf(db));
  return Number(rows[0]?.count);
}

test('every table that refers to an account has an erasure rule', async () => {
  const customer = await newCustomer();
  await fillTables(customer);
  const { accountId } = customer;
  await sql`INSERT INTO operator_audit (id, at, actor, action, kind, subject, before, after)
    VALUES ('audit_1', now(), 'Ada', 'limit', 'account', ${accountId}, '{}', '{}')`.execute(
    sqlOf(db),
  );
  const tablesWithRules = accountErasures.map(({ table }) => table).sort();
  expect(await referringTables(db, customer.accountId)).toEqual(tablesWithRules);
  await sql`CREATE TABLE planted (account_id text)`.execute(sqlOf(db));
  expect(await referringTables(db, customer.accountId)).not.toEqual(tablesWithRules);
  await sql`DROP TABLE planted`.execute(sqlOf(db));
});

test('no personal data is left in any table, and the ledger passes its audit', async () => {
  const customer = await newCustomer();
  const { accountId, trace, browser, sk } = customer;
  await fillTables(customer);
  const wallet = { accountId, livemode: true, actor: 'test', reason: null };
  await topUp(world, db, { ...wallet, amount: 12n * CNY, reference: `bank-${customer.number}` });
  const tablesBefore = await tablesWithTraces(trace);
  expect(tablesBefore).toEqual(
    expect.arrayContaining(
      ['account_invites', 'account_mail_tokens', 'account_security_log', 'account_sessions'].concat(
        ['accounts', 'api_keys', 'call_requests', 'calls', 'idempotency_keys', 'webhook_endpoints'],
      ),
    ),
  );
  expect(await countRows('answers', accountId)).toBeGreaterThan(0);
  const entries = await countRows('entries', accountId);
  const page = await deleteAccount(customer);
  expect(page.text).toContain('The account is deleted.');
  expect(await tablesWithTraces(trace)).toEqual([]);
  // Only the tables with a reason to keep rows have rows of the account.
  for (const { table, erases } of accountErasures) {
    if (erases !== 'rows') continue;
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} t
      WHERE t::text LIKE ${`%${accountId}%`}`.execute(sqlOf(db));
    expect([table, rows.length]).toEqual([table, 0]);
  }
  expect(await countRows('answers', accountId)).toBe(0);
  expect(await countRows('entries', accountId)).toBe(entries);
  expect(await isLedgerIntact()).toBe(true);
  clock.advance(1_000);
  expect((await testConsole.readPath('/api/v1/account', sk)).status).toBe(401);
  expect((await browser.get('/console')).headers.location).toMatch(/^\/console\/sign-in/);
  const { email } = trace;
  clock.advance(20_000);
  const laterSignIn = await browser.submit(SIGN_IN, SIGN_IN, {
    email,
    password: customer.password,
  });
  expect(laterSignIn.status).toBe(401);
  const mail = await lastMail(email);
  expect(mail.subject).toBe('Content Radar: your account is deleted');
  expect(mail.text).toContain(accountId);
  expect(mail.text).toContain('CNY 12 of paid money is left.');
  // The address is free for a new account.
  clock.advance(DAY_MS);
  const signUp = '/console/sign-up';
  const fields = { email, password: 'another twelve letters' };
  await testConsole.browser().submit(signUp, signUp, fields);
  expect((await findAccount(db, email))?.status).toBe('active');
});

async function lastMail(to: string) {
  for (;;) {
    const mail = await mailServer.nextMail(to);
    if (mail.subject.includes('deleted')) return mail;
  }
}

test('a call that ends after the deletion leaves no data', async () => {
  const customer = await newCustomer();
  const { accountId, trace, call } = customer;
  const lateCall = call(trace.request, { does: 'wait' });
  await testConsole.paid.waitForRuns(1);
  await deleteAccount(customer);
  testConsole.paid.release();
  expect((await lateCall).status).toBe(200);
  expect(await countRows('answers', accountId)).toBe(1);
  clock.advance(MINUTE_MS);
  await eraseLateData(world, db, null);
  expect(await tablesWithTraces(trace)).toEqual([]);
  expect(await countRows('answers', accountId)).toBe(0);
  expect(await isLedgerIntact()).toBe(true);
  // The pauses double. After two days, no further erasure is planned.
  for (let index = 0; index < 20; index += 1) {
    clock.advance(4 * 60 * MINUTE_MS);
    await eraseLateData(world, db, null);
  }
  const { rows } = await sql`SELECT 1 FROM accounts
    WHERE id = ${accountId} AND erase_at IS NOT NULL`.execute(sqlOf(db));
  expect(rows).toEqual([]);
});

test('older calls are erased by the next round of a worker', async () => {
  const customer = await newCustomer();
  const { trace, browser, password, call } = customer;
  await call(trace.request);
  clock.advance(3 * DAY_MS);
  await browser.submit('/console', '/console/sign-out');
  await browser.submit(SIGN_IN, SIGN_IN, { email: trace.email, password });
  await deleteAccount(customer);
  expect(await tablesWith(db, trace.idempotency)).toEqual(['calls', 'idempotency_keys']);
  await eraseLateData(world, db, null);
  expect(await tablesWithTraces(trace)).toEqual([]);
  expect(await isLedgerIntact()).toBe(true);
});

test('older calls are erased, although the clock advances during the deletion', async () => {
  const { accountId, trace, call } = await newCustomer();
  await call(trace.request);
  clock.advance(3 * DAY_MS);
  const advancingClock = {
    ...world.clock,
    now: () => {
      clock.advance(1);
      return clock.now();
    },
  };
  const deletion = await openAccountDeletion({ ...world, clock: advancingClock }, db, null);
  const result = await deletion.delete(db, { accountId, confirmedAmount: 0n });
  expect(result.kind).toBe('deleted');
  await eraseLateData(world, db, null);
  expect(await tablesWithTraces(trace)).toEqual([]);
});

test('a running job is canceled, its money returned, and its row deleted', async () => {
  const customer = await newCustomer();
  const { accountId, sk, trace } = customer;
  const body = { text: trace.request, does: 'wait' };
  const acceptedJob = await testConsole.call('paid', body, { key: sk, prefer: 'respond-async' });
  expect(acceptedJob.status).toBe(202);
  await testConsole.paid.waitForRuns(1);
  await deleteAccount(customer);
  testConsole.paid.release();
  await until(async () => {
    clock.advance(MINUTE_MS);
    await eraseLateData(world, db, null);
    return (await countRows('jobs', accountId)) === 0 ? true : null;
  });
  expect(await tablesWithTraces(trace)).toEqual([]);
  const { rows } = await sql<{ state: string }>`SELECT state FROM calls
    WHERE account_id = ${accountId}`.execute(sqlOf(db));
  expect(rows).toEqual([{ state: 'released' }]);
  expect(await isLedgerIntact()).toBe(true);
});

test('the page shows the remaining money, and more money needs a new confirmation', async () => {
  const customer = await newCustomer();
  const { accountId, browser, trace } = customer;
  expect((await browser.get(DELETE)).text).toContain('There is no remaining money.');
  const wallet = { accountId, livemode: true, actor: 'test', reason: null };
  const form = readFormFields((await browser.get(DELETE)).text, DELETE);
  await topUp(world, db, { ...wallet, amount: 12n * CNY, reference: `bank-${customer.number}` });
  const expiresAt = clock.now() + DAY_MS;
  const voucher = { ...wallet, amount: 3n * CNY, name: 'Welcome', expiresAt, reference: null };
  await issueVoucher(world, db, { ...voucher, reason: 'a gift' });
  const changedPage = await browser.post(DELETE, { ...form, address: trace.email });
  expect(changedPage.status).toBe(409);
  expect(changedPage.text).toContain('The money of this account changed meanwhile.');
  expect(changedPage.text).toContain('¥12.00 of paid money is left.');
  expect(changedPage.text).toContain('¥3.00 in vouchers is lost.');
  expect((await findAccount(db, accountId))?.status).toBe('active');
  const agreedForm = { ...readFormFields(changedPage.text, DELETE), address: trace.email };
  expect((await browser.post(DELETE, agreedForm)).headers.location).toContain('done=deleted');
  const { rows } = await sql<{ available: string }>`SELECT available::text FROM books
    WHERE account_id = ${accountId} AND livemode AND name = 'cash'`.execute(sqlOf(db));
  expect(rows).toEqual([{ available: String(12n * CNY) }]);
  expect(await isLedgerIntact()).toBe(true);
});

test('the deletion needs the typed address and a recent sign-in', async () => {
  const customer = await newCustomer();
  const { accountId, browser, trace } = customer;
  const rejection = await deleteAccount(customer, 'somebody@example.com');
  expect([rejection.status, rejection.text.includes('id="e-address"')]).toEqual([422, true]);
  clock.advance(10 * MINUTE_MS);
  const signInPage = await browser.submit(DELETE, DELETE, { address: trace.email });
  expect(signInPage.status).toBe(401);
  expect((await findAccount(db, accountId))?.status).toBe('active');
});

test('each part of the deletion page has its text in Chinese', async () => {
  const { browser } = await newCustomer();
  const fields = { language: 'zh-CN', to: DELETE };
  const { text } = await browser.submit(DELETE, '/console/language', fields);
  for (const part of ['将被删除', '将会保留', '您的资金', '没有余额。', '永久删除此账号']) {
    expect(text).toContain(part);
  }
});

test('a deleted account can be neither suspended nor resumed', async () => {
  const customer = await newCustomer();
  await deleteAccount(customer);
  expect(await suspendAccount(db, customer.accountId)).toBe(false);
  expect(await resumeAccount(db, customer.accountId)).toBe(false);
  expect((await findAccount(db, customer.accountId))?.status).toBe('deleted');
});

test('a process that is killed before the end has deleted nothing', async () => {
  const customer = await newCustomer();
  await fillTables(customer);
  const tablesBefore = await tablesWithTraces(customer.trace);
  const args = [JSON.stringify(connectionOf(db)), customer.accountId, String(clock.now())];
  const process = fork(new URL('./unfinished-deletion.ts', import.meta.url), args);
  await once(process, 'message');
  process.kill('SIGKILL');
  await once(process, 'exit');
  expect(await tablesWithTraces(customer.trace)).toEqual(tablesBefore);
  expect((await customer.call(customer.trace.request)).status).toBe(409);
  await until(async () => ((await deleteAccount(customer)).status === 200 ? true : null));
  expect(await tablesWithTraces(customer.trace)).toEqual([]);
});
