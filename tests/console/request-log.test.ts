// The log of requests. The page of a call shows its request, and sends the request again at the
// shown price. The account switches the log off, and secrets are not stored.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteExpiredRequests } from '../../src/gateway/calls/request-log.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { until } from '../support/until.ts';
import { openTestConsole } from './test-console.ts';

const testConsole = await openTestConsole();
const browser = await testConsole.signIn();

const readStoredBodies = async () => {
  const { rows } = await sql<{ body: string }>`
    SELECT body FROM call_requests ORDER BY request_id`.execute(sqlOf(testConsole.db));
  return rows.map(({ body }) => body);
};
const waitForStoredRequests = (count: number) =>
  until(async () => {
    const bodies = await readStoredBodies();
    return bodies.length === count ? bodies : null;
  });
const readNewestCallId = async () => {
  const { text } = await browser.get('/console/calls');
  return /\/console\/calls\/(req_[\w-]+)/.exec(text)?.[1] ?? '';
};

test('a call shows its request and is sent again for the price on the button', async () => {
  const callResponse = await testConsole.call('paid', { text: 'hello', max_charge: '0.5' });
  expect(callResponse.status).toBe(200);
  expect(await waitForStoredRequests(1)).toEqual(['{"text":"hello"}']);
  const firstCall = await readNewestCallId();
  const page = await browser.get(`/console/calls/${firstCall}`);
  expect(page.text).toContain('&quot;text&quot;: &quot;hello&quot;');
  expect(page.text).toContain('Send again for ¥0.036');
  const repeatedPage = await browser.submit(
    `/console/calls/${firstCall}`,
    `/console/calls/${firstCall}/again`,
    {},
  );
  expect(repeatedPage.status).toBe(200);
  expect(repeatedPage.text).toContain('¥0.036 was charged');
  expect(await waitForStoredRequests(2)).toEqual(['{"text":"hello"}', '{"text":"hello"}']);
  expect(await readNewestCallId()).not.toBe(firstCall);
});

test('a form that is sent twice is one call', async () => {
  const id = await readNewestCallId();
  const page = await browser.get(`/console/calls/${id}`);
  const formId = /name="once" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const path = `/console/calls/${id}`;
  await browser.submit(path, `${path}/again`, { once: formId });
  const repeatedResponse = await browser.submit(path, `${path}/again`, { once: formId });
  expect(repeatedResponse.status).toBe(200);
  expect(await waitForStoredRequests(3)).toHaveLength(3);
});

test('a request with a secret is stored without the secret, and cannot be sent again', async () => {
  await testConsole.call('paid', { text: 'https://ann:pass@cdn.example/a' });
  expect((await waitForStoredRequests(4)).at(-1)).toBe(
    '{"text":"https://[redacted]@cdn.example/a"}',
  );
  const page = await browser.get(`/console/calls/${await readNewestCallId()}`);
  expect(page.text).toContain('Secrets in this request were not stored');
  expect(page.text).not.toContain('Send again for');
});

test('switching the log off deletes it, and the account can switch it on again', async () => {
  const offPage = await browser.submit('/console/account', '/console/account/request-log', {});
  expect(offPage.text).toContain('Requests are no longer kept.');
  expect(await readStoredBodies()).toEqual([]);
  await testConsole.call('paid', { text: 'unseen' });
  await browser.submit('/console/account', '/console/account/request-log', {});
  await testConsole.call('paid', { text: 'seen' });
  expect(await waitForStoredRequests(1)).toEqual(['{"text":"seen"}']);
});

test('requests are deleted after a day', async () => {
  testConsole.clock.advance(DAY_MS);
  await deleteExpiredRequests(testConsole.world, testConsole.db);
  expect(await readStoredBodies()).toEqual([]);
});
