// The gateway's admin pages need a session. Without one, no page shows anything.
import { expect, test } from 'vitest';
import { adminRoutes } from '../../src/gateway/admin/routes.ts';
import { hashPassword } from '../../src/kernel/crypto/password.ts';
import type { Db } from '../../src/kernel/ports/db.ts';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { openOperatorSessions } from '../../src/operators/sessions.ts';
import { deleteOperatorSessions } from '../../src/store/operators/operator-sessions.ts';
import { findOperatorByName, setOperatorHash } from '../../src/store/operators/operators.ts';
import { changeDuring } from '../support/change-during.ts';
import { readFormFields } from '../support/form-browser.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin();
const { accountId } = admin.keys;

test('every page and action requires sign-in', async () => {
  const strangerBrowser = admin.browser();
  for (const { method, path } of adminRoutes) {
    const pageUrl = path.replace(/:\w+/g, 'x');
    const response =
      method === 'GET'
        ? await strangerBrowser.get(pageUrl)
        : await strangerBrowser.post(pageUrl, {});
    const observedResponse = [method, pageUrl, response.status, response.headers.location ?? null];
    const target = pageUrl === '/admin' ? '' : `?${new URLSearchParams({ to: pageUrl })}`;
    const location = `/admin/sign-in${target}`;
    expect(observedResponse).toEqual([
      method,
      pageUrl,
      ...(method === 'GET' ? [303, location] : [401, null]),
    ]);
  }
});

test('an operator also signs in here, with a separate cookie', async () => {
  await admin.signIn();
  const browser = admin.browser();
  const rejection = await browser.submit('/admin/sign-in', '/admin/sign-in', {
    password: 'not it',
  });
  expect([rejection.status, rejection.text.includes('The name or the password is wrong.')]).toEqual(
    [401, true],
  );
  const { password } = admin;
  const signInResponse = await browser.post('/admin/sign-in', {
    password,
    name: 'Ada',
    to: '/admin/prices',
    token:
      /name="token" value="([^"]*)"/.exec((await browser.get('/admin/sign-in')).text)?.[1] ?? '',
  });
  expect([signInResponse.status, signInResponse.headers.location]).toEqual([303, '/admin/prices']);
  expect(signInResponse.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^gateway_admin=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
    ),
    expect.stringMatching(
      /^operator_browser=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  const sessions = await openOperatorSessions(admin.world, admin.db);
  const token = browser.cookies.get('gateway_admin') ?? '';
  expect(await sessions.read(token, '::1')).toMatchObject({ name: 'Ada', address: '::1' });
});

test('over https the cookie is bound to this host', async () => {
  const secureAdmin = await openTestAdmin({ url: 'https://gateway.example' });
  const { text } = await secureAdmin.browser().get('/admin/sign-in');
  expect(text).toContain('Your name as an operator. Empty: the first owner.');
  const browser = await secureAdmin.signIn();
  expect([...browser.cookies.keys()].sort()).toEqual([
    ...['__Host-gateway_admin', '__Host-gateway_visitor', '__Host-operator_browser'],
  ]);
});

test('a form without fields survives a repeated sign-in and needs a confirmation', async () => {
  const ada = await admin.signIn();
  await admin.signIn('Leaver', 'support');
  const page = await ada.get('/admin/operators');
  const removePath = /Leaver.*?action="([^"]*\/remove)"/s.exec(page.text)?.[1] ?? '';
  admin.clock.advance(10 * MINUTE_MS);
  const signInPage = await ada.post(removePath, readFormFields(page.text, removePath));
  expect(signInPage.status).toBe(401);
  const { password } = admin;
  const signInForm = {
    ...readFormFields(signInPage.text, '/admin/sign-in'),
    name: 'Ada',
    password,
  };
  const confirmationPage = await ada.post('/admin/sign-in', signInForm);
  expect([
    confirmationPage.status,
    confirmationPage.text.includes(`<p class="mono">${removePath}</p>`),
  ]).toEqual([200, true]);
  expect((await ada.get('/admin/operators')).text).toContain(removePath);
  await ada.post(removePath, readFormFields(confirmationPage.text, removePath));
  expect((await ada.get('/admin/operators')).text).not.toContain(removePath);
});

test('the confirmation of a saved credit form shows its fields in words', async () => {
  const ada = await admin.signIn();
  const path = `/admin/accounts/${accountId}/credit`;
  const form = readFormFields((await ada.get(path)).text, path);
  admin.clock.advance(10 * MINUTE_MS);
  const signInPage = await ada.post(path, {
    ...form,
    amount: '20',
    reason: 'A gift',
    kind: 'paid',
  });
  const { password } = admin;
  const signInForm = {
    ...readFormFields(signInPage.text, '/admin/sign-in'),
    name: 'Ada',
    password,
  };
  const { text } = await ada.post('/admin/sign-in', signInForm);
  const entries = [...text.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)];
  expect(Object.fromEntries(entries.map(([, label, value]) => [label, value]))).toEqual({
    'Amount in CNY': '20',
    Kind: 'Payment of the customer',
    Mode: 'Live',
    Reason: 'A gift',
  });
});

