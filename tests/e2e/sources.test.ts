// Source commands while a server runs: try, add, wait, list and push.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { runRadarCommand, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { until } from '../support/until.ts';

const DATA_DIR = temporaryDataDir();
const site = await openLoopbackSite();
const config = join(DATA_DIR, 'radar.config.json');
writeFileSync(config, JSON.stringify({ name: 'Mill Radar', network: { politenessMs: 0 } }));
const environment = { DATA_DIR, RADAR_CONFIG: config };
const runCommand = (...args: string[]) => runRadarCommand(args, environment);

const entries = Array.from({ length: 30 }, (_, index) =>
  newsOf(site, `Orrin ${index}`, { at: Date.now() - (index + 1) * 3_600_000 }),
);
site.respond('/feed.xml', { body: rssOf('Halden News', entries) });

test('try prints the entries of an address or a file and stores nothing', async () => {
  const document = join(DATA_DIR, 'feed.xml');
  const [entry] = entries;
  writeFileSync(document, rssOf('Halden News', entries.slice(0, 1)));
  const expected = {
    format: 'rss',
    title: 'Halden News',
    entries: [
      {
        id: entry?.id,
        url: encodeURI(requirePresent(entry, 'an entry').link),
        title: entry?.title,
        summary: entry?.text,
        content: null,
        author: null,
        publishedAt: new Date(
          Math.floor(requirePresent(entry, 'an entry').at / 1000) * 1000,
        ).toISOString(),
        updatedAt: null,
        language: 'en',
      },
    ],
  };
  const attempt = await runCommand('source', 'try', document);
  expect(attempt).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(attempt.out)).toEqual(expected);
  const fetchedFeed = JSON.parse((await runCommand('source', 'try', `${site.url}/feed.xml`)).out);
  expect(fetchedFeed.entries).toHaveLength(30);
  expect(fetchedFeed.entries[0]).toEqual(expected.entries[0]);
  const missingFile = await runCommand('source', 'try', '/nowhere.xml');
  expect(missingFile.code).toBe(1);
  expect(missingFile.err).toContain('neither an http address, a template line nor a file');
});

test('names the sources and options that it cannot use', async () => {
  const page = '<!doctype html><html><body><p>A page</p></body></html>';
  const emptySite = await openLoopbackSite();
  emptySite.respond('/page', { headers: { 'content-type': 'text/html' }, body: page });
  const refusals: readonly (readonly [string, readonly string[]])[] = [
    [
      `radar: ${emptySite.url}/page has no feed. Tried:\n` +
        `  ${emptySite.url}/page: The document is a web page, not a feed\n` +
        ['/feed', '/rss', '/feed.xml', '/rss.xml', '/atom.xml', '/index.xml', '/feed.json']
          .map((path) => `  ${emptySite.url}${path}: the server answered 404\n`)
          .join('') +
        'Use --unread to add the source nevertheless.\n',
      [`${emptySite.url}/page`],
    ],
    ['radar: none.json: no source in it.\n', ['--file', 'none.json']],
    [
      'radar: one.json: no source called two. There are: one.\n',
      ['--file', 'one.json', '--only', 'one,two'],
    ],
  ];
  writeFileSync(join(DATA_DIR, 'none.json'), '[]');
  writeFileSync(join(DATA_DIR, 'one.json'), '[{ "id": "one" }]');
  for (const [err, args] of refusals) {
    const refusal = await runCommand('source', 'add', ...args.map(pathInFolder));
    expect({ ...refusal, err: refusal.err.replaceAll(`${DATA_DIR}/`, '') }).toEqual({
      code: 1,
      out: '',
      err,
    });
  }
  const invalidInterval = await runCommand(
    'source',
    'add',
    `${site.url}/feed.xml`,
    '--interval',
    '0',
  );
  expect(invalidInterval.err).toContain('must be a whole number from 1 to');
  const invalidOption = await runCommand('account', 'show', 'ada@example.org', '--entries', '0');
  expect(invalidOption.err).toContain('must be a whole number from 1 to');
  const tooMany = await runCommand('account', 'voucher-codes', 'make', '5', '--count', '10001');
  expect(tooMany.err).toContain('must be a whole number from 1 to 10000.');
});

