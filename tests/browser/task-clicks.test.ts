// The tasks of readers, editors, customers and operators, and the number of clicks for each task.
// docs/measurements/pages.md lists these numbers.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkoutKey,
  checkoutSecret,
  openCheckoutServer,
} from '../../demo/upstream/checkout/open-checkout-server.ts';
import { openUpstream } from '../../demo/upstream/open-upstream.ts';
import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import { openCapabilities } from '../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../src/gateway/capabilities/providers-config.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/time/durations.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { dailyOf } from '../../src/radar/reports/report-periods.ts';
import { writeReport } from '../../src/radar/reports/write-reports.ts';
import { listSources } from '../../src/radar/sources/list-sources.ts';
import { openTestAdmin } from '../admin/admin-session.ts';
import { openTestConsole } from '../console/test-console.ts';
import { openTestAdmin as openGatewayAdmin } from '../operators/test-admin.ts';
import { desktop, hasBrowser, openTestBrowser, type Tab } from '../support/browser.ts';
import { countClicks } from '../support/click-count.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openReaderRadar, STORY } from '../support/reader-radar.ts';
import { testWorld } from '../support/test-world.ts';

const browser = openTestBrowser();
const reader = await openReaderRadar();
const admin = await openTestAdmin();
const gateway = await openGatewayAdmin({ costs: { paid: '0.01' } });
const upstream = await openUpstream();
afterAll(() => upstream.close());
const storedMedia = { token: 'kept', url: '', mimeType: 'image/png', byteLength: 8 } as const;
const mediaStore = {
  store: async () => storedMedia,
  find: async () => null,
  deleteExpired: async () => 0,
};
const checkout = await openCheckoutServer({
  webhookUrl: () => null,
  clock: { now: () => gateway.clock.now(), sleep: async () => {} },
  retryMs: 0,
  slowMs: 0,
});
afterAll(() => checkout.close());
const customers = await openTestConsole({
  topUps: { checkout: { url: checkout.url, key: checkoutKey, webhookSecrets: [checkoutSecret] } },
  capabilities: openCapabilities(
    testWorld().world,
    providersSchema.parse(upstream.config),
    mediaStore,
  ),
});
const feeds = await openLoopbackSite();
let itemId = '';

beforeAll(async () => {
  const publisher = openStoryPublisher(admin.world, admin.db);
  await publisher.addSource({ id: 'wire', name: 'The Wire', tier: 'T1' });
  const publishedAt = admin.world.clock.now() - HOUR_MS;
  const lensReport = {
    source: 'wire',
    title: 'Orrery ships a lens',
    story: 'story-a',
    at: publishedAt,
  };
  itemId = await publisher.publish(lensReport);
  await publisher.publish({ ...lensReport, title: 'A lens by Orrery', at: publishedAt + 1 });
  const courtReport = { source: 'wire', title: 'Court fines Tidewater', story: 'story-b' };
  await publisher.publish({ ...courtReport, at: publishedAt + 2 });
  // Two stories with two sources each, which is enough for the ranking.
  await publisher.addSource({ id: 'ledger', name: 'The Ledger' });
  for (const [story, title, time] of [
    ['story-bridge', 'Halden opens a bridge', publishedAt + 3],
    ['story-ferry', 'Quillon ends a ferry line', publishedAt + 5],
  ] as const) {
    await publisher.publish({ source: 'wire', title, story, at: time });
    await publisher.publish({ source: 'ledger', title: `${title} today`, story, at: time + 1 });
  }
  await computeRanking(admin.world, admin.db, await readRankingRules('editorial'));
  const { categories } = await readEditorial('editorial');
  const context = await openReportContext('editorial', { language: 'en', categories });
  await writeReport(admin.world, admin.db, context, dailyOf('2026-08-23'));
  const newsLink =
    '<link rel="alternate" type="application/rss+xml" title="News" href="/news.xml">';
  const talksLink =
    '<link rel="alternate" type="application/rss+xml" title="Talks" href="/talks.xml">';
  const body = `<!doctype html><html>${newsLink}${talksLink}</html>`;
  feeds.respond('/', { headers: { 'content-type': 'text/html' }, body });
  feeds.respond('/news.xml', { body: rssOf('Halden News', []) });
  await gateway.call('paid', { text: 'yesterday' });
  gateway.clock.advance(DAY_MS);
});

