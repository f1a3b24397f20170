// `radar provider check`, `model check` and `source check` as an operator runs them, against
// working and failing providers on loopback.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelKey, openModelServer } from '../../demo/upstream/model/open-model-server.ts';
import { openUpstream } from '../../demo/upstream/open-upstream.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { runRadarCommand, temporaryDataDir } from '../support/radar-process.ts';

const upstream = await openUpstream();
const model = await openModelServer();
const site = await openLoopbackSite();
/** A provider whose results have no titles. */
const serverWithoutTitles = createServer((_req, res) => {
  res.setHeader('content-type', 'application/json');
  res.end(JSON.stringify({ results: [{ url: 'https://example.com/', content: 'Text' }] }));
}).listen(0, '127.0.0.1');
await once(serverWithoutTitles, 'listening');
afterAll(async () => {
  serverWithoutTitles.close();
  await model.close();
  await upstream.close();
});

const DATA_DIR = temporaryDataDir();
const RADAR_CONFIG = join(DATA_DIR, 'radar.config.json');
const [searxng, brave] = upstream.config.search;
const urlWithoutTitles = `http://127.0.0.1:${(serverWithoutTitles.address() as AddressInfo).port}`;
writeFileSync(
  RADAR_CONFIG,
  JSON.stringify({
    providers: {
      search: [
        searxng,
        { ...brave, key: 'wrong' },
        { kind: 'tavily', url: urlWithoutTitles, key: 'any' },
      ],
      social: upstream.config.social,
    },
    relay: {
      upstreams: [
        ...upstream.relay.upstreams,
        { ...upstream.relay.upstreams[0], name: 'expired', key: 'an expired key' },
      ],
    },
    providerCosts: { search: '0.02' },
    network: { privateHosts: ['127.0.0.0/8'], politenessMs: 0 },
  }),
);
const environment = { DATA_DIR, RADAR_CONFIG };

type Check = {
  readonly name: string;
  readonly filled: readonly string[];
  readonly failure: { readonly code: string; readonly detail: string } | null;
};

test('provider check reports each provider separately', async () => {
  const args = ['provider', 'check', 'search', '--input', '{"q":"Orrinfell"}', '--json'];
  const { code, out, err } = await runRadarCommand(args, environment);
  const { checks } = JSON.parse(out) as { checks: readonly Check[] };
  expect(checks.map(({ name, failure }) => [name, failure?.code ?? null])).toEqual([
    ['searxng', null],
    ['brave', expect.any(String)],
    ['tavily', 'upstream_error'],
  ]);
  expect(checks[0]?.filled).toEqual(
    expect.arrayContaining(['results[].title', 'results[].url', 'results[].source']),
  );
  expect(checks[2]?.failure?.detail).toContain('field title');
  expect(code).not.toBe(0);
  expect(err).toContain('search did not succeed with brave, tavily');
});

test('provider check sends each provider of social data a request that it supports', async () => {
  const { code, out, err } = await runRadarCommand(['provider', 'check', 'social'], environment);
  expect([code, err]).toEqual([0, '']);
  const successLines = out.split('\n').filter((line) => line.endsWith('succeeded'));
  expect(successLines.map((line) => line.replace(/, \d+ ms: succeeded/, ''))).toEqual([
    ...['tikhub', 'bilibili', 'youtube-data', 'oembed:youtube', 'oembed:tiktok', 'oembed:twitter'],
  ]);
  expect(out).toContain('post.author.name');
});

test('provider check states the configured cost, and names empty lists', async () => {
  const args = ['provider', 'check', 'search', '--provider', 'searxng'];
  expect((await runRadarCommand(args, environment)).out).toContain(
    'CNY 0.02 by providerCosts.search',
  );
  const { out } = await runRadarCommand(
    [...args, '--input', '{"q":"nothing-like-it"}'],
    environment,
  );
  expect(out).toContain('null    nothing\n  empty   results; another --input may fill');
});

