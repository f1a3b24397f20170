import { expect, test } from 'vitest';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin, clock } = await openFilledRadar();
const contract = await readContract(origin);

type Snapshot = {
  readonly asOf: string;
  readonly fields: string;
  readonly cursor: string;
  readonly count: number;
  readonly totalCount: number;
  readonly hasMore: boolean;
  readonly nextPage: string | null;
  readonly items: readonly { readonly id: string; readonly selected: boolean }[];
};
const readSnapshot = async (query: string) =>
  json(
    await contract.sendRequest({ path: `/api/v1/selected/snapshot${query}` }),
  ) as unknown as Snapshot;

test('a snapshot in one page contains the whole selected set', async () => {
  const { items, count, totalCount, hasMore, nextPage, fields } = await readSnapshot('');
  expect(items.length).toBeGreaterThan(3);
  expect({ count, totalCount, hasMore, nextPage, fields }).toEqual({
    count: items.length,
    totalCount: items.length,
    hasMore: false,
    nextPage: null,
    fields: 'default',
  });
  expect(items.every((item) => item.selected)).toBe(true);
});

test.each(['default', 'minimal'])(
  'the pages of a snapshot together contain the whole set: fields=%s',
  async (fields) => {
    const snapshot = await readSnapshot(`?fields=${fields}`);
    const items: object[] = [];
    let nextPath = `?fields=${fields}&limit=2`;
    for (;;) {
      const page = await readSnapshot(nextPath);
      items.push(...page.items);
      expect(page).toMatchObject({
        fields,
        cursor: snapshot.cursor,
        totalCount: snapshot.totalCount,
      });
      if (page.nextPage === null) break;
      // The token `page` contains `fields`, and the query may repeat them.
      const fieldsQuery = items.length % 4 === 0 ? `&fields=${fields}` : '';
      nextPath = `?limit=2&page=${page.nextPage}${fieldsQuery}`;
    }
    expect(items).toEqual(snapshot.items);
  },
);

test('the time and the tokens of a snapshot do not change its ETag', async () => {
  const path = '/api/v1/selected/snapshot?limit=2';
  const snapshotBefore = await contract.sendRequest({ path });
  clock.advance(5_000);
  const snapshotAfter = await contract.sendRequest({ path });
  expect(snapshotAfter.headers.etag).toBe(snapshotBefore.headers.etag);
  expect(json(snapshotAfter).asOf).not.toBe(json(snapshotBefore).asOf);
});
