// The account page: password change, one-time codes with recovery codes, and sessions.

import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { openAccountFactor } from '../../../src/gateway/accounts/second-factor.ts';
import { generateCode } from '../../../src/kernel/crypto/one-time-code.ts';
import type { Db } from '../../../src/kernel/ports/db.ts';
import { countRecoveryCodes } from '../../../src/store/gateway/account-recovery-codes.ts';
import { deleteSessions, listSessionRows } from '../../../src/store/gateway/account-sessions.ts';
import { updateAccount } from '../../../src/store/gateway/accounts.ts';
import { changeDuring } from '../../support/change-during.ts';
import { decodeBase32 } from '../../support/decode-base32.ts';
import { type Browser, readFormFields } from '../../support/form-browser.ts';
import { openTestConsole } from '../test-console.ts';

const ACCOUNT = '/console/account';
const CODES = '/console/account/one-time-codes';
const SIGN_IN = '/console/sign-in';
const recoveryCodes = /\b[a-z2-7]{4}(?:-[a-z2-7]{4}){5}\b/;
const testConsole = await openTestConsole();
let accounts = 1;

async function newCustomer() {
  await testConsole.newAccount();
  accounts += 1;
  return {
    email: `customer-${accounts}@example.com`,
    password: `password ${accounts} of a test`,
  };
}

const currentCode = (secret: Buffer) =>
  generateCode(secret, Math.floor(testConsole.clock.now() / 30_000));

async function setUpCodes(browser: Browser, password: string) {
  const page = await browser.get(CODES);
  const secretText = /<p class="secret-text">([A-Z2-7 ]+)<\/p>/.exec(page.text)?.[1] ?? '';
  const secret = decodeBase32(secretText.replaceAll(' ', ''));
  const form = readFormFields(page.text, CODES);
  const rejection = await browser.post(CODES, { ...form, password, code: '000000' });
  expect(rejection.status).toBe(422);
  // The page offers the same secret again, because the app may already contain it.
  expect(rejection.text).toContain(secretText);
  const rightForm = { ...readFormFields(rejection.text, CODES), code: currentCode(secret) };
  const refusedPage = await browser.post(CODES, { ...rightForm, password: 'not the password' });
  expect([refusedPage.status, recoveryCodes.test(refusedPage.text)]).toEqual([422, false]);
  const enabledPage = await browser.post(CODES, { ...rightForm, password });
  expect(enabledPage.status).toBe(200);
  const codes = enabledPage.text.match(new RegExp(recoveryCodes, 'g')) ?? [];
  expect(codes.length).toBe(10);
  return { secret, codes: codes as readonly string[], form };
}

test('a new password requires the old one and ends every other session', async () => {
  const { email, password } = await newCustomer();
  const [browser, otherBrowser] = [
    await testConsole.signIn(email, password),
    await testConsole.signIn(email, password),
  ];
  const changePassword = (current: string, next: string) =>
    browser.submit(ACCOUNT, `${ACCOUNT}/password`, { current, next });
  const rejection = await changePassword('not my password', 'a newer password');
  expect(rejection.status).toBe(422);
  expect(rejection.text).toContain('id="e-current">This password is wrong.');
  expect((await changePassword(password, 'short')).text).toContain(
    'id="e-next">A password has 10 to 200',
  );
  expect((await changePassword(password, 'a newer password')).text).toContain(
    'The password is changed',
  );
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect((await otherBrowser.get(ACCOUNT)).status).toBe(303);
  expect((await testConsole.signIn(email, password)).cookies.has('gateway_session')).toBe(false);
});

const idOf = async (email: string) => (await findAccount(testConsole.db, email))?.id ?? '';

/** Replaces the password of an account and ends its sessions, as another session does. */
async function replacePasswordDuring(email: string, work: () => Promise<unknown>): Promise<void> {
  const accountId = await idOf(email);
  const replacePassword = async (tx: Db) => {
    await updateAccount(tx, accountId, { password_hash: '' });
    await deleteSessions(tx, { accountId });
  };
  await changeDuring(testConsole.db, replacePassword, work);
}

