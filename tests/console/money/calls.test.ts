// Calls and their costs in the console: explained charges, filters, pages, usage, and a download in
// which no cell is a spreadsheet formula.
import { beforeAll, expect, test } from 'vitest';
import { creditAccount, topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { readFormFields } from '../../support/form-browser.ts';
import { json } from '../../support/http-request.ts';
import { CNY, mainText, openMoneyConsole } from './money-console.ts';

const testConsole = await openMoneyConsole();
const { world, db, customer, clock, keys } = testConsole;
const wallet = { accountId: keys.accountId, livemode: true, actor: 'test' };
const requestIn = (response: { text: string }) => String(JSON.parse(response.text).request_id);
let paidCall = '';
let failedCall = '';
let timedCall = '';

beforeAll(async () => {
  await topUp(world, db, { ...wallet, amount: 50n * CNY, reference: 'bank-1', reason: null });
  const debit = { ...wallet, reference: null, reason: 'A <i>mistake</i>', amount: -1n * CNY };
  await creditAccount(world, db, debit);
  paidCall = requestIn(await testConsole.call('paid', { text: '<script>alert(1)</script>' }));
  clock.advance(1_000);
  const failure = await testConsole.call('paid', { text: 'x', does: 'fail' });
  failedCall = String(json(failure).request_id);
  clock.advance(1_000);
  timedCall = requestIn(
    await testConsole.call('timed', { text: 'x', does: 'measure', seconds: 62 }),
  );
  clock.advance(1_000);
  await testConsole.call('free', { text: 'x' });
});

test('every row of the history states the reason for its amount', async () => {
  const shownText = mainText((await customer.get('/console/transactions')).text);
  expect(shownText).toContain('¥0.036 a call × 1 call = ¥0.036, by price list 1.');
  expect(shownText).toContain('¥0.036 from allowance of Sat 22 Aug 2026');
  expect(shownText).toContain('¥0.001 a second × 62 seconds = ¥0.062, by price list 1.');
  expect(shownText).toContain('Top-up to cash Reference bank-1 +¥50.00');
  expect(shownText).toContain(
    'Debit by an operator from cash “A &lt;i&gt;mistake&lt;/i&gt;” −¥1.00',
  );
  expect(shownText).toContain('Free allowance of the day +¥2.00');
  expect(shownText).toContain('The call failed, so nothing was charged.');
});

test('filters the history, and explains an invalid cursor', async () => {
  const calls = mainText((await customer.get('/console/transactions?show=calls')).text);
  expect([calls.includes('price list 1'), calls.includes('bank-1')]).toEqual([true, false]);
  const money = mainText((await customer.get('/console/transactions?show=money')).text);
  expect([money.includes('price list 1'), money.includes('bank-1')]).toEqual([false, true]);
  const invalidCursorPage = await customer.get('/console/transactions?cursor=nowhere');
  expect([
    invalidCursorPage.status,
    mainText(invalidCursorPage.text).includes('This position in the list is not valid'),
  ]).toEqual([200, true]);
});

test('shows the caller, price and response of a call as text', async () => {
  const { status, text } = await customer.get(`/console/calls/${paidCall}`);
  expect(status).toBe(200);
  const shownText = mainText(text);
  expect(shownText).toContain('Why this price ¥0.036 a call × 1 call = ¥0.036, by price list 1.');
  expect(shownText).toContain(
    'allowance of Sat 22 Aug 2026 ¥0.036 ¥0.036 ¥0.00 Total ¥0.036 ¥0.036 ¥0.00',
  );
  expect(shownText).toMatch(/Outcome succeeded Status 200 .* Key Test \(sk-/);
  expect(text).not.toContain('<script>alert');
  const failedCallText = mainText((await customer.get(`/console/calls/${failedCall}`)).text);
  expect(failedCallText).toContain('The call failed, so nothing was charged.');
  expect(failedCallText).toContain('allowance of Sat 22 Aug 2026 ¥0.036 ¥0.00 ¥0.036');
  const absentCallPage = await customer.get('/console/calls/req_none');
  expect([absentCallPage.status, mainText(absentCallPage.text)]).toEqual([
    404,
    expect.stringContaining('There is no such call in this mode'),
  ]);
});

test('filters calls by their properties', async () => {
  const callIds = async (query: string) =>
    [...(await customer.get(`/console/calls${query}`)).text.matchAll(/calls\/(req_\w+)"/g)].map(
      ([, id]) => id,
    );
  expect((await callIds('')).length).toBe(4);
  expect(await callIds('?outcome=failed')).toEqual([failedCall]);
  expect(await callIds('?capability=timed')).toEqual([timedCall]);
  expect((await callIds('?from=2026-08-22&to=2026-08-22')).length).toBe(4);
  expect(await callIds('?from=2026-08-23')).toEqual([]);
  expect(await callIds('?key=key_none')).toEqual([]);
  const invalidDatesPage = await customer.get('/console/calls?from=2026-09-01&to=2026-08-01');
  expect([
    invalidDatesPage.status,
    mainText(invalidDatesPage.text).includes('Enter valid dates'),
  ]).toEqual([400, true]);
  const callPage = await customer.get(`/console/calls?request=${paidCall}`);
  expect(callPage.headers.location).toBe(`/console/calls/${paidCall}`);
});

test('shows fifty-five calls on two pages without gaps or repetitions', async () => {
  await testConsole.newAccount();
  const otherBrowser = await testConsole.signIn('customer-2@example.com', 'password 2 of a test');
  const thirdAccount = await testConsole.newAccount();
  const thirdBrowser = await testConsole.signIn('customer-3@example.com', 'password 3 of a test');
  for (let index = 0; index < 55; index += 1)
    await testConsole.call('paid', { text: 'x' }, { key: thirdAccount.sk });
  for (const path of ['/console/calls', '/console/transactions?show=calls']) {
    const firstPage = (await thirdBrowser.get(path)).text;
    const [, nextPath = ''] = /rel="next" href="([^"]+)"/.exec(firstPage) ?? [];
    const secondPage = (await thirdBrowser.get(nextPath.replaceAll('&amp;', '&'))).text;
    const ids = [...`${firstPage}${secondPage}`.matchAll(/href="\/console\/calls\/(req_\w+)"/g)];
    expect(ids.length).toBe(55);
    expect(new Set(ids.map(([, id]) => id)).size).toBe(55);
    expect(secondPage).not.toContain('rel="next"');
  }
  expect(mainText((await otherBrowser.get('/console/calls')).text)).toContain('No calls yet');
  expect(mainText((await otherBrowser.get('/console/transactions')).text)).toContain(
    'Nothing has happened',
  );
  expect(mainText((await otherBrowser.get('/console/usage')).text)).toContain(
    'No calls in these days',
  );
});

test('shows usage by day, capability and key as charts, tables and a file', async () => {
  const dailyPage = await customer.get('/console/usage');
  expect(mainText(dailyPage.text)).toContain('4 calls in 30 days');
  expect(mainText(dailyPage.text)).toContain('¥0.098 in 30 days');
  expect(mainText(dailyPage.text)).toContain('Sat 22 Aug 4 3 ¥0.098 ¥0.098 ¥0.00 ¥0.00');
  expect(dailyPage.text).not.toContain('style=');
  const usageBy = mainText((await customer.get('/console/usage?by=capability')).text);
  expect(usageBy).toContain('timed 1 1 ¥0.062');
  const months = /from=2026-07-01&amp;to=2026-07-31[^>]*>Last month</;
  expect(dailyPage.text).toMatch(months);
  expect(dailyPage.text).toMatch(/<title>22 Aug: ¥0\.098<\/title>/);
  const year = '/console/usage?by=capability&from=2025-08-23&to=2026-08-22';
  const weeklyPage = await customer.get(year);
  expect(mainText(weeklyPage.text)).toContain('each bar is one week');
  expect(weeklyPage.text).toMatch(
    /<title>17 Aug – 22 Aug: ¥0\.098\ntimed ¥0\.062\npaid ¥0\.036<\/title>/,
  );
  const dailyFile = await customer.get(year.replace('usage', 'usage.csv').concat('&each=day'));
  expect(dailyFile.text.split('\r\n').find((line) => line.includes('timed'))).toBe(
    '2026-08-22,timed,1,1,0.062,0.062,0,0',
  );
  const invalidDatesPage = await customer.get('/console/usage?from=2020-01-01&to=2026-08-22');
  expect(invalidDatesPage.status).toBe(400);
  expect(readFormFields(invalidDatesPage.text, '/console/usage')).toMatchObject({
    from: '2020-01-01',
  });
  await testConsole
    .newKey({ accountId: keys.accountId, name: '=1+1' })
    .then(({ text }) => testConsole.call('free', { text: 'x' }, { key: text }));
  const file = await customer.get('/console/usage.csv?by=key&from=2026-08-22&to=2026-08-22');
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toBe(
    'attachment; filename="usage-by-key-2026-08-22-2026-08-22.csv"',
  );
  const lines = file.text.replace('\uFEFF', '').split('\r\n');
  expect(lines[0]).toBe('key,calls,succeeded,charge_cny,free_quota_cny,voucher_cny,cash_cny');
  expect(lines.find((line) => line.includes('=1+1'))).toMatch(/^'=1\+1 …\w{4},1,1,0,0,0,0$/);
});

test('test mode has a separate history', async () => {
  const testBrowser = await testConsole.signIn();
  await testBrowser.submit('/console/wallet', '/console/mode', { livemode: 'false' });
  expect((await testBrowser.get(`/console/calls/${paidCall}`)).status).toBe(404);
  expect(mainText((await testBrowser.get('/console/calls')).text)).toContain('No calls yet');
  await testBrowser.submit('/console/wallet', '/console/mode', { livemode: 'true' });
});
