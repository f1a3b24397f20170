// The download of an account's data contains all data of the account, no data of other accounts,
// and no secret. A search of the live schema finds tables that the download omits.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import { SHELL, withAudit } from '../../../src/operators/audit-log.ts';
import { accountDataTables } from '../../../src/store/accounts/account-data.ts';
import { writeKeyRate } from '../../../src/store/gateway/key-rates.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import { referringTables } from '../../support/account-tables.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openTestConsole } from '../test-console.ts';

const ACCOUNT = '/console/account';
const DATA = '/console/account/data';
const testConsole = await openTestConsole();
const { db, clock } = testConsole;

/** Tables with a reference to an account that the download omits, each with the reason. */
const omittedTables: Readonly<Record<string, string>> = {
  account_recovery_codes: 'only hashes of codes, which their owner has on paper',
  checkpoint_balances: 'copies of the balances at a moment, for the audit',
  checkpoint_usage: 'copies of the sums of usage at a moment, for the audit',
  deadlines: 'due times of holds, which the calls contain',
  entry_references: 'unique references of entries, which the entries contain',
  idempotency_keys: 'the call of each idempotency key, which the calls contain',
  operator_audit: 'actions of operators; this log belongs to the operators',
  provider_health: 'is_account_refused is about the operator’s account at a provider',
  voucher_batches: 'one_per_account is a rule of the operator’s batch',
  usage_running: 'ids of calls that are not summed yet; the calls are in the download',
};

type Line = { table: string; row: Record<string, unknown> };

async function createFilledCustomer(number: number) {
  const { accountId, sk } = await testConsole.newAccount();
  const [email, password] = [`customer-${number}@example.com`, `password ${number} of a test`];
  const browser = await testConsole.signIn(email, password);
  for (const text of ['first', 'second']) {
    await testConsole.call('paid', { text }, { key: sk, idempotencyKey: `${number}-${text}` });
  }
  const webhook = { url: 'https://shop.example/hook', event: 'job.finished' };
  const addedHook = await browser.submit('/console/webhooks', '/console/webhooks', webhook);
  const secret = /whsec_[\w+/=]+/.exec(addedHook.text)?.[0] ?? '';
  await browser.submit('/console/budgets', '/console/budgets/balance', { below: '7.5' });
  return { accountId, email, password, browser, sk, secret };
}

test('the download has every row of the account, no row of others, and no secret', async () => {
  const [ada, bo] = [await createFilledCustomer(2), await createFilledCustomer(3)];
  const file = await ada.browser.submit(ACCOUNT, DATA);
  expect(file.headers['content-type']).toBe('application/x-ndjson');
  expect(file.headers['content-disposition']).toBe(
    `attachment; filename="account-${ada.accountId}.ndjson"`,
  );
  const [firstLine = '', ...otherLines] = file.text.trimEnd().split('\n');
  expect(JSON.parse(firstLine)).toMatchObject({ format: 1, account: ada.accountId });
  const lines = otherLines.slice(0, -1).map((line) => JSON.parse(line) as Line);
  expect(JSON.parse(otherLines.at(-1) ?? '')).toEqual({ end: true, rows: lines.length });
  const rowsOf = (table: string) => lines.filter((line) => line.table === table);
  expect(rowsOf('accounts').map(({ row }) => row.email)).toEqual([ada.email]);
  expect(rowsOf('calls').length).toBe(2);
  expect(rowsOf('answers').length).toBe(2);
  expect(rowsOf('webhook_endpoints').map(({ row }) => row.url)).toEqual([
    'https://shop.example/hook',
  ]);
  expect(rowsOf('account_security_log').map(({ row }) => row.kind)).toContain('data_downloaded');
  for (const omittedText of [bo.accountId, bo.email, ada.sk, ada.secret, ada.password]) {
    expect(file.text.includes(omittedText), omittedText).toBe(false);
  }
  const names = new Set(lines.flatMap(({ row }) => Object.keys(row)));
  expect([...names].filter((name) => /hash|secret$|totp/.test(name))).toEqual([]);
});

test('a table that refers to an account is in the download or left out for a reason', async () => {
  const id = (await findAccount(db, 'customer-2@example.com'))?.id ?? 'none';
  await writeKeyRate(db, id, { perSecond: 5, burst: 5 });
  const entry = { action: 'limit', kind: 'account', subject: id, before: {}, after: {} };
  await withAudit(testConsole.world, db, SHELL, async () => ({
    outcome: null,
    entry: { ...entry, note: null },
  }));
  const knownTables = [
    ...accountDataTables.map(({ name }) => name),
    ...Object.keys(omittedTables),
  ].sort();
  expect(await referringTables(db, id)).toEqual(knownTables);
});

test('the search finds a new table by its column, value and foreign key', async () => {
  const id = (await findAccount(db, 'customer-2@example.com'))?.id ?? 'none';
  const tablesBefore = await referringTables(db, id);
  const runStatement = (text: string) => sql.raw(text).execute(sqlOf(db));
  await runStatement('CREATE TABLE planted_a (account_id text)');
  await runStatement('CREATE TABLE planted_b (who text)');
  await runStatement(`INSERT INTO planted_b VALUES ('to ${id}')`);
  await runStatement('CREATE TABLE planted_c (who text REFERENCES api_keys)');
  await runStatement('CREATE TABLE planted_d (other text)');
  const tablesAfter = await referringTables(db, id);
  expect(tablesAfter.filter((name) => !tablesBefore.includes(name))).toEqual([
    'planted_a',
    'planted_b',
    'planted_c',
  ]);
});

test('the download reads large tables in batches, with each row once', async () => {
  const { accountId, browser } = await createFilledCustomer(4);
  const query = sqlOf(db);
  const time = new Date(clock.now());
  const events = Array.from({ length: 1_203 }, (_, index) => ({
    id: `event_many_${index}`,
    account_id: accountId,
    at: time,
    kind: 'signed_in',
    subject: null,
    address: '192.0.2.1',
    agent: '',
  }));
  await query.insertInto('account_security_log').values(events).execute();
  const { text } = await browser.submit(ACCOUNT, DATA);
  const ids = text.match(/event_many_\d+/g) ?? [];
  expect([ids.length, new Set(ids).size]).toEqual([1_203, 1_203]);
});

test('the download needs a recent sign-in and is limited', async () => {
  const { email, password, browser } = await createFilledCustomer(5);
  clock.advance(10 * MINUTE_MS);
  const signInPage = await browser.submit(ACCOUNT, DATA);
  expect([signInPage.status, signInPage.text.includes('"table"')]).toEqual([401, false]);
  const signInForm = readFormFields(signInPage.text, '/console/sign-in');
  const confirmationPage = await browser.post('/console/sign-in', {
    ...signInForm,
    email,
    password,
  });
  const file = await browser.post(DATA, readFormFields(confirmationPage.text, DATA));
  expect(file.text).toContain('"end":true');
  const laterStatuses = [];
  for (let index = 0; index < 3; index += 1)
    laterStatuses.push((await browser.submit(ACCOUNT, DATA)).status);
  expect(laterStatuses).toEqual([200, 200, 429]);
});
