// The wallet and its funding: balances in order of use, a voucher code, a top-up.
import { beforeEach, expect, test } from 'vitest';
import { setCallLimits } from '../../../src/gateway/accounts/account.ts';
import { issueVoucher, topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { makeVoucherBatch } from '../../../src/gateway/wallet/credits/voucher-codes.ts';
import { DAY_MS } from '../../../src/kernel/time/durations.ts';
import type { Browser } from '../../support/form-browser.ts';
import { openTestConsole } from '../test-console.ts';
import { CNY, mainText, openMoneyConsole } from './money-console.ts';

const testConsole = await openMoneyConsole();
const { world, db, checkout, customer, clock, keys } = testConsole;
const credit = { accountId: keys.accountId, livemode: true, actor: 'test', reason: null };

const createBatch = (overrides: object = {}) =>
  makeVoucherBatch(world, db, {
    name: 'Spring',
    amount: 10n * CNY,
    count: 2,
    daysValid: 30,
    redeemUntil: clock.now() + DAY_MS,
    onePerAccount: false,
    actor: 'test',
    ...overrides,
  });
const redeemCode = (browser: Browser, code: string) =>
  browser.submit('/console/wallet', '/console/wallet/redeem', { code });
const sessionOf = (page: string) => /cs_test_[0-9a-f]+/.exec(page)?.[0] ?? '';

beforeEach(() => {
  checkout.setFault(null);
  // Ten minutes later the rate limit for codes applies no longer.
  clock.advance(10 * 60_000);
});

test('shows balances by source and expiry', async () => {
  await topUp(world, db, { ...credit, amount: 5n * CNY, reference: 'bank-1' });
  const expiresAt = clock.now() + 3 * DAY_MS;
  const voucher = { ...credit, name: 'A <b>gift</b>', expiresAt, reference: null };
  await issueVoucher(world, db, { ...voucher, amount: 3n * CNY });
  const { status, text } = await customer.get('/console/wallet');
  expect(status).toBe(200);
  const shownText = mainText(text);
  expect(shownText).toContain('Can be spent now ¥10.00 allowance ¥2.00 + balance ¥8.00');
  expect(shownText).toMatch(/Today’s free allowance ¥2\.00 of ¥2\.00 renewed .* in 4 h/);
  expect(shownText).toMatch(
    /A &lt;b&gt;gift&lt;\/b&gt; ¥3\.00 of ¥3\.00 Tue 25 Aug, \d\d:\d\d in 3 d/,
  );
  expect(shownText).toContain('Cash ¥5.00 never');
  expect(shownText).toContain('Calls today 0 of 100,000 Calls this month 0 of 2,000,000');
});

test('shows the limits of calls that an operator has set for the account', async () => {
  await setCallLimits(db, keys.accountId, { perDay: 7, perMonth: null });
  const shownText = mainText((await customer.get('/console/wallet')).text);
  expect(shownText).toContain('Calls today 0 of 7 Calls this month 0 of 2,000,000');
});

test('redeems a code once, and shows the reason of a refusal with the typed text', async () => {
  const { codes } = await createBatch();
  const [code = ''] = codes;
  expect(mainText((await redeemCode(customer, code)).text)).toContain(
    '¥10.00 was added as the voucher “Spring”.',
  );
  const repeatedRedemption = await redeemCode(customer, code.toLowerCase());
  expect([repeatedRedemption.status, mainText(repeatedRedemption.text)]).toEqual([
    400,
    expect.stringContaining('You have redeemed this code already.'),
  ]);
  expect(repeatedRedemption.text).toContain(`value="${code.toLowerCase()}"`);
  const rejection = await redeemCode(customer, 'CR-<script>');
  expect(mainText(rejection.text)).toContain('This code is not valid.');
  expect(rejection.text).toContain('value="CR-&lt;script&gt;"');
});

test('limits guesses of codes', async () => {
  for (let attempt = 0; attempt < 12; attempt += 1) await redeemCode(customer, 'CR-GUESS');
  expect(mainText((await redeemCode(customer, 'CR-GUESS')).text)).toMatch(
    /Too many tries\. Wait \d+ s/,
  );
});

test('starts a top-up, redirects to the checkout, and synchronizes on return', async () => {
  const form = { amount: '12.50' };
  const topUpPage = await customer.submit('/console/top-up', '/console/top-up', form);
  expect(mainText(topUpPage.text)).toMatch(/^Pay ¥12\.50 You pay at 127\.0\.0\.1:\d+ and return/);
  const session = sessionOf(topUpPage.text);
  expect(checkout.sessions.get(session)).toMatchObject({ amount: 1_250, currency: 'cny' });
  const [, id = ''] = /(tu_[0-9a-f]{24})/.exec(topUpPage.text) ?? [];
  const returnPath = `/console/top-up/${id}?from=checkout`;
  clock.advance(1_000);
  expect(mainText((await customer.get(returnPath)).text)).toContain(
    'has not confirmed a payment yet',
  );
  await checkout.performAction(session, 'pay', 'silent');
  clock.advance(1_000);
  const paidPage = await customer.get(returnPath);
  expect(mainText(paidPage.text)).toMatch(/^¥12\.50 was added The amount is in your wallet\. /);
  expect(paidPage.text).not.toContain('data-refresh');
  const readReceipt = async () =>
    mainText((await customer.get(`/console/top-up/${id}/receipt`)).text);
  expect(paidPage.text).toContain(`href="/console/top-up/${id}/receipt"`);
  expect(await readReceipt()).toContain(
    'For Amount Top-up of the balance ¥12.50 Total paid ¥12.50',
  );
  // A failed refund at the provider: the statement lists the refund and its reversal.
  await checkout.refund(session, 500);
  clock.advance(1_000);
  await customer.get(returnPath);
  const refundedReceipt = 'Top-up of the balance ¥12.50 Refunded −¥5.00 Total paid ¥7.50';
  expect(await readReceipt()).toContain(refundedReceipt);
  await checkout.failRefund(session);
  const statement = mainText((await customer.get('/console/transactions?show=money')).text);
  expect(statement).toMatch(/Returned: the refund did not reach you to cash \+¥5\.00/);
  expect(statement).toMatch(/Refund at the checkout from cash [−-]¥5\.00/);
  expect(await readReceipt()).toContain('Top-up of the balance ¥12.50 Total paid ¥12.50');
  const pageText = mainText((await customer.get(`/console/top-up/${id}`)).text);
  expect(pageText).toContain('A refund of ¥5.00 did not reach you. The money is in your wallet');
});

test('shows beside the field that the amount is wrong or the provider is unreachable', async () => {
  for (const amount of ['', '9.99', '50001', '20.001', 'ten', '-5', '1e9']) {
    const refusal = await customer.post('/console/top-up', {
      ...tokenFieldOf((await customer.get('/console/top-up')).text),
      amount,
    });
    expect([refusal.status, mainText(refusal.text)]).toEqual([
      400,
      expect.stringContaining('Enter an amount from ¥10.00 to ¥50,000.00'),
    ]);
  }
  checkout.setFault('broken');
  const unreachablePage = await customer.submit('/console/top-up', '/console/top-up', {
    amount: '1,000.00',
  });
  expect([unreachablePage.status, mainText(unreachablePage.text)]).toEqual([
    503,
    expect.stringContaining('The checkout does not respond. Nothing was charged'),
  ]);
  expect(unreachablePage.text).toContain('value="1,000.00"');
});

const tokenFieldOf = (page: string) => ({
  token: /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '',
});

test('states after the return that the provider is unreachable', async () => {
  const topUpPage = await customer.submit('/console/top-up', '/console/top-up', { amount: '100' });
  const [, id = ''] = /(tu_[0-9a-f]{24})/.exec(topUpPage.text) ?? [];
  clock.advance(1_000);
  checkout.setFault('broken');
  const page = await customer.get(`/console/top-up/${id}?from=checkout`);
  expect([page.status, mainText(page.text)]).toEqual([
    200,
    expect.stringContaining('The provider cannot be reached at the moment.'),
  ]);
  checkout.setFault(null);
  expect(mainText((await customer.get(`/console/top-up/${id}?from=canceled`)).text)).toContain(
    'You returned without paying. Nothing was charged.',
  );
});

test('returns 404 for a top-up of another account', async () => {
  const topUpPage = await customer.submit('/console/top-up', '/console/top-up', { amount: '100' });
  const [, id = ''] = /(tu_[0-9a-f]{24})/.exec(topUpPage.text) ?? [];
  await testConsole.newAccount();
  const otherBrowser = await testConsole.signIn('customer-2@example.com', 'password 2 of a test');
  expect((await otherBrowser.get(`/console/top-up/${id}`)).status).toBe(404);
  expect((await otherBrowser.get('/console/top-up/tu_1')).status).toBe(404);
});

test('test mode has no top-ups and no codes', async () => {
  const testBrowser = await testConsole.signIn();
  await testBrowser.submit('/console/wallet', '/console/mode', { livemode: 'false' });
  const wallet = await testBrowser.get('/console/wallet');
  expect(wallet.text).toContain('class="test-mode"');
  expect(mainText(wallet.text)).toContain('Codes become vouchers in live mode.');
  expect(mainText(wallet.text)).toContain('Can be spent now ¥112.00');
  expect(mainText((await testBrowser.get('/console/top-up')).text)).toContain(
    'there is nothing to pay',
  );
  const { codes } = await createBatch();
  const tokenField = tokenFieldOf(wallet.text);
  const refusal = await testBrowser.post('/console/wallet/redeem', {
    ...tokenField,
    code: codes[0] ?? '',
  });
  expect(refusal.status).toBe(400);
  await testBrowser.submit('/console/wallet', '/console/mode', { livemode: 'true' });
  expect(mainText((await redeemCode(testBrowser, codes[0] ?? '')).text)).toContain('was added');
});

test('describes how to configure a checkout when there is none', async () => {
  const consoleWithoutCheckout = await openTestConsole();
  const { text } = await (await consoleWithoutCheckout.signIn()).get('/console/top-up');
  expect(mainText(text)).toBe(
    'Top up Top-ups are not available here yet This installation has no checkout. Its operator ' +
      'sets one up in radar.config.json, under topUps.checkout, and points the provider’s ' +
      'webhooks here: http://gateway.example/webhooks/stripe',
  );
});

test('permits ten top-ups at once and the next one after two minutes', async () => {
  checkout.setFault(null);
  clock.advance(20 * 60_000);
  const beginTopUp = () => customer.submit('/console/top-up', '/console/top-up', { amount: '100' });
  for (let count = 0; count < 10; count += 1) expect((await beginTopUp()).status).toBe(200);
  const sessions = checkout.sessions.size;
  const refusal = await beginTopUp();
  expect([refusal.status, mainText(refusal.text)]).toEqual([
    429,
    expect.stringContaining('Too many top-ups were begun. Pay one of them, or wait 1'),
  ]);
  expect(checkout.sessions.size).toBe(sessions);
  clock.advance(120_000);
  expect((await beginTopUp()).status).toBe(200);
});
