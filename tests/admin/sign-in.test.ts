// Sign-in to the admin area: accepted passwords, the session's lifetime, and requests that are
// refused before anything changes.
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { SHELL } from '../../src/operators/audit-log.ts';
import { findOperatorAccount, setOperatorPassword } from '../../src/operators/operators.ts';
import { openOperatorSessions, SESSION_MS } from '../../src/operators/sessions.ts';
import { formIn } from '../support/form-browser.ts';
import { sendRequest } from '../support/http-request.ts';
import { TEST_NOW } from '../support/test-world.ts';
import { openTestAdmin } from './admin-session.ts';

const admin = await openTestAdmin();
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('an operator page requires sign-in, and opens after it', async () => {
  const browser = admin.browser();
  const refusal = await browser.get('/admin/items?q=x');
  expect(refusal.status).toBe(303);
  expect(refusal.headers.location).toBe('/admin/sign-in?to=%2Fadmin%2Fitems%3Fq%3Dx');
  const page = await browser.get(refusal.headers.location ?? '');
  expect(page.status).toBe(200);
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers['x-robots-tag']).toBe('noindex, nofollow');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  const signed = await browser.post('/admin/sign-in', {
    ...formIn(page.text, '/admin/sign-in'),
    password: admin.password,
  });
  expect(signed.headers.location).toBe('/admin/items?q=x');
  expect(signed.headers['set-cookie']?.[0]).toMatch(
    /^radar_session=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/,
  );
  expect((await browser.get('/admin/items')).status).toBe(200);
});

test('over https the cookie is Secure and bound to the host', async () => {
  const secure = await openTestAdmin({ url: 'https://radar.example' });
  const browser = secure.browser();
  const page = await browser.get('/admin/sign-in');
  expect(page.headers['set-cookie']?.[0]).toMatch(
    /^__Host-radar_visitor=\S+; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
  );
  const signed = await secure.signIn();
  expect([...signed.cookies.keys()]).toContain('__Host-radar_session');
});

test('the operator area redirects only to its own pages', async () => {
  for (const to of [
    ...['https://evil.example/', '//evil.example', '/admin\\..//evil', '/items'],
    ...['/administrators', '/admin/<b>', '/admin/x\r\nset-cookie: a=b', '/admin/x#y'],
  ]) {
    const page = await admin.browser().get(`/admin/sign-in?${new URLSearchParams({ to })}`);
    expect(page.text).toContain('name="to" value="/admin"');
  }
});

test('a session ends when it expires and at sign-out', async () => {
  const browser = await admin.signIn();
  const since = admin.world.clock.now();
  admin.setClock(since + SESSION_MS - 1);
  expect((await browser.get('/admin/audit')).status).toBe(200);
  const other = await admin.signIn();
  admin.setClock(since + SESSION_MS);
  expect((await browser.get('/admin/audit')).status).toBe(303);
  const token = other.cookies.get('radar_session');
  await other.submit('/admin/audit', '/admin/sign-out');
  const headers = { cookie: `radar_session=${token}` };
  expect((await sendRequest(admin.origin, { path: '/admin/audit', headers })).status).toBe(303);
});

test('a form without its token, or from another site, changes nothing', async () => {
  const browser = await admin.signIn();
  const fields = { name: 'A feed', url: 'https://a.example/feed', kind: 'feed', intent: 'save' };
  expect((await browser.post('/admin/sources/add', fields)).status).toBe(403);
  const other = await admin.signIn();
  const { token = '' } = formIn((await other.get('/admin/sources/add')).text, '/admin/sources/add');
  expect((await browser.post('/admin/sources/add', { ...fields, token })).status).toBe(403);
  const cookie = `radar_session=${browser.cookies.get('radar_session')}`;
  const headers = { ...form, cookie, 'sec-fetch-site': 'cross-site' };
  const request = { method: 'POST', path: '/admin/sign-out', headers, body: `token=${token}` };
  expect((await sendRequest(admin.origin, request)).status).toBe(403);
  expect((await browser.get('/admin/sources')).text).toContain('No sources yet');
});

test('a sign-in form belongs to the visitor who loaded it', async () => {
  const page = await admin.browser().get('/admin/sign-in');
  const stolen = { ...formIn(page.text, '/admin/sign-in'), password: admin.password };
  const refusal = await admin.browser().post('/admin/sign-in', stolen);
  expect(refusal.status).toBe(403);
  expect(refusal.headers['set-cookie']?.join()).not.toContain('radar_session');
});

test('delays password guesses by address, the correct password included', async () => {
  admin.setClock(TEST_NOW + 2 * SESSION_MS);
  const browser = admin.browser();
  const guess = (password: string) =>
    browser.submit('/admin/sign-in', '/admin/sign-in', { password, name: 'Ada' });
  for (let tries = 0; tries < 5; tries += 1) {
    const rejection = await guess(`not it ${tries}`);
    expect(rejection.status).toBe(401);
    expect(rejection.text).toContain('The name or the password is wrong.');
    expect(rejection.text).toContain('value="Ada"');
  }
  const limited = await guess(admin.password);
  expect(limited.status).toBe(429);
  expect(limited.headers['retry-after']).toBe('20');
  admin.setClock(TEST_NOW + 2 * SESSION_MS + MINUTE_MS);
  expect((await guess(admin.password)).text).toContain('Signed in as Ada');
});