test('a sign-in with a password that is replaced meanwhile gives no session', async () => {
  const { email, password } = await newCustomer();
  const browser = testConsole.browser();
  await replacePasswordDuring(email, () => browser.submit(SIGN_IN, SIGN_IN, { email, password }));
  expect(browser.cookies.has('gateway_session')).toBe(false);
});

test('a change from an ended session does not overwrite a password set meanwhile', async () => {
  const { email, password } = await newCustomer();
  const browser = await testConsole.signIn(email, password);
  const path = `${ACCOUNT}/password`;
  const form = readFormFields((await browser.get(ACCOUNT)).text, path);
  const next = 'slate canyon jelly 77';
  await replacePasswordDuring(email, () =>
    browser.post(path, { ...form, current: password, next }),
  );
  expect((await testConsole.signIn(email, next)).cookies.has('gateway_session')).toBe(false);
});

test('with one-time codes a sign-in needs password and code, and a code works once', async () => {
  const { email, password } = await newCustomer();
  const { secret, codes, form } = await setUpCodes(
    await testConsole.signIn(email, password),
    password,
  );
  const browser = testConsole.browser();
  testConsole.clock.advance(60_000);
  const openCodeForm = async () => {
    const response = await browser.submit(SIGN_IN, SIGN_IN, { email, password });
    expect(response.text).toContain('<h1>One more step</h1>');
    return readFormFields(response.text, `${SIGN_IN}/code`);
  };
  const firstCodeForm = await openCodeForm();
  expect((await browser.get('/console')).status).toBe(303);
  const code = currentCode(secret);
  const send = (fields: Record<string, string>) => browser.post(`${SIGN_IN}/code`, fields);
  const rejection = await send({ ...firstCodeForm, code: '123456' });
  expect([rejection.status, rejection.text.includes('This code is wrong')]).toEqual([401, true]);
  expect((await send({ ...firstCodeForm, code })).headers.location).toBe('/console');
  await browser.submit('/console', '/console/sign-out');
  testConsole.clock.advance(20_000);
  const secondCodeForm = await openCodeForm();
  expect((await send({ ...secondCodeForm, code })).status).toBe(401);
  const reuseLines = testConsole.logged.filter((line) =>
    line.includes('a one-time code was reused'),
  );
  expect(reuseLines).toHaveLength(1);
  const [recovery = ''] = codes;
  testConsole.clock.advance(60_000);
  const thirdCodeForm = await openCodeForm();
  expect((await send({ ...thirdCodeForm, code: recovery.toUpperCase() })).headers.location).toBe(
    '/console',
  );
  expect((await browser.get(ACCOUNT)).text).toContain('9 recovery codes are left');
  // The form that set up the codes is no longer valid.
  const { token = '' } = readFormFields((await browser.get(ACCOUNT)).text, '/console/mode');
  const lateResponse = await browser.post(CODES, {
    ...form,
    token,
    password,
    code: currentCode(secret),
  });
  expect([lateResponse.status, recoveryCodes.test(lateResponse.text)]).toEqual([409, false]);
  await browser.submit('/console', '/console/sign-out');
  testConsole.clock.advance(60_000);
  const fourthCodeForm = await openCodeForm();
  expect((await send({ ...fourthCodeForm, code: recovery })).status).toBe(401);
  testConsole.clock.advance(10 * 60_000);
  const secondLateResponse = await send({ ...fourthCodeForm, code: currentCode(secret) });
  expect([secondLateResponse.status, secondLateResponse.text.includes('name="password"')]).toEqual([
    403,
    true,
  ]);
});

