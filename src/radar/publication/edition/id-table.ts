// Rows by id, immutable, in shards of a dozen: a new table copies only the shards that a change
// falls into.
import type { Row } from './row.ts';

export type IdTable = {
  readonly shards: readonly (readonly Row[])[];
  readonly size: number;
};

const shardCount = 8192;

export function emptyTable(): IdTable {
  return { shards: new Array<readonly Row[]>(shardCount).fill([]), size: 0 };
}

export function rowOf(table: IdTable, id: string): Row | undefined {
  return table.shards[shardOf(id)]?.find((row) => row.item.id === id);
}

export function hasRow(table: IdTable, row: Row): boolean {
  return table.shards[shardOf(row.item.id)]?.includes(row) ?? false;
}

/** Without the removed rows (of this table), with the added ones (of ids that it then lacks). */
export function changeTable(table: IdTable, removed: Iterable<Row>, added: Iterable<Row>): IdTable {
  const shards = [...table.shards];
  let size = table.size;
  for (const row of removed) {
    const at = shardOf(row.item.id);
    shards[at] = (shards[at] ?? []).filter((other) => other !== row);
    size--;
  }
  for (const row of added) {
    const at = shardOf(row.item.id);
    shards[at] = [...(shards[at] ?? []), row];
    size++;
  }
  return { shards, size };
}

function shardOf(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) & (shardCount - 1);
}
