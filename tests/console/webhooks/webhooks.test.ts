// The console's pages about webhooks and budgets. Secrets are shown once, test events are
// delivered, and two editors do not overwrite each other. Endpoints of other accounts are not
// visible, and hostile addresses stay text.
import { afterAll, expect, test } from 'vitest';
import { openWebhookSender } from '../../../src/gateway/webhooks/open-sender.ts';
import { openReceiver } from '../../gateway/webhooks/webhook-receiver.ts';
import { until } from '../../support/until.ts';
import { openTestConsole } from '../test-console.ts';

const site = await openTestConsole();
const { world, db, clock, keys } = site;
afterAll(openWebhookSender(world, db).close);

const LIST = '/console/webhooks';
const secretIn = (text: string) => /whsec_[A-Za-z0-9+/=]+/.exec(text)?.[0] ?? null;
const pathIn = (text: string) => new RegExp(`${LIST}/hook_[0-9a-f]+`).exec(text)?.[0] ?? '';

async function addEndpoint(events: readonly string[] = ['job.finished']) {
  const browser = await site.signIn();
  const receiver = await openReceiver();
  const page = await browser.submit(LIST, LIST, { url: receiver.url, event: events });
  return { browser, receiver, page, path: pathIn(page.text), secret: secretIn(page.text) ?? '' };
}

test('adds an address, shows its secret once, and delivers a test', async () => {
  const { browser, receiver, page, path, secret } = await addEndpoint();
  expect(page.status).toBe(200);
  const pages = [await browser.get(LIST), await browser.get(path), await browser.get(LIST)];
  expect(pages.map(({ status, text }) => [status, secretIn(text)])).toEqual(
    Array(3).fill([200, null]),
  );
  const response = await browser.submit(path, `${path}/test`);
  expect(response.text).toContain('A test is being sent');
  await until(async () => (receiver.receivedWebhooks.length > 0 ? true : null));
  expect(receiver.receivedWebhooks[0]?.signedBy([secret])).toEqual([0]);
  const { text } = await until(async () => {
    const currentPage = await browser.get(path);
    return currentPage.text.includes('>received<') ? currentPage : null;
  });
  expect(text).toContain('This is a test of a webhook. Nothing has happened.');
  const repeatedTestPage = await browser.submit(path, `${path}/again`);
  expect(repeatedTestPage.text).toContain('The message is being sent again.');
  await until(async () => (receiver.receivedWebhooks.length === 2 ? true : null));
  expect(receiver.receivedWebhooks[0]?.id).toBe(receiver.receivedWebhooks[1]?.id);
});

test('a form sent twice at once adds its address once', async () => {
  const browser = await site.signIn();
  const token = /name="token" value="([^"]+)"/.exec((await browser.get(LIST)).text)?.[1] ?? '';
  const form = { token, url: 'https://twice.example/hook', event: ['job.finished'] };
  const bothResponses = await Promise.all([browser.post(LIST, form), browser.post(LIST, form)]);
  expect(bothResponses.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(bothResponses.filter(({ text }) => secretIn(text) !== null)).toHaveLength(1);
  const conflictText = bothResponses.find(({ status }) => status === 409)?.text;
  expect(conflictText).toContain('This address is in the list already.');
  expect((await browser.get(LIST)).text.split('https://twice.example/hook')).toHaveLength(2);
});

test('shows each error beside its field and keeps typed text', async () => {
  const browser = await site.signIn();
  const url = 'http://shop.example/"><script>alert(1)</script>';
  const refusal = await browser.submit(LIST, LIST, { url, event: ['balance.low'] });
  expect(refusal.status).toBe(422);
  expect(refusal.text).toContain('id="e-url"');
  expect(refusal.text).toContain('http://shop.example/&quot;&gt;&lt;script&gt;');
  expect(refusal.text).not.toContain('<script>alert');
  const pageWithoutEvents = await browser.submit(LIST, LIST, {
    url: 'https://shop.example/',
    event: [],
  });
  expect(pageWithoutEvents.status).toBe(422);
  expect(pageWithoutEvents.text).toContain('Choose at least one event.');
});

