import { describe, expect, test } from 'vitest';
import { type AgeOptions, decryptAge, encryptAge } from './age-file.ts';
import { seededRandom } from './random.ts';

const PASSPHRASE = 'correct horse battery';
const random = seededRandom(20_261_125);

/** Encrypted by the npm package `age-encryption` 0.3.1, with work factor 10. */
const MADE_BY_AGE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBqU1kydVVDam84NDRHQ1Y3bjJPbXhRIDEwCndYaHZrZXhz' +
  'b1MxQ3lKcERrcEsvdnYwQ2lRZEJvTXZNeDh0UjlhclJWdU0KLS0tIHhlZzYydGFNYUk5MGsvY2Y1WG9Xc21Vbyti' +
  'Ym95a25BWUpUQk8vTHdrUUEKxt6EcCmuSiL2kdeupBrzvUFpNqbQB0wOcw2xfl/xj6G4KwZ5WlIWSI4k9kgDYiOu' +
  '0/JF1QtyaQ==';

async function* splitIntoPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let index = 0; index < bytes.length; index += size)
    yield bytes.subarray(index, index + size);
}

async function collect(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected: Buffer[] = [];
  for await (const piece of pieces) collected.push(piece);
  return Buffer.concat(collected);
}

const encrypt = (bytes: Buffer, options: Partial<AgeOptions> = {}) =>
  collect(
    encryptAge({ random }, splitIntoPieces(bytes, 10_000), {
      passphrase: PASSPHRASE,
      workFactor: 10,
      ...options,
    }),
  );
const decryptBytes = (bytes: Buffer, passphrase = PASSPHRASE) =>
  collect(decryptAge(splitIntoPieces(bytes, 7_777), async () => passphrase));

test('decrypts a file that another implementation encrypted', async () => {
  const decrypted = await decryptBytes(Buffer.from(MADE_BY_AGE, 'base64'));
  expect(decrypted.toString()).toBe('made by another program');
});

test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 200_000])(
  'encrypts and decrypts %i bytes',
  async (size) => {
    const plainBytes = Buffer.from(random.bytes(size));
    const file = await encrypt(plainBytes);
    expect((await decryptBytes(file)).equals(plainBytes)).toBe(true);
    if (size > 16) expect(file.includes(plainBytes.subarray(0, 16))).toBe(false);
  },
);

test('returns an unencrypted file unchanged and needs no passphrase', async () => {
  for (const size of [0, 5, 100_000]) {
    const plainBytes = Buffer.alloc(size, 'gzip');
    const passphrase = () => Promise.reject(new Error('not needed'));
    expect(
      (await collect(decryptAge(splitIntoPieces(plainBytes, 999), passphrase))).equals(plainBytes),
    ).toBe(true);
  }
});

describe('refuses', () => {
  const plainBytes = Buffer.alloc(150_000, 'rows');

  test('a wrong passphrase', async () => {
    const file = await encrypt(plainBytes);
    await expect(decryptBytes(file, 'wrong horse battery')).rejects.toThrow(/passphrase is wrong/);
  });

  /** `\n--- ` has 5 characters. The MAC has 43 characters in base64, and a line feed ends it. */
  const payloadStart = (file: Buffer) => file.indexOf('\n--- ') + 5 + 43 + 1;

  test('a flipped bit in any region', async () => {
    const file = await encrypt(plainBytes);
    const payload = payloadStart(file);
    const chunkStart = 65_536 + 16;
    const regions = {
      version: [3, /^$/],
      'stanza type': [file.indexOf('scrypt') + 2, /damaged/],
      salt: [file.indexOf('scrypt') + 10, /does not open|damaged/],
      'file key': [file.indexOf('\n', 30) + 5, /does not open|damaged/],
      'work factor': [file.indexOf(' 10\n') + 1, /does not open|damaged/],
      'header MAC': [payload - 20, /header was changed/],
      nonce: [payload + 3, /block 1 was changed/],
      'first block': [payload + 16 + 5, /block 1 was changed/],
      'tag of the first block': [payload + 16 + chunkStart - 3, /block 1 was changed/],
      'middle block': [payload + 16 + chunkStart + 1_000, /block 2 was changed/],
      'last block': [file.length - 100, /block 3 was changed/],
      'last tag': [file.length - 1, /block 3 was changed/],
    } as const;
    for (const [region, [position, message]] of Object.entries(regions)) {
      const changedFile = Buffer.from(file);
      changedFile.writeUInt8(changedFile.readUInt8(position) ^ 1, position);
      // A file without the age header line is not encrypted; its bytes pass through unchanged.
      if (region === 'version')
        expect((await decryptBytes(changedFile)).equals(changedFile)).toBe(true);
      else await expect(decryptBytes(changedFile), region).rejects.toThrow(message);
    }
  });

  test('a file that is truncated at any byte', async () => {
    const file = await encrypt(plainBytes);
    const payload = payloadStart(file);
    const block = payload + 16 + 65_536 + 16;
    for (const end of [30, 80, payload - 3, payload, payload + 9, payload + 16, payload + 20]) {
      await expect(decryptBytes(file.subarray(0, end)), `${end}`).rejects.toThrow(/damaged/);
    }
    for (const end of [block - 1, block, block + 1, file.length - 1]) {
      await expect(decryptBytes(file.subarray(0, end)), `${end}`).rejects.toThrow(/end is missing/);
    }
  });

  test('bytes after the end, exchanged blocks, and an excessive work factor', async () => {
    const file = await encrypt(plainBytes);
    const fileWithSuffix = Buffer.concat([file, Buffer.from('x')]);
    await expect(decryptBytes(fileWithSuffix)).rejects.toThrow(/damaged/);
    const [start, size] = [payloadStart(file) + 16, 65_536 + 16];
    const [first, second] = [0, 1].map((blockIndex) =>
      file.subarray(start + blockIndex * size, start + (blockIndex + 1) * size),
    );
    const head = file.subarray(0, start);
    const exchangedFile = [head, second, first, file.subarray(start + 2 * size)] as Buffer[];
    await expect(decryptBytes(Buffer.concat(exchangedFile))).rejects.toThrow(/block 1 was changed/);
    const text = file.toString('latin1').replace(' 10\n', ' 60\n');
    await expect(decryptBytes(Buffer.from(text, 'latin1'))).rejects.toThrow(/work factor is 60/);
  });
});