test('a form without its token, or from another site, changes nothing', async () => {
  const ada = await admin.signIn();
  const path = `/admin/accounts/${accountId}/suspend`;
  const forgedResponse = await ada.post(path, { reason: 'because', token: 'x'.repeat(43) });
  expect(forgedResponse.status).toBe(403);
  const bo = await admin.signIn('Bo');
  const token = /name="token" value="([^"]*)"/.exec((await bo.get(path)).text)?.[1] ?? '';
  const stolenTokenResponse = await ada.post(path, { reason: 'because', token });
  expect(stolenTokenResponse.status).toBe(403);
  const cookie = `gateway_admin=${bo.cookies.get('gateway_admin')}`;
  const otherSiteResponse = await admin.sendRequest({
    method: 'POST',
    path,
    body: `reason=because&token=${token}`,
    headers: {
      cookie,
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  expect(otherSiteResponse.status).toBe(403);
  expect((await admin.readPath('/api/v1/account')).status).toBe(200);
});

test('pages load only their own files, are not cached, and contain no secret', async () => {
  const ada = await admin.signIn();
  const key = admin.keys.sk;
  for (const { method, path } of adminRoutes) {
    if (method !== 'GET') continue;
    const response = await ada.get(path.replace(':id', accountId).replace(/:\w+/g, 'x'));
    const { text, headers } = response;
    expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
    if (response.status === 303) continue;
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers).toMatchObject({
      'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.server).toBeUndefined();
    expect([path, /<script(?! type="module" src)|style="|<style/.test(text)]).toEqual([
      path,
      false,
    ]);
    const secrets = [key, admin.keys.ak, admin.password, '$argon2id'];
    expect([path, secrets.filter((secret) => text.includes(secret))]).toEqual([path, []]);
  }
});

test('an operator’s cookie gives no access to the API', async () => {
  const ada = await admin.signIn();
  const response = await ada.get('/api/v1/account');
  expect(response.status).toBe(401);
});

test('counts failed sign-ins of all processes together, also after a restart', async () => {
  const otherNode = await openOperatorSessions(admin.world, admin.db);
  const wrongSignIn = { password: 'wrong', name: 'Eve', client: '203.0.113.77' };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { kind } = await (attempt % 2 === 0
      ? otherNode
      : await openOperatorSessions(admin.world, admin.db)
    ).signIn(wrongSignIn);
    expect(kind).toBe('refused');
  }
  const responses = await Promise.all([
    otherNode.signIn(wrongSignIn),
    otherNode.signIn(wrongSignIn),
  ]);
  expect(responses).toEqual([
    { kind: 'too_many', waitMs: 20_000 },
    { kind: 'too_many', waitMs: 20_000 },
  ]);
  const otherClient = { ...wrongSignIn, client: '203.0.113.78' };
  expect((await otherNode.signIn(otherClient)).kind).toBe('refused');
  admin.clock.advance(20_000);
  expect((await otherNode.signIn(wrongSignIn)).kind).toBe('refused');
});

test('strangers do not lock out a browser that signed in before', async () => {
  const sessions = await openOperatorSessions(admin.world, admin.db);
  const { password } = admin;
  admin.clock.advance(60_000);
  const firstSignIn = await sessions.signIn({ password, name: 'Ada', client: '198.51.100.1' });
  if (firstSignIn.kind !== 'signed_in') throw new Error(firstSignIn.kind);
  const { browserToken } = firstSignIn;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const strangerSignIn = { password: 'wrong', name: 'Eve', client: `203.0.114.${attempt}` };
    expect((await sessions.signIn(strangerSignIn)).kind).toBe('refused');
  }
  const validSignIn = { password, name: 'Ada', client: '198.51.100.1' };
  expect((await sessions.signIn(validSignIn)).kind).toBe('too_many');
  expect((await sessions.signIn({ ...validSignIn, browserToken: 'made.up' })).kind).toBe(
    'too_many',
  );
  // Correct passwords do not count towards the limit.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    expect((await sessions.signIn({ ...validSignIn, browserToken })).kind).toBe('signed_in');
  }
  const wrongGuess = { ...validSignIn, password: 'wrong', browserToken };
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect((await sessions.signIn(wrongGuess)).kind).toBe('refused');
  expect((await sessions.signIn(wrongGuess)).kind).toBe('too_many');
});

test('a password that is replaced meanwhile opens no session and sets no other one', async () => {
  admin.clock.advance(10 * MINUTE_MS);
  await admin.signIn();
  const { world, db, password } = admin;
  const ada = await findOperatorByName(db, 'Ada');
  if (ada === null) throw new Error('there is no operator Ada');
  const replacePassword = async (tx: Db) => {
    await setOperatorHash(tx, ada.id, ada.hash ?? '');
    await deleteOperatorSessions(tx, ada.id, null);
  };
  const profile = await admin.signIn();
  const path = '/admin/profile/password';
  const form = readFormFields((await profile.get('/admin/profile')).text, path);
  const next = 'slate canyon jelly 77';
  await changeDuring(db, replacePassword, () =>
    profile.post(path, { ...form, current: password, password: next }),
  );
  const browser = admin.browser();
  const signIn = (typed: string) =>
    browser.submit('/admin/sign-in', '/admin/sign-in', { name: 'Ada', password: typed });
  expect((await signIn(next)).status).toBe(401);

  const newHash = await hashPassword(world, next);
  await changeDuring(
    db,
    (tx) => setOperatorHash(tx, ada.id, newHash),
    () => signIn(password),
  );
  expect(browser.cookies.has('gateway_admin')).toBe(false);
});
