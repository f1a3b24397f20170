// Backups and restores as operators make them: while a process serves, into another folder, onto a
// server, and killed in the middle. The tests also check the messages about databases of earlier
// and later versions.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../src/kernel/observability/log.ts';
import { openDatabase } from '../../src/store/platform/open-database.ts';
import { createEmptyDatabase, dumpDatabase, rowsOf } from '../store/backup/databases.ts';
import { runProgram } from '../support/checkout.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import {
  runRadarCommand,
  type ServingProcess,
  startServing,
  temporaryDataDir,
} from '../support/radar-process.ts';
import { urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';
import { laboratoryEntry } from './laboratory-entry.ts';
import { LAST_MIGRATION, makeOlderDatabase } from './older-database.ts';

const NOW = '2026-08-22T12:00:00Z';
const site = await openLoopbackSite();
const entry = (number: number) => laboratoryEntry(site.url, number);
site.respond('/feed.xml', { body: rssOf('Lantern Works', [1, 2, 3].map(entry)) });

const folder = temporaryDataDir();
const archive = join(folder, 'radar.tar.gz');

type FirstRun = { readonly sk_test: string };

/** The responses for readers and customers, byte for byte. */
async function readResponses({ url, gatewayUrl }: ServingProcess, firstRun: FirstRun) {
  const authorization = `Bearer ${firstRun.sk_test}`;
  const readJson = async (address: string) => {
    const response = await fetch(address, { headers: { authorization } });
    // Each process writes its own address.
    const text = (await response.text()).replaceAll(url, 'radar').replaceAll(gatewayUrl, 'gateway');
    return [response.status, text] as const;
  };
  return {
    items: await readJson(`${url}/api/v1/items?mode=all`),
    account: await readJson(`${gatewayUrl}/api/v1/account`),
    calls: await readJson(`${gatewayUrl}/api/v1/calls`),
    usage: await readJson(`${gatewayUrl}/api/v1/usage?from=2026-08-22&to=2026-08-22`),
  };
}

const callOcr = ({ gatewayUrl }: ServingProcess, firstRun: FirstRun, key: string) =>
  fetch(`${gatewayUrl}/api/v1/capabilities/ocr`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${firstRun.sk_test}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      prefer: 'idempotent-replay',
    },
    body: JSON.stringify({ image_urls: ['https://example.org/poster.png'] }),
  });

