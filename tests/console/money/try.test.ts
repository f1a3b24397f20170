// The trial call of a capability in the console. The trial call uses the normal call path with a
// selected key. The page shows the highest charge in advance, and no call costs more.
import { afterAll, expect, test } from 'vitest';
import { openUpstream } from '../../../demo/upstream/open-upstream.ts';
import { openCapabilities } from '../../../src/gateway/capabilities/open-capabilities.ts';
import { providersSchema } from '../../../src/gateway/capabilities/providers-config.ts';
import { revokeKey } from '../../../src/gateway/keys/change-keys.ts';
import { readAccountMoney } from '../../../src/gateway/wallet/history/read-account.ts';
import { expectAuditsPass } from '../../ledger/test-wallet.ts';
import { testWorld } from '../../support/test-world.ts';
import { openTestConsole } from '../test-console.ts';
import { mainText } from './money-console.ts';

const upstream = await openUpstream();
afterAll(() => upstream.close());
const storedMedia = { token: 'kept', url: '', mimeType: 'image/png', byteLength: 8 } as const;
const mediaStore = {
  store: async () => storedMedia,
  find: async () => null,
  deleteExpired: async () => 0,
};
const testConsole = await openTestConsole({
  capabilities: openCapabilities(
    testWorld().world,
    providersSchema.parse(upstream.config),
    mediaStore,
  ),
});
const { world, db, keys } = testConsole;
const signedInBrowser = await testConsole.signIn();
const readAllowance = async () =>
  (await readAccountMoney(world, db, { accountId: keys.accountId, livemode: true })).allowance
    .remaining;

const social = { platform: 'youtube', action: 'search', keyword: 'open models' };
const fieldsIn = (page: string) =>
  Object.fromEntries(
    ['token', 'once', 'shown'].map((name) => [
      name,
      new RegExp(`name="${name}" value="([^"]+)"`).exec(
        page.slice(page.indexOf('action="/console/catalog')),
      )?.[1] ?? '',
    ]),
  );
const keyIn = (page: string) => /<option value="(key_[0-9a-f]+)"/.exec(page)?.[1] ?? '';

test('the catalog shows capabilities with price and availability', async () => {
  const shownText = mainText((await signedInBrowser.get('/console/catalog')).text);
  expect(shownText).toContain('¥2.00 of paid calls are free every day');
  expect(shownText).toMatch(
    /Social data .*\/social an API key \(sk-…\) works ¥0\.036 a call Try it/,
  );
  expect(shownText).toContain('¥0.06 a minute, by the second');
  expect(shownText).toMatch(/Text models .* coming soon$/);
});

test('the button shows the price, and examples show the request without a key', async () => {
  const { text } = await signedInBrowser.get('/console/catalog/social?keyword=it%27s');
  const shownText = mainText(text);
  expect(shownText).toContain('It costs ¥0.036; a failed call is free. Send: ¥0.036');
  expect(shownText).toContain("curl 'http://gateway.example/api/v1/capabilities/social'");
  expect(shownText).toContain('await gateway.social({');
  expect(shownText).toContain('requests.post(');
  expect(text).not.toContain(keys.sk);
});

test('a call from the page is charged once at the shown price, even when repeated', async () => {
  const page = (await signedInBrowser.get('/console/catalog/social')).text;
  const form = { ...fieldsIn(page), ...social, key: keyIn(page) };
  const allowanceBefore = await readAllowance();
  const response = await signedInBrowser.post('/console/catalog/social', form);
  expect(mainText(response.text)).toContain('200 ¥0.036 was charged See the call');
  const repeatedResponse = await signedInBrowser.post('/console/catalog/social', form);
  expect(mainText(repeatedResponse.text)).toContain(
    'This request was sent before: the response is repeated',
  );
  expect(allowanceBefore - (await readAllowance())).toBe(3_600_000n);
  const changedResponse = await signedInBrowser.post('/console/catalog/social', {
    ...form,
    keyword: 'else',
  });
  expect(mainText(changedResponse.text)).toContain('422 idempotency_key_reused');
  expect(allowanceBefore - (await readAllowance())).toBe(3_600_000n);
});

