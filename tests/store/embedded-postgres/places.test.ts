// Places and users of the embedded server: every supported location and owner of a checkout and a
// data folder.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyToCheckout } from './copy-checkout.ts';
import {
  canBecomeOthers,
  canMount,
  hasNamespaces,
  isRoot,
  namelessUid,
  OVERFLOW_UID,
} from './machine.ts';
import {
  openFolder,
  postmasterOf,
  query,
  startUser,
  type UserOptions,
  waitForNoProcesses,
} from './start-user.ts';

/** Opens and closes a server once. Returns the owners and modes that it had while it was open. */
async function openOnce(dataDir: string, options: UserOptions = {}) {
  const user = startUser(dataDir, options);
  const { connection } = await user.waitForOpen();
  expect(await query(connection, 'SELECT 1')).toEqual([[1]]);
  const openServer = {
    connection,
    fileUid: statSync(join(dataDir, 'postgres')).uid,
    serverUid: statSync(`/proc/${postmasterOf(dataDir)}`).uid,
    mode: statSync(join(dataDir, 'postgres')).mode & 0o777,
    socketMode: statSync(connection.host).mode & 0o777,
  };
  await user.close();
  await waitForNoProcesses(dataDir);
  return openServer;
}

/** A folder that only root may enter, as `mktemp -d` makes it. */
function openClosedFolder(): string {
  const folder = openFolder();
  chmodSync(dirname(folder), 0o700);
  return folder;
}

it('uses UTF-8, the order of code points, UTC and checksums', async () => {
  const user = startUser(openFolder());
  const { connection } = await user.waitForOpen();
  const serverFacts = `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale,
      current_setting('TimeZone'), current_setting('data_checksums'),
      current_setting('listen_addresses'), upper('grün ß 中')
    FROM pg_database WHERE datname = current_database()`;
  expect(await query(connection, serverFacts)).toEqual([
    ['UTF8', 'b', 'C.UTF-8', 'UTC', 'on', '', 'GRÜN ß 中'],
  ]);
  expect(
    await query(connection, `SELECT x FROM unnest('{b,a,B,é,Z}'::text[]) x ORDER BY x`),
  ).toEqual([['B'], ['Z'], ['a'], ['b'], ['é']]);
});

it('applies settings of the caller before its default settings', async () => {
  const user = startUser(openFolder(), { settings: ['max_connections=17', 'work_mem=9MB'] });
  const { connection } = await user.waitForOpen();
  expect(await query(connection, 'SHOW max_connections')).toEqual([['17']]);
  expect(await query(connection, 'SHOW work_mem')).toEqual([['9MB']]);
});

describe('a data folder', () => {
  it('of 120 characters has its socket at a short path elsewhere', async () => {
    const { connection } = await openOnce(openFolder(`${'long/'.repeat(24)}`));
    expect(connection.host.length).toBeLessThan(90);
  });

  it('may have any name', async () => {
    const dataDir = openFolder(`a "quoted" one's, $HOME -D \\ 数据`);
    expect(await openOnce(dataDir)).toMatchObject({ mode: 0o700, socketMode: 0o700 });
  });

  it('is the same through a symbolic link', async () => {
    const dataDir = openFolder();
    const link = join(dirname(dataDir), 'link');
    symlinkSync(dataDir, link);
    const firstUser = startUser(dataDir);
    const { connection } = await firstUser.waitForOpen();
    expect(await startUser(link).waitForOpen()).toEqual({
      kind: 'open',
      isStartedHere: false,
      connection,
    });
  });

  it('gets a socket when the temporary folder’s path is too long', async () => {
    const longFolder = openFolder('t'.repeat(90));
    const { connection } = await openOnce(openFolder(), { env: { TMPDIR: longFolder } });
    expect(dirname(connection.host)).toBe('/tmp');
  });

  it('uses another socket folder when the name is taken', async () => {
    const dataDir = openFolder();
    const { connection } = await openOnce(dataDir);
    mkdirSync(connection.host, { mode: 0o755 });
    onTestFinished(() => rmSync(connection.host, { recursive: true, force: true }));
    const secondServer = await openOnce(dataDir);
    expect(secondServer.connection.host).not.toBe(connection.host);
    expect(secondServer.socketMode).toBe(0o700);
  });
});

