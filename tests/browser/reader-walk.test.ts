// The reader's main paths in a real browser: both languages, light and dark, wide and narrow.
// Readers use a pointer, only the keyboard, or no scripts.
import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import {
  desktop,
  hasBrowser,
  narrowPhone,
  openTestBrowser,
  phone,
  type Tab,
} from '../support/browser.ts';
import { pagesOverMaximum } from '../support/cold-bytes.ts';
import { openReaderRadar, REPORT_KEYS, STORY } from '../support/reader-radar.ts';

const radar = await openReaderRadar();
const { origin, chinese, itemId } = radar;
const browser = openTestBrowser();

const paths = [
  ...[
    '/',
    '/latest',
    '/all',
    '/hot',
    '/disagreements',
    '/sources',
    '/sources/orrery',
    '/saved',
    `/stories/${STORY}`,
    `/items/${itemId}`,
    '/search',
    '/search?q=plant',
    '/search?q=zeppelin',
    '/?language=zh',
    ...['/daily', '/weekly', '/monthly', '/all?category=industry&window=24h'],
    ...['/feed.xml', '/feed/hot.xml', `/feed/story/${STORY}.xml`],
    '/feed/source/orrery.xml',
  ],
  ...Object.entries(REPORT_KEYS).map(([name, key]) => `/${name}/${key}`),
  ...['/agent', '/about', '/problems/rate-limited', '/nothing'],
];

