// Monthly statements and receipts as pages to print, in both languages, with exact amounts.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  creditAccount,
  issueVoucher,
  topUp,
} from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { readAccountMoney } from '../../../src/gateway/wallet/history/read-account.ts';
import { monthAt, readMonth } from '../../../src/gateway/wallet/history/read-month.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import { CNY, mainText, openMoneyConsole } from './money-console.ts';

const testConsole = await openMoneyConsole();
const { world, db, customer, clock, keys } = testConsole;
const wallet = { accountId: keys.accountId, livemode: true };
const record = { ...wallet, actor: 'test' };

beforeAll(async () => {
  // August: more money than is spent. September: the allowance and some of the voucher are spent.
  await topUp(world, db, { ...record, amount: 50n * CNY, reference: 'bank-1', reason: null });
  const debit = { ...record, reference: null, reason: 'A mistake', amount: -1n * CNY };
  await creditAccount(world, db, debit);
  await testConsole.call('paid', { text: 'x' });
  clock.advance(20 * DAY_MS);
  const expiresAt = clock.now() + 30 * DAY_MS;
  const voucher = { ...record, name: 'Welcome', expiresAt, reference: null, reason: null };
  await issueVoucher(world, db, { ...voucher, amount: 3n * CNY });
  for (let index = 0; index < 60; index += 1)
    await testConsole.call('paid', { text: String(index) });
});

describe('a statement', () => {
  test('states entries, charges and both balances of a month that is over', async () => {
    const text = mainText(
      (await (await testConsole.signIn()).get('/console/statements/2026-08')).text,
    );
    expect(text).toContain(
      'Statement for August 2026 Saturday 1 August 2026 to Monday 31 August 2026',
    );
    expect(text).toContain(
      'Balance at the beginning ¥0.00 Money in and out +¥49.00 Charged for calls ¥0.00',
    );
    expect(text).toContain('Balance at the end ¥49.00');
    expect(text).toContain('Debit by an operator −¥1.00 Total +¥49.00');
    expect(text).toContain('Total 1 ¥0.036 ¥0.00 ¥0.00');
    expect(text).toContain('Later: September 2026');
  });

  test('begins with the closing balance of the previous month, and states charges', async () => {
    const text = mainText(
      (await (await testConsole.signIn()).get('/console/statements/2026-09')).text,
    );
    expect(text).toContain('Balance at the beginning ¥49.00 Money in and out +¥3.00');
    // 60 calls are ¥2.16; the allowance pays ¥2.00 of them.
    expect(text).toContain('Charged for calls −¥0.16 Balance at the end ¥51.84');
    expect(text).toContain('Total 60 ¥2.00 ¥0.16 ¥0.00');
    expect(text).toContain('This month is not over');
    const month = monthAt('2026-09', clock.now());
    const closingBalance = month && (await readMonth(db, wallet, month)).closingBalance;
    expect(closingBalance).toBe((await readAccountMoney(world, db, wallet)).balance.total);
  });

  test('opens the current month, and returns 404 for an invalid or future month', async () => {
    const browser = await testConsole.signIn();
    expect((await browser.get('/console/statements')).headers.location).toBe(
      '/console/statements/2026-09',
    );
    for (const month of ['2026-10', '2026-13', '0000-01', '0001-01', 'x']) {
      expect((await browser.get(`/console/statements/${month}`)).status).toBe(404);
    }
  });

  test('shows the same sums in Chinese, and no live sum in test mode', async () => {
    const browser = await testConsole.signIn();
    const page = '/console/statements/2026-09';
    await browser.submit(page, '/console/language', { language: 'zh-CN' });
    const chineseText = mainText((await browser.get(page)).text);
    expect(chineseText).toContain('2026年9月账单');
    expect(chineseText).toContain('调用费用 −¥0.16 期末余额 ¥51.84');
    await browser.submit(page, '/console/mode', { livemode: 'false' });
    const testModeText = mainText((await browser.get(page)).text);
    expect(testModeText).toContain('测试模式：不是真实款项。');
    expect(testModeText).not.toContain('¥51.84');
  });
});

test('transactions and the wallet link to statements', async () => {
  for (const page of ['/console/transactions', '/console/wallet']) {
    expect((await customer.get(page)).text).toContain('href="/console/statements"');
  }
});
