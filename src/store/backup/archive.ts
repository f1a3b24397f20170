// The archive format: a gzipped tar of `manifest.json`, table rows in parts, media, and `end.json`,
// in this order. `manifest.json` lists the tables; `end.json` lists all content with checksums.
import { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';
import { partitionedTables } from '../platform/partitions.ts';

/** Increase this number when an older program could misread archives of a newer program. */
export const FORMAT = 1;

/** A schema and a table. Both are compared with the migrations before use. */
const tableName = z.string().regex(/^\w+\.\w+$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const countSchema = z.int().min(0);
/** Name of a media file: its expiry, and a hash of the secret in its address. */
const mediaName = z.string().regex(/^[0-9a-z]{6,9}-[0-9a-f]{64}$/);

export const isMediaName = (name: string): boolean => mediaName.safeParse(name).success;

const partitionSchema = z.strictObject({
  table: z.enum(partitionedTables),
  name: z.string().regex(/^\w+$/),
  /** The lower bound of the partition; null: it has none. */
  from: z.string().max(100).nullable(),
  to: z.string().max(100),
});

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The program's version, for display. */
  program: z.string().max(100),
  /** RFC 3339. */
  createdAt: z
    .string()
    .max(40)
    .refine((at) => !Number.isNaN(Date.parse(at)), 'not a time'),
  migrations: z.array(z.strictObject({ name: z.string().max(200), hash: sha256 })).min(1),
  /** Each table comes after the tables that its rows reference. */
  tables: z.array(z.strictObject({ name: tableName, columns: z.array(z.string()).min(1) })),
  /** Absent in archives of programs without partitions. */
  partitions: z.array(partitionSchema).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

const endSchema = z.strictObject({
  /** SHA-256 of manifest.json. */
  manifest: sha256,
  tables: z.array(
    z.strictObject({ name: tableName, rows: countSchema, bytes: countSchema, sha256 }),
  ),
  /** The last value of each sequence, as text, because it may exceed the integers of JSON. */
  sequences: z.array(z.strictObject({ name: tableName, last: z.string().regex(/^-?\d+$/) })),
  media: z.array(z.strictObject({ name: mediaName, bytes: countSchema, sha256 })),
});
export type End = z.infer<typeof endSchema>;

export const MANIFEST = 'manifest.json';
export const END = 'end.json';

export const rowsName = (table: string, part: number): string =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy`;
export const mediaPath = (name: string): string => `media/${name}`;

export type EntryName =
  | { readonly kind: 'manifest' }
  | { readonly kind: 'end' }
  | { readonly kind: 'rows'; readonly table: string; readonly part: number }
  | { readonly kind: 'media'; readonly name: string };

/** Returns null for a name that archives do not contain. */
export function readEntryName(name: string): EntryName | null {
  if (name === MANIFEST) return { kind: 'manifest' };
  if (name === END) return { kind: 'end' };
  const [, table = '', part = ''] = /^tables\/(\w+\.\w+)\/(\d{6,9})\.copy$/.exec(name) ?? [];
  if (table !== '') return { kind: 'rows', table, part: Number(part) };
  const [, media = ''] = /^media\/(.*)$/.exec(name) ?? [];
  return isMediaName(media) ? { kind: 'media', name: media } : null;
}

/** Throws a Fault for an archive of a newer program and for an invalid manifest. */
export function readManifest(text: string): Manifest {
  const value = parseJson(text, MANIFEST);
  const format = z.looseObject({ format: z.int(), program: z.string().max(100) }).safeParse(value);
  if (format.success && format.data.format > FORMAT) {
    throw new Fault(
      'invalid_request',
      `The archive has format ${format.data.format}, made by version ${format.data.program}; ` +
        `this version reads up to ${FORMAT}. Restore it with that version or a later one.`,
    );
  }
  const manifest = manifestSchema.safeParse(value);
  if (!manifest.success) throw damagedFault(`${MANIFEST}: ${z.prettifyError(manifest.error)}`);
  return manifest.data;
}

export function readEnd(text: string): End {
  const end = endSchema.safeParse(parseJson(text, END));
  if (!end.success) throw damagedFault(`${END}: ${z.prettifyError(end.error)}`);
  return end.data;
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damagedFault(`${name} is not JSON`);
  }
}

export const damagedFault = (reason: string, cause?: unknown): Fault =>
  new Fault('invalid_request', `The archive is damaged (${reason}).`, { cause });
