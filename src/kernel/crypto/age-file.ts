// Encrypts and decrypts files with a passphrase in the age format (https://age-encryption.org/v1),
// so that the program `age` can read them as well. Both directions stream: at most two chunks are
// in memory.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { Fault } from '../errors/fault.ts';
import type { World } from '../world.ts';

const VERSION_LINE = 'age-encryption.org/v1\n';
const CIPHER = 'chacha20-poly1305';
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const NONCE_BYTES = 16;
/** OWASP recommends N = 2^17 and r = 8 for scrypt, which needs 128 MiB. */
const WORK_FACTOR = 17;
/** This factor needs 1 GiB. A larger factor in a file could exhaust the memory. */
const WORK_FACTOR_MAX = 20;
/** The version line, one stanza and the MAC have about 150 bytes. */
const HEADER_BYTES_MAX = 1_000;

type ByteStream = AsyncIterable<Buffer>;

export type AgeOptions = {
  readonly passphrase: string;
  /** Binary logarithm of scrypt's N. */
  readonly workFactor?: number;
};

export async function* encryptAge(
  { random }: Pick<World, 'random'>,
  source: ByteStream,
  { passphrase, workFactor = WORK_FACTOR }: AgeOptions,
): AsyncGenerator<Buffer, void> {
  const [fileKey, salt] = [random.bytes(16), random.bytes(16)];
  const wrappedKey = encryptChunk(
    await deriveWrapKey(passphrase, salt, workFactor),
    Buffer.alloc(12),
    fileKey,
  );
  const stanza = `-> scrypt ${encodeUnpadded(salt)} ${workFactor}\n${encodeUnpadded(wrappedKey)}\n`;
  const head = `${VERSION_LINE}${stanza}---`;
  const nonce = random.bytes(NONCE_BYTES);
  yield Buffer.concat([
    Buffer.from(`${head} ${encodeUnpadded(headerMac(fileKey, head))}\n`),
    nonce,
  ]);
  const key = deriveKey(fileKey, nonce, 'payload');
  let chunkIndex = 0;
  for await (const { bytes, isLast } of splitIntoChunks(source, CHUNK_BYTES)) {
    yield encryptChunk(key, chunkNonce(chunkIndex, isLast), bytes);
    chunkIndex += 1;
  }
}

/**
 * Returns `bytes` unchanged, or decrypted when they begin with the header of an age file.
 * `passphrase` is called for an encrypted file only. Throws a Fault for a wrong passphrase, and for
 * a changed or truncated file.
 */
export async function* decryptAge(
  bytes: ByteStream,
  passphrase: () => Promise<string>,
): AsyncGenerator<Buffer, void> {
  const source = openSource(bytes);
  const start = await source.read(VERSION_LINE.length);
  if (start.toString('latin1') !== VERSION_LINE) {
    yield start;
    yield* source.remainder();
    return;
  }
  const header = await readHeader(source);
  const fileKey = await decryptFileKey(header, await passphrase());
  if (!headerMac(fileKey, header.head).equals(header.mac))
    throw damagedFault('its header was changed');
  const nonce = await source.read(NONCE_BYTES);
  if (nonce.length < NONCE_BYTES) throw damagedFault('its content is missing');
  const key = deriveKey(fileKey, nonce, 'payload');
  let chunkIndex = 0;
  for await (const { bytes: chunk, isLast } of splitIntoChunks(
    source.remainder(),
    CHUNK_BYTES + TAG_BYTES,
  )) {
    const decrypted = decryptChunk(key, chunkNonce(chunkIndex, isLast), chunk);
    if (decrypted === null)
      throw damagedFault(`block ${chunkIndex + 1} was changed, or its end is missing`);
    if (decrypted.length === 0 && chunkIndex > 0) throw damagedFault('it has an empty last block');
    yield decrypted;
    chunkIndex += 1;
  }
}

type Header = {
  /** The text that the MAC covers. */
  readonly head: string;
  readonly mac: Buffer;
  readonly salt: Buffer;
  readonly workFactor: number;
  readonly wrappedKey: Buffer;
};

