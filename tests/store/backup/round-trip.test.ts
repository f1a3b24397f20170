// A restored backup equals the original to the last row and to the last byte of a response. It is
// restored on the same server, and on the oldest supported one and back.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  backUp as backUpRadar,
  restore as restoreRadar,
} from '../../../src/app/serve/back-up-and-restore.ts';
import { readConfig } from '../../../src/config.ts';
import type { Db } from '../../../src/kernel/ports/db.ts';
import { checkArchive } from '../../../src/store/backup/read-archive.ts';
import { restoreBackup } from '../../../src/store/backup/restore-backup.ts';
import { writeBackup } from '../../../src/store/backup/write-backup.ts';
import { expectAuditsPass } from '../../ledger/test-wallet.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestServer } from '../../support/radar-server.ts';
import { openTestPublication } from '../../support/test-publication.ts';
import { requireTool } from '../../support/tools.ts';
import {
  createEmptyDatabase,
  dumpDatabase,
  makeArchiveFolder,
  noPassphrase,
  rowsOf,
  schemaOf,
  startOldestServer,
} from './databases.ts';
import { media, openRadarWithMoney } from './fill.ts';

const folder = makeArchiveFolder();
const mediaFolder = join(folder, 'media');
const radar = await openRadarWithMoney(mediaFolder);
const { world, db, connection, origin } = radar;
const silentLog = () => {};
const quietOptions = { onProgress: silentLog };

const backUp = (source: Db, name: string) =>
  writeBackup(world, source, {
    path: join(folder, name),
    passphrase: null,
    mediaFolder,
    program: 'test',
    ...quietOptions,
  });
const restore = (to: Db, name: string, media = join(folder, `${name}.media`)) =>
  restoreBackup(world, to, {
    path: join(folder, name),
    passphrase: noPassphrase,
    mediaFolder: media,
    ...quietOptions,
  });

/** The rows without the intended differences: the current nodes, and the epoch. */
function comparableRows(dump: Awaited<ReturnType<typeof dumpDatabase>>) {
  const head = dump['public.publication_head'] ?? [];
  return {
    ...dump,
    'public.nodes': [],
    'public.publication_head': head.map((row) =>
      row.replace(/,[0-9a-f]{16},(\d+),.*$/, ',epoch,$1)'),
    ),
  };
}

beforeAll(() => backUp(db, 'first.tar.gz'));

