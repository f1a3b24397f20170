// The radar as an operator runs it. It starts, fetches a source, stops, is killed, and starts
// again.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { runRadarCommand, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { until } from '../support/until.ts';
import { laboratoryEntry } from './laboratory-entry.ts';

const site = await openLoopbackSite();
const NOW = '2026-08-22T12:00:00Z';
const entry = (number: number) => laboratoryEntry(site.url, number);
site.respond('/feed.xml', { body: rssOf('Lantern Works', [1, 2, 3].map(entry)) });

type ListedEntry = { id: string; title: string; publishedAt: string; links: { original: string } };

async function listItems(url: string): Promise<ListedEntry[]> {
  const response = await fetch(`${url}/api/v1/items?mode=all`);
  expect(response.status).toBe(200);
  const body = (await response.json()) as { items: ListedEntry[] };
  return body.items;
}

/** Waits until the list has this number of items, because another job fetches the source later. */
const waitForItems = (url: string, count: number): Promise<ListedEntry[]> =>
  until(async () => {
    const items = await listItems(url);
    return items.length >= count ? items : null;
  });

describe('one data folder over several starts', () => {
  const DATA_DIR = temporaryDataDir();
  const env = { DATA_DIR, RADAR_NOW: NOW };
  const expected = [1, 2, 3].map((number) => ({
    title: `Lantern Works opens its ${number}th laboratory`,
    publishedAt: new Date(entry(number).at).toISOString(),
    original: `${site.url}/articles/${number}`,
  }));
  const publishedFieldsOf = (items: ListedEntry[]) =>
    items.map(({ title, publishedAt, links }) => ({
      title,
      publishedAt,
      original: links.original,
    }));

  test('publishes an added feed, also after a stop and after kill -9', async () => {
    const firstProcess = await startServing(env);
    expect(await listItems(firstProcess.url)).toEqual([]);
    const readiness = await fetch(`${firstProcess.url}/readyz`);
    expect(readiness.status).toBe(200);
    expect(await readiness.json()).toMatchObject({ status: 'ready' });

    // While a process serves, a command uses the database and the clock of that process.
    const addedSource = await runRadarCommand(['source', 'add', `${site.url}/feed.xml`], {
      DATA_DIR,
    });
    // The first source is the moment to choose the rules of the field.
    expect(addedSource).toMatchObject({ code: 0, err: expect.stringContaining('other rules') });
    expect(addedSource.out).toContain(
      'added lantern-works: Lantern Works (feed, T2) with 3 entries',
    );
    expect(publishedFieldsOf(await waitForItems(firstProcess.url, 3))).toEqual(expected);

    const repeatedAdd = await runRadarCommand(['source', 'add', `${site.url}/feed.xml`], {
      DATA_DIR,
    });
    expect(repeatedAdd.code).toBe(1);
    expect(repeatedAdd.err).toContain('the source exists already');

    expect(await firstProcess.end('SIGTERM')).toBe(0);
    const secondProcess = await startServing(env);
    expect(publishedFieldsOf(await listItems(secondProcess.url))).toEqual(expected);
    await secondProcess.end('SIGKILL');
    const thirdProcess = await startServing(env);
    expect(publishedFieldsOf(await listItems(thirdProcess.url))).toEqual(expected);
    // Ctrl-C under npm arrives twice, from the terminal and from npm. The system can merge two
    // equal signals at one moment, but never two different signals.
    const exitCode = thirdProcess.end('SIGINT');
    thirdProcess.end('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  test('writes first-run.json, which only its owner can read', () => {
    const path = join(DATA_DIR, 'first-run.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      version: '0.1.0',
      at: expect.stringMatching(/^2026-08-22T12:/),
      radar_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      gateway_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      relay_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      operator_password: expect.stringMatching(/^[\w-]{20}$/),
      email: 'owner@radar.localhost',
      password: expect.stringMatching(/^[\w-]{20}$/),
      sk: expect.stringMatching(/^sk-[a-z2-7]{38}$/),
      sk_test: expect.stringMatching(/^sk-test-[a-z2-7]{38}$/),
      ak: expect.stringMatching(/^ak-[a-z2-7]{38}$/),
      ak_test: expect.stringMatching(/^ak-test-[a-z2-7]{38}$/),
    });
  });
});

