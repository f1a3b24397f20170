// Sign-up without mail delivery: who may sign up, errors beside their fields, and the limit of
// accounts per network.
import { expect, test } from 'vitest';
import { describeAccess } from '../../../src/app/serve/describe-access.ts';
import { signUpRules } from '../../../src/app/serve/open-console.ts';
import { readConfig } from '../../../src/config.ts';
import { confirmAddress, findAccount } from '../../../src/gateway/accounts/account.ts';
import { listInvites, makeInvites, revokeInvite } from '../../../src/gateway/accounts/invites.ts';
import { makeKey } from '../../../src/gateway/keys/change-keys.ts';
import {
  readCap,
  setCap,
  setDefaultCap,
} from '../../../src/gateway/wallet/credits/allowance-cap.ts';
import { readAccountMoney } from '../../../src/gateway/wallet/history/read-account.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_UP = '/console/sign-up';
const password = 'twelve letters';
const defaultConsole = await openTestConsole();
const consoleWithInvitations = await openTestConsole({ rules: { access: 'invite' } });
const closedConsole = await openTestConsole({ rules: { access: 'closed' } });

test('a customer signs up and signs in again with the same password', async () => {
  const browser = defaultConsole.browser();
  const email = ' Ada.Lovelace@Example.com ';
  const page = await browser.submit(SIGN_UP, SIGN_UP, { email, password });
  expect(page.text).toContain('Signed in as <b>ada.lovelace@example.com</b>');
  expect(page.text).toContain('class="test-mode"');
  const laterBrowser = await defaultConsole.signIn('ada.lovelace@example.com', password);
  expect((await laterBrowser.get('/console')).status).toBe(200);
});

test('shows an invalid address or password beside its field', async () => {
  const browser = defaultConsole.browser();
  const send = (email: string, secret: string) =>
    browser.submit(SIGN_UP, SIGN_UP, { email, password: secret });
  const rejection = await send('ada"><script>@', 'short');
  expect(rejection.status).toBe(422);
  expect(rejection.text).toContain('<p class="error" id="e-email">This is not an e-mail address.');
  expect(rejection.text).toContain('id="e-password">A password has 10 to 200 characters.');
  expect(rejection.text).toContain('value="ada&quot;&gt;&lt;script&gt;@"');
  expect(rejection.text).not.toContain('<script>');
  expect(rejection.text).not.toContain('value="short"');
  expect((await send('x'.repeat(10_000), 'y'.repeat(5_000))).status).toBe(422);
  const repeatedResponse = await send('customer-1@example.com', password);
  expect(repeatedResponse.status).toBe(409);
  expect(repeatedResponse.text).toContain('id="e-email">No account can be made with this address.');
  expect(repeatedResponse.text).toContain('value="customer-1@example.com"');
});

test('refuses a form of 300 KiB with a page and keeps the connection', async () => {
  const browser = defaultConsole.browser();
  const hugeBodyResponse = await browser.post(SIGN_UP, { email: 'x'.repeat(300 * 1024) });
  expect([
    hugeBodyResponse.status,
    hugeBodyResponse.text.includes('This form is too large.'),
  ]).toEqual([413, true]);
});

test('limits the accounts of one network per day over all nodes', async () => {
  const testConsole = await openTestConsole({ rules: { newPerNetwork: 3 } });
  const otherNode = await testConsole.openNode();
  const signUp = (number: number, from: string, origin = testConsole.origin) => {
    const browser = testConsole.browser({ 'x-forwarded-for': from }, origin);
    return browser.submit(SIGN_UP, SIGN_UP, { email: `n${number}@example.com`, password });
  };
  // Both nodes share the count.
  for (const index of [1, 2, 3]) {
    const origin = index === 2 ? otherNode.origin : testConsole.origin;
    expect((await signUp(index, '198.51.100.7', origin)).status).toBe(200);
  }
  const fullPage = await signUp(4, '198.51.100.7', otherNode.origin);
  expect(fullPage.status).toBe(429);
  expect(fullPage.headers['retry-after']).toBe('28800');
  expect(fullPage.text).toContain('Try again in 8 hours.');
  expect(fullPage.text).toContain('value="n4@example.com"');
  expect((await signUp(5, '198.51.100.8')).status).toBe(200);
  expect((await signUp(6, '198.51.100.7')).status).toBe(429);
  testConsole.clock.advance(DAY_MS + 1);
  expect((await signUp(7, '198.51.100.7')).status).toBe(200);
});

