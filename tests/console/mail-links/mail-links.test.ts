// Accounts with mail: address confirmation before live keys and the allowance, password reset,
// change of address, and alerts. No mail is lost, and no response shows whether an address has an
// account.
import { expect, test } from 'vitest';
import { findAccount } from '../../../src/gateway/accounts/account.ts';
import { openMailer } from '../../../src/gateway/accounts/mail/mailer.ts';
import { makeKey } from '../../../src/gateway/keys/change-keys.ts';
import { openWebhookSender } from '../../../src/gateway/webhooks/open-sender.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/time/durations.ts';
import {
  consumeMailToken,
  findMailTokenOwner,
  putMailToken,
} from '../../../src/store/gateway/account-mail-tokens.ts';
import { updateAccount } from '../../../src/store/gateway/accounts.ts';
import { openOutbox } from '../../../src/store/gateway/outgoing-mails.ts';
import { sqlOf } from '../../../src/store/platform/db.ts';
import { atEnd } from '../../support/at-end.ts';
import { json } from '../../support/http-request.ts';
import { openMailServer } from '../../support/mail-server.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_UP = '/console/sign-up';
const password = 'twelve letters';
const mailServer = await openMailServer();
const { smtp } = mailServer;
const testConsole = await openTestConsole({ smtp });
const { world, db } = testConsole;

const isSignInNotice = ({ subject }: { subject: string }) => subject.includes('new browser');
/** Skips mails about sign-ins from new browsers, which account/security-log.test.ts checks. */
async function nextMail(to: string) {
  for (;;) {
    const mail = await mailServer.nextMail(to);
    if (!isSignInNotice(mail)) return mail;
  }
}
const mailsTo = (email: string) =>
  mailServer.mails.filter((mail) => mail.to.includes(email) && !isSignInNotice(mail));
const linkIn = (text: string) => {
  const url = /http:\/\/gateway\.example(\/console\/\S+)/.exec(text)?.[1];
  if (url === undefined) throw new Error(`no link in ${text}`);
  return url;
};
/** A port without a mail server. */
async function findUnusedPort(): Promise<number> {
  const stoppedServer = await openMailServer();
  await stoppedServer.close();
  return stoppedServer.port;
}
/** The page without the values that differ between visitors. */
const withoutToken = (text: string) => text.replaceAll(/value="[\w-]{86}"/g, '');

test('responds equally to a new and a used address, and mails each owner', async () => {
  const signUp = (email: string) =>
    testConsole.browser().submit(SIGN_UP, SIGN_UP, { email, password });
  const [newAddressPage, existingAddressPage] = [
    await signUp('new@example.com'),
    await signUp('customer-1@example.com'),
  ];
  expect(newAddressPage.status).toBe(200);
  expect(newAddressPage.text).toContain('<h1>Check your mail</h1>');
  expect(withoutToken(existingAddressPage.text)).toBe(withoutToken(newAddressPage.text));
  expect((await nextMail('new@example.com')).subject).toBe(
    'Confirm your address for Content Radar',
  );
  const notice = await nextMail('customer-1@example.com');
  expect(notice.subject).toBe('You already have an account at Content Radar');
  expect(notice.text).toContain('http://gateway.example/console/sign-in');
});

test('an account has no live keys and no allowance before its address is confirmed', async () => {
  const email = 'ada@example.com';
  await testConsole.browser().submit(SIGN_UP, SIGN_UP, { email, password });
  const { text } = await nextMail(email);
  const browser = await testConsole.signIn(email, password);
  const page = await browser.get('/console/account');
  expect(page.text).toContain('not confirmed');
  const accountId = (await findAccount(db, email))?.id ?? '';
  const input = { accountId, kind: 'sk', name: 'First' } as const;
  await expect(makeKey(world, db, { ...input, livemode: true })).rejects.toMatchObject({
    code: 'key_not_allowed',
  });
  const testKey = await makeKey(world, db, { ...input, livemode: false });
  expect((await testConsole.call('paid', { text: 'x' }, { key: testKey.text })).status).toBe(200);

  const link = linkIn(text);
  // A mail program that opens the link changes nothing.
  expect((await testConsole.browser().get(link)).status).toBe(200);
  expect((await browser.get('/console/account')).text).toContain('not confirmed');
  const confirmedPage = await browser.submit(link, '/console/verify');
  expect(confirmedPage.text).toContain('Your address is confirmed.');
  const repeatedLinkPage = await testConsole.browser().get(link);
  expect([repeatedLinkPage.status, repeatedLinkPage.text.includes('is no longer valid')]).toEqual([
    410,
    true,
  ]);

  const liveKey = await makeKey(world, db, { ...input, livemode: true });
  const account = json(await testConsole.readPath('/api/v1/account', liveKey.text));
  expect(account.free_quota).toMatchObject({ amount: '2', remaining: '2' });
});