test('two sign-ins with one code at once give one session', async () => {
  const { email, password } = await newCustomer();
  const { secret } = await setUpCodes(await testConsole.signIn(email, password), password);
  testConsole.clock.advance(60_000);
  const steps = [];
  for (const browser of [testConsole.browser(), testConsole.browser()]) {
    const response = await browser.submit(SIGN_IN, SIGN_IN, { email, password });
    steps.push({ browser, form: readFormFields(response.text, `${SIGN_IN}/code`) });
  }
  const code = currentCode(secret);
  const responses = await Promise.all(
    steps.map(({ browser, form }) => browser.post(`${SIGN_IN}/code`, { ...form, code })),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([303, 401]);
});

test('delays further attempts after five wrong codes', async () => {
  const { email, password } = await newCustomer();
  await setUpCodes(await testConsole.signIn(email, password), password);
  const browser = testConsole.browser();
  testConsole.clock.advance(60_000);
  const response = await browser.submit(SIGN_IN, SIGN_IN, { email, password });
  const form = readFormFields(response.text, `${SIGN_IN}/code`);
  const guess = () => browser.post(`${SIGN_IN}/code`, { ...form, code: '000001' });
  for (const index of [1, 2, 3, 4, 5])
    expect([index, (await guess()).status]).toEqual([index, 401]);
  const delayedResponse = await guess();
  expect([delayedResponse.status, delayedResponse.headers['retry-after']]).toEqual([429, '30']);
});

test('switching codes on or off ends other sessions, and new recovery codes do not', async () => {
  const { email, password } = await newCustomer();
  const browser = await testConsole.signIn(email, password);
  const earlierSession = await testConsole.signIn(email, password);
  const { secret } = await setUpCodes(browser, password);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
  expect((await earlierSession.get(ACCOUNT)).status).toBe(303);
  testConsole.clock.advance(60_000);
  const otherBrowser = testConsole.browser();
  const stepResponse = await otherBrowser.submit(SIGN_IN, SIGN_IN, { email, password });
  const form = readFormFields(stepResponse.text, `${SIGN_IN}/code`);
  await otherBrowser.post(`${SIGN_IN}/code`, { ...form, code: currentCode(secret) });
  await browser.submit(ACCOUNT, `${CODES}/recovery`, { recovery: password });
  expect((await otherBrowser.get(ACCOUNT)).status).toBe(200);
  await browser.submit(ACCOUNT, `${CODES}/off`, { off: password });
  expect((await otherBrowser.get(ACCOUNT)).status).toBe(303);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
});

test('disabling codes and creating recovery codes requires the password', async () => {
  const { email, password } = await newCustomer();
  const browser = await testConsole.signIn(email, password);
  const { codes } = await setUpCodes(browser, password);
  const rejection = await browser.submit(ACCOUNT, `${CODES}/off`, { off: 'not my password' });
  expect([rejection.status, rejection.text.includes('id="e-off">')]).toEqual([422, true]);
  const renewedPage = await browser.submit(ACCOUNT, `${CODES}/recovery`, { recovery: password });
  const newCodes: readonly string[] = renewedPage.text.match(new RegExp(recoveryCodes, 'g')) ?? [];
  expect([newCodes.length, newCodes.some((code) => codes.includes(code))]).toEqual([10, false]);
  const offPage = await browser.submit(ACCOUNT, `${CODES}/off`, { off: password });
  expect(offPage.text).toContain('One-time codes are off');
  expect((await testConsole.signIn(email, password)).cookies.has('gateway_session')).toBe(true);
});

test('two renewals of the recovery codes at once leave the codes of one of them', async () => {
  const { email, password } = await newCustomer();
  const browser = await testConsole.signIn(email, password);
  await setUpCodes(browser, password);
  const path = `${CODES}/recovery`;
  const form = { ...readFormFields((await browser.get(ACCOUNT)).text, path), recovery: password };
  const accountId = await idOf(email);
  await changeDuring(
    testConsole.db,
    async (tx) => (await openAccountFactor(testConsole.world, tx)).renewRecoveryCodes(accountId),
    () => browser.post(path, form),
  );
  expect(await countRecoveryCodes(testConsole.db, accountId)).toBe(10);
});

test('lists sessions by browser and network, and ends the others', async () => {
  const { email, password } = await newCustomer();
  const headers = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0',
    'x-forwarded-for': '203.0.113.9',
  };
  const browser = await testConsole.signIn(email, password);
  const otherBrowser = testConsole.browser(headers);
  await otherBrowser.submit(SIGN_IN, SIGN_IN, { email, password });
  const thirdBrowser = testConsole.browser({ ...headers, 'user-agent': '<img src=x>' });
  await thirdBrowser.submit(SIGN_IN, SIGN_IN, { email, password });
  const page = await browser.get(ACCOUNT);
  expect(page.text).toContain('Firefox · Windows');
  expect(page.text).toContain('203.0.113.9');
  expect(page.text).toContain('&lt;img src=x&gt;');
  const endedPage = await browser.submit(ACCOUNT, `${ACCOUNT}/sessions/end`);
  expect(endedPage.text).toContain('That session is signed out.');
  expect((await thirdBrowser.get(ACCOUNT)).status).toBe(303);
  await browser.submit(ACCOUNT, `${ACCOUNT}/sessions/end-others`);
  expect((await otherBrowser.get(ACCOUNT)).status).toBe(303);
  expect((await browser.get(ACCOUNT)).status).toBe(200);
});

