// The console's layout: access, the switches for mode and language, and requests that are refused
// before any change.
import { expect, test } from 'vitest';
import { readFormFields } from '../../support/form-browser.ts';
import { sendRequest } from '../../support/http-request.ts';
import { openTestConsole } from '../test-console.ts';

const testConsole = await openTestConsole();

test('the gateway’s address opens the console, and a sign-in the requested page', async () => {
  const home = await sendRequest(testConsole.origin, { path: '/' });
  expect([home.status, home.headers.location]).toEqual([302, '/console']);
  const browser = testConsole.browser();
  const refusal = await browser.get('/console/nothing?a=b');
  expect(refusal.headers.location).toBe('/console/sign-in?to=%2Fconsole%2Fnothing%3Fa%3Db');
  const page = await browser.get(refusal.headers.location ?? '');
  expect(page.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex, nofollow',
    'x-frame-options': 'DENY',
  });
  expect(page.headers['access-control-allow-origin']).toBeUndefined();
  const signedInResponse = await browser.post('/console/sign-in', {
    ...readFormFields(page.text, '/console/sign-in'),
    email: ' Customer-1@Example.com',
    password: 'password 1 of a test',
  });
  expect(signedInResponse.headers.location).toBe('/console/nothing?a=b');
  expect(signedInResponse.headers['set-cookie']?.at(-2)).toMatch(
    /^gateway_session=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  );
  const missingPage = await browser.get('/console/nothing');
  expect([missingPage.status, missingPage.text.includes('There is no such page.')]).toEqual([
    404,
    true,
  ]);
});

test('removes U+0000 from fields and queries', async () => {
  const browser = await testConsole.signIn();
  expect((await browser.get('/console/calls?capability=%00')).status).toBe(200);
  expect((await browser.get('/console/calls/a%00b')).status).toBe(404);
  const form = '/console/keys/new';
  expect((await browser.submit(form, form, { name: 'Har\0bour' })).status).toBe(200);
  expect((await browser.get('/console/keys')).text).toContain('Harbour');
});

test('the console redirects only to its own pages', async () => {
  for (const target of [
    'https://evil.example',
    '//evil.example',
    '/console\\..//evil',
    '/consoles',
  ]) {
    const page = await testConsole
      .browser()
      .get(`/console/sign-in?${new URLSearchParams({ to: target })}`);
    expect(page.text).toContain('name="to" value="/console"');
  }
});

test('the API ignores a session cookie', async () => {
  const browser = await testConsole.signIn();
  expect((await browser.get('/api/v1/account')).status).toBe(401);
});

test('keeps test mode for the session and shows it on every page', async () => {
  const browser = await testConsole.signIn();
  expect((await browser.get('/console')).text).not.toContain('Test mode.');
  const switchedPage = await browser.submit('/console', '/console/mode', { livemode: 'false' });
  expect(switchedPage.text).toContain('Test mode. Nothing here costs money');
  for (const page of ['', '/keys', '/calls', '/usage', '/wallet', '/account']) {
    expect((await browser.get(`/console${page}`)).text, page).toContain('Test mode.');
  }
  expect((await (await testConsole.signIn()).get('/console')).text).not.toContain('Test mode.');
  await browser.submit('/console', '/console/mode', { livemode: 'true' });
  expect((await browser.get('/console')).text).not.toContain('Test mode.');
});

test('changes the language of the sign-in page, and keeps the language of an account', async () => {
  const browser = testConsole.browser();
  const chosenPage = await browser.submit('/console/sign-in', '/console/language', {
    language: 'zh-CN',
  });
  expect(chosenPage.text).toContain('<html lang="zh-CN">');
  expect(chosenPage.text).toContain('<h1>登录</h1>');
  const signedInBrowser = await testConsole.signIn();
  await signedInBrowser.submit('/console', '/console/language', { language: 'zh-CN' });
  expect((await (await testConsole.signIn()).get('/console')).text).toContain(
    '<html lang="zh-CN">',
  );
  await signedInBrowser.submit('/console', '/console/language', { language: 'en' });
});

test('a form without its token, or from another session or site, changes nothing', async () => {
  const browser = await testConsole.signIn();
  const fields = { livemode: 'false', to: '/console' };
  expect((await browser.post('/console/mode', fields)).status).toBe(403);
  const { token = '' } = readFormFields(
    (await (await testConsole.signIn()).get('/console')).text,
    '/console/mode',
  );
  expect((await browser.post('/console/mode', { ...fields, token })).status).toBe(403);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    cookie: `gateway_session=${browser.cookies.get('gateway_session')}`,
    'sec-fetch-site': 'cross-site',
  };
  const request = { method: 'POST', path: '/console/sign-out', headers, body: 'token=x' };
  expect((await sendRequest(testConsole.origin, request)).status).toBe(403);
  expect((await browser.get('/console')).text).not.toContain('Test mode.');
});