describe('a backup on another installation', () => {
  const DATA_DIR = temporaryDataDir();
  const otherDataDir = temporaryDataDir();

  test('gives the same responses as the original', async () => {
    const firstProcess = await startServing({ DATA_DIR, RADAR_NOW: NOW });
    const firstRun = JSON.parse(readFileSync(join(DATA_DIR, 'first-run.json'), 'utf8')) as FirstRun;
    await runRadarCommand(['source', 'add', `${site.url}/feed.xml`], { DATA_DIR });
    await until(async () => {
      const { items } = await readResponses(firstProcess, firstRun);
      // Each item has its story, so no background work remains.
      return items[1].split('"story":{"publicId"').length === 4 ? true : null;
    });
    const callResponse = await callOcr(firstProcess, firstRun, 'once');
    expect(callResponse.status).toBe(200);
    const response = await callResponse.text();
    // The backup runs while a process serves, and does not overwrite an existing file of that name.
    const backupResult = await runRadarCommand(['backup', archive], { DATA_DIR });
    expect(backupResult).toMatchObject({ code: 0, out: expect.stringContaining(`${archive}: `) });
    expect(statSync(archive).mode & 0o777).toBe(0o600);
    const secondBackup = await runRadarCommand(['backup', archive], { DATA_DIR });
    expect(secondBackup).toMatchObject({
      code: 1,
      err: expect.stringContaining('exists already'),
    });
    const restoreWhileServing = await runRadarCommand(['restore', archive], { DATA_DIR });
    expect(restoreWhileServing.code).toBe(1);
    expect(restoreWhileServing.err).toContain(
      `is served already: process ${firstProcess.pid} runs the radar`,
    );
    const responsesBefore = await readResponses(firstProcess, firstRun);
    expect(await firstProcess.end('SIGTERM')).toBe(0);

    const restoreResult = await runRadarCommand(['restore', archive], { DATA_DIR: otherDataDir });
    expect(restoreResult).toMatchObject({ code: 0, out: expect.stringContaining('Restored: ') });
    const secondProcess = await startServing({ DATA_DIR: otherDataDir, RADAR_NOW: NOW });
    expect(await readResponses(secondProcess, firstRun)).toEqual(responsesBefore);
    // The customer's key replays the response that was charged before the move.
    const repeatedCall = await callOcr(secondProcess, firstRun, 'once');
    expect(repeatedCall.headers.get('idempotent-replayed')).toBe('true');
    expect(await repeatedCall.text()).toBe(response);
    const audit = await runRadarCommand(['ledger', 'audit'], { DATA_DIR: otherDataDir });
    expect(audit).toMatchObject({
      code: 0,
      out: expect.stringContaining('The ledger is consistent.'),
    });
    // The new installation's queue finds work that is due in the tables, so the next entry is
    // ingested.
    site.respond('/feed.xml', { body: rssOf('Lantern Works', [0, 1, 2, 3].map(entry)) });
    expect(await secondProcess.end('SIGTERM')).toBe(0);
    const laterTime = { DATA_DIR: otherDataDir, RADAR_NOW: '2026-08-23T12:00:00Z' };
    const thirdProcess = await startServing(laterTime);
    await until(async () => {
      const { items } = await readResponses(thirdProcess, firstRun);
      return items[1].includes('0th laboratory') ? true : null;
    });
    const { items } = await readResponses(thirdProcess, firstRun);
    expect((JSON.parse(items[1]) as { items: object[] }).items).toHaveLength(4);
    expect(await thirdProcess.end('SIGTERM')).toBe(0);
  });

  test('restores onto a server, and states the contents of the archive', async () => {
    const server = await createEmptyDatabase();
    const env = { DATABASE_URL: urlOf(server.connection), DATA_DIR: join(folder, 'unused') };
    expect(await runRadarCommand(['restore', '--check', archive], env)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^The archive is complete: \d+ rows of \d+ tables/),
    });
    expect(await dumpDatabase(server.connection)).toEqual({});
    expect(await runRadarCommand(['restore', archive], env)).toMatchObject({ code: 0 });
    expect((await runRadarCommand(['source', 'list'], env)).out).toContain('lantern-works');
    const secondRestore = await runRadarCommand(['restore', archive], env);
    expect(secondRestore).toMatchObject({ code: 1, err: expect.stringContaining('not empty') });
  });
});

test('a killed restore leaves no data, and the next restore is complete', async () => {
  const server = await createEmptyDatabase();
  const env = { DATABASE_URL: urlOf(server.connection), DATA_DIR: join(folder, 'killed') };
  mkdirSync(env.DATA_DIR);
  // A pipe supplies the first nine tenths of the archive and then stalls.
  const pipe = join(folder, 'pipe');
  runProgram('mkfifo', [pipe], { cwd: folder });
  const child = spawn(join(import.meta.dirname, '../../bin/radar'), ['restore', pipe], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: 'ignore',
  });
  const exitPromise = new Promise((resolve) => child.once('close', resolve));
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const bytes = readFileSync(archive);
  const pipeInput = createWriteStream(pipe);
  pipeInput.on('error', () => {});
  pipeInput.write(bytes.subarray(0, Math.floor(bytes.length * 0.9)));
  const restoreSessions = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE application_name = 'radar restore' AND datname = current_database()`;
  const copyingSessions = `${restoreSessions} AND query ~ '^COPY' AND backend_xid IS NOT NULL`;
  const countOf = async (query: string) =>
    Number((await rowsOf(server.connection, query))[0]?.count);
  await until(async () => ((await countOf(copyingSessions)) === 1 ? true : null));
  // No other session reads a half-restored database.
  expect(await dumpDatabase(server.connection)).toEqual({});
  child.kill('SIGKILL');
  await exitPromise;
  pipeInput.destroy();
  await until(async () => ((await countOf(restoreSessions)) === 0 ? true : null));
  expect(await dumpDatabase(server.connection)).toEqual({});
  expect(await runRadarCommand(['restore', archive], env)).toMatchObject({ code: 0 });
  expect(readdirSync(env.DATA_DIR)).toEqual([]);
  const audit = await runRadarCommand(['ledger', 'audit'], env);
  expect(audit.out).toContain('The ledger is consistent.');
});

test('an encrypted backup opens with its passphrase only', async () => {
  const server = await createEmptyDatabase();
  const DATA_DIR = temporaryDataDir();
  await runRadarCommand(['migrate'], { DATA_DIR });
  const [encrypted, file] = [join(folder, 'radar.tar.gz.age'), join(folder, 'passphrase')];
  const withoutPassphrase = await runRadarCommand(['backup', '--encrypt', encrypted], { DATA_DIR });
  expect(withoutPassphrase).toMatchObject({
    code: 1,
    err: expect.stringContaining('--passphrase-file'),
  });
  writeFileSync(file, 'short\n');
  const shortPassphrase = await runRadarCommand(['backup', encrypted, '--passphrase-file', file], {
    DATA_DIR,
  });
  expect(shortPassphrase).toMatchObject({
    code: 1,
    err: expect.stringContaining('at least 12 characters'),
  });
  expect(existsSync(encrypted)).toBe(false);
  writeFileSync(file, 'correct horse battery\n');
  const backupResult = await runRadarCommand(['backup', encrypted, '--passphrase-file', file], {
    DATA_DIR,
  });
  expect(backupResult).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${encrypted}: encrypted, `),
  });
  const env = { DATABASE_URL: urlOf(server.connection), DATA_DIR: join(folder, 'unused') };
  const envWithWrongPassphrase = { ...env, BACKUP_PASSPHRASE: 'wrong horse battery' };
  for (const command of [
    ['restore', '--check', encrypted],
    ['restore', encrypted],
  ]) {
    const refusal = await runRadarCommand(command, envWithWrongPassphrase);
    expect(refusal).toMatchObject({ code: 1, err: expect.stringContaining('passphrase is wrong') });
    expect(refusal.err).not.toContain('horse');
  }
  expect(await dumpDatabase(server.connection)).toEqual({});
  const rightPassphrase = { ...env, BACKUP_PASSPHRASE: 'correct horse battery' };
  expect(await runRadarCommand(['restore', encrypted], rightPassphrase)).toMatchObject({ code: 0 });
});

