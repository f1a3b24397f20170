import { describe, expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin, clock } = await openFilledRadar();
const contract = await readContract(origin);
const readRefusal = async (query: string) => {
  const response = await contract.sendRequest({ path: `/api/v1/items?${query}` });
  expect(response.status).toBe(400);
  return json(response) as { code: string; detail: string };
};

describe('refuses an invalid query and names the parameter', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=05', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['mode=', 'mode'],
    ['mode=ALL', 'mode'],
    ['mode=%00', 'mode'],
    ['category=sports', 'category'],
    ['window=1h', 'window'],
    ['by=score', 'by'],
    ['q=a', 'q'],
    ['q=%20%E3%80%80a%20', 'q'],
    ['q=', 'q'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['q=a%0Ab', 'q'],
    ['q=%ff', 'q'],
    ['Limit=5', 'Limit'],
    ['page=1', 'page'],
    ['limit[]=5', 'limit[]'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
  ])('%s', async (query, name) => {
    const { code, detail } = await readRefusal(query);
    expect(code).toBe('invalid_request');
    expect(detail).toContain(`"${name}"`);
  });

  test('states every problem of a query at once', async () => {
    const { detail } = await readRefusal('limit=0&mode=x&mode=all&pages=1&q=a%0Ab&pages=2');
    expect(detail).toMatch(/^The query parameter "mode" is given twice\. Unknown query parameter /);
    expect(detail).toMatch(/"pages"\. .*"q" contains/);
    expect(detail).toMatch(
      /"mode" must .*"limit" must .* This address takes: mode, category, .*\.$/,
    );
    const names = Array.from({ length: 1_000 }, (_, index) => `x${index}`).join('&');
    expect((await readRefusal(names)).detail.length).toBeLessThan(400);
  });

  test('counts 200 characters outside of the basic plane as 200', async () => {
    const text = encodeURIComponent('🛰'.repeat(200));
    expect((await contract.sendRequest({ path: `/api/v1/items?q=${text}` })).status).toBe(200);
    expect((await readRefusal(`q=${encodeURIComponent('🛰'.repeat(201))}`)).detail).toContain('"q"');
  });
});

describe('an invalid cursor', () => {
  test('of another query or kind, altered or invented, is refused', async () => {
    const firstPage = json(await contract.sendRequest({ path: '/api/v1/items?mode=all&limit=1' }));
    const { nextCursor } = firstPage.page as { nextCursor: string };
    const snapshot = json(await contract.sendRequest({ path: '/api/v1/selected/snapshot' }));
    const wrongCursors = [
      `cursor=${nextCursor}`,
      `mode=all&by=published&cursor=${nextCursor}`,
      `mode=all&window=24h&cursor=${nextCursor}`,
      `mode=all&category=industry&cursor=${nextCursor}`,
      `mode=all&q=title&cursor=${nextCursor}`,
      `mode=all&cursor=${nextCursor.slice(0, -1)}`,
      `mode=all&cursor=${nextCursor}A`,
      `mode=all&cursor=${snapshot.cursor}`,
      'mode=all&cursor=',
      'mode=all&cursor=nonsense',
      `mode=all&cursor=${'a'.repeat(3_000)}`,
    ];
    for (const query of wrongCursors)
      expect([query, (await readRefusal(query)).code]).toEqual([query, 'invalid_cursor']);
    expect(
      (await contract.sendRequest({ path: `/api/v1/items?mode=all&cursor=${nextCursor}` })).status,
    ).toBe(200);
  });

  test('is refused after its position left the window, not because of its age', async () => {
    const firstPage = json(
      await contract.sendRequest({ path: '/api/v1/items?mode=all&window=24h&limit=1' }),
    );
    const { nextCursor } = firstPage.page as { nextCursor: string };
    const query = `mode=all&window=24h&limit=1&cursor=${nextCursor}`;
    clock.advance(23 * 3_600_000);
    expect((await contract.sendRequest({ path: `/api/v1/items?${query}` })).status).toBe(200);
    clock.advance(2 * 3_600_000);
    expect((await readRefusal(query)).code).toBe('invalid_cursor');
  });
});
