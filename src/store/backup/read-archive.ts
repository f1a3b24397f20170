// Reads an archive once from its first to its last entry. Names, order, sizes and checksums are
// compared with `manifest.json` and `end.json`. The caller must be able to roll back the data that
// it stored before the piece `end` arrived.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { decryptAge } from '../../kernel/crypto/age-file.ts';
import { requirePresent } from '../../kernel/errors/assert.ts';
import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import {
  damagedFault,
  type End,
  type EntryName,
  type Manifest,
  readEnd,
  readEntryName,
  readManifest,
} from './archive.ts';
import { type ArchiveContents, countLines } from './copy-format.ts';

export type Piece =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'rows'; readonly table: string; readonly bytes: AsyncIterable<Buffer> }
  | { readonly kind: 'media'; readonly name: string; readonly bytes: AsyncIterable<Buffer> }
  | { readonly kind: 'end'; readonly end: End };

/** Entries of at most this size are read into memory. */
const TEXT_BYTES_MAX = 64 * 2 ** 20;

/** Counts and hash of the bytes of one table or file. */
type Sum = { rows: number; bytes: number; readonly hash: Hash };
const newSum = (): Sum => ({ rows: 0, bytes: 0, hash: createHash('sha256') });

/** The bytes of a piece are readable only until the next piece is requested. */
export async function* readArchive(
  path: string,
  passphrase: () => Promise<string>,
): AsyncGenerator<Piece, void, undefined> {
  const tar = extract();
  const gunzip = createGunzip();
  const decrypt = (bytes: AsyncIterable<Buffer>) => decryptAge(bytes, passphrase);
  const reading = pipeline(createReadStream(path), decrypt, gunzip, tar as unknown as Writable);
  reading.catch(() => {});
  const check = openArchiveCheck();
  try {
    for await (const entry of tar) yield* readEntry(entry as Entry, check);
    await reading;
    check.checkEnd();
  } catch (error) {
    throw explainFailure(path, error);
  } finally {
    tar.destroy();
    await reading.catch(() => {});
  }
}

/**
 * Reads the whole archive; throws `invalid_request` when its content differs from its checksums.
 */
export async function checkArchive(
  path: string,
  passphrase: () => Promise<string>,
): Promise<Omit<ArchiveContents, 'bytes'>> {
  let manifest: Manifest | null = null;
  let end: End | null = null;
  for await (const piece of readArchive(path, passphrase)) {
    if (piece.kind === 'manifest') manifest = piece.manifest;
    if (piece.kind === 'end') end = piece.end;
  }
  return { manifest: requirePresent(manifest, 'manifest'), end: requirePresent(end, 'end') };
}

/** Throws a Fault `invalid_request` when there is no file at `path` that can be read. */
export async function requireReadable(path: string): Promise<void> {
  try {
    const file = await open(path);
    const isFolder = (await file.stat()).isDirectory();
    await file.close();
    if (isFolder)
      throw new Fault('invalid_request', `${path} is a folder. Name the archive in it.`);
  } catch (error) {
    throw explainFailure(path, error);
  }
}

function explainFailure(path: string, error: unknown): unknown {
  if (error instanceof Fault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^E[A-Z]+$/.test(code) && error instanceof Error && 'syscall' in error) {
    return new Fault('invalid_request', `${path} cannot be read: ${messageOf(error)}`);
  }
  if (messageOf(error) === 'incorrect header check') {
    return damagedFault('it is not a gzipped archive', error);
  }
  return damagedFault(messageOf(error), error);
}

type Entry = AsyncIterable<Buffer> & { readonly header: Header };

async function* readEntry(
  entry: Entry,
  check: ArchiveCheck,
): AsyncGenerator<Piece, void, undefined> {
  const { name, type, size } = entry.header;
  const entryName = type === 'file' || type === 'contiguous-file' ? readEntryName(name) : null;
  if (entryName === null) throw damagedFault(`it has the unexpected entry ${JSON.stringify(name)}`);
  const sum = check.checkEntry(entryName);
  if (entryName.kind === 'manifest' || entryName.kind === 'end') {
    if (size > TEXT_BYTES_MAX) throw damagedFault(`${name} is too large`);
    const chunks: Buffer[] = [];
    for await (const chunk of sumBytes(entry, sum)) chunks.push(chunk);
    yield check.readText(entryName.kind, Buffer.concat(chunks).toString('utf8'), sum);
    return;
  }
  const bytes = sumBytes(entry, sum);
  yield entryName.kind === 'rows'
    ? { kind: 'rows', table: entryName.table, bytes }
    : { kind: 'media', name: entryName.name, bytes };
  // Skipped bytes are read too, because the checksum covers them.
  for await (const _chunk of bytes);
}

