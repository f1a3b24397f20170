// Tests the units of deploy/systemd on a new Debian and the image of deploy/Dockerfile from local
// base images. It also tests the services of deploy/compose.yaml on a Docker engine. `npm run proof
// -- deploy` runs this file and installs the packages of Debian that it needs.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyCheckout, projectRoot } from '../support/checkout.ts';
import { until } from '../support/until.ts';
import { makeTestCall, openComposeProject, statusOf } from './compose.ts';
import { type DockerEngine, startDockerEngine } from './docker-engine.ts';
import {
  bootMachine,
  installPackages,
  type Machine,
  makeSystem,
  runHere,
  startContainer,
} from './machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'radar-deploy-'));
chmodSync(folder, 0o755);
const baseImage = join(folder, 'base');
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const checkout = join(folder, 'checkout');
const report = (line: string) => process.stdout.write(`${line}\n`);
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
const startedMachines: Machine[] = [];
const startedEngines: DockerEngine[] = [];

beforeAll(() => {
  installPackages('buildah', 'systemd-container', 'debootstrap');
  installPackages('docker.io', 'docker-compose', 'iptables');
  const startedAt = Date.now();
  makeSystem(baseImage, [
    'systemd',
    'systemd-sysv',
    'dbus',
    'ca-certificates',
    'libstdc++6',
    'passwd',
  ]);
  // Downloads must also work in a network with its own certificate authority.
  cpSync(certificates, join(baseImage, certificates), { dereference: true });
  mkdirSync(checkout);
  copyCheckout(checkout);
  report(`a Debian system in ${seconds(startedAt)}`);
}, 900_000);
afterAll(async () => {
  for (const machine of startedMachines) machine.stop();
  for (const engine of startedEngines) await engine.stop();
}, 120_000);

/** Copies a system including its devices and owners. */
const copySystem = (to: string) => execFileSync('cp', ['-a', baseImage, to]);

/** The status of an address inside a machine; 0: no response. */
const statusIn = (machine: Machine, node: string, url: string): number =>
  Number(
    machine
      .run(node, '-e', `fetch('${url}').then((r) => console.log(r.status), () => console.log(0))`)
      .out.trim()
      .split('\n')
      .at(-1),
  );

