import { expect, test } from 'vitest';
import { changeItem } from '../../../src/radar/publication/change-item.ts';
import { readContract } from '../../contract/read-document.ts';
import { openFilledRadar } from '../../support/filled-radar.ts';
import { json } from '../../support/http-request.ts';

const { origin, world, db } = await openFilledRadar();
const contract = await readContract(origin);

type Change = {
  readonly op: string;
  readonly id?: string;
  readonly item?: { readonly id: string };
};
type Changes = {
  readonly fields: string;
  readonly cursor: string;
  readonly count: number;
  readonly hasMore: boolean;
  readonly changes: readonly Change[];
};
const readChanges = async (query: string) =>
  json(
    await contract.sendRequest({ path: `/api/v1/selected/changes?${query}` }),
  ) as unknown as Changes;
const readSnapshot = async (fields: string) =>
  json(
    await contract.sendRequest({ path: `/api/v1/selected/snapshot?fields=${fields}` }),
  ) as unknown as {
    cursor: string;
    items: readonly { readonly id: string }[];
  };
const change = (id: string, action: 'withdraw' | 'restore') =>
  changeItem(world, db, id, { action, actor: 'test', note: null });

test.each(['default', 'minimal'])(
  'returns nothing after a snapshot, then each change (%s)',
  async (fields) => {
    const { cursor, items } = await readSnapshot(fields);
    const noChanges = await readChanges(`cursor=${cursor}`);
    expect(noChanges).toMatchObject({ fields, count: 0, hasMore: false, changes: [] });
    const [firstId = '', secondId = ''] = items.map(({ id }) => id);
    await change(firstId, 'withdraw');
    await change(secondId, 'withdraw');
    await change(secondId, 'restore');
    const page = await readChanges(`cursor=${noChanges.cursor}&limit=1`);
    expect([page.hasMore, page.count]).toEqual([true, 1]);
    const laterChanges = await readChanges(`cursor=${page.cursor}`);
    expect(laterChanges.hasMore).toBe(false);
    const allChanges = [...page.changes, ...laterChanges.changes];
    const lastOperations = new Map(allChanges.map(({ id, item, op }) => [id ?? item?.id, op]));
    expect([lastOperations.get(firstId), lastOperations.get(secondId)]).toEqual([
      'remove',
      'upsert',
    ]);
    await change(firstId, 'restore');
  },
);
