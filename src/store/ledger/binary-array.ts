// Encodes arrays and instants in PostgreSQL's binary format. Parsing and quoting text is much of
// the cost of a batch with many small values; the binary format needs neither.

/** Type OIDs of elements, fixed in every server. */
const INT8 = 20;
const INT4 = 23;
const TEXT = 25;
const TIMESTAMPTZ = 1184;

/** PostgreSQL counts microseconds from this instant. */
const EPOCH_2000_MS = Date.UTC(2000, 0, 1);

export function textArray(values: readonly (string | null)[]): Buffer {
  // A UTF-16 unit has at most three bytes in UTF-8.
  let maxBytes = HEAD;
  for (const value of values) maxBytes += 4 + (value === null ? 0 : 3 * value.length);
  const bytes = Buffer.allocUnsafe(maxBytes);
  let end = writeHead(bytes, TEXT, values);
  for (const value of values) {
    const length = value === null ? NULL : bytes.write(value, end + 4);
    bytes.writeInt32BE(length, end);
    end += 4 + Math.max(length, 0);
  }
  return bytes.subarray(0, end);
}

export function bigintArray(values: readonly (bigint | null)[]): Buffer {
  return fixedArray(INT8, 8, values, (bytes, value, at) => bytes.writeBigInt64BE(value, at));
}

export function integerArray(values: readonly number[]): Buffer {
  return fixedArray(INT4, 4, values, (bytes, value, at) => bytes.writeInt32BE(value, at));
}

/** From epoch milliseconds. */
export function instantArray(values: readonly number[]): Buffer {
  return fixedArray(TIMESTAMPTZ, 8, values, writeInstant);
}

/** One instant from epoch milliseconds. Text would need calendar arithmetic in the server. */
export function instantValue(epochMs: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writeInstant(bytes, epochMs, 0);
  return bytes;
}

function writeInstant(bytes: Buffer, epochMs: number, at: number): void {
  const microseconds = Math.round((epochMs - EPOCH_2000_MS) * 1_000);
  bytes.writeInt32BE(Math.floor(microseconds / 2 ** 32), at);
  // The lower 32 bits, also of a negative number.
  bytes.writeUInt32BE(microseconds >>> 0, at + 4);
}

/** Dimensions, null flag, type, length and first index: five integers. */
const HEAD = 20;
const NULL = -1;

function writeHead(bytes: Buffer, type: number, values: readonly unknown[]): number {
  const hasNull = values.includes(null);
  bytes.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  bytes.writeInt32BE(hasNull ? 1 : 0, 4);
  bytes.writeInt32BE(type, 8);
  // An empty array has no dimension, so it has neither length nor first index.
  if (values.length === 0) return 12;
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  return HEAD;
}

function fixedArray<T extends number | bigint>(
  type: number,
  size: number,
  values: readonly (T | null)[],
  write: (bytes: Buffer, value: T, at: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD + values.length * (4 + size));
  let end = writeHead(bytes, type, values);
  for (const value of values) {
    bytes.writeInt32BE(value === null ? NULL : size, end);
    end += 4;
    if (value === null) continue;
    write(bytes, value, end);
    end += size;
  }
  return bytes.subarray(0, end);
}