test('the units start, serve, restart after a kill, and stop', async () => {
  const system = join(folder, 'system');
  copySystem(system);
  const runInSystem = (...command: readonly string[]) =>
    execFileSync('chroot', [system, ...command], { stdio: ['ignore', 'ignore', 'inherit'] });
  cpSync('/etc/resolv.conf', join(system, 'etc/resolv.conf'), { dereference: true });
  // No server can start outside of the running machine.
  const server = 'etc/postgresql-common';
  mkdirSync(join(system, server));
  writeFileSync(join(system, server, 'createcluster.conf'), 'create_main_cluster = false\n');
  runInSystem('sh', '-c', `${aptInstall} postgresql-15`);
  const program = join(system, 'opt/radar');
  cpSync(checkout, program, { recursive: true, verbatimSymlinks: true });
  const npm = join(projectRoot, 'node_modules/npm-11/bin/npm-cli.js');
  execFileSync(
    process.execPath,
    [npm, 'ci', '--omit=dev', '--prefer-offline', '--loglevel=error'],
    {
      cwd: program,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  runInSystem('useradd', '--system', '--home-dir', '/var/lib/radar', 'radar');
  for (const unit of ['radar.service', 'radar@.service']) {
    cpSync(join(program, 'deploy/systemd', unit), join(system, 'etc/systemd/system', unit));
  }
  mkdirSync(join(system, 'etc/radar'));
  writeFileSync(join(system, 'etc/radar/radar.env'), '');

  const machine = await bootMachine(system);
  startedMachines.push(machine);
  const node = '/opt/radar/bin/node24';
  const waitForReady = (unit: string, ports: readonly number[]) =>
    until(async () => {
      if (machine.run('systemctl', 'is-failed', unit).out.trim() === 'failed') {
        throw new Error(machine.run('journalctl', '--no-pager', '-n', '40', '-u', unit).out);
      }
      const statuses = ports.map((port) =>
        statusIn(machine, node, `http://127.0.0.1:${port}/readyz`),
      );
      return statuses.every((status) => status === 200) || null;
    });
  const systemctl = (...args: readonly string[]) => {
    const result = machine.run('systemctl', ...args);
    expect([args, result]).toEqual([args, { code: 0, out: expect.any(String) }]);
    return result.out.trim();
  };

  let since = Date.now();
  systemctl('start', 'radar');
  await waitForReady('radar', [4000, 4100, 4200]);
  const readyTime = seconds(since);
  since = Date.now();
  systemctl('kill', '--kill-who=all', '--signal=KILL', 'radar');
  await waitForReady('radar', [4000, 4100, 4200]);
  expect(systemctl('show', '--value', '-p', 'NRestarts', 'radar')).toBe('1');
  const restartTime = seconds(since);
  since = Date.now();
  systemctl('stop', 'radar');
  expect(systemctl('show', '--value', '-p', 'Result', 'radar')).toBe('success');
  report(
    `radar.service: ready after ${readyTime}, after a kill ${restartTime}, ` +
      `stopped in ${seconds(since)}`,
  );

  expect(machine.run('pg_createcluster', '15', 'main', '--start').code).toBe(0);
  const sql = `CREATE ROLE radar LOGIN PASSWORD 'p'; CREATE DATABASE radar OWNER radar
    TEMPLATE template0 ENCODING 'UTF8'`;
  for (const statement of sql.split(';')) {
    await until(async () =>
      machine.run('runuser', '-u', 'postgres', '--', 'psql', '-c', statement).code === 0
        ? true
        : null,
    );
  }
  writeFileSync(
    join(system, 'etc/radar/radar.env'),
    'DATABASE_URL=postgresql://radar:p@127.0.0.1:5432/radar\n',
  );
  const unit = 'radar@radar,gateway';
  since = Date.now();
  systemctl('start', unit);
  await waitForReady(unit, [4000, 4100]);
  const unitReadyTime = seconds(since);
  since = Date.now();
  systemctl('kill', '--signal=KILL', unit);
  await waitForReady(unit, [4000, 4100]);
  report(`${unit}: ready after ${unitReadyTime}, after a kill ${seconds(since)}`);
  systemctl('stop', unit);
  machine.stop();
}, 900_000);

const aptInstall =
  'apt-get -qq update && DEBIAN_FRONTEND=noninteractive ' +
  'apt-get -qq install -y --no-install-recommends';

const storage = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')];
const buildah = (...args: readonly string[]) =>
  execFileSync('buildah', [...storage, '--storage-driver', 'vfs', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

/** Builds `content-radar` from local base images. */
function buildImage(): void {
  const makeImage = (name: string, source: string) => {
    const container = buildah('from', 'scratch');
    buildah('add', '-q', container, source, '/');
    buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', container);
    buildah('commit', '-q', '--rm', container, name);
  };
  makeImage('localhost/debian-base', baseImage);
  const withNode = join(folder, 'with-node');
  copySystem(withNode);
  const local = join(withNode, 'usr/local');
  cpSync(realpathSync(process.execPath), join(local, 'bin/node'));
  const npm = join(local, 'lib/node_modules/npm');
  cpSync(join(projectRoot, 'node_modules/npm-11'), npm, { recursive: true });
  writeFileSync(
    join(local, 'bin/npm'),
    '#!/bin/sh\nexec node /usr/local/lib/node_modules/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  );
  mkdirSync(join(local, 'etc'), { recursive: true });
  writeFileSync(join(local, 'etc/npmrc'), `cafile=${certificates}\n`);
  makeImage('localhost/node-base', withNode);

  const images = ['NODE_IMAGE=localhost/node-base', 'DEBIAN_IMAGE=localhost/debian-base'];
  const settings = images.flatMap((image) => ['--build-arg', image]);
  const file = ['-f', join(checkout, 'deploy/Dockerfile'), '-t', 'content-radar'];
  buildah(
    'bud',
    '-q',
    '--isolation',
    'chroot',
    '--format',
    'docker',
    ...settings,
    ...file,
    checkout,
  );
}

test('the image is built, and runs without root, capabilities or a writable root', async () => {
  let since = Date.now();
  buildImage();
  const container = buildah('from', 'content-radar');
  const root = buildah('mount', container);
  const size = runHere('du', '-sm', root).out.split('\t')[0];
  report(`image: built in ${seconds(since)}, ${size} MB`);

  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'content-radar'));
  const { User, WorkingDir, Env, Entrypoint, Cmd, Healthcheck } = Docker.config;
  expect(User).toBe('radar');
  const data = join(folder, 'volume');
  cpSync(join(root, 'data'), data, { recursive: true });
  execFileSync('chown', ['10001:10001', data]);
  since = Date.now();
  const runningContainer = await startContainer(root, [...Entrypoint, ...Cmd], {
    user: User,
    workingFolder: WorkingDir,
    environment: Env,
    data,
  });
  startedMachines.push(runningContainer);
  const healthCheck = () =>
    runningContainer.run('sh', '-c', `cd ${WorkingDir} && ${Healthcheck.Test.slice(1).join(' ')}`);
  await until(async () => {
    if (runningContainer.child.exitCode !== null) throw new Error('the container ended');
    return healthCheck().code === 0 || null;
  });
  const readyAfter = seconds(since);
  const serving = runHere('pgrep', '-u', '10001', '-f', 'main.ts serve').out.trim().split('\n')[0];
  const status = readFileSync(`/proc/${serving}/status`, 'utf8');
  expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
  for (const field of ['CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) {
    expect(status).toMatch(new RegExp(`^${field}:\t0+$`, 'm'));
  }
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(runningContainer.run('touch', '/app/written').out).toContain('Read-only file system');
  since = Date.now();
  process.kill(Number(serving), 'SIGTERM');
  await until(async () => (runningContainer.child.exitCode === null ? null : true));
  expect(runningContainer.child.exitCode).toBe(0);
  report(`image: healthy after ${readyAfter}, stopped in ${seconds(since)}`);
}, 900_000);

test('compose.yaml serves one node, and two nodes of which one is killed', async () => {
  const image = join(folder, 'content-radar.tar');
  buildah('push', '-q', 'content-radar', `docker-archive:${image}:content-radar:latest`);
  const engine = await startDockerEngine(folder);
  startedEngines.push(engine);
  const project = openComposeProject(engine, checkout, { image, baseSystem: baseImage });
  const { compose, waitUntilReady } = project;
  let since = Date.now();
  compose('up', '--detach', '--no-build', 'radar');
  await waitUntilReady([4000, 4100, 4200]);
  report(`compose, one node: ready after ${seconds(since)}`);
  compose('down', '--volumes');

  since = Date.now();
  compose('up', '--detach', '--no-build', 'nginx', 'worker');
  await waitUntilReady([8000, 8100, 8200]);
  report(`compose, two nodes: ready after ${seconds(since)}`);
  expect(await makeTestCall(project)).toBe(200);

  const container = compose('ps', '--quiet', 'node-1');
  const inspect = (field: string) =>
    engine.run('docker', ['inspect', '--format', `{{${field}}}`, container]);
  since = Date.now();
  process.kill(Number(inspect('.State.Pid')), 'SIGKILL');
  const statuses: number[] = [];
  await until(async () => {
    statuses.push(await statusOf(8000));
    const isHealthy = inspect('.State.Health.Status') === 'healthy';
    return (isHealthy && inspect('.RestartCount') === '1') || null;
  });
  report(`compose: a killed node is healthy after ${seconds(since)}`);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(compose('logs', 'worker')).toContain('Ready.');
  compose('down', '--volumes');
  expect(engine.run('docker', ['ps', '--all', '--quiet'])).toBe('');
}, 1_800_000);
