// Sign-up on a public installation in a real browser. The script solves the challenge; without
// scripts, the mail is sent later.
import axe from 'axe-core';
import { describe, expect, test } from 'vitest';
import { openTestConsole } from '../console/test-console.ts';
import { desktop, hasBrowser, openTestBrowser, phone, type Tab } from '../support/browser.ts';
import { openMailServer } from '../support/mail-server.ts';

const mailServer = await openMailServer();
const { smtp } = mailServer;
const rules = { needsConfirmation: true, newPerNetwork: 1_000, proofBits: 14 };
const english = await openTestConsole({ smtp, rules });
const chinese = await openTestConsole({ smtp, rules, language: 'zh-CN' });
const browser = openTestBrowser();

async function signUp(tab: Tab, email: string): Promise<void> {
  await tab.fill('[name=email]', email);
  await tab.fill('[name=password]', 'twelve letters');
  await tab.press('[name=password]', 'Enter');
}

describe.skipIf(!hasBrowser)('the form of a public sign-up', () => {
  test.each([
    ['English', english, desktop],
    ['Chinese', chinese, phone],
  ] as const)('in %s is sent with a proof', async (name, app, appearance) => {
    const tab = await browser.open(appearance);
    await tab.goto(`${app.origin}/console/sign-up`);
    await signUp(tab, `${name}@example.com`);
    await tab.waitForURL('**/console/sign-up/sent');
    expect((await mailServer.nextMail(`${name.toLowerCase()}@example.com`)).text).toContain(
      '/verify?token=',
    );
    expect(tab.complaints).toEqual([]);
  });

  test('shows that the task runs, and is accessible meanwhile', async () => {
    const tab = await browser.open(desktop);
    await tab.goto(`${english.origin}/console/sign-up`);
    // The script checks the first 32 bits only, so it never finds 99 zero bits.
    await tab.evaluate("document.querySelector('[name=challenge]').value = '99:1:x.y'");
    await signUp(tab, 'waits@example.com');
    const status = tab.locator('form [role="status"]');
    await status.waitFor();
    expect(await status.textContent()).toContain('solves a small task');
    await tab.evaluate(axe.source);
    expect(await tab.evaluate('inPage.violations()')).toEqual([]);
    expect(new URL(tab.url()).pathname).toBe('/console/sign-up');
  });

  test('states without scripts that the mail is sent ten minutes later', async () => {
    const tab = await browser.open(desktop, { javaScriptEnabled: false });
    await tab.goto(`${english.origin}/console/sign-up`);
    expect(await tab.textContent('noscript')).toContain(
      'the mail with the link is sent ten minutes later',
    );
    await signUp(tab, 'plain@example.com');
    await tab.waitForURL('**/console/sign-up/sent?late');
  });
});
