// The radar's admin area in a real browser: every page in both languages, wide and narrow. The test
// also signs in, drags a report out of its story, and undoes the split.
import axe from 'axe-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { dailyOf } from '../../src/radar/reports/report-periods.ts';
import { writeReport } from '../../src/radar/reports/write-reports.ts';
import { openTestAdmin, type TestAdmin } from '../admin/admin-session.ts';
import {
  desktop,
  hasBrowser,
  narrowPhone,
  openTestBrowser,
  phone,
  type Tab,
} from '../support/browser.ts';
import { openStoryPublisher } from '../support/published-stories.ts';

const cleanLayout = { shifted: 0, overflow: 0 };
const english = await openTestAdmin();
const chinese = await openTestAdmin({ language: 'zh-CN' });
const browser = openTestBrowser();
const itemIds = new Map<TestAdmin, string>();

beforeAll(async () => {
  for (const radar of [english, chinese]) {
    const publisher = openStoryPublisher(radar.world, radar.db);
    await publisher.addSource({ id: 'wire', name: 'The Wire', tier: 'T1' });
    await publisher.addSource({ id: 'ledger', name: 'The Ledger' });
    const publishedAt = radar.world.clock.now() - HOUR_MS;
    const report = { story: 'story-a', at: publishedAt };
    const id = await publisher.publish({ ...report, source: 'wire', title: 'Orrery ships a lens' });
    await publisher.publish({
      ...report,
      source: 'ledger',
      title: '奥瑞里发布镜头',
      at: publishedAt + 1,
    });
    itemIds.set(radar, id);
    const otherReport = { source: 'ledger', title: 'A lens, from elsewhere', at: publishedAt + 2 };
    await publisher.publish({ ...otherReport, story: 'story-b' });
    const { categories } = await readEditorial('editorial');
    const reportContext = await openReportContext('editorial', { language: 'en', categories });
    await writeReport(radar.world, radar.db, reportContext, dailyOf('2026-08-23'));
  }
});

async function signIn(tab: Tab, radar: TestAdmin, path: string): Promise<void> {
  await tab.goto(radar.origin + path);
  await tab.fill('[name=password]', radar.password);
  await tab.press('[name=password]', 'Enter');
  await tab.waitForURL(`**${path}`);
}

describe.skipIf(!hasBrowser)('every operator page', () => {
  test.each([
    ['English, desktop, light', english, desktop],
    ['Chinese, phone, dark', chinese, phone],
    ['English, 320 pixels', english, narrowPhone],
  ] as const)('has no shift, overflow or axe violation: %s', async (_name, radar, appearance) => {
    const isTouch = appearance === phone;
    const tab = await browser.open(appearance, { hasTouch: isTouch });
    await signIn(tab, radar, '/admin/sources');
    for (const path of [
      ...['/sources', '/sources/wire', '/sources/wire/edit', '/sources/add', '/items'],
      ...[`/items/${itemIds.get(radar)}`, '/stories', '/stories/story-a', '/ranking', '/reports'],
      ...['/stories/story-a/merge?with=story-b', '/stories/story-a/merge?with=none'],
      ...['/reports/next/daily', '/reports/daily/2026-08-23', '/runs', '/settings', '/audit'],
      ...[`/items/${itemIds.get(radar)}/withdraw`, '/sources/import', '/model', '/health'],
      ...['/operators', '/profile', '/profile/codes'],
      '/none',
    ]) {
      await tab.goto(`${radar.origin}/admin${path}`, { waitUntil: 'load' });
      expect([path, await tab.evaluate('inPage.measureLayout()')]).toEqual([path, cleanLayout]);
      await tab.evaluate(axe.source);
      expect([path, await tab.evaluate('inPage.violations()')]).toEqual([path, []]);
      const lowTargets = isTouch ? await tab.evaluate('inPage.lowTargets()') : [];
      expect([path, lowTargets]).toEqual([path, []]);
    }
    // The browser's console logs the pages with status 404 and 422.
    expect(tab.complaints.filter((text) => !/\b(?:404|422)\b/.test(text))).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('an operator', () => {
  test('drags a report out of its story and undoes the split', async () => {
    const tab = await browser.open(desktop);
    await signIn(tab, english, '/admin/stories/story-a');
    const row = tab.locator('.reports > li', { hasText: '奥瑞里发布镜头' });
    await row.dragTo(tab.locator('[data-leave]'));
    await expect.poll(() => tab.locator('[data-leave] li').count()).toBe(1);
    await tab.getByRole('button', { name: 'Split off the chosen reports' }).click();
    await tab.waitForURL('**done=split**');
    expect(await tab.locator('[data-stay] > li').count()).toBe(1);
    await tab.locator('.notice').getByRole('button', { name: 'Undo' }).click();
    await tab.waitForURL('**done=undo**');
    expect(await tab.locator('[data-stay] > li').count()).toBe(2);
    expect(tab.complaints).toEqual([]);
  });

  test('corrects an item, reads an error and signs out without scripts', async () => {
    const tab = await browser.open(phone, { javaScriptEnabled: false });
    await signIn(tab, english, `/admin/items/${itemIds.get(english)}`);
    await tab.fill('[name=title]', 'x'.repeat(301));
    await tab.getByRole('button', { name: 'Save the correction' }).click();
    expect(await tab.locator('#e-title').textContent()).toBe('At most 300 characters.');
    await tab.fill('[name=title]', 'Orrery ships two');
    await tab.getByRole('button', { name: 'Save the correction' }).click();
    await expect.poll(() => tab.locator('h1').textContent()).toBe('Orrery ships two');
    expect(await tab.locator('.notice').textContent()).toContain('Corrected');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.waitForURL('**/admin/sign-in');
  });
});