test('refuses a call whose price is above the shown price, at no cost', async () => {
  const page = (await signedInBrowser.get('/console/catalog/social')).text;
  const allowanceBefore = await readAllowance();
  const cheaperForm = { ...fieldsIn(page), ...social, key: keyIn(page), shown: '0.02' };
  const response = await signedInBrowser.post('/console/catalog/social', cheaperForm);
  expect(mainText(response.text)).toContain('402 max_charge_exceeded');
  expect(mainText(response.text)).toContain('The price, 0.036 CNY, is above max_charge.');
  expect(await readAllowance()).toBe(allowanceBefore);
});

test('shows a refusal in the form of the API, at no cost', async () => {
  const page = (await signedInBrowser.get('/console/catalog/social')).text;
  const allowanceBefore = await readAllowance();
  const invalidForm = { ...social, action: 'content', url: '<script>alert(1)</script>' };
  const refusal = await signedInBrowser.post('/console/catalog/social', {
    ...fieldsIn(page),
    ...invalidForm,
    key: keyIn(page),
  });
  expect(mainText(refusal.text)).toContain('400 invalid_request');
  expect(refusal.text).not.toContain('<script>alert');
  expect(await readAllowance()).toBe(allowanceBefore);
});

test('accepts only a key of the account, of the mode and of the right kind', async () => {
  const otherAccount = await testConsole.newAccount();
  const otherKey = await testConsole.newKey({ accountId: otherAccount.accountId });
  const page = (await signedInBrowser.get('/console/catalog/social')).text;
  const pageKey = keyIn(page);
  const form = { ...fieldsIn(page), ...social };
  const allowanceBefore = await readAllowance();
  const { accountId } = keys;
  const testKey = await testConsole.newKey({ accountId, livemode: false });
  const agentKey = await testConsole.newKey({ accountId, kind: 'ak' });
  for (const key of [otherKey.id, testKey.id, agentKey.id, 'key_none', '']) {
    const response = await signedInBrowser.post('/console/catalog/social', { ...form, key });
    expect(response.text).not.toContain('class="result"');
  }
  const revokedKey = (await testConsole.newKey({ accountId: keys.accountId, name: 'Gone' })).id;
  await revokeKey(world, db, revokedKey);
  expect((await signedInBrowser.get('/console/catalog/social')).text).not.toContain(revokedKey);
  expect(await readAllowance()).toBe(allowanceBefore);

  const response = await signedInBrowser.post('/console/catalog/social', { ...form, key: pageKey });
  expect(response.text).toContain('class="result"');
});

test('test mode calls no provider, costs nothing, and the page states it', async () => {
  const testBrowser = await testConsole.signIn();
  await testBrowser.submit('/console/wallet', '/console/mode', { livemode: 'false' });
  const page = (await testBrowser.get('/console/catalog/social')).text;
  expect(page).toContain('class="test-mode"');
  expect(mainText(page)).toContain('Send in test mode');
  const requestCount = upstream.servers.tikhub.requests.length;
  const allowanceBefore = await readAllowance();
  const response = await testBrowser.post('/console/catalog/social', {
    ...fieldsIn(page),
    ...social,
    key: keyIn(page),
  });
  expect(mainText(response.text)).toContain('"livemode": false');
  expect([upstream.servers.tikhub.requests.length, await readAllowance()]).toEqual([
    requestCount,
    allowanceBefore,
  ]);
  await testBrowser.submit('/console/wallet', '/console/mode', { livemode: 'true' });
});

test('shows chat when it is available, and no unavailable capability', async () => {
  expect(mainText((await signedInBrowser.get('/console/catalog/chat')).text)).toContain(
    'relay.example',
  );
  expect((await signedInBrowser.get('/console/catalog/text-llm')).status).toBe(404);
  expect((await signedInBrowser.get('/console/catalog/none')).status).toBe(404);
});

test('a form without a valid session is refused', async () => {
  const form = { token: 'none', once: 'try-12345678', ...social, key: 'key_1' };
  expect((await signedInBrowser.post('/console/catalog/social', form)).status).toBe(403);
  const visitor = testConsole.browser();
  expect((await visitor.post('/console/catalog/social', form)).status).toBe(401);
});

test('the balances are correct after all tests of this file', () => expectAuditsPass(world, db));
