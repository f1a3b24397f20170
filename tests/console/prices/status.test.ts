// The public status page, and the expected spending on the wallet page.
import { beforeAll, expect, test } from 'vitest';
import type { Capability } from '../../../src/gateway/capabilities/capability.ts';
import { topUp } from '../../../src/gateway/wallet/credits/post-transfer.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/kernel/time/durations.ts';
import { sendRequest } from '../../support/http-request.ts';
import { testCapability } from '../../support/test-capability.ts';
import { CNY, mainText } from '../money/money-console.ts';
import { openTestConsole } from '../test-console.ts';

const social = testCapability({ id: 'social', sku: 'social_data' });
const testConsole = await openTestConsole({ capabilities: [social.capability as Capability] });
const { world, db, clock, keys } = testConsole;
const wallet = { accountId: keys.accountId, livemode: true, actor: 'test' };
/** With the call of the first test, 75 of 76 calls succeed. */
const CALLS = 74;

async function readStatusText(): Promise<string> {
  const { status, text } = await testConsole.browser().get('/console/status');
  expect(status).toBe(200);
  return mainText(text);
}

async function readWalletText(): Promise<string> {
  const customer = await testConsole.signIn();
  return mainText((await customer.get('/console/wallet')).text);
}

beforeAll(async () => {
  await topUp(world, db, { ...wallet, amount: 50n * CNY, reference: 'bank-1', reason: null });
});

test('shows the state of a capability, and no success share after few calls', async () => {
  const redirectResponse = await sendRequest(testConsole.origin, { path: '/status' });
  expect([redirectResponse.status, redirectResponse.headers.location]).toEqual([
    302,
    '/console/status',
  ]);
  await testConsole.call('social', { text: 'x' });
  const text = await readStatusText();
  expect(text).toContain('Every capability that is set up works.');
  expect(text).toMatch(/works too few calls too few calls/);
});

test('shows no expected spending for an account that paid nothing', async () => {
  expect(await readWalletText()).not.toContain('At the pace');
});

test('shows the share of calls that succeeded', async () => {
  for (let index = 0; index < CALLS; index += 1) await testConsole.call('social', { text: 'x' });
  await testConsole.call('social', { text: 'x', does: 'fail' });
  clock.advance(2 * MINUTE_MS);
  expect(await readStatusText()).toMatch(/works 98\.6 % 98\.6 %/);
  clock.advance(DAY_MS);
  expect(await readStatusText()).toMatch(/works too few calls 98\.6 %/);
});

test('forecasts spending from the last seven days, without the free allowance', async () => {
  const text = await readWalletText();
  // 75 calls of ¥0.036 less the allowance of ¥2.00, in seven days.
  expect(text).toContain('A day ≈ ¥0.10');
  expect(text).toContain('The balance lasts more than a year');
  expect(text).toMatch(/By the end of August 2026 ≈ ¥1\.\d\d ¥0\.70 so far/);
});
