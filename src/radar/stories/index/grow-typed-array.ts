// Grows typed arrays by a quarter of their length, so that copies stay rare.

type Numbers =
  | Int32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Returns a copy with appended zeros and at least `atLeast` elements. */
export function growTypedArray<T extends Numbers>(values: T, atLeast: number): T {
  const List = values.constructor as new (length: number) => T;
  const largerArray = new List(Math.max(atLeast, Math.ceil(values.length * 1.25)));
  largerArray.set(values);
  return largerArray;
}