async function openTabWithClickCount(): Promise<{
  readonly tab: Tab;
  readonly clicks: () => number;
}> {
  const tab = await browser.open(desktop);
  return { tab, clicks: await countClicks(tab) };
}

async function openAdminPage(path: string) {
  const { tab, clicks } = await openTabWithClickCount();
  await tab.goto(admin.origin + path);
  await tab.fill('[name=password]', admin.password);
  await tab.press('[name=password]', 'Enter');
  await tab.waitForURL(`**${path}`);
  return { tab, clicks };
}

describe.skipIf(!hasBrowser)('a reader', () => {
  test('reads why sources disagree after one click on the front page', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.goto(reader.origin);
    // The most important news is visible without a click.
    expect(await tab.locator('main h2 a').first().isVisible()).toBe(true);
    await tab.getByRole('link', { name: 'Reports disagree' }).first().click();
    await tab.waitForURL(`**/stories/${STORY}#disagree`);
    expect(await tab.locator('.facing .column').count()).toBe(2);
    expect(clicks()).toBe(1);
  });

  test('copies the address of a story, saves it and finds its feed, one click each', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tab.goto(`${reader.origin}/stories/${STORY}`);
    await tab.getByRole('button', { name: 'Copy link' }).click();
    await tab.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await tab.evaluate('navigator.clipboard.readText()')).toContain(`/stories/${STORY}`);
    expect(clicks()).toBe(1);
    await tab.getByRole('button', { name: 'Save' }).click();
    await tab.getByRole('button', { name: 'Saved' }).waitFor();
    expect(clicks()).toBe(1);
    await tab.getByRole('link', { name: 'RSS' }).click();
    await tab.waitForURL(`**/feed/story/${STORY}.xml`);
    expect(await tab.locator('h1').textContent()).toContain('Orrery Labs opens a plant');
    expect(clicks()).toBe(1);
  });
});

