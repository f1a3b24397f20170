// Sign-in to the admin area: accepted passwords, the lifetime of a session, and requests that are
// refused before any change.
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { SHELL } from '../../src/operators/audit-log.ts';
import { findOperatorAccount, setOperatorPassword } from '../../src/operators/operators.ts';
import { openOperatorSessions, SESSION_MS } from '../../src/operators/sessions.ts';
import { readFormFields } from '../support/form-browser.ts';
import { sendRequest } from '../support/http-request.ts';
import { TEST_NOW } from '../support/test-world.ts';
import { openTestAdmin } from './admin-session.ts';

const admin = await openTestAdmin();
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded' };

test('an operator page requires a sign-in, and opens after the sign-in', async () => {
  const browser = admin.browser();
  const refusal = await browser.get('/admin/items?q=x');
  expect(refusal.status).toBe(303);
  expect(refusal.headers.location).toBe('/admin/sign-in?to=%2Fadmin%2Fitems%3Fq%3Dx');
  const page = await browser.get(refusal.headers.location ?? '');
  expect(page.status).toBe(200);
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers['x-robots-tag']).toBe('noindex, nofollow');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const signedInResponse = await browser.post('/admin/sign-in', {
    ...readFormFields(page.text, '/admin/sign-in'),
    password: admin.password,
  });
  expect(signedInResponse.headers.location).toBe('/admin/items?q=x');
  expect(signedInResponse.headers['set-cookie']?.[0]).toMatch(
    /^radar_session=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
  );
  expect((await browser.get('/admin/items')).status).toBe(200);
});

test('over https the cookie is Secure and bound to the host', async () => {
  const secureAdmin = await openTestAdmin({ url: 'https://radar.example' });
  const browser = secureAdmin.browser();
  const page = await browser.get('/admin/sign-in');
  expect(page.headers['set-cookie']?.[0]).toMatch(
    /^__Host-radar_visitor=\S+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
  );
  const signedInResponse = await secureAdmin.signIn();
  expect([...signedInResponse.cookies.keys()]).toContain('__Host-radar_session');
});

test('the operator area redirects only to its own pages', async () => {
  for (const target of [
    'https://evil.example/',
    '//evil.example',
    '/admin\\..//evil',
    '/items',
    '/administrators',
    '/admin/<b>',
    '/admin/x\r\nset-cookie: a=b',
    '/admin/x#y',
  ]) {
    const page = await admin.browser().get(`/admin/sign-in?${new URLSearchParams({ to: target })}`);
    expect(page.text).toContain('name="to" value="/admin"');
  }
});

test('a session ends when it expires and at sign-out', async () => {
  const browser = await admin.signIn();
  const signedInAt = admin.world.clock.now();
  admin.setClock(signedInAt + SESSION_MS - 1);
  expect((await browser.get('/admin/audit')).status).toBe(200);
  const otherBrowser = await admin.signIn();
  admin.setClock(signedInAt + SESSION_MS);
  expect((await browser.get('/admin/audit')).status).toBe(303);
  const token = otherBrowser.cookies.get('radar_session');
  await otherBrowser.submit('/admin/audit', '/admin/sign-out');
  const headers = { cookie: `radar_session=${token}` };
  expect((await sendRequest(admin.origin, { path: '/admin/audit', headers })).status).toBe(303);
});

test('a form without its token, or from another site, changes nothing', async () => {
  const browser = await admin.signIn();
  const fields = { name: 'A feed', url: 'https://a.example/feed', kind: 'feed', intent: 'save' };
  expect((await browser.post('/admin/sources/add', fields)).status).toBe(403);
  const otherBrowser = await admin.signIn();
  const { token = '' } = readFormFields(
    (await otherBrowser.get('/admin/sources/add')).text,
    '/admin/sources/add',
  );
  expect((await browser.post('/admin/sources/add', { ...fields, token })).status).toBe(403);
  const cookie = `radar_session=${browser.cookies.get('radar_session')}`;
  const headers = { ...formHeaders, cookie, 'sec-fetch-site': 'cross-site' };
  const request = { method: 'POST', path: '/admin/sign-out', headers, body: `token=${token}` };
  expect((await sendRequest(admin.origin, request)).status).toBe(403);
  expect((await browser.get('/admin/sources')).text).toContain('No sources yet');
});

test('a sign-in form belongs to the visitor who loaded it', async () => {
  const page = await admin.browser().get('/admin/sign-in');
  const copiedForm = { ...readFormFields(page.text, '/admin/sign-in'), password: admin.password };
  const refusal = await admin.browser().post('/admin/sign-in', copiedForm);
  expect(refusal.status).toBe(403);
  expect(refusal.headers['set-cookie']?.join()).not.toContain('radar_session');
});

test('delays password guesses by address, including the correct password', async () => {
  admin.setClock(TEST_NOW + 2 * SESSION_MS);
  const browser = admin.browser();
  const guessPassword = (password: string) =>
    browser.submit('/admin/sign-in', '/admin/sign-in', { password, name: 'Ada' });
  for (let tries = 0; tries < 5; tries += 1) {
    const rejection = await guessPassword(`not it ${tries}`);
    expect(rejection.status).toBe(401);
    expect(rejection.text).toContain('The name or the password is wrong.');
    expect(rejection.text).toContain('value="Ada"');
  }
  const limitedResponse = await guessPassword(admin.password);
  expect(limitedResponse.status).toBe(429);
  expect(limitedResponse.headers['retry-after']).toBe('20');
  admin.setClock(TEST_NOW + 2 * SESSION_MS + MINUTE_MS);
  expect((await guessPassword(admin.password)).text).toContain('Signed in as Ada');
});