describe.skipIf(!hasBrowser)('every page', () => {
  test.each([
    ['English, desktop, light', origin, desktop],
    ['Chinese, phone, dark', chinese, phone],
    ['English, 320 pixels', origin, narrowPhone],
  ] as const)('has no shift, overflow or axe violation: %s', async (_name, site, appearance) => {
    const tab = await browser.open(appearance);
    for (const path of paths) {
      await tab.goto(site + path, { waitUntil: 'load' });
      expect([path, await visibleState(tab)]).toEqual([path, { shifted: 0, overflow: 0 }]);
      expect([path, await findViolations(tab)]).toEqual([path, []]);
    }
    // A missing page has status 404, which the console logs.
    expect(tab.complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });
});

test.skipIf(!hasBrowser)('a first visit loads at most 70 KB on every page', async () => {
  const tab = await browser.open(desktop);
  expect(
    await pagesOverMaximum(
      tab,
      paths.map((path) => origin + path),
    ),
  ).toEqual([]);
});

test.skipIf(!hasBrowser)('the header shows every section in one row on a phone', async () => {
  for (const site of [origin, chinese]) {
    const tab = await browser.open(phone);
    await tab.goto(`${site}/monthly`);
    const boxes = await Promise.all(
      (await tab.locator('.masthead nav a').all()).map((link) => link.boundingBox()),
    );
    expect(boxes).toHaveLength(6);
    for (const box of boxes) {
      expect(box?.y).toBe(boxes[0]?.y);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(phone.width);
    }
  }
});

test.skipIf(!hasBrowser)('one line separates two rows of a table', async () => {
  const tab = await browser.open(desktop);
  await tab.goto(`${origin}/about`);
  const lines: unknown = await tab.evaluate(
    `[...document.querySelectorAll('table.list tbody tr:first-child > *')]
      .map((cell) => getComputedStyle(cell).borderBottomColor)`,
  );
  expect(new Set(lines as readonly string[]).size).toBe(1);
});

test.skipIf(!hasBrowser)('every control is at least 32 pixels high for touch', async () => {
  const tab = await browser.open(phone, { hasTouch: true });
  for (const path of paths) {
    await tab.goto(origin + path, { waitUntil: 'load' });
    expect([path, await tab.evaluate('inPage.lowTargets()')]).toEqual([path, []]);
  }
});

describe.skipIf(!hasBrowser)('a reader', () => {
  test('goes from the front page to a story, its sources and search by keyboard', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(origin);
    await tab.keyboard.press('Tab');
    await expect.poll(() => focusedElement(tab)).toBe('Skip to the content');
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('j');
    await expect.poll(() => focusedElement(tab)).toContain('Orrery Labs');
    await tab.keyboard.press('o');
    await tab.waitForURL(`**/stories/${STORY}`);
    expect(await tab.getByRole('heading', { level: 1 }).count()).toBe(1);

    const firstClaim = tab.locator('.claim').first();
    const citedReport = firstClaim.locator('.cited');
    expect(await citedReport.isVisible()).toBe(false);
    await firstClaim.locator('.cite').first().focus();
    await expect.poll(() => citedReport.isVisible()).toBe(true);
    expect(await citedReport.textContent()).toContain('The Wire');
    await tab.keyboard.press('Escape');
    await expect.poll(() => citedReport.isVisible()).toBe(false);
    await firstClaim.locator('.cite').first().press('Enter');
    await tab.waitForURL(/#report-[\w-]+$/);

    await tab.goto(origin);
    await tab.keyboard.press('/');
    await tab.waitForURL('**/search');
    await tab.keyboard.type('工厂');
    // Waits for the results of the whole query, because later results would take the focus.
    await tab.waitForURL(({ searchParams }) => searchParams.get('q') === '工厂');
    await tab.getByRole('heading', { name: '奥勒里实验室在北方开设工厂' }).waitFor();
    await tab.keyboard.press('ArrowDown');
    await expect.poll(() => focusedElement(tab)).toBe('奥勒里实验室在北方开设工厂');
    expect(tab.complaints).toEqual([]);
  });

  test('sees the sources of a sentence by pointing and by a click', async () => {
    const wideTab = await browser.open(desktop);
    await wideTab.goto(`${origin}/stories/${STORY}`);
    const claim = wideTab.locator('.claim').first();
    await claim.hover();
    await expect.poll(() => claim.locator('.cited').isVisible()).toBe(true);
    await wideTab.mouse.move(5, 5);
    await expect.poll(() => claim.locator('.cited').isVisible()).toBe(false);
    const phoneTab = await browser.open(phone);
    await phoneTab.goto(`${chinese}/stories/${STORY}`);
    await phoneTab
      .locator('.claim')
      .first()
      .click({ position: { x: 20, y: 10 } });
    await phoneTab.mouse.move(2, 2);
    await expect.poll(() => phoneTab.locator('.cited').first().isVisible()).toBe(true);
    const box = await phoneTab.locator('.cited').first().boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= phone.width).toBe(true);
  });

  test('reads why reports disagree after one click on the front page', async () => {
    const tab = await browser.open(phone);
    await tab.goto(origin);
    const box = await tab.locator('main h2 a').first().boundingBox();
    // The first headline is in the upper part of the screen, so readers need not scroll.
    expect(box?.y ?? 999).toBeLessThan(220);
    await tab.getByRole('link', { name: 'Reports disagree' }).first().click();
    await tab.waitForURL(`**/stories/${STORY}#disagree`);
    const columns = tab.locator('.facing .column');
    expect(await columns.allTextContents()).toEqual([
      expect.stringContaining('$40 million'),
      expect.stringContaining('$55 million'),
    ]);
    await expect.poll(() => columns.first().isVisible()).toBe(true);
  });

  test('keeps the language, the colours and saved stories', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(origin);
    await tab.getByRole('link', { name: '中文' }).click();
    await tab.waitForURL('**/?language=zh');
    await tab.goto(`${origin}/hot`);
    expect(await tab.locator('[data-language="zh"]').getAttribute('aria-current')).toBe('page');
    await tab.getByRole('button', { name: 'Dark' }).click();
    await tab.goto(origin);
    expect(await tab.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await tab.keyboard.press('j');
    await tab.keyboard.press('s');
    await tab.goto(`${origin}/saved`);
    await tab.getByRole('link', { name: '奥勒里实验室在北方开设工厂' }).waitFor();
    await tab.keyboard.press('?');
    expect(await tab.getByRole('dialog', { name: 'Keys' }).isVisible()).toBe(true);
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('Control+k');
    await tab.keyboard.type('plant');
    await tab.keyboard.press('Enter');
    await tab.waitForURL('**/search?q=plant');
  });

  test('sees new reports since the last visit', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(`${origin}/latest`);
    const sinceMark = tab.locator('[data-since]');
    expect(await sinceMark.textContent()).toBe('');
    await tab.evaluate('inPage.forgetNewest()');
    await tab.reload();
    expect(await sinceMark.textContent()).toBe('1 new since your last visit');
    await tab.reload();
    expect(await sinceMark.textContent()).toBe('1 new since your last visit');
  });

  test('reads about a disagreement and searches without scripts', async () => {
    const tab = await browser.open(phone, { javaScriptEnabled: false });
    await tab.goto(chinese);
    await tab.getByRole('link', { name: '各方说法不一' }).first().click();
    await tab.waitForURL(`**/stories/${STORY}#disagree`);
    await tab.locator('.claim .cite').first().focus();
    await expect.poll(() => tab.locator('.cited').first().isVisible()).toBe(true);
    await tab.getByRole('link', { name: '搜索', exact: true }).click();
    await tab.getByLabel('关键词').fill('plant');
    await tab.getByRole('button', { name: '搜索' }).click();
    await tab.waitForURL('**/search?q=plant&**');
    expect(await tab.locator('.entry').count()).toBeGreaterThan(0);
  });

  test('prints a report without navigation', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(`${origin}/daily/${REPORT_KEYS.daily}`);
    const otherParts = ['.masthead nav', '.foot', '.share'].map((part) => tab.locator(part));
    for (const part of otherParts) expect(await part.isVisible()).toBe(true);
    await tab.emulateMedia({ media: 'print' });
    for (const part of otherParts) await expect.poll(() => part.isVisible()).toBe(false);
    expect(await tab.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
  });
});

const visibleState = (tab: Tab) => tab.evaluate('inPage.measureLayout()');
const focusedElement = (tab: Tab) => tab.evaluate('inPage.focused()');

async function findViolations(tab: Tab): Promise<unknown> {
  await tab.evaluate(axe.source);
  return tab.evaluate('inPage.violations()');
}