describe.skipIf(!hasBrowser)('an editor', () => {
  test('adds a discovered feed with two clicks', async () => {
    const { tab, clicks } = await openAdminPage('/admin/sources/add');
    await tab.fill('[name=line]', feeds.url);
    await tab.press('[name=line]', 'Enter');
    await tab.getByRole('button', { name: 'News' }).click();
    await tab.getByRole('button', { name: 'Add a source' }).click();
    await expect.poll(async () => (await listSources(admin.db)).length).toBe(3);
    expect(clicks()).toBe(2);
  });

  test('sets the category of an item with two clicks', async () => {
    const { tab, clicks } = await openAdminPage('/admin/items');
    await tab.locator(`[name=item][value="${itemId}"]`).click();
    await tab.selectOption('[name=category]', 'ai-products');
    await tab.locator('.bulk button').click();
    await tab.getByText('1 item has the category now.').waitFor();
    expect(clicks()).toBe(2);
  });

  test('corrects the title of an item with two clicks', async () => {
    const { tab, clicks } = await openAdminPage('/admin/items');
    await tab.locator(`a[href="/admin/items/${itemId}"]`).click();
    // The form holds the current text.
    expect(await tab.inputValue('[name=title]')).toBe('Orrery ships a lens');
    await tab.fill('[name=title]', 'Orrery ships a new lens');
    await tab.getByRole('button', { name: 'Save the correction' }).click();
    await tab.locator('.notice').waitFor();
    expect(clicks()).toBe(2);
  });

  test('finds the corrected item by its state with one click', async () => {
    const { tab, clicks } = await openAdminPage('/admin/items');
    const states = await tab.locator('[name=state] option').allTextContents();
    expect(states.map((state) => state.trim())).toEqual([
      ...['any state', 'selected', 'public', 'withdrawn', 'corrected', 'not public'],
    ]);
    await tab.selectOption('[name=state]', 'corrected');
    await tab.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await tab.waitForURL('**state=corrected**');
    expect(await tab.locator('tbody tr').allTextContents()).toEqual([
      expect.stringContaining('Orrery ships a new lens'),
    ]);
    expect(clicks()).toBe(1);
  });

  test('makes a story the lead under another name with one click', async () => {
    const { tab, clicks } = await openAdminPage('/admin/stories/story-a');
    await tab.selectOption('[name=placement]', 'lead');
    await tab.fill('[name=storyTitle]', 'A lens for everyone');
    await tab.getByRole('button', { name: 'Save place and name' }).click();
    await tab.getByText('Readers see the place and the name within a minute.').waitFor();
    expect(await tab.inputValue('[name=placement]')).toBe('lead');
    // One source is not enough for the ranking; the page states the reason.
    await tab.getByText('This story is not in the ranking now').waitFor();
    expect(clicks()).toBe(1);
    await tab.getByRole('link', { name: 'Public page' }).click();
    await tab.getByRole('heading', { level: 1, name: 'A lens for everyone' }).waitFor();
  });

  test('promotes a story, and sinks it, with one click each', async () => {
    const readerTab = await browser.open(desktop);
    // A tab with a route uses no cache; a browser keeps the page of the ranking for a minute.
    await readerTab.route('**/*', (route) => route.continue());
    const hotTitles = async () => {
      await readerTab.goto(`${admin.origin}/hot`);
      return readerTab.locator('main h2 a').allTextContents();
    };
    const [bridgeTitle, ferryTitle] = ['Halden opens a bridge', 'Quillon ends a ferry line'];
    await expect.poll(hotTitles).toEqual([ferryTitle, bridgeTitle]);
    const { tab, clicks } = await openAdminPage('/admin/stories/story-bridge');
    const choosePlacement = async (placement: string) => {
      await tab.selectOption('[name=placement]', placement);
      await tab.getByRole('button', { name: 'Save place and name' }).click();
      await tab.getByText('Readers see the place and the name within a minute.').waitFor();
      expect(await tab.inputValue('[name=placement]')).toBe(placement);
      expect(clicks()).toBe(1);
    };
    await choosePlacement('promoted');
    await expect.poll(hotTitles).toEqual([bridgeTitle, ferryTitle]);
    await choosePlacement('sunk');
    await expect.poll(hotTitles).toEqual([ferryTitle]);
    await choosePlacement('none');
    await computeRanking(admin.world, admin.db, await readRankingRules('editorial'));
    await expect.poll(hotTitles).toHaveLength(2);
  });

  test('merges a story that is found by words with three clicks', async () => {
    const { tab, clicks } = await openAdminPage('/admin/stories/story-a');
    await tab.fill('[name=with]', 'tidewater');
    await tab.getByRole('button', { name: 'Compare and merge' }).click();
    await tab.getByRole('link', { name: 'Court fines Tidewater' }).click();
    await tab.getByText('These stories have little in common').waitFor();
    await tab.getByRole('button', { name: 'Merge' }).click();
    await tab.waitForURL('**done=merge**');
    expect(clicks()).toBe(3);
    await tab.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await tab.waitForURL('**done=undo**');
    expect(clicks()).toBe(1);
  });

  test('withdraws an item with a reason after a confirmation, and restores it', async () => {
    const { tab, clicks } = await openAdminPage(`/admin/items/${itemId}`);
    await tab.getByRole('link', { name: 'Withdraw' }).click();
    await tab.fill('[name=note]', 'A mistake of ours');
    await tab.getByRole('button', { name: 'Withdraw it' }).click();
    await tab.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await tab.locator('.notice').waitFor();
    expect(clicks()).toBe(3);
  });

  test('previews the next report with two clicks', async () => {
    const { tab, clicks } = await openAdminPage('/admin/sources');
    await tab.getByRole('link', { name: 'Reports' }).click();
    await tab.getByRole('link', { name: 'Preview of the next report' }).first().click();
    await tab.waitForURL('**/admin/reports/next/daily');
    expect(clicks()).toBe(2);
  });
});

