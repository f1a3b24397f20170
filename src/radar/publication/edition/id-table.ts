// Rows by id, immutable, in shards: a new table copies only the shards that a change falls into.
import type { Row } from './row.ts';

export type IdTable = {
  readonly shards: readonly ReadonlyMap<string, Row>[];
  readonly size: number;
};

const shardCount = 512;

export function emptyTable(): IdTable {
  return { shards: new Array(shardCount).fill(new Map()), size: 0 };
}

export function rowOf(table: IdTable, id: string): Row | undefined {
  return table.shards[shardOf(id)]?.get(id);
}

/** Without the removed rows (of this table), with the added ones (of ids that it then lacks). */
export function changeTable(table: IdTable, removed: Iterable<Row>, added: Iterable<Row>): IdTable {
  const shards = [...table.shards];
  const copies = new Map<number, Map<string, Row>>();
  const copyOf = (id: string) => {
    const at = shardOf(id);
    const copy = copies.get(at) ?? new Map(table.shards[at]);
    copies.set(at, copy);
    shards[at] = copy;
    return copy;
  };
  let size = table.size;
  for (const { item } of removed) if (copyOf(item.id).delete(item.id)) size--;
  for (const row of added) {
    copyOf(row.item.id).set(row.item.id, row);
    size++;
  }
  return { shards, size };
}

function shardOf(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) & (shardCount - 1);
}
