// Loads pages over a slow connection. Pages arrive in pieces and the serif font arrives last; no
// element moves.
import { describe, expect, test } from 'vitest';
import { desktop, hasBrowser, narrowPhone, openTestBrowser, phone } from '../support/browser.ts';
import { openReaderRadar, STORY } from '../support/reader-radar.ts';
import { openSlowConnection } from '../support/slow-connection.ts';

const radar = await openReaderRadar();
const browser = openTestBrowser();

describe.skipIf(!hasBrowser)('a page that arrives in pieces', () => {
  test.each([
    ['English, desktop', radar.origin, desktop],
    ['Chinese, phone', radar.chinese, phone],
    ['English, 320 pixels', radar.origin, narrowPhone],
  ] as const)('does not shift: %s', async (_name, site, appearance) => {
    const slowSite = await openSlowConnection(site);
    const tab = await browser.open(appearance);
    for (const path of ['/nothing', '/search?q=plant', `/stories/${STORY}`]) {
      await tab.goto(slowSite + path, { waitUntil: 'load' });
      expect([path, await tab.evaluate('inPage.measureLayout()')]).toMatchObject([
        path,
        { shifted: 0 },
      ]);
    }
  });
});
