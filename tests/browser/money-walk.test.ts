// A customer's first payment in a browser: a top-up at the demonstration's checkout, the balance, a
// paid call from the catalog, and its bill.
import axe from 'axe-core';
import { afterAll, expect, test } from 'vitest';
import {
  checkoutKey,
  checkoutSecret,
  openCheckoutServer,
} from '../../demo/upstream/checkout/open-checkout-server.ts';
import { openUpstream } from '../../demo/upstream/open-upstream.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { openTestConsole, type TestConsole } from '../console/test-console.ts';
import { desktop, hasBrowser, openTestBrowser, phone, type Tab } from '../support/browser.ts';
import { json } from '../support/http-request.ts';
import { testWorld } from '../support/test-world.ts';

const browser = openTestBrowser();
const upstream = await openUpstream();
afterAll(() => upstream.close());
let currentConsole: TestConsole | null = null;
const checkout = await openCheckoutServer({
  webhookUrl: () => (currentConsole === null ? null : `${currentConsole.origin}/webhooks/stripe`),
  clock: { now: () => currentConsole?.clock.now() ?? 0, sleep: async () => {} },
  retryMs: 0,
  slowMs: 0,
});
afterAll(() => checkout.close());

const storedMedia = { token: 'kept', url: '', mimeType: 'image/png', byteLength: 8 } as const;
const mediaStore = {
  store: async () => storedMedia,
  find: async () => null,
  deleteExpired: async () => 0,
};

async function openApp(): Promise<TestConsole> {
  const providers = providersSchema.parse(upstream.config);
  const capabilities = openCapabilities(testWorld().world, providers, mediaStore);
  const checkoutConfig = { url: checkout.url, key: checkoutKey, webhookSecrets: [checkoutSecret] };
  const app = await openTestConsole({ capabilities, topUps: { checkout: checkoutConfig } });
  currentConsole = app;
  return app;
}

async function signIn(tab: Tab, { origin }: TestConsole): Promise<void> {
  await tab.goto(`${origin}/console/sign-in`);
  await tab.fill('[name="email"]', 'customer-1@example.com');
  await tab.fill('[name="password"]', 'password 1 of a test');
  await tab.click('main button');
  await tab.waitForURL(/\/console$/);
}

/** Waits for the page after a click, because the page can arrive after the click has ended. */
async function expectText(tab: Tab, selector: string, words: string | RegExp): Promise<void> {
  const text = expect.poll(() => tab.innerText(selector));
  await (typeof words === 'string' ? text.toContain(words) : text.toMatch(words));
}

/**
 * The checkout redirects to the public address of the site. A test replaces this address by the
 * address of its own server.
 */
function redirectCheckoutTo({ origin }: TestConsole): void {
  for (const session of checkout.sessions.values()) {
    const { pathname, search } = new URL(session.successUrl);
    Object.assign(session, { successUrl: `${origin}${pathname}${search}` });
  }
}

test.skipIf(!hasBrowser)(
  'a customer tops up, sees the balance, makes a paid call and reads the bill',
  async () => {
    const app = await openApp();
    const tab = await browser.open(desktop);
    await signIn(tab, app);
    await tab.click('nav >> text=Wallet');
    await expectText(tab, '.sums', '¥0.00');
    await tab.click('text=Top up');
    await tab.fill('[name="amount"]', '8');
    await tab.click('text=Continue to payment');
    await expectText(tab, '.error', 'from ¥10.00 to ¥50,000.00');
    expect(await tab.inputValue('[name="amount"]')).toBe('8');
    await tab.click('button:text-is("¥50")');
    await tab.waitForURL(({ origin }) => origin === checkout.url);
    redirectCheckoutTo(app);
    app.clock.advance(1_000);
    await tab.click('text=Decline the card');
    await expectText(tab, '[role="alert"]', 'Nothing was paid');
    await tab.click('text=Pay now');
    await tab.waitForURL(/from=checkout/);
    await checkout.webhooks.idle();
    app.clock.advance(1_000);
    await tab.reload();
    await expectText(tab, 'h1', '¥50.00 was added');
    await tab.click('main >> text=To the wallet');
    await expectText(tab, '.sums', '¥50.00');

    await tab.click('nav >> text=Catalog');
    await tab.click('article:has-text("Social data") >> text=Try it');
    await tab.fill('[name="keyword"]', 'models');
    await tab.click('text=Update the examples');
    await expectText(tab, '.samples', '"keyword":"models"');
    await tab.click('button:has-text("Send: ¥0.036")');
    await expectText(tab, '.result', '¥0.036 was charged');
    await tab.click('text=See the call');
    await expectText(tab, 'main', '¥0.036 a call × 1 call = ¥0.036');
    await expectText(tab, 'tfoot', /Total\s+¥0\.036\s+¥0\.036\s+¥0\.00/);
    await tab.click('nav >> text=Transactions');
    await expectText(tab, 'main', /Social data[\s\S]*−¥0\.036[\s\S]*Top-up[\s\S]*\+¥50\.00/);
    await tab.click('nav >> text=Usage');
    const chart = () => tab.getAttribute('.plot:last-child svg', 'aria-label');
    await expect.poll(chart).toBe('1 call in 30 days, bar by bar');
    // The browser logs the status of both refusals: an amount below the minimum, a declined card.
    expect(tab.complaints.filter((complaint) => !/status of 40[02]/.test(complaint))).toEqual([]);
  },
);

const pages = [
  ...['/console/wallet', '/console/top-up', '/console/transactions', '/console/calls'],
  ...['/console/usage', '/console/usage?by=capability', '/console/catalog'],
  ...['/console/catalog/social', '/console/catalog/transcribe', '/console/catalog/chat'],
  ...['/console/catalog/ocr', '/console/statements', '/console/models'],
  ...['/prices', '/prices?social=1000', '/prices?social=-1', '/status'],
];

test.skipIf(!hasBrowser)('pages about money fit on a phone', async () => {
  const app = await openApp();
  const tab = await browser.open(phone);
  await signIn(tab, app);
  for (const keyword of ['first', 'second']) {
    const body = { platform: 'youtube', action: 'search', params: { keyword } };
    const callBody = json(await app.call('social', body)) as { request_id: string };
    pages.push(`/console/calls/${callBody.request_id}`);
  }
  for (const path of pages) {
    await tab.goto(app.origin + path, { waitUntil: 'load' });
    expect([path, await tab.evaluate('inPage.measureLayout()')]).toEqual([
      path,
      { shifted: 0, overflow: 0 },
    ]);
    await tab.evaluate(axe.source);
    expect([path, await tab.evaluate('inPage.violations()')]).toEqual([path, []]);
  }
  // The calculator refuses a negative number.
  expect(tab.complaints.filter((text) => !/\b400\b/.test(text))).toEqual([]);
});
