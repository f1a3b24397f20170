// The console in a real browser: every page in both languages, wide and narrow. The test also
// follows the path from sign-up to a first call with a copied key.
import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { openTestConsole, type TestConsole } from '../console/test-console.ts';
import {
  desktop,
  hasBrowser,
  narrowPhone,
  openTestBrowser,
  phone,
  type Tab,
} from '../support/browser.ts';
import { pagesOverMaximum } from '../support/cold-bytes.ts';
import { readFormFields } from '../support/form-browser.ts';
import { sendRequest } from '../support/http-request.ts';

const cleanLayout = { shifted: 0, overflow: 0 };
const english = await openTestConsole();
const chinese = await openTestConsole({ language: 'zh-CN' });
const browser = openTestBrowser();

async function signIn(tab: Tab, app: TestConsole): Promise<void> {
  app.clock.advance(60_000);
  await tab.goto(`${app.origin}/console/sign-in`);
  await tab.fill('[name=email]', 'customer-1@example.com');
  await tab.fill('[name=password]', 'password 1 of a test');
  await tab.press('[name=password]', 'Enter');
  await tab.waitForURL('**/console');
}

async function expectCleanPage(tab: Tab, path: string): Promise<void> {
  expect([path, await tab.evaluate('inPage.measureLayout()')]).toEqual([path, cleanLayout]);
  await tab.evaluate(axe.source);
  expect([path, await tab.evaluate('inPage.violations()')]).toEqual([path, []]);
  const isTouch = await tab.evaluate("matchMedia('(pointer: coarse)').matches");
  const lowTargets = isTouch ? await tab.evaluate('inPage.lowTargets()') : [];
  expect([path, lowTargets]).toEqual([path, []]);
}

const visitorPaths = [
  ...['/sign-up', '/sign-up/sent', '/sign-in', '/reset', '/new-address?token=x'],
  ...['/prices', '/prices?social=1000&transcribe=60', '/status'],
];

const customerPaths = [
  ...['', '/keys', '/keys/new?kind=sk', '/keys/new?kind=ak'],
  ...['/budgets', '/account', '/account/delete', '/account/one-time-codes'],
  ...['/wallet', '/top-up', '/transactions', '/statements', '/calls', '/usage'],
  ...['/usage?by=capability', '/catalog', '/models', '/webhooks', '/account/security-log'],
];