test('the first mail’s link signs in to test mode, and one click creates a key', async () => {
  const email = 'eve@example.com';
  const visitor = testConsole.browser();
  await visitor.submit(SIGN_UP, SIGN_UP, { email, password });
  const startPage = await visitor.submit(linkIn((await nextMail(email)).text), '/console/verify');
  expect(startPage.text).toContain('Your address is confirmed.');
  expect(startPage.text).toContain('Signed in as <b>eve@example.com</b>');
  expect(startPage.text).toContain('class="test-mode"');
  const createdPage = await visitor.submit('/console', '/console/keys/new');
  expect(createdPage.text).toContain('data-secret');
  const [, key = ''] = /Bearer (sk-test-[\w-]+)/.exec(createdPage.text) ?? [];
  expect((await testConsole.call('paid', { text: 'x' }, { key })).status).toBe(200);
  expect(createdPage.text).toContain('href="/console/catalog/social"');
});

test('a link expires after one day and when a newer link was sent', async () => {
  const email = 'bea@example.com';
  await testConsole.browser().submit(SIGN_UP, SIGN_UP, { email, password });
  const firstLink = linkIn((await nextMail(email)).text);
  const browser = await testConsole.signIn(email, password);
  const response = await browser.submit('/console/account', '/console/account/verification');
  expect(response.text).toContain('Another mail was sent');
  const secondLink = linkIn((await nextMail(email)).text);
  expect((await browser.get(firstLink)).status).toBe(410);
  testConsole.clock.advance(DAY_MS);
  expect((await browser.get(secondLink)).status).toBe(410);
});

test('an expired link is invalid before its row is deleted', async () => {
  const { id: accountId = '' } = (await findAccount(db, 'customer-1@example.com')) ?? {};
  const now = testConsole.clock.now();
  const hash = Buffer.alloc(32, 5);
  const row = { hash, account_id: accountId, address: null, created_at: now };
  await putMailToken(db, { ...row, purpose: 'reset', expires_at: now + 1_000 });
  expect(await findMailTokenOwner(db, 'reset', hash, now)).toBe(accountId);
  expect(await findMailTokenOwner(db, 'reset', hash, now + 1_000)).toBeNull();
  expect(await consumeMailToken(db, 'reset', hash, now + 1_000)).toBeNull();
  expect(await consumeMailToken(db, 'reset', hash, now)).toBe(accountId);
});

test('one-time codes are still required after a confirmation link and a reset link', async () => {
  const email = 'lin@example.com';
  const visitor = testConsole.browser();
  await visitor.submit(SIGN_UP, SIGN_UP, { email, password });
  const confirmationLink = linkIn((await nextMail(email)).text);
  const { id = '' } = (await findAccount(db, email)) ?? {};
  await updateAccount(db, id, { totp_secret: Buffer.alloc(48, 1), totp_step: null });
  const confirmedPage = await visitor.submit(confirmationLink, '/console/verify');
  expect(confirmedPage.text).toContain('Your address is confirmed.');
  expect(visitor.cookies.has('gateway_session')).toBe(false);
  await visitor.submit('/console/reset', '/console/reset', { email });
  const nextPassword = 'slate canyon jelly 77';
  const resetLink = linkIn((await nextMail(email)).text);
  await visitor.submit(resetLink, '/console/reset/new', { password: nextPassword });
  const signIn = { email, password: nextPassword };
  const codePage = await visitor.submit('/console/sign-in', '/console/sign-in', signIn);
  expect(codePage.text).toContain('<h1>One more step</h1>');
  expect(visitor.cookies.has('gateway_session')).toBe(false);
});