test('a form without its session changes nothing and links back to its page', async () => {
  const browser = await testConsole.signIn();
  const NEW = '/console/keys/new';
  const form = {
    ...readFormFields((await browser.get(`${NEW}?kind=ak`)).text, NEW),
    name: 'Typed',
  };
  const refererHeader = { referer: `http://gateway.example${NEW}?kind=ak` };
  const visitor = testConsole.browser(refererHeader);
  const endedPage = await visitor.post(NEW, form);
  expect(endedPage.status).toBe(401);
  expect(endedPage.text).toMatch(/role="alert"[^>]*data-kept>[^<]*<p>Your session has ended/);
  expect(endedPage.text).toContain(`name="to" value="${NEW}?kind=ak"`);
  // Without a Referer, or with a Referer of another site, the link opens the nearest page above.
  for (const headers of [{}, { referer: 'https://evil.example/console' }]) {
    const visitorPage = await testConsole.browser(headers).post('/console/keys/key_1/revoke', form);
    expect(visitorPage.text).toContain(
      `value="/console${'referer' in headers ? '' : '/keys/key_1'}"`,
    );
  }
  // A new sign-in in another tab ends the session of the old form.
  const newSession = await testConsole.signIn();
  const staleResponse = await newSession.post(NEW, form);
  expect(staleResponse.status).toBe(403);
  expect(staleResponse.text).toContain(`href="${NEW}" data-kept>Back to the form</a>`);
  expect((await newSession.get('/console/keys')).text).not.toContain('Typed');
});

test('signing out ends the session itself, not only its cookie', async () => {
  const browser = await testConsole.signIn();
  const cookie = `gateway_session=${browser.cookies.get('gateway_session')}`;
  await browser.submit('/console', '/console/sign-out');
  expect(browser.cookies.get('gateway_session')).toBeUndefined();
  const response = await sendRequest(testConsole.origin, { path: '/console', headers: { cookie } });
  expect(response.headers.location).toBe('/console/sign-in');
});

test('over https the cookies are Secure and bound to the host', async () => {
  const secureConsole = await openTestConsole({ url: 'https://gateway.example' });
  const signedInBrowser = await secureConsole.signIn();
  expect([...signedInBrowser.cookies.keys()].sort()).toEqual([
    '__Host-gateway_browser',
    '__Host-gateway_session',
    '__Host-gateway_visitor',
  ]);
});

test('a page is compressed, and the response to a form is not', async () => {
  const headers = { 'accept-encoding': 'gzip, br' };
  const path = '/console/sign-in';
  const page = await sendRequest(testConsole.origin, { path, headers });
  expect([page.headers['content-encoding'], page.headers.vary]).toEqual(['br', 'Accept-Encoding']);
  expect(page.text).toContain('</html>');
  const uncompressed = await sendRequest(testConsole.origin, { path });
  expect(uncompressed.headers['content-encoding']).toBeUndefined();
  expect(page.bytes.length).toBeLessThan(uncompressed.bytes.length / 2);
  const form = { email: 'nobody@example.com', password: 'wrong' };
  const browser = testConsole.browser(headers);
  const refusal = await browser.submit(path, path, form);
  expect([refusal.status, refusal.headers['content-encoding']]).toEqual([401, undefined]);
});

test('limits the pages of one address, with a page in the language of the visitor', async () => {
  const limitedConsole = await openTestConsole({ rate: { perSecond: 0.5, burst: 3 } });
  const browserAt = (address: string) => limitedConsole.browser({ 'x-forwarded-for': address });
  const browser = browserAt('198.51.100.7');
  await browser.submit('/console/prices', '/console/language', { language: 'zh-CN' });
  const refusedPage = await browser.get('/console/sign-in');
  expect([refusedPage.status, refusedPage.headers['retry-after']]).toEqual([429, '2']);
  expect(refusedPage.text).toContain('请求过多，请在 2 秒后再试。');
  expect((await browserAt('198.51.100.8').get('/console/sign-in')).status).toBe(200);
  limitedConsole.clock.advance(2_000);
  expect((await browser.get('/console/sign-in')).status).toBe(200);
});