describe.skipIf(!hasBrowser)('a customer', () => {
  test('gets a first response five clicks after the price page', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.goto(`${customers.origin}/prices`);
    await tab.getByRole('link', { name: 'Create an account' }).click();
    await tab.getByLabel('E-mail address').fill('ada@example.com');
    await tab.getByLabel('Password').fill('a dozen letters');
    await tab.getByRole('button', { name: 'Sign up' }).click();
    await tab.waitForSelector('.test-mode');
    await tab.getByRole('button', { name: 'Create a key and show the first call' }).click();
    await tab.getByRole('link', { name: 'Send a first call from here' }).click();
    await tab.getByRole('button', { name: /^Send/ }).click();
    await tab.locator('.result').waitFor();
    expect(clicks()).toBe(5);
    await tab.getByRole('link', { name: 'See the call' }).click();
    await tab.getByText('Why this price').waitFor();
    expect(clicks()).toBe(1);
    await tab.getByRole('button', { name: 'Send again' }).click();
    await tab.locator('.result, .notice').first().waitFor();
    expect(clicks()).toBe(1);
  });

  async function openConsole() {
    const { tab, clicks } = await openTabWithClickCount();
    customers.clock.advance(60_000);
    await tab.goto(`${customers.origin}/console/sign-in`);
    await tab.fill('[name=email]', 'customer-1@example.com');
    await tab.fill('[name=password]', 'password 1 of a test');
    await tab.press('[name=password]', 'Enter');
    await tab.waitForURL('**/console');
    return { tab, clicks };
  }

  test('tops up with three clicks and one at the checkout', async () => {
    const { tab, clicks } = await openConsole();
    await tab.getByRole('navigation').getByRole('link', { name: 'Wallet' }).click();
    await tab.getByRole('main').getByRole('link', { name: 'Top up' }).first().click();
    await tab.getByRole('button', { name: '¥50', exact: true }).click();
    // The checkout opens directly after the amount.
    await tab.waitForURL(({ origin }) => origin === checkout.url);
    expect(clicks()).toBe(3);
    for (const session of checkout.sessions.values()) {
      const { pathname, search } = new URL(session.successUrl);
      Object.assign(session, { successUrl: `${customers.origin}${pathname}${search}` });
    }
    await tab.getByText('Pay now').click();
    await tab.waitForURL(/from=checkout/);
    expect(clicks()).toBe(1);
    customers.clock.advance(10_000);
    await tab.reload();
    await tab.getByRole('link', { name: 'Receipt to print' }).click();
    await tab.getByRole('heading', { level: 1, name: 'Receipt for ¥50.00' }).waitFor();
    expect(clicks()).toBe(1);
    await expectPrintable(tab);
    await tab.goto(`${customers.origin}/console/statements`);
    expect(await tab.locator('main').textContent()).toContain('Top-up');
    await expectPrintable(tab);
  });

  /** A printed page states the account and has no navigation and no button. */
  async function expectPrintable(tab: Tab): Promise<void> {
    const screenOnly = [
      tab.getByRole('navigation').first(),
      tab.getByText('Print', { exact: true }),
    ];
    for (const part of screenOnly) expect(await part.isVisible()).toBe(true);
    await tab.emulateMedia({ media: 'print' });
    for (const part of screenOnly) await expect.poll(() => part.isVisible()).toBe(false);
    expect(await tab.getByText('customer-1@example.com').first().isVisible()).toBe(true);
    await tab.emulateMedia({ media: 'screen' });
  }

  test('computes the cost of calls before the sign-up with one click', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.goto(`${customers.origin}/prices`);
    await tab.fill('[name=social]', '1000');
    await tab.getByRole('button', { name: 'Calculate' }).click();
    await tab.getByText('Total: ¥36.00').waitFor();
    expect(clicks()).toBe(1);
    await tab.getByRole('link', { name: 'Status' }).click();
    await tab.getByText('Every capability that is set up works.').waitFor();
  });

  test('reads the example of another language with one click or an arrow key', async () => {
    const { tab, clicks } = await openConsole();
    await tab.goto(`${customers.origin}/console/catalog/social`);
    const isVisible = async (text: string) =>
      tab.locator('.samples pre', { hasText: text }).isVisible();
    expect([await isVisible('curl'), await isVisible('import requests')]).toEqual([true, false]);
    await tab.getByText('Python', { exact: true }).click();
    await expect.poll(() => isVisible('import requests')).toBe(true);
    expect(await isVisible('curl')).toBe(false);
    expect(clicks()).toBe(1);
    await tab.keyboard.press('ArrowLeft');
    await expect.poll(() => isVisible('import requests')).toBe(false);
    // A long line wraps.
    const overflows = await tab
      .locator('.samples pre')
      .evaluateAll((elements) =>
        elements.map((element) => element.scrollWidth - element.clientWidth),
      );
    expect(Math.max(...overflows)).toBe(0);
  });

  test('adds a webhook with two clicks', async () => {
    const { tab, clicks } = await openConsole();
    await tab.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
    await tab.fill('[name=url]', 'http://localhost:4009/hook');
    await tab.getByRole('button', { name: 'Add an address' }).click();
    await tab.getByText('whsec_').first().waitFor();
    expect(clicks()).toBe(2);
  });

  test('rotates a key with three clicks', async () => {
    const { tab, clicks } = await openConsole();
    await tab.getByRole('navigation').getByRole('link', { name: 'Keys' }).click();
    await tab.locator('main table a[href^="/console/keys/"]').first().click();
    await tab.getByRole('button', { name: 'Rotate' }).click();
    await tab.locator('.the-key').waitFor();
    expect(clicks()).toBe(3);
  });

  test('sets a budget where budgets are listed with two clicks', async () => {
    const { tab, clicks } = await openConsole();
    await tab.getByRole('link', { name: 'Budgets' }).click();
    await tab.locator('.budgets [name=budget]').first().fill('12');
    await tab.locator('.budgets').getByRole('button', { name: 'Save' }).first().click();
    await tab.getByText('¥0.00 of ¥12.00').waitFor();
    expect(clicks()).toBe(2);
  });
});

