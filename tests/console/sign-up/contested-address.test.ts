// A stranger signs up with the address of another person before its owner does.
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { makeKey } from '../../../src/gateway/keys/change-keys.ts';
import { addEndpoint } from '../../../src/gateway/webhooks/endpoints.ts';
import { updateAccount } from '../../../src/store/gateway/accounts.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_UP = '/console/sign-up';
const VERIFY = '/console/verify';
const RESET = '/console/reset/new';
const mailServer = await openMailServer();
const testConsole = await openTestConsole({
  smtp: mailServer.smtp,
  rules: { newPerNetwork: 1_000 },
});
const { world, db } = testConsole;

const signUp = (email: string, password: string) =>
  testConsole.browser().submit(SIGN_UP, SIGN_UP, { email, password });
const linkIn = (text: string) => /http:\/\/gateway\.example(\/console\/\S+)/.exec(text)?.[1] ?? '';
const nextLink = async (email: string) => linkIn((await mailServer.nextMail(email)).text);
const canSignIn = async (email: string, password: string) =>
  (await testConsole.signIn(email, password)).cookies.has('gateway_session');

const strangersPassword = 'a stranger chose this 5';
const ownersPassword = 'the owner chose that 6';
const lastPassword = 'slate canyon jelly 77';

test('the mailbox owner chooses the password when two people sign up with it', async () => {
  const email = 'gil@example.com';
  await signUp(email, strangersPassword);
  const strangersLink = await nextLink(email);
  const stranger = await testConsole.signIn(email, strangersPassword);
  const accountId = (await findAccount(db, email))?.id ?? '';
  const owner = { accountId, livemode: false };
  const key = await makeKey(world, db, { ...owner, kind: 'sk', name: 'Stranger' });
  await addEndpoint(world, db, { owner, url: 'https://stranger.example/', events: ['test'] });
  await updateAccount(db, accountId, { totp_secret: Buffer.alloc(48, 1), totp_step: null });

  const page = await signUp(email, ownersPassword);
  expect(page.text).toContain('<h1>Check your mail</h1>');
  const mail = await mailServer.nextMail(email);
  expect(mail.subject).toBe('Choose a password for Content Radar');
  expect((await stranger.get('/console')).status).toBe(303);
  expect(await canSignIn(email, strangersPassword)).toBe(false);
  expect(await canSignIn(email, ownersPassword)).toBe(false);
  expect((await testConsole.browser().get(strangersLink)).status).toBe(410);

  const link = linkIn(mail.text);
  await testConsole.browser().submit(link, '/console/reset/new', { password: lastPassword });
  const browser = await testConsole.signIn(email, lastPassword);
  expect((await browser.get('/console/account')).text).not.toContain('not confirmed');
  expect((await browser.get('/console/webhooks')).text).not.toContain('stranger.example');
  expect((await testConsole.call('paid', { text: 'x' }, { key: key.text })).status).toBe(401);
});

test('a stranger who signs up last does not choose the password either', async () => {
  const email = 'hal@example.com';
  await signUp(email, ownersPassword);
  await nextLink(email);
  await signUp(email, strangersPassword);
  const link = await nextLink(email);
  expect(link).toContain('/console/reset/new');
  expect(await canSignIn(email, strangersPassword)).toBe(false);
  await testConsole.browser().submit(link, '/console/reset/new', { password: lastPassword });
  expect(await canSignIn(email, strangersPassword)).toBe(false);
  expect(await canSignIn(email, lastPassword)).toBe(true);
});

test('an owner who never signed up chooses a password to confirm the address', async () => {
  const email = 'joy@example.com';
  await signUp(email, strangersPassword);
  const strangersLink = await nextLink(email);
  const stranger = await testConsole.signIn(email, strangersPassword);
  expect((await stranger.get(strangersLink)).text).not.toContain('name="password"');
  const accountId = (await findAccount(db, email))?.id ?? '';
  const input = { accountId, livemode: false, kind: 'sk', name: 'Stranger' } as const;
  const key = await makeKey(world, db, input);

  const owner = testConsole.browser();
  const page = await owner.get(strangersLink);
  expect(page.text).toContain('this is not the browser that signed up');
  expect((await owner.submit(strangersLink, VERIFY)).text).toContain('10 to 200 characters');
  const shortPage = await owner.submit(strangersLink, VERIFY, { password: 'short' });
  expect(shortPage.status).toBe(422);
  expect(await canSignIn(email, strangersPassword)).toBe(true);
  const startPage = await owner.submit(strangersLink, VERIFY, { password: lastPassword });
  expect(startPage.text).toContain('Your address is confirmed.');
  expect(startPage.text).toContain('Signed in as <b>joy@example.com</b>');
  expect((await stranger.get('/console')).status).toBe(303);
  expect(await canSignIn(email, strangersPassword)).toBe(false);
  expect(await canSignIn(email, lastPassword)).toBe(true);
  expect((await testConsole.call('paid', { text: 'x' }, { key: key.text })).status).toBe(401);
  expect((await testConsole.browser().get(strangersLink)).status).toBe(410);
});

