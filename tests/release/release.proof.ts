// Tests the packed release as a new user does: `npx` installs it from its file and runs its
// commands. It starts a radar in an empty folder. The radar reads a feed, stops, and starts again
// on the same data. `npm run proof -- release` runs this file. Only the dependencies come from the
// registry.
import { execFile } from 'node:child_process';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import {
  makeEmptyFolder,
  projectRoot,
  runProgram,
  shellEnvironment,
  systemNode,
} from '../support/checkout.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { startServing } from '../support/radar-process.ts';
import { until } from '../support/until.ts';

const execute = promisify(execFile);
const tool = (name: 'npm' | 'npx') => join(projectRoot, `node_modules/npm-11/bin/${name}-cli.js`);
const packedFolder = makeEmptyFolder();
const home = makeEmptyFolder();
const cleanUp: (() => void)[] = [packedFolder.remove, home.remove];
afterAll(() => {
  for (const remove of cleanUp) remove();
});

const title = 'A laboratory releases a model that reads two million tokens';

test('npx starts the packed release in an empty folder, and again on the same data', async () => {
  const packCommand = [
    tool('npm'),
    'run',
    '-s',
    'release',
    '--',
    '--pack-destination',
    packedFolder.path,
  ];
  const packResult = runProgram(systemNode(), packCommand, { cwd: projectRoot });
  expect(packResult.stderr).not.toContain('npm error');
  const file = join(packedFolder.path, 'content-radar-0.1.0.tgz');
  const sbomFile = runProgram('tar', ['-xzOf', file, 'package/sbom.cdx.json'], {
    cwd: packedFolder.path,
  });
  const { bomFormat, components } = JSON.parse(sbomFile.stdout);
  expect(bomFormat).toBe('CycloneDX');
  expect(components.length).toBeGreaterThan(100);
  process.stdout.write(`packed: ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);

  const npx = [tool('npx'), '--yes', '--prefer-offline', `--package=${file}`];
  const locatedPath = runProgram(systemNode(), [...npx, '-c', 'command -v radar'], {
    cwd: home.path,
  });
  const installedFolder = dirname(dirname(dirname(locatedPath.stdout.trim())));
  expect(installedFolder).toMatch(/_npx.[0-9a-f]+$/);
  cleanUp.push(() => rmSync(installedFolder, { recursive: true, force: true }));
  const size = runProgram('du', ['-sm', installedFolder], { cwd: home.path }).stdout.split('\t')[0];
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
  // The call is asynchronous, because the publisher of the feed runs in this process.
  const radar = async (...args: readonly string[]) => {
    const options = { cwd: home.path, env: shellEnvironment() };
    return (await execute(systemNode(), [...npx, 'radar', ...args], options)).stdout.trim();
  };
  expect(await radar('--version')).toBe('0.1.0');

  // `npx` forwards no signal, so the test starts the installed program directly.
  const program = join(installedFolder, 'node_modules/.bin/radar');
  const start = () =>
    startServing(
      { PATH: shellEnvironment().PATH ?? '' },
      [],
      ['sh', '-c', 'cd "$0" && exec "$1" serve', home.path, program],
    );
  const firstProcess = await start();
  const readPage = async (url: string) => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };
  expect(await readPage(`${firstProcess.url}/readyz`)).toMatchObject({ status: 200 });
  expect(await readPage(`${firstProcess.url}/`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Content Radar'),
  });
  expect(await readPage(`${firstProcess.gatewayUrl}/console`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('<form'),
  });
  await radar('source', 'add', `${site.url}/feed`);
  const readItems = (url: string) => readPage(`${url}/api/v1/items?mode=all`);
  const isListed = async (url: string) => (await readItems(url)).text.includes(title) || null;
  expect(await until(() => isListed(firstProcess.url))).toBe(true);
  expect(await firstProcess.end('SIGTERM')).toBe(0);

  const secondProcess = await start();
  expect(await until(() => isListed(secondProcess.url))).toBe(true);
  expect(await secondProcess.end('SIGTERM')).toBe(0);
});
