// Signing up where no mail is sent: who may, what is refused beside its field, and how many
// accounts one network may make.
import { expect, test } from 'vitest';
import { signUpRules } from '../../../src/app/serve/open-console.ts';
import { readConfig } from '../../../src/config.ts';
import { listInvites, makeInvites, revokeInvite } from '../../../src/gateway/accounts/invites.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { openTestConsole } from '../test-console.ts';

const SIGN_UP = '/console/sign-up';
const password = 'twelve letters';
const open = await openTestConsole();
const invited = await openTestConsole({ rules: { who: 'invite' } });
const closed = await openTestConsole({ rules: { who: 'closed' } });

test('somebody signs up, is in, and comes back with the same password', async () => {
  const browser = open.browser();
  const email = ' Ada.Lovelace@Example.com ';
  const page = await browser.submit(SIGN_UP, SIGN_UP, { email, password });
  expect(page.text).toContain('Signed in as <b>ada.lovelace@example.com</b>');
  const again = await open.signIn('ada.lovelace@example.com', password);
  expect((await again.get('/console')).status).toBe(200);
});

test('what is wrong with address or password is told beside the field', async () => {
  const browser = open.browser();
  const send = (email: string, secret: string) =>
    browser.submit(SIGN_UP, SIGN_UP, { email, password: secret });
  const wrong = await send('ada"><script>@', 'short');
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('<p class="error" id="e-email">This is not an e-mail address.');
  expect(wrong.text).toContain('id="e-password">A password has 10 to 200 characters.');
  expect(wrong.text).toContain('value="ada&quot;&gt;&lt;script&gt;@"');
  expect(wrong.text).not.toContain('<script>');
  expect(wrong.text).not.toContain('value="short"');
  expect((await send('x'.repeat(10_000), 'y'.repeat(5_000))).status).toBe(422);
  const taken = await send('customer-1@example.com', password);
  expect(taken.status).toBe(409);
  expect(taken.text).toContain('id="e-email">No account can be made with this address.');
  expect(taken.text).toContain('value="customer-1@example.com"');
});

test('a form of 300 KiB is refused as a page, and the connection lives on', async () => {
  const browser = open.browser();
  const huge = await browser.post(SIGN_UP, { email: 'x'.repeat(300 * 1024) });
  expect([huge.status, huge.text.includes('This form is too large.')]).toEqual([413, true]);
});

test('one network makes ten accounts a day, and others go on', async () => {
  const house = await openTestConsole({ rules: { newPerNetwork: 3 } });
  const other = await house.openNode();
  const signUp = (n: number, from: string, origin = house.origin) => {
    const browser = house.browser({ 'x-forwarded-for': from }, origin);
    return browser.submit(SIGN_UP, SIGN_UP, { email: `n${n}@example.com`, password });
  };
  // Both nodes count together.
  for (const n of [1, 2, 3]) {
    const origin = n === 2 ? other.origin : house.origin;
    expect((await signUp(n, '198.51.100.7', origin)).status).toBe(200);
  }
  const full = await signUp(4, '198.51.100.7', other.origin);
  expect(full.status).toBe(429);
  expect(full.headers['retry-after']).toBe('28800');
  expect(full.text).toContain('Try again in 8 hours.');
  expect(full.text).toContain('value="n4@example.com"');
  expect((await signUp(5, '198.51.100.8')).status).toBe(200);
  expect((await signUp(6, '198.51.100.7')).status).toBe(429);
  house.clock.advance(DAY_MS + 1);
  expect((await signUp(7, '198.51.100.7')).status).toBe(200);
});

test('by invitation, a code makes one account, also when two use it at once', async () => {
  const { world, db } = invited;
  const wish = { count: 3, days: 14, note: 'for the choir', madeBy: 'Ada' };
  const [one, two, three] = await makeInvites(world, db, wish);
  if (!one || !two || !three) throw new Error('three codes');
  expect(one.code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  const signUp = (email: string, invite: string) =>
    invited.browser().submit(SIGN_UP, SIGN_UP, { email, password, invite });
  const wrong = await signUp('a@example.com', 'abcd-efgh-ijkl-mnop');
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('id="e-invite">This code is not known');
  const link = await invited.browser().get(`${SIGN_UP}?invite=${one.code}`);
  expect(link.text).toContain(`value="${one.code}"`);
  const both = await Promise.all([
    signUp('b@example.com', one.code),
    signUp('c@example.com', ` ${one.code.toUpperCase().replaceAll('-', ' ')}`),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await revokeInvite(world, db, two.id)).toBe(true);
  expect((await signUp('d@example.com', two.code)).status).toBe(422);
  invited.clock.advance(15 * DAY_MS);
  expect((await signUp('e@example.com', three.code)).status).toBe(422);
  const states = (await listInvites(world, db)).map(({ id, state }) => [id, state]);
  expect(Object.fromEntries(states)).toEqual({
    [one.id]: 'used',
    [two.id]: 'revoked',
    [three.id]: 'expired',
  });
});

test('sign-up is open by default only where nobody else can reach it', () => {
  const who = (host: string, signup?: string) => {
    const config = readConfig({}, { HOST: host, RADAR_CONFIG: '' });
    const accounts = { ...config.file.accounts, ...(signup && { signup: signup as 'invite' }) };
    return signUpRules({ host, file: { ...config.file, accounts } }).who;
  };
  expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].map((host) => who(host))).toEqual(
    Array(4).fill('open'),
  );
  expect(['0.0.0.0', '::', '192.0.2.1', 'radar.example'].map((host) => who(host))).toEqual(
    Array(4).fill('closed'),
  );
  expect([who('0.0.0.0', 'open'), who('127.0.0.1', 'invite')]).toEqual(['open', 'invite']);
});

test('closed is closed, also to whoever sends the form all the same', async () => {
  const browser = closed.browser();
  const page = await browser.get(SIGN_UP);
  expect(page.text).toContain('Nobody can sign up here at the moment.');
  const { token } = { token: /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '' };
  const sent = await browser.post(SIGN_UP, { token, email: 'a@example.com', password });
  expect(sent.status).toBe(403);
  expect((await closed.signIn('a@example.com', password)).cookies.get('gateway_session')).toBe(
    undefined,
  );
});
