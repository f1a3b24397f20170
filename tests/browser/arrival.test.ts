// Pages over a slow line: they come in pieces, the serif after them, and nothing moves meanwhile.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { desk, hasBrowser, narrow, openTestBrowser, phone } from '../support/browser.ts';
import { openReaderRadar, STORY } from '../support/reader-radar.ts';

const PIECE_BYTES = 400;
/** Long enough for a browser to show a piece before the next one comes. */
const PAUSE_MS = 40;
const FONT_LATE_MS = 1_000;

const radar = await openReaderRadar();
const browser = openTestBrowser();

/** The same site, slowly. */
async function openSlowly(site: string): Promise<string> {
  const server = createServer(async (req, res) => {
    const answer = await fetch(site + req.url);
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    res.writeHead(answer.status, { 'content-type': type });
    if (type.startsWith('font/')) await pause(FONT_LATE_MS);
    if (type.startsWith('text/html')) {
      for (let at = 0; at < body.length; at += PIECE_BYTES) {
        res.write(body.subarray(at, at + PIECE_BYTES));
        await pause(PAUSE_MS);
      }
      res.end();
    } else res.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!hasBrowser)('a page that comes in pieces', () => {
  test.each([
    ['English, at a desk', radar.origin, desk],
    ['Chinese, on a phone', radar.chinese, phone],
    ['English, 320 pixels', radar.origin, narrow],
  ] as const)('does not move: %s', async (_name, site, look) => {
    const slow = await openSlowly(site);
    const tab = await browser.open(look);
    for (const path of ['/nothing', '/search?q=plant', `/stories/${STORY}`]) {
      await tab.goto(slow + path, { waitUntil: 'load' });
      expect([path, await tab.evaluate('inPage.seen()')]).toMatchObject([path, { shifted: 0 }]);
    }
  });
});