async function readHeader(source: Source): Promise<Header> {
  let text = VERSION_LINE;
  while (!/\n---[^\n]*\n$/.test(text)) {
    const next = await source.read(1);
    if (next.length === 0 || text.length > HEADER_BYTES_MAX)
      throw damagedFault('its header has no end');
    text += next.toString('latin1');
  }
  const [, stanza = '', body = '', mac = ''] = text.split('\n');
  const [, salt, factor] = /^-> scrypt (\S{22}) ([1-9]\d?)$/.exec(stanza) ?? [];
  const isWellFormed = /^\S{43}$/.test(body) && /^--- \S{43}$/.test(mac);
  if (salt === undefined || !isWellFormed || text.split('\n').length !== 5) {
    throw damagedFault('it is not encrypted with a passphrase, or its header was changed');
  }
  const workFactor = Number(factor);
  if (workFactor > WORK_FACTOR_MAX) throw damagedFault(`its scrypt work factor is ${workFactor}`);
  const decodeBase64 = (value: string) => Buffer.from(value, 'base64');
  return {
    head: text.slice(0, text.lastIndexOf('---') + 3),
    mac: decodeBase64(mac.slice(4)),
    salt: decodeBase64(salt),
    workFactor,
    wrappedKey: decodeBase64(body),
  };
}

async function decryptFileKey(
  { salt, workFactor, wrappedKey }: Header,
  passphrase: string,
): Promise<Buffer> {
  const key = await deriveWrapKey(passphrase, salt, workFactor);
  const fileKey = decryptChunk(key, Buffer.alloc(12), wrappedKey);
  if (fileKey !== null) return fileKey;
  throw new Fault(
    'invalid_request',
    'The archive does not open: the passphrase is wrong, or the header of the file was changed.',
  );
}

const scryptAsync = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

function deriveWrapKey(passphrase: string, salt: Uint8Array, workFactor: number): Promise<Buffer> {
  const label = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  const cost = 2 ** workFactor;
  // With r = 8, scrypt needs about 128 · r · N bytes; the permitted memory is twice this amount.
  const options = { N: cost, r: 8, p: 1, maxmem: 2 * 128 * 8 * cost };
  return scryptAsync(passphrase, label, 32, options);
}

const deriveKey = (key: Uint8Array, salt: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, purpose, 32));

const headerMac = (fileKey: Uint8Array, head: string): Buffer =>
  createHmac('sha256', deriveKey(fileKey, new Uint8Array(), 'header'))
    .update(head)
    .digest();

const encodeUnpadded = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/**
 * The nonce: a counter of eleven bytes, of which six are used, and a flag for the last chunk. A
 * shortened file therefore fails to decrypt.
 */
function chunkNonce(chunkIndex: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(chunkIndex, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function encryptChunk(key: Uint8Array, nonce: Uint8Array, bytes: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Null: the key is wrong, or the bytes were changed. */
function decryptChunk(key: Uint8Array, nonce: Uint8Array, bytes: Buffer): Buffer | null {
  if (bytes.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

type Source = {
  /** Returns fewer than `size` bytes only at the end of the source. */
  read(size: number): Promise<Buffer>;
  remainder(): ByteStream;
};

function openSource(bytes: ByteStream): Source {
  const iterator = bytes[Symbol.asyncIterator]();
  let buffered = Buffer.alloc(0);
  return {
    read: async (size) => {
      while (buffered.length < size) {
        const next = await iterator.next();
        if (next.done) break;
        buffered = Buffer.concat([buffered, next.value]);
      }
      const piece = buffered.subarray(0, size);
      buffered = buffered.subarray(size);
      return piece;
    },
    remainder: async function* () {
      try {
        yield buffered;
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          yield next.value;
        }
      } finally {
        await iterator.return?.();
      }
    },
  };
}

/** All chunks except the last have exactly `size` bytes. An empty source yields one empty chunk. */
async function* splitIntoChunks(
  source: ByteStream,
  size: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }, void> {
  let pieces: Buffer[] = [];
  let buffered = 0;
  for await (const piece of source) {
    pieces.push(piece);
    buffered += piece.length;
    if (buffered <= size) continue;
    let joined = Buffer.concat(pieces, buffered);
    // A chunk is written only when more bytes follow, because the last chunk is marked.
    for (; joined.length > size; joined = joined.subarray(size)) {
      yield { bytes: joined.subarray(0, size), isLast: false };
    }
    pieces = [joined];
    buffered = joined.length;
  }
  yield { bytes: Buffer.concat(pieces, buffered), isLast: true };
}

const damagedFault = (reason: string): Fault =>
  new Fault('invalid_request', `The encrypted archive is damaged (${reason}).`);
