// A map of bounded size that evicts entries which were not read recently. A full generation of new
// entries replaces the generation of old entries, so a read needs at most two lookups.

export type BoundedCache<V> = {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
};

/** Holds at most `max` entries. The newest `max / 2` entries are never evicted. */
export function openBoundedCache<V>(max: number): BoundedCache<V> {
  const half = Math.max(1, Math.floor(max / 2));
  let newEntries = new Map<string, V>();
  let oldEntries = new Map<string, V>();
  const set = (key: string, value: V) => {
    if (newEntries.size >= half && !newEntries.has(key)) {
      oldEntries = newEntries;
      newEntries = new Map();
    }
    newEntries.set(key, value);
  };
  return {
    set,
    get: (key) => {
      const value = newEntries.get(key);
      if (value !== undefined) return value;
      const oldValue = oldEntries.get(key);
      if (oldValue !== undefined) set(key, oldValue);
      return oldValue;
    },
  };
}
