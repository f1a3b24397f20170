// An immutable map by id, in shards of about a dozen rows. A new table copies only changed shards.

export type IdTable<T> = {
  readonly idOf: (row: T) => string;
  readonly shards: readonly (readonly T[])[];
  readonly size: number;
};

const SHARD_COUNT = 8192;

export function emptyTable<T>(idOf: (row: T) => string): IdTable<T> {
  return { idOf, shards: new Array<readonly T[]>(SHARD_COUNT).fill([]), size: 0 };
}

export function rowOf<T>({ shards, idOf }: IdTable<T>, id: string): T | undefined {
  return shards[shardOf(id)]?.find((row) => idOf(row) === id);
}

export function hasRow<T>({ shards, idOf }: IdTable<T>, row: T): boolean {
  return shards[shardOf(idOf(row))]?.includes(row) ?? false;
}

/** Removes rows, then adds rows. The remaining rows must not have the id of an added row. */
export function changeTable<T>(
  table: IdTable<T>,
  removed: Iterable<T>,
  added: Iterable<T>,
): IdTable<T> {
  const { idOf } = table;
  const shards = [...table.shards];
  let size = table.size;
  for (const row of removed) {
    const shardIndex = shardOf(idOf(row));
    shards[shardIndex] = (shards[shardIndex] ?? []).filter((other) => other !== row);
    size--;
  }
  for (const row of added) {
    const shardIndex = shardOf(idOf(row));
    shards[shardIndex] = [...(shards[shardIndex] ?? []), row];
    size++;
  }
  return { idOf, shards, size };
}

function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index++)
    hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0;
  // The higher bits are mixed into the lower bits, which select the shard.
  return (hash ^ (hash >>> 15)) & (SHARD_COUNT - 1);
}
