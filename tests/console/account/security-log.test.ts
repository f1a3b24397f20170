// The security log of an account: each sensitive event has one row, the owner reads and exports the
// rows, and nothing changes a row.
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { deleteOldSecurityEvents } from '../../../src/gateway/accounts/security-log.ts';
import { generateCode } from '../../../src/kernel/crypto/one-time-code.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import { decodeBase32 } from '../../support/decode-base32.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { openTestConsole } from '../test-console.ts';

const LOG = '/console/account/security-log';
const mailServer = await openMailServer();
const testConsole = await openTestConsole({
  smtp: mailServer.smtp,
});
const { world, db, clock } = testConsole;
let accounts = 1;

async function newCustomer() {
  await testConsole.newAccount();
  accounts += 1;
  const email = `customer-${accounts}@example.com`;
  const account = await findAccount(db, email);
  return { email, password: `password ${accounts} of a test`, id: account?.id ?? '' };
}

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A browser with a name, signed in. */
async function signIn({ email, password }: { email: string; password: string }) {
  const browser = testConsole.browser({ 'user-agent': agent });
  clock.advance(20_000);
  await browser.submit('/console/sign-in', '/console/sign-in', { email, password });
  return browser;
}

type LogLine = {
  event: string;
  subject: string | null;
  address: string;
  agent: string;
  at: string;
};

async function eventsOf(browser: Awaited<ReturnType<typeof signIn>>): Promise<readonly LogLine[]> {
  const { text, headers } = await browser.get(`${LOG}.ndjson`);
  expect(headers['content-disposition']).toBe('attachment; filename="security-log.ndjson"');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LogLine);
}

const kindsOf = async (browser: Awaited<ReturnType<typeof signIn>>) =>
  (await eventsOf(browser)).map(({ event }) => event);

test('records sign-ins, keys, webhooks, sessions and passwords with their origin', async () => {
  const customer = await newCustomer();
  const browser = await signIn(customer);
  await browser.submit('/console/keys/new', '/console/keys/new', { name: 'Printer' });
  const key = /\/console\/keys\/(key_\w+)/.exec((await browser.get('/console/keys')).text)?.[1];
  expect(key).toBeDefined();
  await browser.submit(`/console/keys/${key}`, `/console/keys/${key}/rotate`);
  await browser.submit(`/console/keys/${key}`, `/console/keys/${key}/revoke`);
  const webhook = { url: 'https://shop.example/hook', event: 'job.finished' };
  await browser.submit('/console/webhooks', '/console/webhooks', webhook);
  await signIn(customer);
  await browser.submit('/console/account', '/console/account/sessions/end-others');
  const passwordChange = { current: customer.password, next: 'a rather newer password' };
  await browser.submit('/console/account', '/console/account/password', passwordChange);

  const events = await eventsOf(browser);
  expect(events.map(({ event, subject }) => [event, subject])).toEqual([
    ['password_changed', null],
    ['other_sessions_ended', null],
    ['signed_in_new_browser', null],
    ['webhook_added', 'https://shop.example/hook'],
    ['key_revoked', 'Printer'],
    ['live_key_made', 'Printer'],
    ['live_key_made', 'Printer'],
    ['signed_in_new_browser', null],
  ]);
  for (const event of events) expect(event).toMatchObject({ address: '127.0.0.1', agent });
  const page = await browser.get(LOG);
  expect(page.text).toContain('Webhook added<span class="meta below">https://shop.example/hook');
  expect(page.text).toContain('Firefox · Linux');
  const csv = await browser.get(`${LOG}.csv`);
  expect(csv.text.split('\r\n')[0]).toBe('\uFEFFid,at,event,subject,address,agent');
  expect(csv.text.split('\r\n').length).toBe(events.length + 2);
});

test('a known browser causes no mail, and failed attempts are not recorded', async () => {
  const customer = await newCustomer();
  const browser = await signIn(customer);
  await browser.submit('/console', '/console/sign-out');
  clock.advance(60_000);
  await browser.submit('/console/sign-in', '/console/sign-in', customer);
  const invalidForm = { current: 'not my password', next: 'a rather newer password' };
  await browser.submit('/console/account', '/console/account/password', invalidForm);
  expect(await kindsOf(browser)).toEqual(['signed_in', 'signed_in_new_browser']);
  const change = { current: customer.password, next: 'a rather newer password' };
  await browser.submit('/console/account', '/console/account/password', change);
  const subjects = [1, 2].map(async () => (await mailServer.nextMail(customer.email)).subject);
  expect(await Promise.all(subjects)).toEqual([
    'Content Radar: A new browser signed in to your account.',
    'Content Radar: The password of your account was changed.',
  ]);
});