/** Makes chown fail, as the system-call filter `~@privileged` of the systemd unit does. */
const withoutChown = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
const refuse = () => { throw Object.assign(new Error('EPERM'), { code: 'EPERM' }); };
Object.assign(fs, { chownSync: refuse, fchownSync: refuse, lchownSync: refuse });
syncBuiltinESMExports();`;

it.skipIf(isRoot && !canBecomeOthers)('needs no chown for an ordinary user', async () => {
  const dataDir = openFolder();
  if (isRoot) chownSync(dataDir, OVERFLOW_UID, OVERFLOW_UID);
  const preload = `data:text/javascript,${encodeURIComponent(withoutChown)}`;
  const openServer = await openOnce(dataDir, {
    ...(isRoot && { uid: OVERFLOW_UID }),
    env: { NODE_OPTIONS: `--import=${preload}` },
  });
  expect(openServer).toMatchObject({ mode: 0o700, socketMode: 0o700 });
});

describe.skipIf(!isRoot)('started by root', () => {
  it.skipIf(!hasNamespaces || !canBecomeOthers)(
    'is closed to other services of user 65534',
    async () => {
      const user = startUser(openFolder());
      const { connection } = await user.waitForOpen();
      const readSocketFolder = `require('node:fs').readdirSync(${JSON.stringify(connection.host)})`;
      const otherUser = { uid: OVERFLOW_UID, gid: OVERFLOW_UID, cwd: '/' };
      const { status, stderr } = spawnSync(process.execPath, ['-e', readSocketFolder], otherUser);
      expect([status, stderr.toString().includes('EACCES')]).toEqual([1, true]);
      await user.close();
    },
  );

  it.skipIf(!hasNamespaces || !canBecomeOthers)('takes over a folder of user 65534', async () => {
    const dataDir = openFolder();
    chownSync(dataDir, OVERFLOW_UID, OVERFLOW_UID);
    const ownerBefore = startUser(dataDir, { uid: OVERFLOW_UID });
    const openMessage = await ownerBefore.waitForOpen();
    await query(openMessage.connection, 'CREATE TABLE kept (n int)');
    await ownerBefore.close();
    await waitForNoProcesses(dataDir);
    chownSync(dataDir, 0, 0);
    const user = startUser(dataDir);
    const { connection } = await user.waitForOpen();
    expect(await query(connection, 'SELECT count(*)::int FROM kept')).toEqual([[0]]);
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(0);
    await user.close();
  });

  it.skipIf(!canMount || !canBecomeOthers)(
    'is closed to other services of user 65534, also without namespaces',
    async () => {
      const dataDir = openFolder();
      const hideUnshare = 'mount --bind /bin/false "$(command -v unshare)" && exec "$@"';
      const prefix = ['unshare', '--mount', '--', 'sh', '-c', hideUnshare, 'sh'];
      for (const _start of [1, 2]) {
        const { fileUid, serverUid, mode } = await openOnce(dataDir, { prefix });
        expect([fileUid >= 60_578 && fileUid < 61_184, serverUid, mode]).toEqual([
          true,
          fileUid,
          0o700,
        ]);
      }
    },
  );

  it.skipIf(!hasNamespaces)(
    'runs in a folder that only root can enter, with files of root',
    async () => {
      expect(await openOnce(openClosedFolder())).toMatchObject({
        fileUid: 0,
        serverUid: 0,
        mode: 0o700,
        socketMode: 0o700,
      });
    },
  );

  it.skipIf(!hasNamespaces)('runs from a checkout that only root can enter', async () => {
    const checkout = copyToCheckout(openClosedFolder(), { package: 'unpacked' });
    expect(await openOnce(openFolder(), { checkout })).toMatchObject({ fileUid: 0, serverUid: 0 });
  });

  it.skipIf(!canBecomeOthers)('keeps the owner of another user’s folder', async () => {
    const dataDir = openFolder();
    chownSync(dataDir, OVERFLOW_UID, OVERFLOW_UID);
    expect(await openOnce(dataDir)).toMatchObject({ fileUid: OVERFLOW_UID });
    expect(await openOnce(dataDir, { uid: OVERFLOW_UID })).toMatchObject({ fileUid: OVERFLOW_UID });
    expect(readdirSync(dataDir).map((name) => statSync(join(dataDir, name)).uid)).toEqual([
      OVERFLOW_UID,
      OVERFLOW_UID,
      OVERFLOW_UID,
      OVERFLOW_UID,
    ]);
  });

  it.skipIf(!hasNamespaces)('names the closed folder when namespaces are forbidden', async () => {
    const dataDir = openClosedFolder();
    // This user is like root in most containers, who may not create namespaces.
    const forbidNamespaces = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"';
    const prefix = [
      'unshare',
      '--user',
      '--map-root-user',
      '--',
      'sh',
      '-c',
      forbidNamespaces,
      'sh',
    ];
    const message = await startUser(dataDir, { prefix }).waitForFailure();
    expect(message).toMatch('PostgreSQL does not run as root, user 65534 cannot reach /');
    // The message names the folder of the checkout first, when that folder is closed too.
    expect(message).toMatch(new RegExp(`'chmod o\\+x [^']*${dirname(dataDir)}'`));
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe.skipIf(!canBecomeOthers)('started by another user', () => {
  it('runs as that user', async () => {
    const dataDir = openFolder();
    chownSync(dataDir, OVERFLOW_UID, OVERFLOW_UID);
    expect(await openOnce(dataDir, { uid: OVERFLOW_UID })).toMatchObject({
      fileUid: OVERFLOW_UID,
      serverUid: OVERFLOW_UID,
    });
  });

  it.skipIf(!hasNamespaces)('runs as a user without a name, as in containers', async () => {
    const dataDir = openFolder();
    chownSync(dataDir, namelessUid, namelessUid);
    expect(await openOnce(dataDir, { uid: namelessUid })).toMatchObject({
      fileUid: namelessUid,
      serverUid: namelessUid,
    });
  });

  it('names the folder to a user who finds another user’s server', async () => {
    const dataDir = openFolder();
    chmodSync(dataDir, 0o777);
    await startUser(dataDir, { uid: OVERFLOW_UID }).waitForOpen();
    const message = await startUser(dataDir, { uid: namelessUid }).waitForFailure();
    expect(message).toContain(`The data folder ${dataDir} cannot be used: this user may not write`);
  });
});

