// Tests of deploy/ without a container engine or systemd. They check nginx with two real nodes on
// one database, the steps of the image, and the directives of the units.
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createEmptyDatabase, rowsOf } from '../store/backup/databases.ts';
import { atEnd } from '../support/at-end.ts';
import { projectRoot, runProgram, shellEnvironment } from '../support/checkout.ts';
import { freePort } from '../support/free-port.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { makeNginxFolder, openNginx } from '../support/nginx-front.ts';
import {
  runRadarCommand,
  type ServingProcess,
  startServing,
  temporaryDataDir,
} from '../support/radar-process.ts';
import { urlOf } from '../support/test-database.ts';
import { requireTool } from '../support/tools.ts';
import { until } from '../support/until.ts';

const readDeployFile = (name: string) => readFileSync(join(projectRoot, 'deploy', name), 'utf8');
const nginx = requireTool('nginx');

const checkConfiguration = (folder: string) =>
  runProgram(nginx.kind === 'found' ? nginx.path : '', ['-t', '-c', join(folder, 'nginx.conf')], {
    cwd: folder,
  });

describe.skipIf(nginx.kind === 'missing')('nginx', () => {
  test('accepts the shipped configuration', () => {
    const checkResult = checkConfiguration(
      makeNginxFolder(readDeployFile('nginx/upstreams.conf'), []),
    );
    expect(checkResult.stderr).toContain('test is successful');
    // The node names of compose.yaml resolve only in its own network.
    const localConfig = readDeployFile('nginx/upstreams-compose.conf').replaceAll(
      /node-\d/g,
      '127.0.0.1',
    );
    expect(checkConfiguration(makeNginxFolder(localConfig, [])).stderr).toContain(
      'test is successful',
    );
  });
});