test('replaces a forgotten password once and ends every session', async () => {
  const email = 'customer-1@example.com';
  const browser = await testConsole.signIn();
  const requestReset = (address: string) =>
    testConsole.browser().submit('/console/reset', '/console/reset', { email: address });
  const [knownResponse, unknownResponse] = [
    await requestReset(email),
    await requestReset('nobody@example.com'),
  ];
  expect(knownResponse.text).toContain('<h1>Check your mail</h1>');
  expect(withoutToken(unknownResponse.text)).toBe(withoutToken(knownResponse.text));
  const link = linkIn((await nextMail(email)).text);
  const visitor = testConsole.browser();
  const shortPasswordPage = await visitor.submit(link, '/console/reset/new', { password: 'short' });
  expect([
    shortPasswordPage.status,
    shortPasswordPage.text.includes('10 to 200 characters'),
  ]).toEqual([422, true]);
  const setPage = await visitor.submit(link, '/console/reset/new', {
    password: 'a newer password',
  });
  expect(setPage.text).toContain('The new password is set.');
  expect((await browser.get('/console')).status).toBe(303);
  expect((await visitor.get(link)).status).toBe(410);
  expect(
    (await testConsole.signIn(email, 'password 1 of a test')).cookies.has('gateway_session'),
  ).toBe(false);
  expect((await testConsole.signIn(email, 'a newer password')).cookies.has('gateway_session')).toBe(
    true,
  );
  expect(mailServer.mails.some(({ to }) => to.includes('nobody@example.com'))).toBe(false);
});

test('sends mails in the language of the account', async () => {
  const browser = testConsole.browser();
  await browser.submit(SIGN_UP, '/console/language', { language: 'zh-CN' });
  await browser.submit(SIGN_UP, SIGN_UP, { email: 'chen@example.com', password });
  const mail = await nextMail('chen@example.com');
  expect(mail.subject).toBe('确认您在 Content Radar 的邮箱');
  expect(mail.text).toContain('链接在 24 小时内有效');
});

test('a new address needs password and confirmation; a mail warns the old address', async () => {
  const account = '/console/account';
  await testConsole.newAccount();
  const [email, password] = ['customer-2@example.com', 'password 2 of a test'];
  const browser = await testConsole.signIn(email, password);
  const requestChange = (address: string, confirm = password) =>
    browser.submit(account, `${account}/address`, { address, confirm });
  expect((await requestChange('new-gil@example.com', 'not the password')).status).toBe(422);
  expect((await requestChange('gil')).text).toContain('id="e-address"');
  expect((await requestChange(email.toUpperCase())).text).toContain(
    'This account already has that address',
  );

  const [newAddressPage, existingAddressPage] = [
    await requestChange('New-Gil@example.com'),
    await requestChange('ada@example.com'),
  ];
  expect(withoutToken(existingAddressPage.text).replaceAll('ada@', 'new-gil@')).toBe(
    withoutToken(newAddressPage.text),
  );
  expect((await nextMail('ada@example.com')).subject).toMatch(/^You already have an account/);
  expect((await nextMail(email)).text).toContain('new-gil@example.com');
  const replacedLink = linkIn((await nextMail('new-gil@example.com')).text);
  expect((await browser.submit(replacedLink, '/console/new-address')).status).toBe(410);
  await requestChange('new-gil@example.com');
  const canceledLink = linkIn((await nextMail('new-gil@example.com')).text);
  expect((await browser.submit(account, `${account}/address/keep`)).text).toContain(
    'The address is unchanged',
  );
  expect((await browser.submit(canceledLink, '/console/new-address')).status).toBe(410);

  await requestChange('new-gil@example.com');
  const link = linkIn((await nextMail('new-gil@example.com')).text);
  // A browser without a session of the account signs in first.
  const otherBrowser = testConsole.browser();
  const signInPath = String((await otherBrowser.get(link)).headers.location);
  expect(signInPath).toMatch(/^\/console\/sign-in\?to=/);
  expect((await browser.get(account)).text).toContain(`<p>${email}</p>`);
  await otherBrowser.submit(signInPath, '/console/sign-in', { email, password });
  const changedPage = await otherBrowser.submit(link, '/console/new-address');
  expect(changedPage.text).toContain('The address is changed.');
  expect((await browser.submit(link, '/console/new-address')).status).toBe(410);
  expect((await browser.get(account)).text).toContain('<p>new-gil@example.com</p>');
  await expect
    .poll(() => mailServer.mails.map(({ to, subject }) => `${to} ${subject}`))
    .toContain(`${email} Content Radar: the address of your account was changed`);
  const signedInPage = await testConsole.signIn('new-gil@example.com', password);
  expect(signedInPage.cookies.has('gateway_session')).toBe(true);
  expect((await testConsole.signIn(email, password)).cookies.has('gateway_session')).toBe(false);
});