async function* sumBytes(entry: AsyncIterable<Buffer>, sum: Sum): AsyncGenerator<Buffer, void> {
  try {
    for await (const chunk of entry) {
      sum.hash.update(chunk);
      sum.bytes += chunk.length;
      sum.rows += countLines(chunk);
      yield chunk;
    }
  } catch (error) {
    throw damagedFault(messageOf(error), error);
  }
}

type ArchiveCheck = {
  /**
   * Throws when the entry is not allowed at this position; otherwise returns the hash object for
   * its bytes.
   */
  checkEntry(entry: EntryName): Sum;
  readText(kind: 'manifest' | 'end', text: string, sum: Sum): Piece;
  checkEnd(): void;
};

function openArchiveCheck(): ArchiveCheck {
  let manifest: { readonly value: Manifest; readonly sum: Sum } | null = null;
  let isEnded = false;
  let position = { table: -1, part: 0, media: '' };
  const tables = new Map<string, Sum>();
  const media = new Map<string, Sum>();
  const sumOf = (sums: Map<string, Sum>, name: string): Sum => {
    const sum = sums.get(name) ?? newSum();
    sums.set(name, sum);
    return sum;
  };
  return {
    checkEntry: (entry) => {
      if (isEnded) throw damagedFault('an entry follows end.json');
      if ((entry.kind === 'manifest') !== (manifest === null)) {
        throw damagedFault('it does not begin with exactly one manifest.json');
      }
      if (entry.kind === 'rows') {
        const index = manifest?.value.tables.findIndex(({ name }) => name === entry.table) ?? -1;
        const part = index === position.table ? position.part + 1 : 1;
        if (index === -1)
          throw damagedFault(`it has rows of ${entry.table}, which manifest.json does not list`);
        if (index < position.table || entry.part !== part || position.media !== '') {
          throw damagedFault(`rows of ${entry.table} are in the wrong order`);
        }
        position = { ...position, table: index, part };
        return sumOf(tables, entry.table);
      }
      if (entry.kind === 'media') {
        if (entry.name <= position.media) throw damagedFault('its media are in the wrong order');
        position = { ...position, media: entry.name };
        return sumOf(media, entry.name);
      }
      return newSum();
    },
    readText: (kind, text, sum) => {
      if (kind === 'manifest') {
        manifest = { value: readManifest(text), sum };
        return { kind, manifest: manifest.value };
      }
      isEnded = true;
      const end = readEnd(text);
      compareContents(manifest?.value.tables.map(({ name }) => name) ?? [], end.tables, tables);
      compareContents([...media.keys()], end.media, media);
      if (end.manifest !== manifest?.sum.hash.digest('hex'))
        throw damagedFault('end.json has the checksum of another manifest.json');
      return { kind, end };
    },
    checkEnd: () => {
      if (!isEnded) throw damagedFault('end.json is missing');
    },
  };
}

type ListedContent = { readonly name: string; readonly bytes: number; readonly sha256: string };

/** Throws unless the content that was read equals the list in `end.json`. */
function compareContents(
  names: readonly string[],
  listed: readonly (ListedContent & { readonly rows?: number })[],
  sums: ReadonlyMap<string, Sum>,
): void {
  if (listed.map(({ name }) => name).join() !== names.join()) {
    throw damagedFault('end.json lists other content');
  }
  for (const { name, rows, bytes, sha256 } of listed) {
    const sum = sums.get(name) ?? newSum();
    const isSame =
      sum.bytes === bytes && (rows ?? sum.rows) === sum.rows && sum.hash.digest('hex') === sha256;
    if (!isSame) throw damagedFault(`${name} differs from its checksum`);
  }
}