test('a new password ends every session of its operator', async () => {
  admin.setClock(TEST_NOW + 3 * SESSION_MS);
  const browser = await admin.signIn();
  const { id = '' } = (await findOperatorAccount(admin.db, 'Ada')) ?? {};
  const set = (password: string) =>
    setOperatorPassword(admin.world, admin.db, { id, password, session: null, by: SHELL });
  expect(await set('short')).toEqual({
    kind: 'invalid',
    problems: ['short', 'common'],
  });
  expect((await browser.get('/admin/sources')).status).toBe(200);
  expect(await set('a longer password')).toEqual({
    kind: 'set',
  });
  expect((await browser.get('/admin/sources')).status).toBe(303);
});

test('typed text survives the end of a session and is sent after sign-in', async () => {
  admin.setClock(TEST_NOW + 4 * SESSION_MS);
  const password = 'a longer password';
  const browser = admin.browser();
  const signIn = (password: string, more: Record<string, string> = {}) =>
    browser.post('/admin/sign-in', { ...more, password: password, name: 'Ada' });
  const first = formIn((await browser.get('/admin/sign-in')).text, '/admin/sign-in');
  await signIn(password, first);
  const add = '/admin/sources/add';
  const formFields = formIn((await browser.get(add)).text, add);
  admin.setClock(TEST_NOW + 5 * SESSION_MS);
  const formInput = {
    ...formFields,
    url: 'https://a.example/feed',
    name: 'A <b>feed',
    intent: 'save',
  };
  const ended = await browser.post(add, formInput);
  expect(ended.status).toBe(401);
  expect(ended.text).toContain('Your input was kept: sign in, and then submit it.');
  const rejection = await signIn('not it', formIn(ended.text, '/admin/sign-in'));
  expect(rejection.status).toBe(401);
  const repeat = await signIn(password, formIn(rejection.text, '/admin/sign-in'));
  expect(repeat.status).toBe(200);
  expect(repeat.text).toContain('<dd>A &lt;b&gt;feed</dd>');
  expect((await browser.get('/admin/sources')).text).toContain('No sources yet');
  const savedFields = formIn(repeat.text, add);
  expect({ ...savedFields, token: '' }).toEqual({ ...formInput, token: '' });
  const response = await browser.post(add, savedFields);
  expect(response.headers.location).toBe('/admin/sources/a-b-feed?done=add');
});

test('stores nothing about a sign-out or for another site', async () => {
  const out = await admin.browser().post('/admin/sign-out', { note: 'x' });
  expect([out.status, out.text.includes('name="kept"')]).toEqual([401, false]);
  const page = await admin.browser().post('/admin/items/x/correct', { title: 'T', password: 'p' });
  expect(formIn(page.text, '/admin/sign-in').kept).toBe('title=T');
  for (const [path, fields] of [
    ['password', { current: 'p', password: 'p' }],
    ['codes', { current: 'p', code: '1', sealed: 'p' }],
    ['codes/off', { off: 'p' }],
    ['codes/renew', { renew: 'p' }],
  ] as const) {
    const response = await admin.browser().post(`/admin/profile/${path}`, fields);
    expect([path, formIn(response.text, '/admin/sign-in').kept]).toEqual([path, '']);
  }
  const setup = await admin.browser().post('/admin/setup', { name: 'T', modelKey: 'p' });
  expect(formIn(setup.text, '/admin/sign-in').kept).toBe('name=T');
  const browser = admin.browser();
  const form = formIn((await browser.get('/admin/sign-in')).text, '/admin/sign-in');
  const fields = {
    ...form,
    at: 'https://evil.example/',
    kept: 'a=b',
    name: 'Ada',
    password: 'a longer password',
  };
  const signed = await browser.post('/admin/sign-in', fields);
  expect(signed.text).toContain('action="/admin"');
});

test('an idle session ends, and a used one continues', async () => {
  const { world, db } = admin;
  const sessions = await openOperatorSessions(world, db, { idleMs: 30 * MINUTE_MS });
  const since = world.clock.now();
  const token = await sessions.signInAsOwner();
  for (const minutes of [20, 40, 60]) {
    admin.setClock(since + minutes * MINUTE_MS);
    expect(await sessions.read(token, '127.0.0.1')).not.toBeNull();
  }
  admin.setClock(since + 90 * MINUTE_MS);
  expect(await sessions.read(token, '127.0.0.1')).toBeNull();
  const unlimited = await openOperatorSessions(world, db);
  expect(await unlimited.read(token, '127.0.0.1')).not.toBeNull();
});