describe('restored into an empty database of the same server', async () => {
  const otherDatabase = await createEmptyDatabase();
  beforeAll(async () => {
    const { migrated } = await restore(otherDatabase.db, 'first.tar.gz');
    expect(migrated).toEqual([]);
  });

  test('has equal rows in every table and equal schema objects', async () => {
    const [before, after] = [
      await dumpDatabase(connection),
      await dumpDatabase(otherDatabase.connection),
    ];
    expect(comparableRows(after)).toEqual(comparableRows(before));
    expect(await schemaOf(otherDatabase.connection)).toEqual(await schemaOf(connection));
    const filledTables = Object.values(before).filter((rows) => rows.length > 0).length;
    expect(filledTables).toBeGreaterThan(25);
  });

  test('has correct balances, and the journal refuses changes', async () => {
    await expectAuditsPass(world, otherDatabase.db);
    for (const statement of ['UPDATE entries SET reason = NULL', 'DELETE FROM seals']) {
      await expect(rowsOf(otherDatabase.connection, statement)).rejects.toThrow(/append-only/);
    }
    const insertion = `INSERT INTO entries
        (account_id, livemode, kind, at, sources, targets, amounts)
      VALUES ('a', true, 'top_up', '2026-08-22', '{payments}', '{cash}', '{5}') RETURNING seq`;
    const [{ seq: before } = {}] = await rowsOf(connection, 'SELECT max(seq) AS seq FROM entries');
    const [{ seq } = {}] = await rowsOf(otherDatabase.connection, insertion);
    expect(Number(seq)).toBeGreaterThan(Number(before));
  });

  test('sends the same bytes to readers', async () => {
    const publication = await openTestPublication(world, otherDatabase.db);
    const restoredOrigin = await openTestServer(world, publication);
    const { items } = json(
      await sendRequest(origin, { path: '/api/v1/items?mode=all' }),
    ) as ItemList;
    const paths = [
      '/api/v1/items?mode=all',
      '/api/v1/items?mode=selected&by=published',
      '/api/v1/hot-topics',
      '/api/v1/dailies',
      '/api/v1/dailies/latest',
      '/api/v1/weeklies/latest',
      '/api/v1/monthlies/latest',
      '/feed/all.xml',
      '/sitemap.xml',
      ...items.map(({ id }) => `/items/${id}`),
    ];
    for (const path of paths) {
      const [originalResponse, restoredResponse] = [
        await sendRequest(origin, { path }),
        await sendRequest(restoredOrigin, { path }),
      ];
      expect([path, restoredResponse.status, restoredResponse.headers.etag]).toEqual([
        path,
        200,
        originalResponse.headers.etag,
      ]);
      // Each server writes its own address.
      expect(restoredResponse.text.replaceAll(restoredOrigin, origin)).toBe(originalResponse.text);
    }
  });

  test('begins a new epoch, so earlier cursors require a new snapshot', async () => {
    const publication = await openTestPublication(world, otherDatabase.db);
    const restoredOrigin = await openTestServer(world, publication);
    const snapshot = json(await sendRequest(origin, { path: '/api/v1/selected/snapshot' }));
    const path = `/api/v1/selected/changes?cursor=${snapshot.cursor}`;
    expect((await sendRequest(origin, { path })).status).toBe(200);
    const response = await sendRequest(restoredOrigin, { path });
    expect([response.status, json(response).code]).toEqual([409, 'snapshot_required']);
    const newSnapshot = json(
      await sendRequest(restoredOrigin, { path: '/api/v1/selected/snapshot' }),
    );
    expect(newSnapshot.items).toEqual(
      JSON.parse(JSON.stringify(snapshot.items).replaceAll(origin, restoredOrigin)),
    );
  });

  test('has complete media files and no partial files', async () => {
    const to = join(folder, 'first.tar.gz.media');
    expect(readdirSync(to).sort()).toEqual(Object.keys(media).sort());
    for (const [name, bytes] of Object.entries(media)) {
      expect(readFileSync(join(to, name)).equals(bytes)).toBe(true);
      expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.restoring'))).toEqual([]);
  });

  test('refuses a second restore and changes nothing', async () => {
    const before = await dumpDatabase(otherDatabase.connection);
    await expect(restore(otherDatabase.db, 'first.tar.gz')).rejects.toThrow(/not empty/);
    expect(await dumpDatabase(otherDatabase.connection)).toEqual(before);
  });
});

test('one of two concurrent restores completes, and the other reports the reason', async () => {
  const contestedDatabase = await createEmptyDatabase();
  const results = await Promise.allSettled([
    restore(contestedDatabase.db, 'first.tar.gz', join(folder, 'one')),
    restore(contestedDatabase.db, 'first.tar.gz', join(folder, 'two')),
  ]);
  const rejections = results.filter((result) => result.status === 'rejected');
  expect(rejections.map(({ reason }) => String(reason))).toEqual([
    expect.stringMatching(/restoring into it|not empty/),
  ]);
  expect(comparableRows(await dumpDatabase(contestedDatabase.connection))).toEqual(
    comparableRows(await dumpDatabase(connection)),
  );
});

type ItemList = { readonly items: readonly { readonly id: string }[] };

test('the archive is private to its owner, not overwritten, and lists its contents', async () => {
  const path = join(folder, 'first.tar.gz');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await expect(backUp(db, 'first.tar.gz')).rejects.toThrow(/exists already/);
  const { manifest, end } = await checkArchive(path, noPassphrase);
  const dump = await dumpDatabase(connection);
  expect(manifest.tables.map(({ name }) => name).sort()).toEqual(Object.keys(dump));
  expect(Object.fromEntries(end.tables.map(({ name, rows }) => [name, rows]))).toEqual(
    Object.fromEntries(Object.entries(dump).map(([name, rows]) => [name, rows.length])),
  );
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('a mistyped path is refused before the database is opened', async () => {
  const config = readConfig({}, { RADAR_CONFIG: '', DATA_DIR: folder });
  const openDatabase = () => Promise.reject(new Error('the database was opened'));
  const backUpTo = (path: string) =>
    backUpRadar(
      { world, config, openDatabase },
      { path, passphrase: null, version: 'test', ...quietOptions },
    );
  const missingFolder = join(folder, 'missing');
  await expect(backUpTo(join(missingFolder, 'a.tar.gz'))).rejects.toThrow(
    `a.tar.gz cannot be written: there is no folder ${missingFolder}.`,
  );
  await expect(backUpTo(folder)).rejects.toThrow(`${folder} is a folder.`);
  const options = { passphrase: noPassphrase, deletedAccounts: null, ...quietOptions };
  const restoreFrom = (path: string) =>
    restoreRadar({ world, config, openDatabase }, { path, ...options });
  await expect(restoreFrom(join(folder, 'none.tar.gz'))).rejects.toThrow(
    'none.tar.gz cannot be read: ENOENT',
  );
  await expect(restoreFrom(folder)).rejects.toThrow(`${folder} is a folder. Name the archive`);
  const existingPath = join(folder, 'first.tar.gz');
  await expect(backUpTo(existingPath)).rejects.toThrow('exists already');
});

test('reports an unwritable target and a missing archive', async () => {
  const unwritablePath = join(folder, 'missing', 'a.tar.gz');
  await expect(backUp(db, 'missing/a.tar.gz')).rejects.toThrow(
    `${unwritablePath} cannot be written`,
  );
  const emptySource = await createEmptyDatabase();
  await expect(backUp(emptySource.db, 'empty.tar.gz')).rejects.toThrow(/the database is empty/);
  await expect(restore(emptySource.db, 'none.tar.gz')).rejects.toThrow(
    /none.tar.gz cannot be read/,
  );
  expect(readdirSync(folder).filter((name) => /empty|missing|part/.test(name))).toEqual([]);
});

describe.skipIf(requireTool('initdb').kind === 'missing')('a restore on another server', () => {
  test('keeps equal rows from here to PostgreSQL 15 and back', async () => {
    const oldestDatabase = await createEmptyDatabase(await startOldestServer());
    await restore(oldestDatabase.db, 'first.tar.gz');
    await backUp(oldestDatabase.db, 'oldest.tar.gz');
    const restoredHere = await createEmptyDatabase();
    await restore(restoredHere.db, 'oldest.tar.gz');
    const before = comparableRows(await dumpDatabase(connection));
    expect(comparableRows(await dumpDatabase(oldestDatabase.connection))).toEqual(before);
    expect(comparableRows(await dumpDatabase(restoredHere.connection))).toEqual(before);
    await expectAuditsPass(world, restoredHere.db);
  });
});
