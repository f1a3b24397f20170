// Damaged, truncated, outdated and malicious archives. Each is refused with a message that names
// the fault, and nothing of it stays in the database or in a folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../src/kernel/crypto/random.ts';
import { checkArchive } from '../../../src/store/backup/read-archive.ts';
import { restoreBackup } from '../../../src/store/backup/restore-backup.ts';
import { writeBackup } from '../../../src/store/backup/write-backup.ts';
import { proofSeed } from '../../support/proof-size.ts';
import { createEmptyDatabase, dumpDatabase, makeArchiveFolder, noPassphrase } from './databases.ts';
import { openRadarWithMoney } from './fill.ts';
import {
  changeTexts,
  forgeRows,
  type Part,
  partsOf,
  sealArchive,
  tarOf,
  writeParts,
} from './rewrite-archive.ts';

const folder = makeArchiveFolder();
const mediaFolder = join(folder, 'media');
const { world, db } = await openRadarWithMoney(mediaFolder);
const target = await createEmptyDatabase();
const goodArchive = join(folder, 'good.tar.gz');
const badArchive = join(folder, 'bad.tar.gz');
const dataDir = join(folder, 'place');
mkdirSync(dataDir);
let parts: Part[] = [];

beforeAll(async () => {
  const options = {
    path: goodArchive,
    passphrase: null,
    mediaFolder,
    program: '9.9.9',
    onProgress: () => {},
  };
  await writeBackup(world, db, options);
  parts = await partsOf(goodArchive);
});

const restore = (path: string) =>
  restoreBackup(world, target.db, {
    path,
    passphrase: noPassphrase,
    mediaFolder: join(dataDir, 'media'),
    onProgress: () => {},
  });

/**
 * Expects this message from a restore and, unless only a database can detect the fault, from a
 * verification.
 */
async function expectRefused(words: RegExp, { isFoundByVerification = true } = {}): Promise<void> {
  if (isFoundByVerification)
    await expect(checkArchive(badArchive, noPassphrase)).rejects.toThrow(words);
  const refusedRestore = { name: 'Fault', message: expect.stringMatching(words) };
  await expect(restore(badArchive)).rejects.toMatchObject(refusedRestore);
  expect(await dumpDatabase(target.connection)).toEqual({});
  expect(readdirSync(dataDir)).toEqual([]);
}

const indexOfPart = (name: string) => parts.findIndex((part) => part.name.startsWith(name));
const withoutPart = (index: number) => parts.filter((_, part) => part !== index);
const noRows = Buffer.alloc(0);
type Manifest = {
  format: number;
  program: string;
  migrations: { name: string; hash: string }[];
  tables: { name: string; columns: string[] }[];
};
const changeManifest = (change: (value: Manifest) => void) =>
  sealArchive(changeTexts(parts, 'manifest.json', change));
const insertPart = (part: Part, index = 1) => [
  ...parts.slice(0, index),
  part,
  ...parts.slice(index),
];

const archives: readonly (readonly [string, () => readonly Part[], RegExp])[] = [
  [
    'a path outside of the archive’s folders',
    () => insertPart({ name: '../../etc/cron.d/x', bytes: noRows }),
    /cron/,
  ],
  [
    'a media path outside of the media folder',
    () => insertPart({ name: 'media/../../first-run.json', bytes: noRows }, parts.length - 1),
    /unexpected entry/,
  ],
  [
    'a link in place of a media file',
    () => {
      const name = parts[indexOfPart('media/')]?.name ?? '';
      const link = { name, bytes: noRows, type: 'symlink', linkname: '/etc/passwd' } as const;
      return parts.map((part) => (part.name === name ? link : part));
    },
    /unexpected entry/,
  ],
  ['a folder', () => insertPart({ name: 'media', bytes: noRows, type: 'directory' }), /unexpected/],
  ['no manifest', () => withoutPart(0), /does not begin with exactly one manifest/],
  ['two manifests', () => insertPart(parts[0] as Part), /does not begin with exactly one manifest/],
  ['no end', () => withoutPart(parts.length - 1), /end.json is missing/],
  ['a part after its end', () => [...parts, parts[1] as Part], /an entry follows end.json/],
  [
    'missing rows of a table',
    () => withoutPart(indexOfPart('tables/public.items')),
    /public.items differs from|public.\w+ does not accept its rows/,
  ],
  ['a missing media file', () => withoutPart(indexOfPart('media/')), /other content/],
  [
    'tables in another order',
    () => {
      const [first, second] = [
        indexOfPart('tables/public.items'),
        indexOfPart('tables/public.sources'),
      ];
      return parts.map((part, index) =>
        index === first
          ? (parts[second] as Part)
          : index === second
            ? (parts[first] as Part)
            : part,
      );
    },
    /wrong order|differs from its checksum/,
  ],
  [
    'a part twice',
    () =>
      insertPart(
        parts[indexOfPart('tables/public.items')] as Part,
        indexOfPart('tables/public.items'),
      ),
    /wrong order/,
  ],
  [
    'a row changed',
    () =>
      parts.map((part) =>
        part.name.startsWith('tables/public.accounts')
          ? { ...part, bytes: Buffer.from(part.bytes.toString().replace('someone', 'another')) }
          : part,
      ),
    /public.accounts differs from its checksum/,
  ],
  [
    'a system table of the server',
    () =>
      changeManifest(({ tables }) => tables.push({ name: 'pg_catalog.pg_authid', columns: ['a'] })),
    /other content|no table pg_catalog/,
  ],
  [
    'rows of a table that the manifest does not list',
    () => insertPart({ name: 'tables/public.evil/000001.copy', bytes: Buffer.from('1\n') }),
    /does not list/,
  ],
  [
    'a newer format',
    () => changeManifest((value) => Object.assign(value, { format: 2 })),
    /9\.9\.9/,
  ],
  [
    'a manifest with an invalid field',
    () => changeManifest((value) => Object.assign(value, { tables: 'all' })),
    /manifest\.json/,
  ],
  [
    'a manifest that is no JSON',
    () => [{ name: 'manifest.json', bytes: Buffer.from('{') }, ...parts.slice(1)],
    /not JSON/,
  ],
];