test('an account that was deleted after the backup is deleted again by its restore', async () => {
  const DATA_DIR = temporaryDataDir();
  const serving = await startServing({ DATA_DIR });
  const { email } = JSON.parse(readFileSync(join(DATA_DIR, 'first-run.json'), 'utf8'));
  const backups = mkdtempSync(join(folder, 'backups-'));
  const oldArchive = join(backups, 'old.tar.gz');
  expect(await runRadarCommand(['backup', oldArchive], { DATA_DIR })).toMatchObject({ code: 0 });
  expect(readdirSync(backups)).toEqual(['old.tar.gz']);
  const preview = await runRadarCommand(['account', 'delete', email], { DATA_DIR });
  const id = / is (acct_\w+),/.exec(preview.err)?.[1] ?? '';
  const deletion = await runRadarCommand(['account', 'delete', id, '--confirm', id], { DATA_DIR });
  expect(deletion).toMatchObject({ code: 0 });
  // The next backup writes the list of deleted accounts into its own folder. The worker writes the
  // list into the data folder.
  await runRadarCommand(['backup', join(backups, 'new.tar.gz')], { DATA_DIR });
  const deletionList = join(backups, 'deleted-accounts.ndjson');
  expect(readFileSync(deletionList, 'utf8')).toMatch(
    new RegExp(`^{"account":"${id}","deletedAt":"[^"]+"}\n$`),
  );
  expect(statSync(deletionList).mode & 0o777).toBe(0o600);
  expect(await serving.end('SIGTERM')).toBe(0);
  const restartedProcess = await startServing({ DATA_DIR });
  const deletionFile = join(DATA_DIR, 'deleted-accounts.ndjson');
  await until(async () => (existsSync(deletionFile) ? true : null));
  expect(await restartedProcess.end('SIGTERM')).toBe(0);
  expect(readFileSync(deletionFile, 'utf8')).toBe(readFileSync(deletionList, 'utf8'));

  const archiveAlone = join(mkdtempSync(join(folder, 'lonely-')), 'old.tar.gz');
  copyFileSync(oldArchive, archiveAlone);
  const damagedList = join(folder, 'damaged.ndjson');
  writeFileSync(damagedList, `{"account":"${id}"}\n\nnothing\n`);
  const unusedFolder = join(folder, 'unused');
  const restore = async (args: readonly string[], dataDir: string) => {
    const server = await createEmptyDatabase();
    const env = { DATABASE_URL: urlOf(server.connection), DATA_DIR: dataDir };
    const result = await runRadarCommand(['restore', ...args], env);
    const dump = JSON.stringify(await dumpDatabase(server.connection));
    const hasEmail = dump.includes(email);
    return { ...result, hasEmail, dump };
  };
  const deletedAgainResult = {
    code: 0,
    out: expect.stringContaining(`deleted again: the account ${id}\n`),
  };
  for (const [args, dataDir] of [
    [[oldArchive], unusedFolder],
    [[archiveAlone], DATA_DIR],
    [[archiveAlone, '--deleted-accounts', deletionList], unusedFolder],
  ] as const) {
    const result = await restore(args, dataDir);
    expect(result).toMatchObject({ ...deletedAgainResult, hasEmail: false });
    expect(result.dump).toContain('deleted again after a restore');
  }
  const withoutList = await restore([archiveAlone], unusedFolder);
  expect(withoutList).toMatchObject({ code: 0, hasEmail: true });
  expect(withoutList.err).toContain('No list of deleted accounts was found.');
  const refusedRestore = await restore(
    [archiveAlone, '--deleted-accounts', damagedList],
    unusedFolder,
  );
  expect(refusedRestore).toMatchObject({ code: 1, dump: '{}' });
  expect(refusedRestore.err).toContain('is not a list of deleted accounts: line 1, line 3.');
  const missingList = await restore(
    [archiveAlone, '--deleted-accounts', `${deletionList}x`],
    unusedFolder,
  );
  expect(missingList).toMatchObject({ code: 1, dump: '{}' });
});

