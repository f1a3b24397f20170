// Tasks of readers besides reading: share, cite, follow new items, enlarge the text, and install
// the site.
import { describe, expect, test } from 'vitest';
import { desktop, hasBrowser, openTestBrowser, phone, type Tab } from '../support/browser.ts';
import { openReaderRadar, STORY } from '../support/reader-radar.ts';

const radar = await openReaderRadar();
const { origin, chinese, clock, itemId, publisher } = radar;
const browser = openTestBrowser();
let attemptCount = 0;
const storyUrl = new RegExp(`^https?://.+/stories/${STORY}$`);

describe.skipIf(!hasBrowser)('a reader', () => {
  test('shares a story with the dialog of the system, if the browser has one', async () => {
    const tab = await browser.open(phone);
    await tab.goto(`${origin}/stories/${STORY}`);
    expect(await tab.getByRole('button', { name: 'Share' }).count()).toBe(0);
    await tab.addInitScript({
      content: 'navigator.share = async (shared) => { globalThis.shared = shared; };',
    });
    await tab.reload();
    await tab.getByRole('button', { name: 'Share' }).click();
    const sharedData = await tab.evaluate<{ title: string; url: string }>('globalThis.shared');
    expect(sharedData.title).toContain('Orrery Labs opens a plant in the north');
    expect(sharedData.url).toMatch(storyUrl);
  });

  test('copies a citation of a story, an item and a report', async () => {
    const tab = await browser.open(desktop);
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const citationOf = async (path: string, button: string) => {
      await tab.goto(path);
      await tab.getByRole('button', { name: button }).click();
      await tab
        .locator('.share')
        .getByText(/^(Copied|已复制)$/)
        .waitFor();
      return tab.evaluate<string>('navigator.clipboard.readText()');
    };
    const story = await citationOf(`${origin}/stories/${STORY}`, 'Copy citation');
    expect(story).toMatch(/^.+: “Orrery Labs opens a plant.+”, Sat 29 Aug 2026, .+\(Asia/);
    expect(story).toMatch(/\/stories\/[0-9a-f-]{36}$/);
    // An item is cited by its source and its original address.
    const item = await citationOf(`${origin}/items/${itemId}`, 'Copy citation');
    expect(item).toMatch(/^Orrery.*: “Orrery Labs opens a plant.+2026.+https?:\/\/\S+$/);
    expect(item).not.toContain('/items/');
    const report = await citationOf(`${chinese}/daily`, '复制引用');
    expect(report).toMatch(/日报：《.+》，2026年.+（北京时间），http/);
    expect(report).toMatch(/\/daily\/2026-\d\d-\d\d$/);
  });

  test('reads larger text, also on the next page and after a reload', async () => {
    const tab = await browser.open(phone);
    await tab.goto(origin);
    const readFontSize = () =>
      tab.evaluate<number>('parseFloat(getComputedStyle(document.querySelector("h2")).fontSize)');
    const sizeBefore = await readFontSize();
    await tab.getByRole('button', { name: 'Larger', exact: true }).click();
    // page.css sets larger text to 131.25 %.
    expect(await readFontSize()).toBeCloseTo(sizeBefore * 1.3125, 1);
    await tab.goto(`${origin}/stories/${STORY}`);
    expect(await tab.evaluate('document.documentElement.dataset.size')).toBe('larger');
    expect(await tab.evaluate('inPage.measureLayout()')).toEqual({ shifted: 0, overflow: 0 });
    await tab.getByRole('button', { name: 'Normal', exact: true }).click();
    await tab.goto(origin);
    expect(await readFontSize()).toBe(sizeBefore);
  });

  test('keeps the chosen language in hot topics and search until “All” is chosen', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(origin);
    await tab.getByRole('link', { name: '中文' }).click();
    await tab.waitForURL('**/?language=zh');
    await tab.goto(`${origin}/hot`);
    expect(await tab.locator('[data-language="zh"]').getAttribute('aria-current')).toBe('page');
    await tab.goto(`${origin}/search?q=plant`);
    expect(await tab.locator('[name=language]').inputValue()).toBe('zh');
    await tab.goto(origin);
    await tab.locator('a[data-language="all"]').click();
    await tab.goto(`${origin}/search?q=plant`);
    expect(await tab.locator('[name=language]').inputValue()).not.toBe('zh');
  });

  test('installs the site, with icons that exist', async () => {
    const tab = await browser.open(phone);
    await tab.goto(origin);
    const devtools = await tab.context().newCDPSession(tab);
    const { url, errors, data } = await devtools.send('Page.getAppManifest');
    expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []]);
    const { icons, display } = JSON.parse(data ?? '{}') as {
      icons: { src: string; sizes: string; type: string }[];
      display: string;
    };
    expect(display).toBe('standalone');
    expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
    for (const { src, type } of icons) {
      const icon = await tab.request.get(new URL(src, origin).href);
      expect([icon.status(), icon.headers()['content-type']]).toEqual([200, type]);
    }
  });
});

/** The statuses that the server sent for a page's polls. A script would see 200 instead of 304. */
async function watchPollStatuses(tab: Tab): Promise<readonly number[]> {
  const network = await tab.context().newCDPSession(tab);
  await network.send('Network.enable');
  const ids = new Set<string>();
  const statuses: number[] = [];
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.includes('/api/v1/items')) ids.add(requestId);
  });
  network.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    if (ids.has(requestId)) statuses.push(statusCode);
  });
  return statuses;
}

test.skipIf(!hasBrowser)('a page polls with an ETag and shows how many items are new', async () => {
  const tab = await browser.open(desktop);
  await tab.clock.install();
  const pollStatuses = await watchPollStatuses(tab);
  await tab.goto(`${origin}/all`);
  await tab.clock.runFor(6_000);
  await expect.poll(() => pollStatuses.at(0)).toBe(200);
  await tab.clock.runFor(60_000);
  // Nothing has changed: the second response has no body.
  await expect.poll(() => pollStatuses.at(1)).toBe(304);
  const newItem = tab.locator('[data-fresh] a');
  expect(await newItem.count()).toBe(0);
  // A second attempt of this test publishes items with other titles.
  attemptCount += 1;
  const secondTitle = `Halden closes mine ${attemptCount}`;
  const at = clock.now();
  await publisher.publish({
    source: 'ledger',
    title: `Tidewater opens office ${attemptCount}`,
    at,
  });
  await publisher.publish({ source: 'wire', title: secondTitle, at: at + 1 });
  await radar.settle();
  await tab.clock.runFor(60_000);
  await newItem.waitFor();
  expect(await newItem.textContent()).toBe('2 new');
  await newItem.click();
  await tab.getByRole('link', { name: secondTitle }).waitFor();
});