test('an invitation code creates one account, also when two people use it at once', async () => {
  const { world, db } = consoleWithInvitations;
  const input = { count: 3, days: 14, note: 'for the choir', madeBy: 'Ada' };
  const [firstInvitation, secondInvitation, thirdInvitation] = await makeInvites(world, db, input);
  if (!firstInvitation || !secondInvitation || !thirdInvitation) {
    throw new Error('an invitation is missing');
  }
  expect(firstInvitation.code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  const signUp = (email: string, invite: string) =>
    consoleWithInvitations.browser().submit(SIGN_UP, SIGN_UP, { email, password, invite });
  const rejection = await signUp('a@example.com', 'abcd-efgh-ijkl-mnop');
  expect(rejection.status).toBe(422);
  expect(rejection.text).toContain('id="e-invite">This code is unknown');
  const link = await consoleWithInvitations
    .browser()
    .get(`${SIGN_UP}?invite=${firstInvitation.code}`);
  expect(link.text).toContain(`value="${firstInvitation.code}"`);
  const bothResponses = await Promise.all([
    signUp('b@example.com', firstInvitation.code),
    signUp('c@example.com', ` ${firstInvitation.code.toUpperCase().replaceAll('-', ' ')}`),
  ]);
  expect(bothResponses.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await revokeInvite(world, db, secondInvitation.id)).toBe(true);
  expect((await signUp('d@example.com', secondInvitation.code)).status).toBe(422);
  consoleWithInvitations.clock.advance(15 * DAY_MS);
  expect((await signUp('e@example.com', thirdInvitation.code)).status).toBe(422);
  const states = (await listInvites(world, db)).map(({ id, state }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual({
    [firstInvitation.id]: 'used',
    [secondInvitation.id]: 'revoked',
    [thirdInvitation.id]: 'expired',
  });
});

test('sign-up is open by default only where strangers cannot reach the gateway', () => {
  const rulesOf = (environment: Record<string, string>, signup?: 'open' | 'invite') => {
    const config = readConfig({}, { RADAR_CONFIG: '', ...environment });
    const accounts = { ...config.file.accounts, ...(signup && { signup }) };
    return signUpRules({ ...config, file: { ...config.file, accounts } });
  };
  const signUpRuleOf = (host: string) => rulesOf({ HOST: host }).access;
  expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].map(signUpRuleOf)).toEqual(
    Array(4).fill('open'),
  );
  expect(['0.0.0.0', '::', '192.0.2.1', 'radar.example'].map(signUpRuleOf)).toEqual(
    Array(4).fill('closed'),
  );
  const behindProxy: readonly Record<string, string>[] = [
    { TRUST_PROXY: '127.0.0.1' },
    { GATEWAY_URL: 'https://gateway.example' },
    { RADAR_URL: 'https://radar.example' },
    { RELAY_URL: 'http://192.0.2.1:4200' },
  ];
  for (const environment of behindProxy) {
    expect(rulesOf(environment)).toMatchObject({ access: 'closed', needsConfirmation: true });
    expect(rulesOf(environment, 'open')).toMatchObject({ access: 'open', needsConfirmation: true });
  }
  expect(rulesOf({ GATEWAY_URL: 'http://127.0.0.1:4100' })).toMatchObject({
    access: 'open',
    needsConfirmation: false,
  });
  expect(rulesOf({ HOST: '127.0.0.1' }, 'invite').access).toBe('invite');
});

test('in public without mail, an operator enables live keys and the allowance', async () => {
  const publicConsole = await openTestConsole({ rules: { needsConfirmation: true } });
  const { db, world } = publicConsole;
  const browser = publicConsole.browser();
  const email = 'stranger@example.com';
  const page = await browser.submit(SIGN_UP, SIGN_UP, { email, password });
  expect(page.text).toContain('ask its operator to confirm the address');
  await browser.submit('/console', '/console/mode', { livemode: 'true' });
  // A change of the address does not replace the operator's confirmation.
  const next = { address: 'other-stranger@example.com', confirm: password };
  const account = '/console/account';
  const changedPage = await browser.submit(account, `${account}/address`, next);
  expect(changedPage.text).toContain('The address is changed.');
  const refusal = await browser.get('/console/keys/new?kind=sk');
  expect([refusal.status, refusal.text.includes('No live keys yet')]).toEqual([403, true]);
  const stranger = await findAccount(db, next.address);
  if (stranger === null) throw new Error('the account does not exist');
  const wallet = { accountId: stranger.id, livemode: true };
  expect((await readAccountMoney(world, db, wallet)).allowance.amount).toBe(0n);
  const input = { ...wallet, kind: 'sk', name: 'Live' } as const;
  await expect(makeKey(world, db, input)).rejects.toThrow('confirmed address');
  expect(await confirmAddress(db, stranger.id)).toBe(true);
  expect((await browser.get('/console/keys/new?kind=sk')).status).toBe(200);
  expect((await readAccountMoney(world, db, wallet)).allowance.amount).toBe(200_000_000n);
});

test('the allowance of all accounts has a cap that operators can change', async () => {
  const { db, world } = await openTestConsole();
  expect((await readCap(world, db)).amount).toBe(null);
  await setDefaultCap(world, db, 200);
  expect((await readCap(world, db)).amount).toBe(20_000_000_000n);
  await setDefaultCap(world, db, 300);
  expect((await readCap(world, db)).amount).toBe(20_000_000_000n);
  await setCap(world, db, { amount: null, version: 1, actor: 'Ada' });
  await setDefaultCap(world, db, 200);
  expect((await readCap(world, db)).amount).toBe(null);
});

const httpsUrls = {
  RADAR_URL: 'https://radar.example',
  GATEWAY_URL: 'https://gateway.example',
  RELAY_URL: 'https://relay.example',
};

test('the start message states whether sign-up is open', () => {
  const config = readConfig({}, { RADAR_CONFIG: '', GATEWAY_URL: 'http://gateway.example' });
  expect(describeAccess(config, signUpRules(config), { amount: 20_000_000_000n })).toEqual([
    'Sign-up   closed; live keys and the allowance begin with a confirmed address, at most ' +
      'CNY 200 a day for all accounts together\n',
    'Warning   http://gateway.example is plain http: session cookies are neither Secure nor ' +
      'bound to the host, and some feed clients show https links only\n',
  ]);
});

test.each([
  [{ HOST: '0.0.0.0' }, 'http://0.0.0.0'],
  [{ HOST: '::', RADAR_URL: 'https://radar.example' }, 'http://[::]'],
  [{ HOST: '0.0.0.0', ...httpsUrls }, null],
  [{ HOST: '127.0.0.1' }, null],
])('warns about plain http on other machines: %j', (env, url) => {
  const config = readConfig({}, { RADAR_CONFIG: '', ...env });
  const [, warning] = describeAccess(config, signUpRules(config), { amount: null });
  expect(warning?.split(' ').filter((word) => word.startsWith('http://')) ?? null).toEqual(
    url === null ? null : [url],
  );
});

test('refuses a submitted form when sign-up is closed', async () => {
  const browser = closedConsole.browser();
  const page = await browser.get(SIGN_UP);
  expect(page.text).toContain('Sign-up is closed at the moment.');
  const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const response = await browser.post(SIGN_UP, { token, email: 'a@example.com', password });
  expect(response.status).toBe(403);
  expect(
    (await closedConsole.signIn('a@example.com', password)).cookies.get('gateway_session'),
  ).toBe(undefined);
});