test('corrects a mistyped address from sign-up, and confirms it by the new link', async () => {
  await testConsole.browser().submit(SIGN_UP, SIGN_UP, { email: 'hal@exmaple.com', password });
  const wrongLink = linkIn((await nextMail('hal@exmaple.com')).text);
  const browser = await testConsole.signIn('hal@exmaple.com', password);
  const fields = { address: 'hal@example.com', confirm: password };
  await browser.submit('/console/account', '/console/account/address', fields);
  const link = linkIn((await nextMail('hal@example.com')).text);
  await browser.submit(link, '/console/new-address');
  expect((await browser.get('/console/account')).text).not.toContain('not confirmed');
  expect((await browser.get(wrongLink)).status).toBe(410);
  // The owner of the mistyped address receives no further mail.
  expect(mailServer.mails.filter(({ to }) => to.includes('hal@exmaple.com')).length).toBe(1);
});

test('stores a mail encrypted, and two nodes deliver it once after a restart', async () => {
  const [otherConsole, server, unusedPort] = [
    await openTestConsole(),
    await openMailServer(),
    await findUnusedPort(),
  ];
  const outbox = await openOutbox(otherConsole.world, otherConsole.db);
  const rows = () => sqlOf(otherConsole.db).selectFrom('outgoing_mails').selectAll().execute();
  const openOutboxNode = (port: number) =>
    openMailer(otherConsole.world, otherConsole.db, outbox, {
      ...smtp,
      port,
      from: '“R” <post@radar.example>',
    });
  const first = openOutboxNode(unusedPort);
  const mail = { to: 'ivy@example.com', subject: 'One', text: 'A link' };
  await outbox.enqueue(otherConsole.db, mail, HOUR_MS);
  await expect.poll(async () => (await rows())[0]?.tries).toBe(1);
  await first.close();
  const [row] = await rows();
  expect(row?.letter.includes('ivy@example.com')).toBe(false);
  otherConsole.clock.advance(2_000);
  const nodes = [openOutboxNode(server.port), openOutboxNode(server.port)];
  const { id, to, text } = await server.nextMail('ivy@example.com');
  expect({ id, to, text }).toEqual({
    id: `<${row?.id}@radar.example>`,
    to: ['ivy@example.com'],
    text: 'A link',
  });
  await expect.poll(async () => (await rows()).length).toBe(0);
  for (const { close } of nodes) await close();
  expect(server.mails.length).toBe(1);
});

test('mails each alert once to its subscribers, with a link', async () => {
  const outbox = await openOutbox(world, db);
  const site = { url: 'http://gateway.example', name: 'Content Radar', language: 'en' } as const;
  for (const _node of [1, 2]) {
    const sender = openWebhookSender(world, db, { outbox, site });
    atEnd(sender.close);
  }
  const { accountId } = await testConsole.newAccount();
  const email = 'customer-3@example.com';
  const browser = await testConsole.signIn(email, 'password 3 of a test');
  const budgets = '/console/budgets';
  expect((await browser.get(budgets)).text).toContain(`a mail goes to ${email}.`);
  const settings = { below: '7.5', mail: 'yes' };
  const enabledPage = await browser.submit(budgets, `${budgets}/balance`, settings);
  expect(enabledPage.text).toMatch(/name="mail" value="yes" checked/);
  const budget = { amount: 4_000_000n, period: 'day' } as const;
  const key = (await testConsole.newKey({ accountId, name: 'Shop', budget })).text;
  await testConsole.call('paid', { text: 'x' }, { key });
  await testConsole.call('paid', { text: 'x' }, { key });
  testConsole.clock.advance(30_000);
  const mails = [await nextMail(email), await nextMail(email), await nextMail(email)];
  expect(mails.map(({ subject }) => subject).sort()).toEqual([
    'Content Radar: 80 % of the budget of “Shop” is spent',
    'Content Radar: the budget of “Shop” is spent',
    'Content Radar: your balance is ¥0',
  ]);
  const lowBalanceMail = mails.find(({ subject }) => subject.includes('balance'));
  expect(lowBalanceMail?.text).toContain('less than your alert threshold of ¥7.5');
  expect(lowBalanceMail?.text).toContain('http://gateway.example/console/wallet');
  const offPage = await browser.submit(budgets, `${budgets}/balance`);
  expect(offPage.text).not.toMatch(/name="mail" value="yes" checked/);
  expect(mailsTo(email).length).toBe(3);
});

