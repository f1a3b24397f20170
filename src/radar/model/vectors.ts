// Vectors as numbers and bytes. All have length 1, so that a dot product is the cosine.

/** Null for non-finite numbers or a zero vector. */
export function unitVector(values: readonly number[]): Float32Array | null {
  let sum = 0;
  for (const value of values) sum += value * value;
  if (!Number.isFinite(sum) || sum <= 0) return null;
  const length = Math.sqrt(sum);
  return Float32Array.from(values, (value) => value / length);
}

export function vectorBytes(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of vector.entries()) view.setFloat32(index * 4, value, true);
  return bytes;
}

export function vectorOf(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) =>
    view.getFloat32(index * 4, true),
  );
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
