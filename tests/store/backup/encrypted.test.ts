// Encrypted archives: complete with the passphrase, unreadable without it. A wrong passphrase, a
// changed byte and a missing end restore nothing.
import { createReadStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { decryptAge, encryptAge } from '../../../src/kernel/crypto/age-file.ts';
import { checkArchive } from '../../../src/store/backup/read-archive.ts';
import { restoreBackup } from '../../../src/store/backup/restore-backup.ts';
import { writeBackup } from '../../../src/store/backup/write-backup.ts';
import { createEmptyDatabase, dumpDatabase, makeArchiveFolder, noPassphrase } from './databases.ts';
import { media, openRadarWithMoney } from './fill.ts';

const PASSPHRASE = 'correct horse battery';
const folder = makeArchiveFolder();
const mediaFolder = join(folder, 'media');
const { world, db, connection } = await openRadarWithMoney(mediaFolder);
const target = await createEmptyDatabase();
const goodArchive = join(folder, 'good.tar.gz.age');
const badArchive = join(folder, 'bad.tar.gz.age');
const dataDir = join(folder, 'place');

const readPassphrase = async () => PASSPHRASE;
const restore = (path: string, passphrase = readPassphrase) =>
  restoreBackup(world, target.db, {
    path,
    passphrase,
    mediaFolder: join(dataDir, 'media'),
    onProgress: () => {},
  });

async function expectNothingRestored(path: string, words: RegExp, passphrase = readPassphrase) {
  await expect(checkArchive(path, passphrase)).rejects.toThrow(words);
  await expect(restore(path, passphrase)).rejects.toThrow(words);
  expect(await dumpDatabase(target.connection)).toEqual({});
  expect(readdirSync(folder)).not.toContain('place');
}

/** The good archive with the work factor 10, which also has two digits: equal header lengths. */
let cheapArchive = Buffer.alloc(0);

beforeAll(async () => {
  await writeBackup(world, db, {
    path: goodArchive,
    passphrase: PASSPHRASE,
    mediaFolder,
    program: 'test',
    onProgress: () => {},
  });
  const content = decryptAge(createReadStream(goodArchive), readPassphrase);
  const options = { passphrase: PASSPHRASE, workFactor: 10 };
  cheapArchive = await buffer(encryptAge(world, content, options));
  expect(cheapArchive.length).toBe(statSync(goodArchive).size);
});

test('an encrypted archive is private, and needs its passphrase', async () => {
  expect(statSync(goodArchive).mode & 0o777).toBe(0o600);
  expect(readFileSync(goodArchive).subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
  await expect(checkArchive(goodArchive, noPassphrase)).rejects.toThrow(
    /The archive is not encrypted/,
  );
  await expectNothingRestored(goodArchive, /passphrase is wrong/, async () => 'another passphrase');
});

test('an encrypted archive with a changed byte restores nothing', async () => {
  const bytes = cheapArchive;
  const regions = [
    [30, /does not open|damaged/],
    [100, /does not open|damaged/],
    [180, /damaged/],
    [bytes.length / 2, /damaged \(block \d+ was changed/],
    [bytes.length - 1, /damaged \(block \d+ was changed/],
  ] as const;
  for (const [at, words] of regions) {
    const changedBytes = Buffer.from(bytes);
    const position = Math.floor(at);
    changedBytes.writeUInt8(changedBytes.readUInt8(position) ^ 1, position);
    writeFileSync(badArchive, changedBytes);
    await expectNothingRestored(badArchive, words);
  }
});

test('a truncated encrypted archive restores nothing', async () => {
  const bytes = cheapArchive;
  for (const share of [0.0005, 0.5, 0.9999]) {
    writeFileSync(badArchive, bytes.subarray(0, Math.floor(bytes.length * share)));
    await expectNothingRestored(badArchive, /damaged/);
  }
});

test('an encrypted archive restores all rows and media with its passphrase', async () => {
  await restore(goodArchive);
  const [rowsBefore, rowsAfter] = [
    await dumpDatabase(connection),
    await dumpDatabase(target.connection),
  ];
  expect(Object.keys(rowsAfter)).toEqual(Object.keys(rowsBefore));
  for (const table of ['public.accounts', 'public.items', 'public.entries']) {
    expect(rowsBefore[table]?.length, table).toBeGreaterThan(0);
    expect(rowsAfter[table], table).toEqual(rowsBefore[table]);
  }
  for (const [name, bytes] of Object.entries(media)) {
    expect(readFileSync(join(dataDir, 'media', name)).equals(bytes)).toBe(true);
  }
});