describe('the gateway after its first start', () => {
  const DATA_DIR = temporaryDataDir();

  test('accepts the keys of first-run.json; commands create and revoke other keys', async () => {
    const serving = await startServing({ DATA_DIR, RADAR_NOW: NOW }, ['--only', 'gateway']);
    const firstRun = JSON.parse(readFileSync(join(DATA_DIR, 'first-run.json'), 'utf8'));
    const account = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return fetch(`${serving.gatewayUrl}/api/v1/account`, { headers });
    };
    const accountResponse = await account(firstRun.sk);
    expect(accountResponse.status).toBe(200);
    expect(await accountResponse.json()).toMatchObject({
      livemode: true,
      free_quota: { remaining: '2' },
    });

    const env = { DATA_DIR };
    const addKeyResult = await runRadarCommand(
      ['account', 'key', 'add', firstRun.email, '--name', 'CI', '--test'],
      env,
    );
    expect(addKeyResult).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^sk-test-\w{38}\n$/),
    });
    const key = addKeyResult.out.trim();
    expect(await (await account(key)).json()).toMatchObject({ livemode: false });
    const keyList = await runRadarCommand(
      ['account', 'key', 'list', firstRun.email, '--json'],
      env,
    );
    const keys = JSON.parse(keyList.out) as { id: string; name: string; key: string }[];
    expect(keys).toHaveLength(5);
    const { id = '' } = keys.find(({ name }) => name === 'CI') ?? {};
    expect((await runRadarCommand(['account', 'key', 'revoke', id], env)).out).toBe(
      `${id} is revoked.\n`,
    );
    await until(async () => ((await account(key)).status === 401 ? true : null));
    expect((await runRadarCommand(['account', 'suspend', firstRun.email], env)).code).toBe(0);
    await until(async () => ((await account(firstRun.sk)).status === 403 ? true : null));
    const unknownKey = await runRadarCommand(['account', 'key', 'revoke', 'key_0'], env);
    expect(unknownKey).toMatchObject({ code: 1, err: expect.stringContaining('There is no key') });
    expect(await serving.end('SIGTERM')).toBe(0);
  });
});

describe('several processes on one data folder', () => {
  const DATA_DIR = temporaryDataDir();

  test('serve different components, and no component twice', async () => {
    const node = await startServing({ DATA_DIR, RADAR_NOW: NOW }, ['--only', 'radar']);
    const secondStart = await runRadarCommand(['serve'], { DATA_DIR });
    expect(secondStart.code).toBe(1);
    expect(secondStart.err).toContain(
      `${DATA_DIR} is served already: process ${node.pid} runs the radar`,
    );

    const worker = await startServing({ DATA_DIR, RADAR_NOW: NOW }, ['--only', 'worker']);
    const addedSource = await runRadarCommand(['source', 'add', `${site.url}/feed.xml`], {
      DATA_DIR,
    });
    expect(addedSource.code).toBe(0);
    expect(await waitForItems(node.url, 3)).toHaveLength(3);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(await node.end('SIGTERM')).toBe(0);
  });
});

describe('an invalid configuration is refused with instructions', () => {
  test.each([
    ['an unknown component', ['serve', '--only', 'kitchen'], {}, 'no component called kitchen'],
    ['an invalid time', ['serve', '--now', 'noon'], {}, 'RADAR_NOW: must be an RFC 3339 time'],
    ['an invalid port', ['serve'], { RADAR_PORT: '99999' }, 'RADAR_PORT'],
    [
      'an unreachable database',
      ['serve'],
      { DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none' },
      'Check DATABASE_URL',
    ],
    ['an unknown command', ['sources'], {}, 'unknown command'],
    [
      'a missing file',
      ['source', 'try', '/nowhere.xml'],
      {},
      'neither an http address, a template line nor a file',
    ],
    ['an address that is refused', ['source', 'try', 'http://10.1.2.3/'], {}, '10.1.2.3'],
  ])('%s', async (_what, args, env, message) => {
    const result = await runRadarCommand(args, { DATA_DIR: temporaryDataDir(), ...env });
    expect(result.code).toBe(1);
    expect(result.err).toContain(message);
    expect(result.err).not.toContain('secret-word');
    expect(result.err).not.toContain('    at ');
  });

  test('an unknown configuration key is named', async () => {
    const DATA_DIR = temporaryDataDir();
    const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
    writeFileSync(RADAR_CONFIG, JSON.stringify({ network: { politeness: 0 } }));
    const result = await runRadarCommand(['serve'], { DATA_DIR, RADAR_CONFIG });
    expect(result.code).toBe(1);
    expect(result.err).toContain('unknown key network.politeness');
  });
});
