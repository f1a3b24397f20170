// The gateway's admin area in a real browser: every page in both languages, wide and narrow. The
// test also switches a provider off and reads the audit log.
import axe from 'axe-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Capability } from '../../src/gateway/capabilities/capability.ts';
import {
  checkLedger,
  requestIntegrityCheck,
} from '../../src/gateway/wallet/integrity/check-ledger.ts';
import { updateLedgerMetrics } from '../../src/gateway/wallet/integrity/ledger-metrics.ts';
import { maintainLedger } from '../../src/gateway/wallet/integrity/maintain-ledger.ts';
import { openTestAdmin, type TestAdmin } from '../operators/test-admin.ts';
import {
  desktop,
  hasBrowser,
  narrowPhone,
  openTestBrowser,
  phone,
  type Tab,
} from '../support/browser.ts';
import { readFormFields } from '../support/form-browser.ts';
import { json } from '../support/http-request.ts';
import { testCapability } from '../support/test-capability.ts';

const cleanLayout = { shifted: 0, overflow: 0 };
const social = () => testCapability({ id: 'social', sku: 'social_data' }).capability as Capability;
const english = await openTestAdmin({ capabilities: [social()], upstreams: ['chat:main'] });
const chinese = await openTestAdmin({
  capabilities: [social()],
  upstreams: ['chat:main'],
  language: 'zh-CN',
});
const browser = openTestBrowser();
const paths = new Map<TestAdmin, readonly string[]>();

/** A gateway with accounts, calls and changes. */
async function addContent(gateway: TestAdmin): Promise<readonly string[]> {
  const operator = await gateway.signIn('Ada');
  const { accountId } = gateway.keys;
  const account = `/admin/accounts/${accountId}`;
  const submitForm = (path: string, fields: Readonly<Record<string, string>>) =>
    operator.submit(path, path, fields);
  await submitForm(`${account}/credit`, { amount: '20', reason: 'A gift for the first customer' });
  await submitForm(`${account}/voucher`, {
    amount: '5',
    name: 'Welcome',
    days: '30',
    reason: 'New',
  });
  const call = json(await gateway.call('paid', { text: 'x' })) as { request_id: string };
  await gateway.call('paid', { text: 'x', does: 'fail' });
  const job = await gateway.call('free', { text: 'job' }, { prefer: 'respond-async' });
  const { id } = (json(job) as { data: { id: string } }).data;
  await submitForm('/admin/vouchers/make', { name: 'Spring fair', amount: '10', count: '3' });
  await submitForm('/admin/invitations/make', { count: '2', note: 'For the press' });
  const newPrice = { social_data: '42', reason: 'Our provider asks for more' };
  const effect = await submitForm('/admin/prices/change', newPrice);
  const { shown = '' } = readFormFields(effect.text, '/admin/prices/change');
  await submitForm('/admin/prices/change', { ...newPrice, shown });
  await submitForm('/admin/prices/allowance', { amount: '500' });
  await maintainLedger(gateway.world, gateway.db);
  await updateLedgerMetrics(gateway.world, gateway.db);
  await requestIntegrityCheck(gateway.world, gateway.db, 'Ada');
  await checkLedger(gateway.world, gateway.db);
  return [
    ...['', '/accounts', account.slice('/admin'.length)],
    ...['credit', 'voucher', 'limits', 'suspend', 'delete', 'calls'].map(
      (action) => `/accounts/${accountId}/${action}`,
    ),
    `/accounts/${accountId}/calls/${call.request_id}`,
    `/accounts/${accountId}/calls/${call.request_id}/refund`,
    ...['/vouchers', '/vouchers/make', '/invitations', '/invitations/make'],
    ...['/prices', '/prices/change', '/prices/allowance', '/prices/2/withdraw', '/providers'],
    ...['/providers/switch?kind=capability&name=social', '/jobs', `/jobs/${id}`],
    ...['/revenue', '/revenue?by=account', '/revenue?by=capability', '/providers/history'],
    ...['/top-ups', '/prices/models', '/operators', '/profile'],
    ...['/chat', '/ledger', '/audit'],
  ];
}