describe('versions', () => {
  test('a data folder of an earlier version is migrated at the start', async () => {
    const DATA_DIR = temporaryDataDir();
    await makeOlderDatabase(DATA_DIR);
    const backupResult = await runRadarCommand(['backup', join(folder, 'older.tar.gz')], {
      DATA_DIR,
    });
    expect(backupResult.out).toContain(`migrated to ${LAST_MIGRATION}`);
    const serving = await startServing({ DATA_DIR, RADAR_NOW: NOW });
    await expectEarlierState(serving);
    expect(await serving.end('SIGTERM')).toBe(0);
    expect((await runRadarCommand(['ledger', 'audit'], { DATA_DIR })).out).toContain(
      'The ledger is consistent.',
    );
  });

  test('an archive of an earlier version is restored and then migrated', async () => {
    const DATA_DIR = temporaryDataDir();
    const restoreResult = await runRadarCommand(['restore', join(folder, 'older.tar.gz')], {
      DATA_DIR,
    });
    expect(restoreResult).toMatchObject({ code: 0, out: expect.stringMatching(/^applied 00/) });
    const serving = await startServing({ DATA_DIR, RADAR_NOW: NOW });
    await expectEarlierState(serving);
    expect(await serving.end('SIGTERM')).toBe(0);
    expect((await runRadarCommand(['ledger', 'audit'], { DATA_DIR })).out).toContain(
      'The ledger is consistent.',
    );
  });

  test('a database of a later version is refused with instructions', async () => {
    const DATA_DIR = temporaryDataDir();
    await runRadarCommand(['migrate'], { DATA_DIR });
    const { world } = testWorld();
    const log = openLog({ level: 'silent', now: world.clock.now });
    const databaseChoice = { databaseUrl: null, dataDir: DATA_DIR, isDurable: false };
    const { db, close } = await openDatabase({ ...world, log }, databaseChoice);
    const { sqlOf } = await import('../../src/store/platform/db.ts');
    await sqlOf(db)
      .insertInto('migrations')
      .values({
        name: '9999_future.sql',
        hash: 'x',
        applied_at: new Date(world.clock.now()),
        oldest_program: '99.0.0',
      })
      .execute();
    await close();
    for (const command of [['serve'], ['migrate'], ['source', 'list']]) {
      const refusal = await runRadarCommand(command, { DATA_DIR });
      expect(refusal.code).toBe(1);
      expect(refusal.err).toContain(
        'The database has migration 9999_future.sql, which version 0.1.0 does not have: ' +
          'it needs version 99.0.0 or later. Start that version, or restore a backup that this ' +
          'version made.',
      );
    }
    expect(existsSync(join(DATA_DIR, 'first-run.json'))).toBe(false);
  });
});

async function expectEarlierState({ url, gatewayUrl }: ServingProcess): Promise<void> {
  const response = await fetch(`${url}/api/v1/items?mode=all`);
  expect(await response.json()).toMatchObject({
    items: [{ id: 'older-item', title: 'News of an earlier version', selected: true }],
  });
  const snapshot = await fetch(`${url}/api/v1/selected/snapshot`);
  expect(await snapshot.json()).toMatchObject({ totalCount: 1, items: [{ id: 'older-item' }] });
  expect((await fetch(`${gatewayUrl}/capabilities/catalog`)).status).toBe(200);
}
