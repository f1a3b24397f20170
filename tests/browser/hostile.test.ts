// In a real browser, the content of a source runs no script, loads no file, and becomes no element
// of a page.
import { describe, expect, test } from 'vitest';
import { desktop, hasBrowser, openTestBrowser } from '../support/browser.ts';
import {
  ELEMENT,
  openHostileRadar,
  payloads,
  REPORT_KEYS,
  STORY,
} from '../support/hostile-radar.ts';

const { origin, itemIds } = await openHostileRadar();
const browser = openTestBrowser();

describe.skipIf(!hasBrowser)('hostile source texts', () => {
  test('start no script and no foreign request', async () => {
    const tab = await browser.open(desktop);
    const requestedUrls: string[] = [];
    tab.on('request', (request) => requestedUrls.push(request.url()));
    const search = `/search?q=${encodeURIComponent(payloads[2] ?? '')}`;
    const paths = [
      ...['/', '/all', '/hot', `/stories/${STORY}`, '/about', search],
      ...Object.entries(REPORT_KEYS).map(([name, key]) => `/${name}/${key}`),
      ...itemIds.map((id) => `/items/${id}`),
      `/${encodeURIComponent(payloads[4] ?? '')}`,
    ];
    for (const path of paths) {
      await tab.goto(origin + path);
      const state = await tab.evaluate(`inPage.findForeignElements('${ELEMENT}')`);
      expect([path, state]).toEqual([path, { ran: false, foreignElements: 0 }]);
    }
    expect(requestedUrls.filter((url) => !url.startsWith(origin))).toEqual([]);
    expect(tab.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('remain text in search results while a reader types', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(`${origin}/search`);
    await tab.getByRole('searchbox').fill(ELEMENT);
    await tab.locator('.entry').first().waitFor();
    expect(await tab.evaluate(`inPage.findForeignElements('${ELEMENT}')`)).toEqual({
      ran: false,
      foreignElements: 0,
    });
  });
});