beforeAll(async () => {
  for (const gateway of [english, chinese]) paths.set(gateway, await addContent(gateway));
});

async function signIn(tab: Tab, gateway: TestAdmin, path: string, name = 'Ada'): Promise<void> {
  gateway.clock.advance(20_000);
  await tab.goto(gateway.origin + path);
  await tab.fill('[name=password]', gateway.password);
  await tab.fill('[name=name]', name);
  await tab.press('[name=name]', 'Enter');
  await tab.waitForURL(`**${path}`);
}

describe.skipIf(!hasBrowser)('every operator page of the gateway', () => {
  test.each([
    ['English, desktop, light', english, desktop],
    ['Chinese, phone, dark', chinese, phone],
    ['English, 320 pixels', english, narrowPhone],
  ] as const)('has no shift, overflow or axe violation: %s', async (_name, gateway, appearance) => {
    const tab = await browser.open(appearance);
    await signIn(tab, gateway, '/admin/accounts');
    for (const path of paths.get(gateway) ?? []) {
      await tab.goto(`${gateway.origin}/admin${path}`, { waitUntil: 'load' });
      expect([path, await tab.evaluate('inPage.measureLayout()')]).toEqual([path, cleanLayout]);
      await tab.evaluate(axe.source);
      expect([path, await tab.evaluate('inPage.violations()')]).toEqual([path, []]);
    }
    expect(tab.complaints).toEqual([]);
  });

  test.each([
    ['English, desktop', english, desktop],
    ['Chinese, phone, dark', chinese, phone],
  ] as const)(
    'is readable for an operator who may not use its forms: %s',
    async (_name, gateway, appearance) => {
      await gateway.signIn('Aud', 'auditor');
      const tab = await browser.open(appearance);
      await signIn(tab, gateway, '/admin/operators', 'Aud');
      const account = `/accounts/${gateway.keys.accountId}`;
      for (const path of [
        '/operators',
        account,
        `${account}/credit`,
        '/prices/change',
        '/ledger',
      ]) {
        await tab.goto(`${gateway.origin}/admin${path}`, { waitUntil: 'load' });
        expect([path, await tab.evaluate('inPage.measureLayout()')]).toEqual([path, cleanLayout]);
        await tab.evaluate(axe.source);
        expect([path, await tab.evaluate('inPage.violations()')]).toEqual([path, []]);
      }
      expect(await tab.locator('fieldset.refused button').isDisabled()).toBe(true);
      expect(tab.complaints).toEqual([]);
    },
  );
});

describe.skipIf(!hasBrowser)('an operator', () => {
  test('sees all sections in one line on a desktop', async () => {
    const tab = await browser.open(desktop);
    await signIn(tab, english, '/admin/accounts');
    const topPositions = await tab
      .locator('.masthead nav li')
      .evaluateAll((elements) =>
        elements.map((element) => Math.round(element.getBoundingClientRect().top)),
      );
    expect({ sections: topPositions.length, lines: new Set(topPositions).size }).toEqual({
      sections: 13,
      lines: 1,
    });
  });

  test('switches a capability off without scripts and finds it in the audit log', async () => {
    const tab = await browser.open(phone, { javaScriptEnabled: false });
    await signIn(tab, english, '/admin/providers');
    await tab.getByRole('link', { name: 'Switch off social' }).click();
    await tab.getByRole('button', { name: 'Switch off' }).click();
    expect(await tab.locator('#e-reason').textContent()).toBe('Give a short reason.');
    await tab.fill('[name=reason]', 'It answers with other people’s posts');
    await tab.getByRole('button', { name: 'Switch off' }).click();
    await expect.poll(() => tab.locator('.notice').textContent()).toContain('Switched off.');
    await tab.goto(`${english.origin}/admin`);
    expect(await tab.locator('.needs').textContent()).toContain('social is switched off');
    await tab.goto(`${english.origin}/admin/audit?kind=capability`);
    expect(await tab.locator('tbody').textContent()).toContain(
      'It answers with other people’s posts',
    );
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.waitForURL('**/admin/sign-in');
  });
});