test('imports an OPML file once, by line, and exports it again', async () => {
  const file = join(DATA_DIR, 'feeds.opml');
  const outline = (name: string, url: string) =>
    `<outline text="${name}" type="rss" xmlUrl="${url}"/>`;
  writeFileSync(
    file,
    `<opml version="2.0"><body>
<outline text="News">${outline('Alder Post', 'https://alder.example/feed')}</outline>
${outline('Bad', 'file:///etc/passwd')}
</body></opml>`,
  );
  const importResult = await runCommand('source', 'add', '--opml', file);
  expect(importResult).toEqual({
    code: 0,
    out: 'added alder-post: Alder Post\n',
    err:
      'line 3: refused: Bad: xmlUrl must be an absolute http or https address\n' +
      '1 added, 0 existing, 1 refused\n' +
      'The rules for artificial intelligence select the items. For another field, choose other ' +
      'rules on the page /admin/setup, or set "editorial": "editorial/general" in ' +
      'radar.config.json.\n',
  });
  expect((await runCommand('source', 'add', '--opml', file)).err).toContain('0 added, 1 existing');
  for (const misplaced of [
    ['--opml', file, '--only', 'alder-post'],
    ['--file', file, '--folder', 'News'],
  ]) {
    expect((await runCommand('source', 'add', ...misplaced)).err).toContain(
      '--only selects sources of --file, and --folder selects folders of --opml.',
    );
  }
  const exportedText = await runCommand('source', 'list', '--opml');
  expect(exportedText.out).toContain('xmlUrl="https://alder.example/feed"');
  const exportedFile = (await runCommand('source', 'export', '--opml')).out;
  expect(exportedFile).toContain('<title>Mill Radar</title>');
  expect(exportedFile).toContain('text="Alder Post"');
  expect((await runCommand('source', 'remove', 'alder-post')).out).toBe('alder-post is removed.\n');
});

const pathInFolder = (arg: string) => (arg.endsWith('.json') ? join(DATA_DIR, arg) : arg);

test('adds, awaits and lists sources and pushes items while a process serves', async () => {
  const serving = await startServing(environment);
  const addResult = await runCommand(
    'source',
    'add',
    `${site.url}/feed.xml`,
    '--tier',
    'T1',
    '--wait',
  );
  expect(addResult).toEqual({
    code: 0,
    out:
      'added halden-news: Halden News (feed, T1) with 30 entries\n' +
      'halden-news is read: 30 items\n',
    err: expect.stringMatching(/^(waiting for a worker|importing \d+\/\d+ items)\n/m),
  });
  const sourceList = JSON.parse((await runCommand('source', 'list', '--json')).out);
  expect(sourceList).toMatchObject([
    { id: 'halden-news', items: 30, importing: 0, lastOutcome: 'read', failures: 0 },
  ]);

  const definition = join(DATA_DIR, 'agents.json');
  const agents = { id: 'agents', kind: 'push', name: 'Agents', owner: 'Agents', tier: 'T1' };
  const otherOptions = {
    language: 'en',
    intervalMinutes: 30,
    participation: 'editorial',
    settings: {},
  };
  writeFileSync(definition, JSON.stringify({ ...agents, ...otherOptions }));
  expect((await runCommand('source', 'add', '--file', definition)).out).toBe(
    'added agents: Agents (push, T1). Its token: radar source token agents\n',
  );
  const token = (await runCommand('source', 'token', 'agents')).out.trim();
  const pushResponse = await fetch(`${serving.url}/api/ingest/items`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      source: 'agents',
      items: [{ url: 'https://agents.example/1', title: 'What an agent found out about tides' }],
    }),
  });
  expect(await pushResponse.json()).toEqual({ created: 1, updated: 0, unchanged: 0 });
  const findPublicItem = async () => {
    const { items } = (await (
      await fetch(`${serving.url}/api/v1/items?mode=all&limit=100`)
    ).json()) as { items: { title: string }[] };
    return items.find(({ title }) => title === 'What an agent found out about tides') ?? null;
  };
  expect(await until(findPublicItem)).toMatchObject({ source: { name: 'Agents' } });
  expect(await serving.end('SIGTERM')).toBe(0);
});