test.each(archives)('refuses an archive: %s', async (_what, make, words) => {
  await writeParts(badArchive, make());
  await expectRefused(words);
});

const forgeries: readonly (readonly [string, () => readonly Part[], RegExp])[] = [
  [
    'a migration of a newer version',
    () =>
      changeManifest(({ migrations }) =>
        migrations.push({ name: '9999_x.sql', hash: '0'.repeat(64) }),
      ),
    /The archive has migration 9999_x.sql, which this version does not have/,
  ],
  [
    'a migration with another text in this program',
    () =>
      changeManifest(({ migrations }) =>
        Object.assign(migrations[0] ?? {}, { hash: '0'.repeat(64) }),
      ),
    /0001_radar.sql was changed/,
  ],
  [
    'columns that are a statement',
    () =>
      changeManifest(({ tables }) =>
        Object.assign(tables[0] ?? {}, { columns: ['id) FROM STDIN; DROP TABLE items; --'] }),
      ),
    /other columns of ledger_audit/,
  ],
  [
    'rows that break a rule of the table',
    () => forgeRows(parts, 'public.story_members', Buffer.from('nowhere\tnone\n'), 1),
    /public.story_members does not accept its rows/,
  ],
  [
    'rows after COPY’s own end mark',
    () => forgeRows(parts, 'public.secrets', Buffer.from('\\.\nx\t\\\\x00\n'), 2),
    /public.secrets/,
  ],
  [
    'a row with too few values',
    () => forgeRows(parts, 'public.accounts', Buffer.from('one value only\n'), 1),
    /public.accounts does not accept its rows/,
  ],
  [
    'other migrations in its table than in its manifest',
    () => {
      const name = 'tables/public.migrations/000001.copy';
      const rows = parts.find((part) => part.name === name)?.bytes.toString() ?? '';
      const lines = rows.trimEnd().split('\n').slice(0, -1);
      return forgeRows(
        parts,
        'public.migrations',
        Buffer.from(`${lines.join('\n')}\n`),
        lines.length,
      );
    },
    /other migrations/,
  ],
  [
    'a value for an unknown sequence',
    () => sealArchive(parts, ({ sequences }) => sequences.push({ name: 'public.evil', last: '1' })),
    /no sequence public.evil/,
  ],
];

test.each(forgeries)(
  'refuses an archive with correct checksums: %s',
  async (_what, make, words) => {
    await writeParts(badArchive, make());
    await expectRefused(words, { isFoundByVerification: false });
  },
);

describe('a restore refuses an archive', () => {
  test('that was cut off', async () => {
    const archive = readFileSync(goodArchive);
    for (const share of [0, 0.001, 0.1, 0.5, 0.9, 0.999]) {
      writeFileSync(badArchive, archive.subarray(0, Math.floor(archive.length * share)));
      await expectRefused(/damaged/);
    }
  });

  test('with a truncated tar in a complete gzip', async () => {
    const tar = await tarOf(parts);
    for (const share of [0.2, 0.7, 0.99]) {
      writeFileSync(
        badArchive,
        gzipSync(tar.subarray(0, Math.floor((tar.length * share) / 512) * 512)),
      );
      await expectRefused(/damaged/);
    }
  });

  test('with a header that declares eight gibibytes', async () => {
    const tar = gunzipSync(readFileSync(goodArchive));
    // The first header's size in octal, 8 GiB less one byte, with a correct checksum.
    tar.write('77777777777', 124, 'ascii');
    tar.write('        ', 148, 'ascii');
    const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'ascii');
    writeFileSync(badArchive, gzipSync(tar));
    await expectRefused(/manifest.json is too large/);
  });

  test('with random bytes', async () => {
    writeFileSync(badArchive, 'SELECT 1;');
    await expectRefused(/not a gzipped archive/);
  });

  const seed = proofSeed();
  test(`with one changed byte, seed ${seed}`, async () => {
    const random = seededRandom(seed);
    const tar = gunzipSync(readFileSync(goodArchive));
    // The test changes only contents of parts, because a tar also has padding without a meaning.
    for (let round = 0; round < 60; round += 1) {
      const part = parts[Math.floor(random.next() * parts.length)] as Part;
      const start = tar.indexOf(part.bytes.subarray(0, 64));
      const changedTar = Buffer.from(tar);
      const position = start + Math.floor(random.next() * part.bytes.length);
      changedTar.writeUInt8(
        (changedTar.readUInt8(position) + 1 + Math.floor(random.next() * 255)) % 256,
        position,
      );
      writeFileSync(badArchive, gzipSync(changedTar, { level: 1 }));
      await expect(
        checkArchive(badArchive, noPassphrase),
        `byte ${position} of ${part.name}`,
      ).rejects.toThrow(/damaged|newer|version/);
    }
  });

  test('but accepts the complete archive', async () => {
    await checkArchive(goodArchive, noPassphrase);
    await restore(goodArchive);
    expect(Object.keys(await dumpDatabase(target.connection)).length).toBeGreaterThan(40);
  });
});