test('refuses to end a session of another account', async () => {
  const [ada, bo] = [await newCustomer(), await newCustomer()];
  const victimBrowser = await testConsole.signIn(ada.email, ada.password);
  const attackerBrowser = await testConsole.signIn(bo.email, bo.password);
  const { db } = testConsole;
  const accountId = (await findAccount(db, ada.email))?.id ?? '';
  const [session] = await listSessionRows(db, accountId, {
    now: testConsole.clock.now(),
    usedSince: null,
  });
  const { token = '' } = readFormFields((await attackerBrowser.get(ACCOUNT)).text, '/console/mode');
  await attackerBrowser.post(`${ACCOUNT}/sessions/end`, { token, id: session?.id ?? '' });
  expect((await victimBrowser.get(ACCOUNT)).status).toBe(200);
});

test('strangers do not lock out a browser that signed in before', async () => {
  const { email, password } = await newCustomer();
  const session = await testConsole.signIn(email, password);
  await session.submit('/console', '/console/sign-out');
  const clientFrom = (address: string) => testConsole.browser({ 'x-forwarded-for': address });
  const guess = (address: string) =>
    clientFrom(address).submit(SIGN_IN, SIGN_IN, { email, password: 'a guess at it' });
  for (let index = 1; index <= 5; index += 1)
    expect((await guess(`203.0.113.${index}`)).status).toBe(401);
  expect((await guess('203.0.113.6')).status).toBe(429);
  const limitedSignIn = await clientFrom('198.51.100.9').submit(SIGN_IN, SIGN_IN, {
    email,
    password,
  });
  expect(limitedSignIn.status).toBe(429);
  // Correct passwords do not count towards the limit.
  for (let index = 0; index < 8; index += 1) {
    expect((await session.submit(SIGN_IN, SIGN_IN, { email, password })).status).toBe(200);
    expect(session.cookies.has('gateway_session')).toBe(true);
    await session.submit('/console', '/console/sign-out');
  }
  // The cookie of one account is invalid for another account.
  const other = await newCustomer();
  for (let index = 1; index <= 5; index += 1) {
    const stranger = clientFrom(`203.0.113.${index + 50}`);
    await stranger.submit(SIGN_IN, SIGN_IN, { email: other.email, password: 'a guess at it' });
  }
  const { status } = await session.submit(SIGN_IN, SIGN_IN, other);
  expect(status).toBe(429);
});

test('finds an account by its address, not by its id', async () => {
  const { email, password } = await newCustomer();
  const account = await findAccount(testConsole.db, email);
  testConsole.clock.advance(60_000);
  const browser = testConsole.browser();
  const signInById = { email: account?.id ?? '', password };
  expect((await browser.submit(SIGN_IN, SIGN_IN, signInById)).status).toBe(401);
  expect((await browser.submit(SIGN_IN, SIGN_IN, { email, password })).status).toBe(200);
});

test('refuses a common password', async () => {
  const { email, password } = await newCustomer();
  const browser = await testConsole.signIn(email, password);
  const changePassword = (next: string) =>
    browser.submit(ACCOUNT, `${ACCOUNT}/password`, { current: password, next });
  for (const commonPassword of ['1234567890', 'aaaaaaaaaa', 'abcabcabcabc', 'qwertyuiop', email]) {
    const refusal = await changePassword(commonPassword);
    expect([commonPassword, refusal.status]).toEqual([commonPassword, 422]);
    expect(refusal.text).toContain('Use four words that do not belong together');
  }
  expect((await changePassword('12345 67890 and more')).status).toBe(200);
});