test('shows the first change to a second editor, and shows a new secret once', async () => {
  const { browser, path, receiver } = await addEndpoint();
  const pageBefore = await browser.get(path);
  const token = /name="token" value="([^"]+)"/.exec(pageBefore.text)?.[1] ?? '';
  const savedPage = await browser.submit(path, path, {
    url: receiver.url,
    event: ['balance.low'],
    on: [],
  });
  expect(savedPage.text).toContain('Saved.');
  expect(savedPage.text).toContain('>off<');
  const form = { token, version: '1', url: 'https://other.example/', event: ['job.finished'] };
  const staleSave = await browser.post(path, form);
  expect(staleSave.status).toBe(409);
  expect(staleSave.text).toContain('The values were changed meanwhile.');
  expect(staleSave.text).toContain(receiver.url);
  const renewedPage = await browser.submit(path, `${path}/secret`);
  expect(secretIn(renewedPage.text)).not.toBeNull();
  expect(secretIn((await browser.get(path)).text)).toBeNull();
});

test('returns 404 for an address of another account and in test mode', async () => {
  const { path } = await addEndpoint();
  await site.newAccount();
  const otherBrowser = await site.signIn('customer-2@example.com', 'password 2 of a test');
  expect((await otherBrowser.get(path)).status).toBe(404);
  const token = /name="token" value="([^"]+)"/.exec((await otherBrowser.get(LIST)).text)?.[1] ?? '';
  for (const actionPath of ['', '/secret', '/test', '/remove', '/again']) {
    const form = { token, version: '1', url: 'https://a.example/', event: ['job.finished'] };
    expect((await otherBrowser.post(`${path}${actionPath}`, form)).status).toBe(404);
  }
  const owner = await site.signIn();
  await owner.submit(path, '/console/mode', { livemode: 'false', to: LIST });
  expect((await owner.get(path)).status).toBe(404);
  await owner.submit(LIST, '/console/mode', { livemode: 'true', to: LIST });
  const removedPage = await owner.submit(path, `${path}/remove`);
  expect(removedPage.text).toContain('The address was removed.');
  expect((await owner.get(path)).status).toBe(404);
});

test('sets the budget of a key in the list of budgets', async () => {
  const browser = await site.signIn();
  const savedPage = await browser.submit('/console/budgets', '/console/budgets/key', {
    budget: '12.5',
    period: 'day',
  });
  expect(savedPage.text).toContain('Saved.');
  expect(savedPage.text).toMatch(/¥0\.00 of ¥12\.50/);
  const log = await browser.get('/console/account/security-log');
  expect(log.text).toContain('Name or limits of a key changed');
  const rejection = await browser.submit('/console/budgets', '/console/budgets/key', {
    budget: 'x',
  });
  expect(rejection.status).toBe(422);
  expect(rejection.text).toContain('name="budget" type="text" inputmode="decimal"');
  expect(rejection.text).toContain('value="x" aria-invalid="true"');
  const pageWithoutBudget = await browser.submit('/console/budgets', '/console/budgets/key', {
    budget: '',
  });
  expect(pageWithoutBudget.text).toContain('Saved.');
});

test('shows spending of budgets, and sets and removes a balance alert', async () => {
  const { accountId } = keys;
  const amount = 10_000_000n;
  const key = await site.newKey({ accountId, name: 'Shop', budget: { amount, period: 'month' } });
  for (const _ of [1, 2]) await site.call('paid', { text: 'now' }, { key: key.text });
  const browser = await site.signIn();
  const page = await browser.get('/console/budgets');
  expect(page.text).toMatch(/¥0\.072 of ¥0\.10/);
  expect(page.text).toContain('value="72"');
  expect(page.text).not.toContain(key.text);
  const saveAlert = (below: string) =>
    browser.submit('/console/budgets', '/console/budgets/balance', { below });
  for (const wrongAmount of ['0', '-1', 'much', '1e3', '10000001', '1.2.3']) {
    const refusal = await saveAlert(wrongAmount);
    expect([wrongAmount, refusal.status]).toEqual([wrongAmount, 422]);
    expect(refusal.text).toContain(`value="${wrongAmount}"`);
  }
  expect((await saveAlert('7.5')).text).toContain('value="7.5"');
  await until(async () => {
    // The clock advances in each round, because a poller may begin its wait of half a minute late.
    clock.advance(30_000);
    return (await browser.get('/console/budgets')).text.includes('Below this amount since')
      ? true
      : null;
  });
  expect((await saveAlert('')).text).toContain('name="below" type="text" value=""');
});