test('a new password ends every session of its operator', async () => {
  admin.setClock(TEST_NOW + 3 * SESSION_MS);
  const browser = await admin.signIn();
  const { id = '' } = (await findOperatorAccount(admin.db, 'Ada')) ?? {};
  const setPassword = (password: string) =>
    setOperatorPassword(admin.world, admin.db, { id, password, session: null, by: SHELL });
  expect(await setPassword('short')).toEqual({
    kind: 'invalid',
    problems: ['short', 'common'],
  });
  expect((await browser.get('/admin/sources')).status).toBe(200);
  expect(await setPassword('a longer password')).toEqual({
    kind: 'set',
  });
  expect((await browser.get('/admin/sources')).status).toBe(303);
});

test('keeps submitted text when a session ends, and sends it after the next sign-in', async () => {
  admin.setClock(TEST_NOW + 4 * SESSION_MS);
  const password = 'a longer password';
  const browser = admin.browser();
  const signIn = (password: string, otherFields: Record<string, string> = {}) =>
    browser.post('/admin/sign-in', { ...otherFields, password: password, name: 'Ada' });
  const firstSession = readFormFields((await browser.get('/admin/sign-in')).text, '/admin/sign-in');
  await signIn(password, firstSession);
  const addPath = '/admin/sources/add';
  const formFields = readFormFields((await browser.get(addPath)).text, addPath);
  admin.setClock(TEST_NOW + 5 * SESSION_MS);
  const formInput = {
    ...formFields,
    url: 'https://a.example/feed',
    name: 'A <b>feed',
    intent: 'save',
  };
  const endedPage = await browser.post(addPath, formInput);
  expect(endedPage.status).toBe(401);
  expect(endedPage.text).toContain('Your input was kept: sign in, and then submit it.');
  const rejection = await signIn('not it', readFormFields(endedPage.text, '/admin/sign-in'));
  expect(rejection.status).toBe(401);
  const repeatedSignIn = await signIn(password, readFormFields(rejection.text, '/admin/sign-in'));
  expect(repeatedSignIn.status).toBe(200);
  expect(repeatedSignIn.text).toContain('<dd>A &lt;b&gt;feed</dd>');
  expect((await browser.get('/admin/sources')).text).toContain('No sources yet');
  const savedFields = readFormFields(repeatedSignIn.text, addPath);
  expect({ ...savedFields, token: '' }).toEqual({ ...formInput, token: '' });
  const response = await browser.post(addPath, savedFields);
  expect(response.headers.location).toBe('/admin/sources/a-b-feed?done=add');
});

test('the sign-in form keeps no secret, no sign-out and no address of another site', async () => {
  const signedOutPage = await admin.browser().post('/admin/sign-out', { note: 'x' });
  expect([signedOutPage.status, signedOutPage.text.includes('name="kept"')]).toEqual([401, false]);
  const page = await admin.browser().post('/admin/items/x/correct', { title: 'T', password: 'p' });
  expect(readFormFields(page.text, '/admin/sign-in').kept).toBe('title=T');
  for (const [path, fields] of [
    ['password', { current: 'p', password: 'p' }],
    ['codes', { current: 'p', code: '1', sealed: 'p' }],
    ['codes/off', { off: 'p' }],
    ['codes/renew', { renew: 'p' }],
  ] as const) {
    const response = await admin.browser().post(`/admin/profile/${path}`, fields);
    expect([path, readFormFields(response.text, '/admin/sign-in').kept]).toEqual([path, '']);
  }
  const setupResponse = await admin.browser().post('/admin/setup', { name: 'T', modelKey: 'p' });
  expect(readFormFields(setupResponse.text, '/admin/sign-in').kept).toBe('name=T');
  const browser = admin.browser();
  const form = readFormFields((await browser.get('/admin/sign-in')).text, '/admin/sign-in');
  const fields = {
    ...form,
    at: 'https://evil.example/',
    kept: 'a=b',
    name: 'Ada',
    password: 'a longer password',
  };
  const signedInResponse = await browser.post('/admin/sign-in', fields);
  expect(signedInResponse.text).toContain('action="/admin"');
});

test('an idle session ends, and a used session continues', async () => {
  const { world, db } = admin;
  const sessions = await openOperatorSessions(world, db, { idleMs: 30 * MINUTE_MS });
  const signedInAt = world.clock.now();
  const token = await sessions.signInAsOwner();
  for (const minutes of [20, 40, 60]) {
    admin.setClock(signedInAt + minutes * MINUTE_MS);
    expect(await sessions.read(token, '127.0.0.1')).not.toBeNull();
  }
  admin.setClock(signedInAt + 90 * MINUTE_MS);
  expect(await sessions.read(token, '127.0.0.1')).toBeNull();
  const unlimitedSession = await openOperatorSessions(world, db);
  expect(await unlimitedSession.read(token, '127.0.0.1')).not.toBeNull();
});
