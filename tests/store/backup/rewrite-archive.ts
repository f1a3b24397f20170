// Splits an archive into parts and reassembles it with changes, as an attacker could do.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';

export type Part = {
  readonly name: string;
  readonly bytes: Buffer;
  readonly type?: 'file' | 'symlink' | 'directory';
  readonly linkname?: string;
};

export async function partsOf(path: string): Promise<Part[]> {
  const tar = extract();
  tar.end(gunzipSync(readFileSync(path)));
  const parts: Part[] = [];
  for await (const entry of tar) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    parts.push({ name: entry.header.name, bytes: Buffer.concat(chunks) });
  }
  return parts;
}

export async function tarOf(parts: readonly Part[]): Promise<Buffer> {
  const tar = pack();
  for (const { bytes, ...header } of parts) tar.entry({ ...header, mode: 0o600 }, bytes);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function writeParts(path: string, parts: readonly Part[]): Promise<string> {
  writeFileSync(path, gzipSync(await tarOf(parts)));
  return path;
}

type Json = Record<string, never> & { [name: string]: unknown };

/** The same parts with changes in `manifest.json` or `end.json`. */
export function changeTexts(
  parts: readonly Part[],
  name: 'manifest.json' | 'end.json',
  change: (value: never) => void,
): Part[] {
  return parts.map((part) => {
    if (part.name !== name) return part;
    const value = JSON.parse(part.bytes.toString()) as Json;
    change(value as never);
    return { ...part, bytes: Buffer.from(JSON.stringify(value)) };
  });
}

/** Other rows of a table, with correct checksums, as an attacker would forge them. */
export function forgeRows(
  parts: readonly Part[],
  table: string,
  bytes: Buffer,
  rows: number,
): Part[] {
  const name = `tables/${table}/000001.copy`;
  const newParts = parts.map((part) => (part.name === name ? { name, bytes } : part));
  return sealArchive(newParts, (end) => {
    const tableRecord = end.tables.find((record) => record.name === table);
    if (!tableRecord) throw new Error(`no ${table}`);
    Object.assign(tableRecord, { rows, bytes: bytes.length, sha256: sha256(bytes) });
  });
}

type End = {
  manifest: string;
  tables: { name: string; rows: number; bytes: number; sha256: string }[];
  sequences: { name: string; last: string }[];
};

/** Updates `end.json` to match the manifest, and then changes `end.json`. */
export function sealArchive(parts: readonly Part[], change: (end: End) => void = () => {}): Part[] {
  const manifest = parts.find(({ name }) => name === 'manifest.json')?.bytes ?? Buffer.alloc(0);
  return changeTexts(parts, 'end.json', (end: End) => {
    end.manifest = sha256(manifest);
    change(end);
  });
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
