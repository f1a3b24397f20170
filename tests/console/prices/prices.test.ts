// The public price page with its calculator, and pages that do not exist on the gateway.
import { expect, test } from 'vitest';
import { sendRequest } from '../../support/http-request.ts';
import { mainText } from '../money/money-console.ts';
import { openTestConsole } from '../test-console.ts';

const testConsole = await openTestConsole();
const chineseConsole = await openTestConsole({ language: 'zh-CN' });

test('shows the price of every capability without an account', async () => {
  const queryRedirect = await sendRequest(testConsole.origin, { path: '/prices?social=1000' });
  expect([queryRedirect.status, queryRedirect.headers.location]).toEqual([
    302,
    '/console/prices?social=1000',
  ]);
  const plainRedirect = await sendRequest(testConsole.origin, { path: '/prices' });
  expect([plainRedirect.status, plainRedirect.headers.location]).toEqual([302, '/console/prices']);
  const page = await testConsole.browser().get('/console/prices');
  expect(page.status).toBe(200);
  const text = mainText(page.text);
  expect(text).toContain('Social data');
  expect(text).toContain('¥0.036');
  expect(text).toContain('free');
  expect(text).toMatch(/Chat[^¥]{0,200}by model and tokens/);
  expect((await chineseConsole.browser().get('/console/prices')).text).toContain('费用计算');
});

test('the catalog of customers has the same prices', async () => {
  const customer = await testConsole.signIn('customer-1@example.com', 'password 1 of a test');
  const text = mainText((await customer.get('/console/catalog')).text);
  expect(text).toMatch(/Chat[^¥]{0,300}by model and tokens/);
  expect(text).toContain('¥0.036 a call');
  expect(text).toContain('¥0.06 a minute');
});

test('calculates the price of calls and minutes, and marks an invalid quantity', async () => {
  const visitor = testConsole.browser();
  const page = await visitor.get('/console/prices?social=1000&transcribe=60');
  expect(mainText(page.text)).toContain('Total: ¥39.60');
  const rejection = await visitor.get('/console/prices?social=-1&transcribe=1');
  expect(rejection.status).toBe(400);
  expect(rejection.text).toContain('id="e-social">A whole number from 0 to 1,000,000.');
  expect(rejection.text).toContain('value="-1"');
});

test('returns a page to a browser and a problem to a program for a missing address', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml' };
  const page = await sendRequest(testConsole.origin, { path: '/nothing/here', headers });
  expect(page.status).toBe(404);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('href="/console"');
  for (const request of [{ path: '/nothing/here' }, { path: '/api/v1/nothing', headers }]) {
    const problem = await sendRequest(testConsole.origin, request);
    expect(problem.status).toBe(404);
    expect(problem.headers['content-type']).toContain('application/problem+json');
  }
});