describe.skipIf(!hasBrowser)('every page of the console', () => {
  test.each([
    ['English, desktop, light', english, desktop],
    ['Chinese, phone, dark', chinese, phone],
    ['English, 320 pixels', english, narrowPhone],
  ] as const)('has no shift, overflow or axe violation: %s', async (_name, app, appearance) => {
    const tab = await browser.open(appearance, { hasTouch: appearance === phone });
    for (const path of visitorPaths) {
      await tab.goto(`${app.origin}/console${path}`, { waitUntil: 'load' });
      await expectCleanPage(tab, path);
    }
    await signIn(tab, app);
    const key = /key_\w+/.exec(
      (await (await tab.goto(`${app.origin}/console/keys`))?.text()) ?? '',
    );
    for (const path of [...customerPaths, `/keys/${key?.[0]}`, `/keys/${key?.[0]}/edit`]) {
      await tab.goto(`${app.origin}/console${path}`, { waitUntil: 'load' });
      await expectCleanPage(tab, path);
    }
    await tab.click('.mode button[value="false"]');
    await tab.waitForSelector('.test-mode');
    await expectCleanPage(tab, 'test mode');
    expect(tab.complaints).toEqual([]);
  });

  test('loads at most 70 KB at a first visit', async () => {
    const tab = await browser.open(desktop);
    const { origin } = english;
    const addresses = (paths: readonly string[]) => paths.map((path) => `${origin}/console${path}`);
    const visitorPages = [...addresses(visitorPaths), `${origin}/status`, `${origin}/nothing`];
    expect(await pagesOverMaximum(tab, visitorPages)).toEqual([]);
    await signIn(tab, english);
    expect(await pagesOverMaximum(tab, addresses(customerPaths))).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('a customer', () => {
  test('gets back a form after the session expired and a new sign-in', async () => {
    const tab = await browser.open(desktop);
    await signIn(tab, english);
    const form = `${english.origin}/console/keys/new?kind=ak`;
    await tab.goto(form);
    await tab.fill('[name=name]', 'Typed before');
    await tab.click('details.limits summary');
    await tab.check('[name=scope][value=search]');
    await tab.context().clearCookies({ name: 'gateway_session' });
    await tab.getByRole('button', { name: 'Create the key' }).click();
    await tab.getByText('Your session has ended').waitFor();
    await tab.fill('[name=email]', 'customer-1@example.com');
    await tab.fill('[name=password]', 'password 1 of a test');
    await tab.press('[name=password]', 'Enter');
    await tab.waitForURL(form);
    expect(await tab.inputValue('[name=name]')).toBe('Typed before');
    expect(await tab.isChecked('[name=scope][value=search]')).toBe(true);
    await tab.reload();
    expect(await tab.inputValue('[name=name]')).toBe('');
  });

  test('leaves no password in the storage of the browser', async () => {
    const tab = await browser.open(desktop);
    await signIn(tab, english);
    await tab.goto(`${english.origin}/console/account`);
    await tab.click('details summary');
    await tab.fill('[name=address]', 'new@example.com');
    await tab.fill('[name=confirm]', 'a secret of mine');
    // A script stores the fields when the form is sent. The next page would delete them, so the
    // test stops the form.
    const storedText = await tab.evaluate(`new Promise((resolve) => {
      const form = document.querySelector('[name=confirm]').form;
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        resolve(JSON.stringify({ ...sessionStorage, ...localStorage }));
      });
      form.requestSubmit();
    })`);
    expect(storedText).toContain('new@example.com');
    expect(storedText).not.toContain('a secret of mine');
    const { token } = readFormFields(await tab.content(), '/console/sign-out');
    expect(token?.length).toBe(86);
    expect(storedText).not.toContain(token);
  });

  test('signs up, creates a key and calls with the copied example', async () => {
    const tab = await browser.open(desktop);
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.goto(`${english.origin}/`);
    await tab.getByRole('link', { name: 'Sign up' }).click();
    await tab.getByLabel('E-mail address').fill('grace@example.com');
    await tab.getByLabel('Password').fill('a dozen letters');
    await tab.getByRole('button', { name: 'Sign up' }).click();
    await tab.waitForURL('**/console');
    expect(await tab.locator('h1').textContent()).toBe('Your first call');
    await tab.getByRole('button', { name: 'Test', exact: true }).click();
    await tab.waitForSelector('.test-mode');
    await tab.getByRole('link', { name: 'Create an API key' }).click();
    await tab.getByLabel('Name').fill('My laptop');
    await tab.getByRole('button', { name: 'Create the key' }).click();
    await tab.waitForSelector('.the-key');
    const copiedKey = tab.evaluate("inPage.waitForText('.the-key .copy', 'Copied')");
    await tab.locator('.the-key .copy').click();
    await copiedKey;
    const key = String(await tab.evaluate('navigator.clipboard.readText()'));
    expect(key).toMatch(/^sk-test-[a-z2-7]{38}$/);
    const curl = (await tab.locator('.example code').nth(1).textContent()) ?? '';
    expect(curl).toContain(`Bearer ${key}`);
    const callResponse = await english.call('paid', { text: 'x' }, { key });
    expect(callResponse.status).toBe(200);

    // The key disappears when the page is left, so going back does not show it again.
    await tab.getByRole('link', { name: 'I have copied it' }).click();
    await tab.waitForURL('**/console/keys');
    expect(await tab.content()).not.toContain(key);
    await tab.goBack().catch((error) => expect(String(error)).toContain('ERR_CACHE_MISS'));
    const pageContent = () => tab.content().catch(() => 'still navigating');
    await expect.poll(pageContent).not.toBe('still navigating');
    expect(await pageContent()).not.toContain(key);
    expect(tab.complaints).toEqual([]);
  });

  test('signs up, reads an error and signs out without scripts', async () => {
    const tab = await browser.open(phone, { javaScriptEnabled: false });
    await tab.goto(`${english.origin}/console/sign-up`);
    await tab.fill('[name=email]', 'hopper@example.com');
    await tab.fill('[name=password]', 'too short');
    await tab.getByRole('button', { name: 'Sign up' }).click();
    expect(await tab.locator('#e-password').textContent()).toMatch(
      /^A password has 10 to 200 characters\. .*Use four words/,
    );
    expect(await tab.inputValue('[name=email]')).toBe('hopper@example.com');
    await tab.fill('[name=password]', 'long enough now');
    await tab.getByRole('button', { name: 'Sign up' }).click();
    await tab.waitForURL('**/console');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.waitForURL('**/console/sign-in');
    expect((await sendRequest(english.origin, { path: '/console' })).status).toBe(303);
  });
});