test('records only a few locked sign-ins, however many attempts there are', async () => {
  const customer = await newCustomer();
  const browser = await signIn(customer);
  const stranger = testConsole.browser();
  const guessForm = { email: customer.email, password: 'a guess at it' };
  for (let index = 0; index < 20; index += 1) {
    await stranger.submit('/console/sign-in', '/console/sign-in', guessForm);
  }
  const lockedEvents = (await kindsOf(browser)).filter((kind) => kind === 'sign_in_locked');
  expect(lockedEvents.length).toBe(3);
});

test('pages of fifty list all events of the account and no others', async () => {
  const [customer, other] = [await newCustomer(), await newCustomer()];
  const browser = await signIn(customer);
  for (let index = 0; index < 60; index += 1) {
    await browser.submit('/console/keys/new', '/console/keys/new', { name: `Key ${index}` });
  }
  const firstPage = await browser.get(LOG);
  expect(firstPage.text).toContain('>Key 59<');
  expect(firstPage.text).not.toContain('>Key 9<');
  const [, olderPath = ''] = /rel="next" href="([^"]+)"/.exec(firstPage.text) ?? [];
  const secondPage = await browser.get(olderPath.replaceAll('&amp;', '&'));
  expect(secondPage.text).toContain('>Key 9<');
  expect(secondPage.text).toContain('Signed in from a new browser');
  expect(secondPage.text).not.toContain('rel="next"');
  expect(await kindsOf(await signIn(other))).toEqual(['signed_in_new_browser']);
});

test('the database refuses changes of a row, and rows are deleted after a year', async () => {
  const customer = await newCustomer();
  const browser = await signIn(customer);
  const query = sqlOf(db);
  const appendOnlyError = /append-only/;
  const update = query.updateTable('account_security_log').set({ kind: 'signed_in' });
  await expect(update.execute()).rejects.toThrow(appendOnlyError);
  await expect(query.deleteFrom('account_security_log').execute()).rejects.toThrow(appendOnlyError);
  expect((await kindsOf(browser)).length).toBe(1);
  await deleteOldSecurityEvents(world, db);
  expect((await kindsOf(browser)).length).toBe(1);
  clock.advance(366 * DAY_MS);
  await deleteOldSecurityEvents(world, db);
  expect(await query.selectFrom('account_security_log').selectAll().execute()).toEqual([]);
});

test('mails the owner about a new browser, a live key, codes and a password', async () => {
  const customer = await newCustomer();
  const browser = await signIn(customer);
  const signInMail = await mailServer.nextMail(customer.email);
  expect(signInMail.subject).toBe('Content Radar: A new browser signed in to your account.');
  expect(signInMail.text).toContain('Address: 127.0.0.1\nBrowser: Firefox · Linux\n');
  expect(signInMail.text).toContain('If this was not you, choose a new password at once');
  expect(signInMail.text).toContain('http://gateway.example/console/account/security-log');

  await browser.submit('/console', '/console/mode', { livemode: 'false' });
  await browser.submit('/console/keys/new', '/console/keys/new', { name: 'Only a test' });
  await browser.submit('/console', '/console/mode', { livemode: 'true' });
  await browser.submit('/console/keys/new', '/console/keys/new', { name: 'Printer' });
  const keyMail = await mailServer.nextMail(customer.email);
  expect(keyMail.subject).toBe('Content Radar: A new live key was made in your account.');
  expect(keyMail.text).toContain('Key: Printer\n');

  await browser.submit('/console', '/console/language', { language: 'zh-CN' });
  const nextPassword = 'a rather newer password';
  const change = { current: customer.password, next: nextPassword };
  await browser.submit('/console/account', '/console/account/password', change);
  expect((await mailServer.nextMail(customer.email)).subject).toBe(
    'Content Radar：您账号的密码已更改。',
  );

  const codes = '/console/account/one-time-codes';
  const page = await browser.get(codes);
  const secretText = /<p class="secret-text">([A-Z2-7 ]+)<\/p>/.exec(page.text)?.[1] ?? '';
  const code = generateCode(decodeBase32(secretText), Math.floor(clock.now() / 30_000));
  await browser.post(codes, { ...readFormFields(page.text, codes), password: nextPassword, code });
  const mail = await mailServer.nextMail(customer.email);
  expect(mail.subject).toBe('Content Radar：您的账号已启用动态验证码。');
  expect(mail.text).toContain('如果不是您本人，请立即重设密码');
  await browser.submit('/console/account', `${codes}/off`, { off: nextPassword });
  expect((await mailServer.nextMail(customer.email)).subject).toBe(
    'Content Radar：您的账号已关闭动态验证码。',
  );
});

test('a mail omits an unknown user agent, because an attacker could choose its text', async () => {
  const customer = await newCustomer();
  const browser = testConsole.browser({ 'user-agent': 'Call 0900 123 at once' });
  clock.advance(20_000);
  await browser.submit('/console/sign-in', '/console/sign-in', customer);
  const mail = await mailServer.nextMail(customer.email);
  expect(mail.text).not.toContain('0900');
  expect(mail.text).not.toContain('Browser:');
});