test('limits mails to one address over all nodes', async () => {
  const email = 'dan@example.com';
  const otherConsole = await testConsole.openNode();
  for (const index of [1, 2, 3, 4, 5]) {
    const browser = testConsole.browser(
      {},
      index % 2 === 0 ? otherConsole.origin : testConsole.origin,
    );
    const { status } = await browser.submit(SIGN_UP, SIGN_UP, { email, password });
    expect([index, status]).toEqual([index, 200]);
  }
  await nextMail(email);
  await nextMail(email);
  await nextMail(email);
  await testConsole.browser().submit(SIGN_UP, SIGN_UP, { email: 'eve@example.com', password });
  await nextMail('eve@example.com');
  expect(mailsTo(email).length).toBe(3);
});

test('password resets for an unknown address do not prevent its sign-up mail', async () => {
  const email = 'kim@example.com';
  for (const _request of [1, 2, 3, 4]) {
    await testConsole.browser().submit('/console/reset', '/console/reset', { email });
  }
  await testConsole.browser().submit(SIGN_UP, SIGN_UP, { email, password });
  await expect.poll(() => mailsTo(email).length).toBe(1);
});

test('logs an unreachable mail server and hides it from the visitor', async () => {
  const inboxUrl = 'http://inbox.example/';
  const unreachableSmtp = {
    ...smtp,
    port: await findUnusedPort(),
    from: 'post@radar.example',
    inboxUrl,
  };
  const otherConsole = await openTestConsole({ smtp: unreachableSmtp });
  const fields = { email: 'fay@example.com', password };
  const page = await otherConsole.browser().submit(SIGN_UP, SIGN_UP, fields);
  expect(page.text).toContain('<h1>Check your mail</h1>');
  expect(page.text).toContain(`href="${inboxUrl}"`);
  await expect
    .poll(() => otherConsole.logged.join('\n'))
    .toContain('a mail was not delivered to the mail server');
  expect(otherConsole.logged.join('\n')).not.toContain('fay@example.com');
});

test('a link that another account opens changes only its own account', async () => {
  const { accountId } = await testConsole.newAccount();
  const otherEmail = (await findAccount(db, accountId))?.email ?? '';
  const [number] = /\d+/.exec(otherEmail) ?? [];
  const otherBrowser = await testConsole.signIn(otherEmail, `password ${number} of a test`);
  const email = 'kay@example.com';
  const visitor = testConsole.browser({ 'x-forwarded-for': '198.51.100.9' });
  await visitor.submit(SIGN_UP, SIGN_UP, { email, password });
  const confirmLink = linkIn((await nextMail(email)).text);
  const nextPassword = 'slate canyon jelly 77';
  const fields = { password: nextPassword };
  const confirmedPage = await otherBrowser.submit(confirmLink, '/console/verify', fields);
  expect(confirmedPage.text).toContain('<h1>The link of another account</h1>');
  const browser = await testConsole.signIn(email, nextPassword);
  expect((await browser.get('/console/account')).text).not.toContain('not confirmed');

  const change = { address: 'new-kay@example.com', confirm: nextPassword };
  await browser.submit('/console/account', '/console/account/address', change);
  const changeLink = linkIn((await nextMail('new-kay@example.com')).text);
  const refusedPage = await otherBrowser.submit(changeLink, '/console/new-address');
  expect(refusedPage.status).toBe(403);
  expect(refusedPage.text).toContain('<h1>The link of another account</h1>');
  expect((await browser.get('/console/account')).text).toContain(`<p>${email}</p>`);
  await browser.submit(changeLink, '/console/new-address');
  expect((await browser.get('/console/account')).text).toContain('<p>new-kay@example.com</p>');
  expect((await otherBrowser.get('/console/account')).text).toContain(`<p>${otherEmail}</p>`);
});

test('the reset page states that the installation sends no mail', async () => {
  const otherConsole = await openTestConsole();
  const page = await otherConsole.browser().get('/console/reset');
  expect(page.text).toContain('This installation sends no mail');
});