describe.skipIf(!hasBrowser)('an operator of the gateway', () => {
  test('credits an account with three clicks', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.goto(`${gateway.origin}/admin/accounts`);
    await tab.fill('[name=password]', gateway.password);
    await tab.press('[name=password]', 'Enter');
    await tab.waitForURL('**/admin/accounts');
    await tab.locator('main table a[href^="/admin/accounts/"]').first().click();
    await tab.getByRole('main').getByRole('link', { name: 'Credit' }).click();
    await tab.fill('[name=amount]', '5');
    await tab.fill('[name=reason]', 'An outage');
    await tab.getByRole('main').getByRole('button', { name: 'Credit' }).click();
    await tab.getByText('the amount is in the journal').waitFor();
    expect(clicks()).toBe(3);
    gateway.clock.advance(60_000);
  });

  test('reads the revenue of yesterday after one click', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.goto(`${gateway.origin}/admin/accounts`);
    await tab.fill('[name=password]', gateway.password);
    await tab.press('[name=password]', 'Enter');
    await tab.waitForURL('**/admin/accounts');
    await tab.getByRole('link', { name: 'Revenue' }).click();
    const row = tab.locator('tr', { hasText: 'Sat 22 Aug' });
    await row.waitFor();
    expect(await row.textContent()).toContain('¥0.036');
    expect(clicks()).toBe(1);
    const download = tab.waitForEvent('download');
    await tab.getByRole('link', { name: 'Download as CSV' }).click();
    const file = await (await download).path();
    const [headerRow, ...days] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
    expect(headerRow).toContain('day,calls,succeeded,paid,vouchers,allowance,total,cost,margin');
    expect(days.find((day) => day.startsWith('2026-08-22'))).toContain('0.036');
    expect(clicks()).toBe(1);
    gateway.clock.advance(60_000);
  });

  test('sees the effect of new prices before they are stored', async () => {
    const { tab, clicks } = await openTabWithClickCount();
    await tab.goto(`${gateway.origin}/admin/prices/change`);
    await tab.fill('[name=password]', gateway.password);
    await tab.press('[name=password]', 'Enter');
    await tab.waitForURL('**/admin/prices/change');
    await tab.fill('[name=social_data]', '42');
    await tab.fill('[name=reason]', 'Our provider asks for more');
    await tab.getByRole('button', { name: 'Show the effect' }).click();
    await tab.getByText('+16.7 %').waitFor();
    await tab.getByText('¥0.036 → ¥0.042').waitFor();
    // After a change of the value, the first click shows the new effect and stores nothing.
    await tab.fill('[name=social_data]', '45');
    await tab.getByRole('button', { name: 'Plan this list' }).click();
    await tab.getByText('¥0.036 → ¥0.045').waitFor();
    await tab.getByRole('button', { name: 'Plan this list' }).click();
    await tab.waitForURL('**/admin/prices?done=plan');
    expect(clicks()).toBe(3);
  });
});
