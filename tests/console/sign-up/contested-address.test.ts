// A stranger signs up with the address of another person before its owner does.
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { makeKey } from '../../../src/gateway/keys/change-keys.ts';
import { addEndpoint } from '../../../src/gateway/webhooks/endpoints.ts';
import { updateAccount } from '../../../src/store/gateway/accounts.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_UP = '/console/sign-up';
const VERIFY = '/console/verify';
const mailServer = await openMailServer();
const testConsole = await openTestConsole({ smtp: mailServer.smtp });
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
  expect((await testConsole.browser().submit(strangersLink, VERIFY)).status).toBe(410);

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

test('an owner who never signed up chooses a password instead of confirming', async () => {
  const email = 'joy@example.com';
  await signUp(email, strangersPassword);
  const strangersLink = await nextLink(email);
  const stranger = await testConsole.signIn(email, strangersPassword);
  const ownPage = await stranger.get(strangersLink);
  expect(ownPage.text).not.toContain('Did you not sign up here?');
  const owner = testConsole.browser();
  const page = await owner.get(strangersLink);
  expect(page.text).toContain('Did you not sign up here?');
  expect(page.text).toContain('href="/console/reset"');
  await owner.submit('/console/reset', '/console/reset', { email });
  await owner.submit(await nextLink(email), '/console/reset/new', { password: lastPassword });
  expect((await stranger.get('/console')).status).toBe(303);
  expect(await canSignIn(email, strangersPassword)).toBe(false);
  expect(await canSignIn(email, lastPassword)).toBe(true);
  expect((await testConsole.browser().submit(strangersLink, VERIFY)).status).toBe(410);
});

test('a repeated sign-up with the same password sends another link', async () => {
  const email = 'ivy@example.com';
  await signUp(email, ownersPassword);
  const firstLink = await nextLink(email);
  await signUp(email, ownersPassword);
  const secondLink = await nextLink(email);
  expect((await testConsole.browser().submit(firstLink, VERIFY)).status).toBe(410);
  const page = await testConsole.browser().submit(secondLink, VERIFY);
  expect(page.text).toContain('Your address is confirmed.');
  expect(await canSignIn(email, ownersPassword)).toBe(true);
});