describe.skipIf(nginx.kind === 'missing')('two nodes on one server behind nginx', async () => {
  const database = await createEmptyDatabase();
  const site = await openLoopbackSite();
  const entries = [1, 2, 3].map((number) => ({
    id: `entry-${number}`,
    title: `Lantern Works opens its ${number}th laboratory`,
    text: `Lantern Works said that laboratory number ${number} starts work in autumn.`,
    link: `${site.url}/articles/${number}`,
    at: Date.parse('2026-08-22T09:00:00Z') - number * 60_000,
  }));
  site.respond('/feed.xml', { body: rssOf('Lantern Works', entries) });
  const DATA_DIR = temporaryDataDir();
  const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
  writeFileSync(RADAR_CONFIG, JSON.stringify({ blocked: { networks: ['203.0.113.0/24'] } }));
  const RADAR_URL = 'https://radar.example';
  const env = {
    DATA_DIR,
    RADAR_CONFIG,
    RADAR_URL,
    TRUST_PROXY: 'loopback',
    DATABASE_URL: urlOf(database.connection),
    RADAR_NOW: '2026-08-22T12:00:00Z',
  };
  let origins: string[] = [];
  let nodes: (ServingProcess & { port: number })[] = [];
  let key = '';

  /** A node prints only its public address, so its port is chosen in advance. */
  const startNode = async (parts: string) => {
    const port = await freePort();
    const node = await startServing({ ...env, RADAR_PORT: String(port) }, ['--only', parts]);
    return { ...node, port };
  };

  beforeAll(async () => {
    nodes = [await startNode('radar,gateway,relay,worker'), await startNode('radar,gateway,relay')];
    key = JSON.parse(readFileSync(join(DATA_DIR, 'first-run.json'), 'utf8')).ak_test;
    const hostOf = (url: string) => new URL(url).host;
    const nginxAddresses = await openNginx(
      nginx.kind === 'found' ? nginx.path : '',
      nodes.map(({ port, gatewayUrl, relayUrl }) => ({
        radar: `127.0.0.1:${port}`,
        gateway: hostOf(gatewayUrl),
        relay: hostOf(relayUrl),
      })),
    );
    origins = [nginxAddresses.radar, nginxAddresses.gateway, nginxAddresses.relay];
    await runRadarCommand(['source', 'add', `${site.url}/feed.xml`], env);
    for (const { port } of nodes) {
      await until(async () => {
        const response = await sendRequest(`http://127.0.0.1:${port}`, {
          path: '/api/v1/items?mode=all',
        });
        return response.text.split('"story":{"publicId"').length === 4 ? true : null;
      });
    }
  });

  const readPath = (path: string, headers = {}) => sendRequest(origins[0] ?? '', { path, headers });
  const readDirectly = (node: number, path: string, headers = {}) =>
    sendRequest(`http://127.0.0.1:${nodes[node]?.port}`, { path, headers });

  test('give equal responses, and nginx caches them', async () => {
    const path = '/api/v1/items?mode=all&limit=2';
    const [firstNodeResponse, secondNodeResponse] = [
      await readDirectly(0, path),
      await readDirectly(1, path),
    ];
    expect([secondNodeResponse.text, secondNodeResponse.headers.etag]).toEqual([
      firstNodeResponse.text,
      firstNodeResponse.headers.etag,
    ]);
    const [first, second] = [await readPath(path), await readPath(path)];
    expect([first.headers['x-cache'], second.headers['x-cache']]).toEqual(['MISS', 'HIT']);
    expect([second.status, second.text, second.headers.etag]).toEqual([
      ...[200, firstNodeResponse.text, firstNodeResponse.headers.etag],
    ]);
    expect(second.headers['cache-control']).toBe(
      'public, max-age=60, s-maxage=60, stale-while-revalidate=300',
    );
    // One response for each coding, and 304 for its ETag.
    const compressedResponse = await readPath(path, { 'accept-encoding': 'gzip' });
    expect([compressedResponse.headers['content-encoding'], compressedResponse.text]).toEqual([
      'gzip',
      firstNodeResponse.text,
    ]);
    const unchangedResponse = await readPath(path, {
      'if-none-match': String(firstNodeResponse.headers.etag),
    });
    expect([unchangedResponse.status, unchangedResponse.text]).toEqual([304, '']);
  });

  test('do not cache pages of operators, and do not publish metrics', async () => {
    const [first, second] = [await readPath('/admin/sign-in'), await readPath('/admin/sign-in')];
    expect([first, second].map(({ headers }) => headers['x-cache'])).toEqual([
      undefined,
      undefined,
    ]);
    expect(second.headers['cache-control']).toBe('no-store');
    for (const origin of origins)
      expect((await sendRequest(origin, { path: '/metrics' })).status).toBe(404);
    expect((await readDirectly(0, '/metrics')).status).toBe(200);
  });

  test('use the client address that nginx receives, and ignore forged headers', async () => {
    const forgedHeaders = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' };
    expect((await readPath('/api/v1/dailies?limit=3', forgedHeaders)).status).toBe(200);
    // The node trusts its proxy, so nginx must overwrite the header.
    expect((await readDirectly(0, '/api/v1/dailies?limit=3', forgedHeaders)).status).toBe(403);
  });

  test('stream a chat and serve a call on either node', async () => {
    const body = JSON.stringify({
      model: 'sandbox',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const path = '/relay/v1/chat/completions';
      const response = await sendRequest(origins[2] ?? '', { method: 'POST', path, headers, body });
      expect([response.status, response.text.endsWith('data: [DONE]\n\n')]).toEqual([200, true]);
      const account = await sendRequest(origins[1] ?? '', { path: '/api/v1/account', headers });
      expect([account.status, json(account).livemode]).toEqual([200, false]);
    }
  });

  test('open at most the documented number of database connections', async ({ annotate }) => {
    const [{ count } = {}] = await rowsOf(
      database.connection,
      `SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()
        AND application_name LIKE 'radar%'`,
    );
    await annotate(`${count} connections of ${nodes.length} nodes, one with a worker`);
    const connections = Number(/at most (\d+) connections/.exec(operationsPage)?.[1]);
    expect(Number(count)).toBeGreaterThan(4);
    expect(Number(count) / nodes.length).toBeLessThanOrEqual(connections);
  });

  test('continue without errors when one node is killed', async () => {
    await nodes[1]?.end('SIGKILL');
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        readPath(`/api/v1/items?mode=all&q=laboratory${index}`),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await sendRequest(origins[1] ?? '', { path: '/capabilities/catalog' })).status).toBe(
      200,
    );
  });
});

const operationsPage = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');

test('the steps of the image produce a serving radar in an empty folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'radar-image-'));
  atEnd(() => rmSync(root, { recursive: true, force: true }));
  const [buildStage = '', lastStage = ''] = readDeployFile('Dockerfile')
    .split(/^FROM .*$/m)
    .slice(1);
  for (const line of buildStage.trim().split('\n')) executeStep(root, line);
  // The final stage copies the folder unchanged; its other steps need a container engine.
  expect(lastStage).toContain('COPY --from=build /app /app');
  const [, command = ''] = /^ENTRYPOINT \["(.+)"\]$/m.exec(lastStage) ?? [];
  const [, health = ''] = /^HEALTHCHECK .*CMD \["bin\/node24", "(.+)"\]$/m.exec(lastStage) ?? [];
  const [, variables = ''] = /^ENV (.*)$/m.exec(lastStage) ?? [];
  const { HOST, NODE_ENV } = Object.fromEntries(
    variables.split(' ').map((pair) => pair.split('=')),
  );
  const ports = [await freePort(), await freePort(), await freePort()];
  const env = {
    PATH: process.env.PATH ?? '',
    HOST,
    NODE_ENV,
    DATA_DIR: temporaryDataDir(),
    RADAR_PORT: String(ports[0]),
    GATEWAY_PORT: String(ports[1]),
    RELAY_PORT: String(ports[2]),
  };
  const child = spawn(join(root, command), ['serve'], { cwd: root, env, stdio: 'pipe' });
  const exitPromise = new Promise((resolve) => child.once('close', resolve));
  let out = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    out += text;
  });
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(out);
      return out.includes('Ready.') ? true : null;
    });
    const checkHealth = (list: string) => runProgram('bin/node24', [health, list], { cwd: root });
    expect(checkHealth(ports.join(','))).toMatchObject({ status: 0 });
    expect(checkHealth(`${ports[0]},${await freePort()}`)).toMatchObject({ status: 1 });
    for (const path of ['/', '/agent', '/openapi-v1.json']) {
      expect((await sendRequest(`http://127.0.0.1:${ports[0]}`, { path })).status).toBe(200);
    }
    for (const path of ['/sdk/gateway.js', '/capabilities/catalog', '/SKILL.md', '/console']) {
      const { status } = await sendRequest(`http://127.0.0.1:${ports[1]}`, { path });
      expect([path, status < 400]).toEqual([path, true]);
    }
  } finally {
    child.kill('SIGTERM');
    await exitPromise;
  }
});

