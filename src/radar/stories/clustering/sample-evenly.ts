// Deterministic samples of a long list.

/** At most `most` elements, evenly spread, including the first and the last. */
export function sampleEvenly<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  if (most <= 0) return [];
  if (most === 1) return list.slice(0, 1);
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => Math.round(index * step)).flatMap((at) =>
    list.slice(at, at + 1),
  );
}
