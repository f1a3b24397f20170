// Keyboard shortcuts on lists of the admin area: rows, the list of shortcuts, and the command
// palette.
import { describe, expect, test } from 'vitest';
import { addSource } from '../../src/radar/sources/add-source.ts';
import { openTestAdmin } from '../admin/admin-session.ts';
import { desktop, hasBrowser, openTestBrowser } from '../support/browser.ts';

const admin = await openTestAdmin();
const browser = openTestBrowser();
for (const id of ['alder', 'birch']) {
  await addSource(admin.world, admin.db, {
    id,
    name: id,
    owner: id,
    kind: 'push',
    tier: 'T2',
    language: 'en',
    participation: 'editorial',
    intervalMinutes: 30,
    settings: {},
  });
}

describe.skipIf(!hasBrowser)('keyboard shortcuts', () => {
  test('move through the rows of a list, show all shortcuts, and open sections', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(`${admin.origin}/admin/sign-in`);
    await tab.fill('[name=name]', 'owner');
    await tab.fill('[name=password]', admin.password);
    await tab.click('main button');
    await tab.goto(`${admin.origin}/admin/sources`);
    const focusedText = () => tab.evaluate('document.activeElement.textContent.trim()');
    await tab.keyboard.press('j');
    expect(await focusedText()).toBe('alder');
    await tab.keyboard.press('j');
    expect(await focusedText()).toBe('birch');
    await tab.keyboard.press('k');
    expect(await focusedText()).toBe('alder');
    await tab.keyboard.press('?');
    expect(await tab.locator('#keys').isVisible()).toBe(true);
    expect(await tab.locator('#keys').innerText()).toContain('next row');
    await tab.keyboard.press('Escape');
    await tab.keyboard.press('Control+k');
    await tab.keyboard.type('storie');
    await tab.keyboard.press('Enter');
    await tab.waitForURL('**/admin/stories');
    await tab.goto(`${admin.origin}/admin/sources`);
    await tab.keyboard.press('j');
    await tab.keyboard.press('o');
    await tab.waitForURL('**/admin/sources/alder');
    expect(tab.complaints).toEqual([]);
  });
});