/** Executes a COPY or RUN step of a build outside of a container. */
function executeStep(root: string, line: string): void {
  const [step, ...words] = line.split(' ');
  if (step === 'WORKDIR') return;
  if (step === 'COPY') {
    const target = words.at(-1) ?? '';
    for (const source of words.slice(0, -1)) {
      const path = target.endsWith('/') ? join(root, target, source) : join(root, target);
      mkdirSync(dirname(path), { recursive: true });
      cpSync(join(projectRoot, source), path, { recursive: true });
    }
  } else if (step === 'RUN') {
    const result = spawnSync('sh', ['-c', words.join(' ')], {
      cwd: root,
      env: shellEnvironment(),
      encoding: 'utf8',
      input: '',
    });
    if (result.status !== 0) throw new Error(`${line}: ${result.stderr}`);
  } else throw new Error(`this test cannot execute the step: ${line}`);
}

test('the builder receives the copied files and nothing else', () => {
  const ignoreFile = readFileSync(join(projectRoot, '.dockerignore'), 'utf8').split('\n');
  const includedPaths = ignoreFile
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));
  const copies = [...readDeployFile('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
  const copiedPaths = copies.flatMap(([, words = '']) => words.split(' '));
  expect(includedPaths.sort()).toEqual(copiedPaths.sort());
  expect(ignoreFile).toContain('*');
  expect(copiedPaths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
});

test('a unit for several components passes the component names unescaped', () => {
  // An instance name is escaped in %i: a comma arrives as \\x2c there.
  const unit = readDeployFile('systemd/radar@.service').replaceAll(/^#.*$/gm, '');
  expect(unit).toContain('serve --only %I');
  expect(unit).not.toContain('%i');
});

test.skipIf(nginx.kind === 'missing')(
  'a 503 for one address does not remove a node from nginx',
  async () => {
    const counts = [0, 0];
    const addresses = await Promise.all(
      counts.map(async (_, index) => {
        const server = createServer((request, response) => {
          counts[index] = (counts[index] ?? 0) + 1;
          response.statusCode = request.url?.startsWith('/unavailable') ? 503 : 200;
          response.end('x');
        });
        atEnd(() => server.close());
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        return `127.0.0.1:${(server.address() as AddressInfo).port}`;
      }),
    );
    const nginxAddresses = await openNginx(
      nginx.kind === 'found' ? nginx.path : '',
      addresses.map((address) => ({ radar: address, gateway: address, relay: address })),
    );
    const statuses = async (path: string) => {
      const readPaths = async (number: number) =>
        (await fetch(`${nginxAddresses.radar}${path}?n=${number}`)).status;
      return new Set(await Promise.all([1, 2, 3, 4, 5, 6].map(readPaths)));
    };
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect((await fetch(`${nginxAddresses.radar}/unavailable`)).status).toBe(503);
    counts.fill(0);
    expect(await statuses('/page')).toEqual(new Set([200]));
    expect(counts.every((count) => count > 0)).toBe(true);
  },
);

const analyzeTool = requireTool('systemd-analyze');

describe.skipIf(analyzeTool.kind === 'missing')('systemd', () => {
  test.each([
    ['radar.service', 'radar.service'],
    ['radar@.service', 'radar@worker.service'],
  ])('accepts %s and reports a clean stop', (file, unit) => {
    const folder = mkdtempSync(join(tmpdir(), 'radar-units-'));
    atEnd(() => rmSync(folder, { recursive: true, force: true }));
    // Only the folder differs, since systemd-analyze checks that the program exists.
    const text = readDeployFile(`systemd/${file}`).replaceAll('/opt/radar', projectRoot);
    writeFileSync(join(folder, file), text);
    const path = analyzeTool.kind === 'found' ? analyzeTool.path : '';
    const runAnalyze = (...words: string[]) =>
      runProgram(path, [...words, join(folder, unit)], { cwd: folder });
    expect(runAnalyze('verify', '--man=no')).toMatchObject({ status: 0, stderr: '' });
    const report = runAnalyze('security', '--offline=true').stdout;
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(2);
  });
});
