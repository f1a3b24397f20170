// The packed release as a newcomer uses it: `npx` installs it from its file and runs its commands.
// It starts a radar in an empty folder. The radar reads a feed, stops, and starts again on the same
// data. Run by `npm run proof -- release`; only the dependencies come from the registry.
import { execFile } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import {
  emptyFolder,
  projectRoot,
  run,
  shellEnvironment,
  systemNode,
} from '../support/checkout.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { startServing } from '../support/radar-process.ts';
import { until } from '../support/until.ts';

const execute = promisify(execFile);
const tool = (name: 'npm' | 'npx') => join(projectRoot, `node_modules/npm-11/bin/${name}-cli.js`);
const packed = emptyFolder();
const home = emptyFolder();
const cleanUp: (() => void)[] = [packed.remove, home.remove];
afterAll(() => {
  for (const remove of cleanUp) remove();
});

const title = 'A laboratory releases a model that reads two million tokens';

test('npx starts the packed release in an empty folder, and again on the same data', async () => {
  const pack = [tool('npm'), 'run', '-s', 'release', '--', '--pack-destination', packed.path];
  const packResult = run(systemNode(), pack, { cwd: projectRoot });
  expect(packResult.stderr).not.toContain('npm error');
  const file = join(packed.path, 'content-radar-0.1.0.tgz');
  const listed = run('tar', ['-xzOf', file, 'package/sbom.cdx.json'], { cwd: packed.path });
  const { bomFormat, components } = JSON.parse(listed.stdout);
  expect(bomFormat).toBe('CycloneDX');
  expect(components.length).toBeGreaterThan(100);
  process.stdout.write(`packed: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);

  const npx = [tool('npx'), '--yes', '--prefer-offline', `--package=${file}`];
  const located = run(systemNode(), [...npx, '-c', 'command -v radar'], { cwd: home.path });
  const installed = dirname(dirname(dirname(located.stdout.trim())));
  expect(installed).toMatch(/_npx.[0-9a-f]+$/);
  cleanUp.push(() => rmSync(installed, { recursive: true, force: true }));
  const size = run('du', ['-sm', installed], { cwd: home.path }).stdout.split('\t')[0];
  process.stdout.write(`installed: ${size} MB\n`);

  const site = await openLoopbackSite();
  const entry = { id: 'e1', title, text: `${title}.`, link: `${site.url}/a`, at: Date.now() };
  site.respond('/feed', {
    headers: { 'content-type': 'application/rss+xml' },
    body: rssOf('A publisher', [entry]),
  });
  site.respond('/a', {
    headers: { 'content-type': 'text/html' },
    body: `<html><body><article><h1>${title}</h1><p>${`${title}. `.repeat(30)}</p></article>`,
  });
  writeFileSync(
    join(home.path, 'radar.config.json'),
    JSON.stringify({ network: { privateHosts: [site.host], politenessMs: 0 } }),
  );
  // Not synchronous: the publisher that it reads runs in this process.
  const radar = async (...args: readonly string[]) => {
    const at = { cwd: home.path, env: shellEnvironment() };
    return (await execute(systemNode(), [...npx, 'radar', ...args], at)).stdout.trim();
  };
  expect(await radar('--version')).toBe('0.1.0');

  // `npx` forwards no signal: the program that it installed is started itself.
  const program = join(installed, 'node_modules/.bin/radar');
  const start = () =>
    startServing(
      { PATH: shellEnvironment().PATH ?? '' },
      [],
      ['sh', '-c', 'cd "$0" && exec "$1" serve', home.path, program],
    );
  const first = await start();
  const page = async (url: string) => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };
  expect(await page(`${first.url}/readyz`)).toMatchObject({ status: 200 });
  expect(await page(`${first.url}/`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Content Radar'),
  });
  expect(await page(`${first.gatewayUrl}/console`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('<form'),
  });
  await radar('source', 'add', `${site.url}/feed`);
  const items = (url: string) => page(`${url}/api/v1/items?mode=all`);
  const isListed = async (url: string) => (await items(url)).text.includes(title) || null;
  expect(await until(() => isListed(first.url))).toBe(true);
  expect(await first.end('SIGTERM')).toBe(0);

  const repeat = await start();
  expect(await until(() => isListed(repeat.url))).toBe(true);
  expect(await repeat.end('SIGTERM')).toBe(0);
});
