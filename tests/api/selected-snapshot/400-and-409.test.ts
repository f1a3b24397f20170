import { describe, expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const readRefusal = async (query: string) => {
  const response = await contract.sendRequest({ path: `/api/v1/selected/snapshot?${query}` });
  const { code, detail } = json(response);
  return { status: response.status, code, detail: String(detail) };
};
const firstPage = json(await contract.sendRequest({ path: '/api/v1/selected/snapshot?limit=1' }));
const page = String(firstPage.nextPage);

describe('returns 400 for', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['fields=all', 'fields'],
    ['fields=default&fields=default', 'fields'],
    ['cursor=x', 'cursor'],
    ['mode=all', 'mode'],
  ])('%s', async (query, name) => {
    const { status, code, detail } = await readRefusal(query);
    expect([status, code]).toEqual([400, 'invalid_request']);
    expect(detail).toContain(`"${name}"`);
  });

  test('a field list that differs from the first page’s', async () => {
    const { status, code } = await readRefusal(`page=${page}&fields=minimal`);
    expect([status, code]).toEqual([400, 'invalid_cursor']);
  });
});

test.each([
  ['an invented page', 'page=nonsense'],
  ['an empty page', 'page='],
  ['a changed page', `page=${page.slice(0, -1)}`],
  ['the cursor of the changes', `page=${firstPage.cursor}`],
])('returns 409 for %s, which belongs to no snapshot', async (_what, query) => {
  const { status, code, detail } = await readRefusal(query);
  expect([status, code]).toEqual([409, 'snapshot_required']);
  expect(detail).toContain('/api/v1/selected/snapshot');
});