test('provider check calls each upstream of the relay', async () => {
  const { code, out, err } = await runRadarCommand(
    ['provider', 'check', 'relay', '--json'],
    environment,
  );
  const { checks } = JSON.parse(out) as { checks: readonly Check[] };
  expect(checks).toHaveLength(upstream.relay.upstreams.length + 1);
  expect(checks.filter(({ failure }) => failure !== null)).toMatchObject([
    { name: 'expired', failure: { code: 'upstream_error' } },
  ]);
  expect(checks[0]?.filled).toEqual(expect.arrayContaining(['text', 'usage.input', 'models']));
  expect([code === 0, err]).toMatchObject([
    false,
    expect.stringContaining('relay did not succeed with expired'),
  ]);
});

test('provider check sends a given request to the upstreams of one kind', async () => {
  const input = JSON.stringify({ max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] });
  const args = ['provider', 'check', 'relay', '--provider', 'anthropic-messages'];
  const { code, out } = await runRadarCommand([...args, '--input', input], environment);
  expect(code).toBe(0);
  expect(out).toContain('demo-anthropic-messages');
  expect(out).toContain('usage.output');
});

test.each([
  [['provider', 'check', 'relay', '--provider', 'none'], 1, 'It has: demo-1 (openai-chat)'],
  [['provider', 'check', 'search', '--provider', 'searxng'], 0, 'searxng'],
  [['provider', 'check', 'nothing'], 1, 'There are: social'],
  [['provider', 'check', 'search', '--provider', 'bing'], 1, 'It has: searxng, brave, tavily'],
  [['provider', 'check', 'search', '--input', '{"q":1}'], 1, '--input: q'],
  [['provider', 'check', 'search', '--input', '{'], 1, '--input must be JSON'],
  [['source', 'check'], 1, 'Name sources, or use --all'],
] as const)('%j ends with %i and states what to do', async (args, status, message) => {
  const { code, out, err } = await runRadarCommand(args, environment);
  expect(code === 0 ? 0 : 1).toBe(status);
  expect(out + err).toContain(message);
});

type ModelReport = {
  readonly filled: readonly string[];
  readonly steps: readonly { readonly by: string; readonly problem: string | null }[];
  readonly spent: { readonly requests: number };
};

test('model check succeeds only when the model writes the fields', async () => {
  const modelEnvironment = {
    ...environment,
    MODEL_URL: model.url,
    MODEL_KEY: modelKey,
    MODEL_NAME: 'demo-editor',
  };
  const { code, out } = await runRadarCommand(['model', 'check', '--json'], modelEnvironment);
  const report = JSON.parse(out) as ModelReport;
  expect(report.filled).toEqual(expect.arrayContaining(['title', 'category', 'score']));
  expect(report.steps.filter(({ by }) => by === 'rules')).toEqual([]);
  expect(report.spent.requests).toBeGreaterThan(0);
  expect(code).toBe(0);
  const refusedCheck = await runRadarCommand(['model', 'check', '--json'], {
    ...modelEnvironment,
    MODEL_KEY: 'wrong',
  });
  // The rules write every field; none of them came from the model.
  expect([refusedCheck.code === 0, (JSON.parse(refusedCheck.out) as ModelReport).filled]).toEqual([
    false,
    [],
  ]);
});

test('source check reports the fields of every source and the failing sources', async () => {
  const entry = { id: 'one', title: 'A title', text: 'A text.', link: `${site.url}/one`, at: 0 };
  site.respond('/good.xml', { body: rssOf('Good', [entry]) });
  for (const name of ['good', 'bad']) {
    const addCommand = ['source', 'add', `${site.url}/${name}.xml`, '--id', name, '--name', name];
    await runRadarCommand([...addCommand, '--unread'], environment);
  }
  const { code, out, err } = await runRadarCommand(
    ['source', 'check', '--all', '--json'],
    environment,
  );
  const { checks } = JSON.parse(out) as {
    checks: readonly { id: string; entries: number; failure: string | null }[];
  };
  expect(checks).toEqual([
    expect.objectContaining({ id: 'bad', entries: 0, failure: expect.any(String) }),
    expect.objectContaining({ id: 'good', entries: 1, failure: null }),
  ]);
  expect(code).not.toBe(0);
  expect(err).toContain('Could not be read: bad.');
});
