import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin } = await openFilledRadar();
const contract = await readContract(origin);
const readRefusal = async (query: string) => {
  const response = await contract.sendRequest({ path: `/api/v1/selected/changes${query}` });
  const { code, detail } = json(response);
  return { status: response.status, code, detail: String(detail) };
};
const { cursor, nextPage } = json(
  await contract.sendRequest({ path: '/api/v1/selected/snapshot?limit=1' }),
) as { cursor: string; nextPage: string };
const listPage = json(await contract.sendRequest({ path: '/api/v1/items?limit=1' }));

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['fields=minimal', 'fields'],
  [`cursor=${cursor}&cursor=${cursor}`, 'cursor'],
])('returns 400 for the query %s', async (query, name) => {
  const { status, code, detail } = await readRefusal(`?${query}&cursor=${cursor}`);
  expect([status, code]).toEqual([400, 'invalid_request']);
  expect(detail).toContain(`"${name}"`);
});

test.each([
  ['no cursor', ''],
  ['an empty cursor', '?cursor='],
  ['an invented cursor', '?cursor=nonsense'],
  ['a changed cursor', `?cursor=${cursor}A`],
  ['the token of a snapshot page', `?cursor=${nextPage}`],
  ['a cursor of the list', `?cursor=${(listPage.page as { nextCursor: string }).nextCursor}`],
])('returns 409 for %s, which belongs to no state of the selected set', async (_what, query) => {
  const { status, code, detail } = await readRefusal(query);
  expect([status, code]).toEqual([409, 'snapshot_required']);
  expect(detail).toContain('/api/v1/selected/snapshot');
});
