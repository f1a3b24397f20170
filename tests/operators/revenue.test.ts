// A page and a CSV file show the revenue by day, account and capability, with paid and free calls.
import { beforeAll, expect, test } from 'vitest';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { listRevenue } from '../../src/gateway/wallet/history/read-revenue.ts';
import { rollUpUsage } from '../../src/gateway/wallet/history/roll-up-usage.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import type { Browser } from '../support/form-browser.ts';
import { openTestAdmin } from './test-admin.ts';

const admin = await openTestAdmin({ costs: { paid: '0.01' } });
const CNY = 100_000_000n;
let operator: Browser;

beforeAll(async () => {
  const { accountId } = admin.keys;
  const money = { accountId, livemode: true, actor: 'test', reference: 'bank-1', reason: null };
  await topUp(admin.world, admin.db, { ...money, amount: 50n * CNY });
  // The allowance of 2 CNY pays the first 55 calls of 0.036 CNY and a part of call 56.
  for (let call = 0; call < 57; call += 1) await admin.call('paid', { text: `call ${call}` });
  await admin.call('paid', { text: 'x', does: 'fail' });
  admin.clock.advance(DAY_MS);
  await admin.call('paid', { text: 'of the next day' });
  operator = await admin.signIn();
});

test('the navigation opens a page with a row for yesterday', async () => {
  const { text } = await operator.get('/admin/revenue');
  expect(text).toContain('<a href="/admin/revenue" aria-current="page">Revenue</a>');
  const cells = (day: string) => {
    const [, textAfter = ''] = text.split(`${day}</time></th>`);
    const [row = ''] = textAfter.split('</tr>');
    return [...row.matchAll(/>([^<\s][^<]*)</g)].map(([, cell]) => cell);
  };
  expect(cells('Sat 22 Aug')).toEqual([
    ...['58', '57', '¥0.052', '¥0.00', '¥2.00', '¥2.052', '¥0.57', '−¥0.518'],
  ]);
  expect(cells('Sun 23 Aug')).toEqual([
    ...['1', '1', '¥0.00', '¥0.00', '¥0.036', '¥0.036', '¥0.01', '−¥0.01'],
  ]);
});

test('names accounts by their address, and refuses an invalid range', async () => {
  const accounts = await operator.get('/admin/revenue?by=account');
  expect(accounts.text).toContain(
    `<a href="/admin/accounts/${admin.keys.accountId}">customer-1@example.com</a>`,
  );
  const capabilities = await operator.get('/admin/revenue?by=capability');
  expect(capabilities.text).toContain('<th scope="row">paid</th>');
  const rejection = await operator.get('/admin/revenue?from=2026-08-23&to=2026-08-22');
  expect(rejection.status).toBe(400);
  expect(rejection.text).toContain('Choose a first and a last day, at most 92 days apart.');
});

test('exports the same figures as a CSV file', async () => {
  const file = await operator.get('/admin/revenue.csv?by=day&from=2026-08-22&to=2026-08-23');
  expect(file.headers['content-type']).toContain('text/csv');
  expect(file.text).toBe(
    'day,calls,succeeded,paid,vouchers,allowance,total,cost,margin,calls_of_unknown_cost\r\n' +
      '2026-08-22,58,57,0.052,0,2,2.052,0.57,-0.518,0\r\n' +
      '2026-08-23,1,1,0,0,0.036,0.036,0.01,-0.01,0\r\n',
  );
});

test('a capability without a configured cost has an unknown cost', async () => {
  const range = { from: '2026-08-22', to: '2026-08-23', groupBy: 'capability' } as const;
  const [line] = await listRevenue(admin.db, range, () => null);
  expect(line).toMatchObject({ group: 'paid', succeeded: 58, cost: 0n, callsWithUnknownCost: 58 });
});

test('the worker’s sums of usage change no figure', async () => {
  const readPage = async () =>
    (await operator.get('/admin/revenue')).text.replaceAll(/value="[^"]*"/g, '');
  const figuresBefore = await readPage();
  admin.clock.advance(DAY_MS / 24);
  await rollUpUsage(admin.world, admin.db);
  expect(await readPage()).toBe(figuresBefore);
});
