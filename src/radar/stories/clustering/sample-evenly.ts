// Deterministic samples of a long list.

/** At most `max` elements (1 or more), evenly spread, including the first and the last. */
export function sampleEvenly<T>(list: readonly T[], max: number): readonly T[] {
  if (list.length <= max) return list;
  if (max === 1) return list.slice(0, 1);
  const step = (list.length - 1) / (max - 1);
  return Array.from({ length: max }, (_, index) => Math.round(index * step)).flatMap((at) =>
    list.slice(at, at + 1),
  );
}