test('a form without a password confirms nothing in a browser that did not sign up', async () => {
  const email = 'kit@example.com';
  const firstBrowser = testConsole.browser();
  await firstBrowser.submit(SIGN_UP, SIGN_UP, { email, password: strangersPassword });
  const link = await nextLink(email);
  const otherBrowser = testConsole.browser();
  const { password: _password, ...fields } = readFormFields(
    (await otherBrowser.get(link)).text,
    VERIFY,
  );
  const response = await otherBrowser.post(VERIFY, fields);
  expect([response.status, response.text.includes('name="password"')]).toEqual([403, true]);
  // The cookie of a sign-up with another password does not confirm this account.
  await otherBrowser.submit(SIGN_UP, SIGN_UP, { email: 'lee@example.com', password: lastPassword });
  expect((await otherBrowser.get(link)).text).toContain('name="password"');
  const startPage = await firstBrowser.submit(link, VERIFY);
  expect(startPage.text).toContain('Signed in as <b>kit@example.com</b>');
  expect(await canSignIn(email, strangersPassword)).toBe(true);
});

test('a confirmed address and a new one set cookies of the same form', async () => {
  await signUp('mia@example.com', ownersPassword);
  const owner = testConsole.browser();
  await owner.submit(await nextLink('mia@example.com'), VERIFY, { password: lastPassword });
  const cookieAfter = async (email: string) => {
    const browser = testConsole.browser();
    await browser.submit(SIGN_UP, SIGN_UP, { email, password: strangersPassword });
    return browser.cookies.get('gateway_sign_up') ?? '';
  };
  const [taken, unused] = [
    await cookieAfter('mia@example.com'),
    await cookieAfter('ned@example.com'),
  ];
  expect([taken, unused].map((cookie) => cookie.replace(/[\w-]/g, 'x'))).toEqual(
    Array(2).fill(`${'x'.repeat(22)}.${'x'.repeat(43)}`),
  );
});

test('a confirmation link and a reset link opened four times at once work once', async () => {
  const email = 'oda@example.com';
  const browser = testConsole.browser();
  await browser.submit(SIGN_UP, SIGN_UP, { email, password: ownersPassword });
  const link = await nextLink(email);
  const confirmation = readFormFields((await browser.get(link)).text, VERIFY);
  const confirmations = await Promise.all(
    [1, 2, 3, 4].map(() => browser.post(VERIFY, confirmation)),
  );
  expect(confirmations.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);

  await testConsole.browser().submit('/console/reset', '/console/reset', { email });
  const resetLink = await nextLink(email);
  const reset = readFormFields((await browser.get(resetLink)).text, RESET);
  const passwords = [1, 2, 3, 4].map((number) => `${lastPassword}${number}`);
  const resets = await Promise.all(
    passwords.map((password) => browser.post(RESET, { ...reset, password })),
  );
  const statuses = resets.map(({ status }) => status);
  expect([...statuses].sort()).toEqual([303, 410, 410, 410]);
  const areRight = [];
  for (const password of passwords) areRight.push(await canSignIn(email, password));
  expect(areRight).toEqual(statuses.map((status) => status === 303));
});

test('a repeated sign-up with the same password sends another link', async () => {
  const email = 'ivy@example.com';
  const browser = testConsole.browser();
  await browser.submit(SIGN_UP, SIGN_UP, { email, password: ownersPassword });
  const firstLink = await nextLink(email);
  await browser.submit(SIGN_UP, SIGN_UP, { email, password: ownersPassword });
  const secondLink = await nextLink(email);
  expect((await browser.get(firstLink)).status).toBe(410);
  const page = await browser.submit(secondLink, VERIFY);
  expect(page.text).toContain('Your address is confirmed.');
  expect(await canSignIn(email, ownersPassword)).toBe(true);
});