describe('the package as npm unpacks it', () => {
  it('gets its missing links in place, without a copy in the data folder', async () => {
    const checkout = copyToCheckout(openFolder(), { package: 'unpacked' });
    const dataDir = openFolder();
    await openOnce(dataDir, { checkout });
    expect(existsSync(join(dataDir, 'runtime'))).toBe(false);
  });

  it.skipIf(!canBecomeOthers)(
    "in another user's node_modules is copied to the data folder",
    async () => {
      const checkout = copyToCheckout(openFolder(), { package: 'unpacked' });
      const dataDir = openFolder();
      chownSync(dataDir, OVERFLOW_UID, OVERFLOW_UID);
      const users = [1, 2, 3].map(() => startUser(dataDir, { checkout, uid: OVERFLOW_UID }));
      const openMessages = await Promise.all(users.map((user) => user.waitForOpen()));
      expect(openMessages.filter(({ isStartedHere }) => isStartedHere)).toHaveLength(1);
      await Promise.all(users.map((user) => user.close()));
      await waitForNoProcesses(dataDir);
      expect(readdirSync(join(dataDir, 'runtime'))).toEqual([
        expect.stringMatching(/^18\.[^/]*\d$/),
      ]);
      await openOnce(dataDir, { checkout, uid: OVERFLOW_UID });
    },
  );

  it('in a node_modules that cannot be written is copied to the data folder', async () => {
    const checkout = copyToCheckout(openFolder(), { package: 'unpacked' });
    const dataDir = openFolder();
    await openOnce(dataDir, { checkout, ...makeReadOnly(checkout) });
    expect(readdirSync(join(dataDir, 'runtime'))).toEqual([expect.stringMatching(/^18\.[^/]*\d$/)]);
  });
});

/** Makes a folder read-only, also for root, who ignores modes. */
function makeReadOnly(folder: string): UserOptions {
  if (isRoot) {
    const mount = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
    return { prefix: ['unshare', '--mount', 'sh', '-c', mount, 'sh', folder] };
  }
  spawnSync('chmod', ['-R', 'a-w', folder]);
  onTestFinished(() => void spawnSync('chmod', ['-R', 'u+w', folder]));
  return {};
}
