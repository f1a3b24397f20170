// Web search over real HTTP: each engine's format, the merge, and the installation's own radar.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonReply, openServer } from '../../demo/upstream/server.ts';
import { openSearch } from '../../src/gateway/capabilities/search/search.ts';
import type { SearchResult } from '../../src/gateway/capabilities/search/search-provider.ts';
import { dataOf, openTestProviders, type TestProviders, testCall } from './test-providers.ts';

let providers: TestProviders;
beforeAll(async () => {
  providers = await openTestProviders();
});
afterAll(() => providers.close());
beforeEach(() => {
  for (const server of Object.values(providers.upstream.servers)) server.setFault(null);
});

type Data = { results: SearchResult[]; provider: string; query: string };

const allConfigs = () => providers.config().search;
const configsOf = (kind: string) => allConfigs().filter((config) => config.kind === kind);

const searchWith = (input: object, config = allConfigs(), radarUrl: string | null = null) => {
  const search = openSearch(providers.world, config, () => radarUrl);
  return search.run(testCall(providers.world).context, search.input.parse(input));
};
const findResults = async (input: object, config = allConfigs()) =>
  dataOf(await searchWith(input, config)) as never as Data;

test.each(['0x5', '1e1', '5.0', '21'])('the limit %s is refused', async (limit) => {
  await expect(findResults({ q: 'Tessarune', limit })).rejects.toThrow(
    'must be a whole number from 1 to 20',
  );
});

describe.each(['searxng', 'brave', 'tavily'])('%s', (kind) => {
  test('returns pages with title, address, text and publisher', async () => {
    const page = await findResults({ q: 'Tessarune', limit: '3' }, configsOf(kind));
    expect(page).toMatchObject({ query: 'Tessarune', provider: kind });
    expect(page.results.length).toBeGreaterThan(0);
    for (const result of page.results) {
      expect(result).toEqual({
        title: expect.stringContaining('Tessarune'),
        url: expect.stringMatching(/^https:\/\/news\.example\//),
        snippet: expect.not.stringContaining('<'),
        published_at: kind === 'searxng' ? expect.stringMatching(/^2026-06-.*Z$/) : null,
        source: 'news.example',
      });
    }
  });

  test('returns an empty result', async () => {
    expect(await findResults({ q: 'zzzz' }, configsOf(kind))).toEqual({
      query: 'zzzz',
      results: [],
      provider: kind,
    });
  });

  test('returns pages without repetitions', async () => {
    const input = { q: 'a', limit: '4' };
    const [first, second] = [
      await findResults(input, configsOf(kind)),
      await findResults({ ...input, page: '2' }, configsOf(kind)),
    ];
    const urls = [...first.results, ...second.results].map(({ url }) => url);
    expect(new Set(urls).size).toBe(urls.length);
    expect(first.results).toHaveLength(4);
  });

  test('names the field when the format changes', async () => {
    providers.upstream.servers[kind as 'brave'].setFault('changed');
    const outcome = await searchWith({ q: 'Tessarune' }, configsOf(kind));
    // Brave omits `web` when it finds nothing; `type` distinguishes that from an error.
    const field = kind === 'brave' ? 'field type' : 'field results';
    expect(outcome).toMatchObject({ internal: expect.stringContaining(field) });
  });
});

test('omits a row without an address, and parses a time of any length in linear time', async () => {
  const rows = ['magnet:?xt=1', 'https://news.example/1', 'file:///etc/passwd', 'no address'];
  const publishedDate = `${'T'.repeat(200_000)}!`;
  const content = 'Half \ud83d of \ud83c\udf0a\0';
  const results = rows.map((url) => ({ title: url, url, content, publishedDate }));
  const engine = await openServer(() => jsonReply({ results }));
  const result = await findResults({ q: 'a' }, [
    { ...configsOf('searxng')[0], url: engine.url },
  ] as never);
  expect(result.results).toEqual([
    {
      title: rows[1],
      url: rows[1],
      // Characters that the database cannot store are replaced or removed.
      snippet: 'Half \ufffd of \u{1f30a}',
      published_at: null,
      source: 'news.example',
    },
  ]);
  await engine.close();
});

test.each([
  ['url', { heading: 'A', title: 'A', url: 'no address' }],
  ['title', { heading: 'A', url: 'https://news.example/1' }],
])('reports rows that all lack %s as a changed format', async (field, row) => {
  const engine = await openServer(() => jsonReply({ results: [row, row] }));
  const config = [{ ...configsOf('searxng')[0], url: engine.url }] as never;
  expect(await searchWith({ q: 'a' }, config)).toMatchObject({
    kind: 'failed',
    code: 'upstream_error',
    internal: expect.stringMatching(`^searxng /search: field ${field}: no row`),
  });
  await engine.close();
});

describe('several engines', () => {
  test('return each address once, and the response names all engines', async () => {
    const { results, provider } = await findResults({ q: 'Tessarune' });
    expect(provider).toBe('searxng+brave+tavily');
    const urls = results.map(({ url }) => url.replace(/\?.*/, ''));
    expect(new Set(urls).size).toBe(urls.length);
  });

  test('continue without an engine that fails', async () => {
    providers.upstream.servers.brave.setFault('broken');
    expect(await findResults({ q: 'Tessarune' })).toMatchObject({ provider: 'searxng+tavily' });
  });

  test('report each failure when all fail', async () => {
    for (const name of ['searxng', 'brave', 'tavily'] as const) {
      providers.upstream.servers[name].setFault('broken');
    }
    expect(await searchWith({ q: 'Tessarune' })).toMatchObject({
      kind: 'failed',
      code: 'upstream_error',
      internal: 'searxng answered 500 · brave answered 500 · tavily answered 500',
    });
  });
});

describe('without a search engine', () => {
  test('the installation’s own radar provides results, and the response names it', async () => {
    const radarQueries: string[] = [];
    const radar = await openServer(({ path, query }) => {
      radarQueries.push(`${path}?${query}`);
      const item = {
        id: '1',
        title: 'Tessarune ships',
        summary: null,
        publishedAt: '2026-08-22T10:00:00Z',
        links: { html: 'http://127.0.0.1/i/1', original: 'https://news.example/1' },
        source: { id: 'tessarune', name: 'Tessarune Notes' },
      };
      return jsonReply({ items: [item] });
    });
    expect(dataOf(await searchWith({ q: 'Tessarune' }, [], radar.url))).toEqual({
      query: 'Tessarune',
      provider: 'radar',
      results: [
        {
          title: 'Tessarune ships',
          url: 'https://news.example/1',
          snippet: '',
          published_at: '2026-08-22T10:00:00.000Z',
          source: 'Tessarune Notes',
        },
      ],
    });
    expect(radarQueries).toEqual(['/api/v1/items?mode=all&window=7d&q=Tessarune&limit=10']);
    // The radar accepts 2 to 200 characters, a search 1 to 400.
    const findResults = async (q: string) =>
      (dataOf(await searchWith({ q }, [], radar.url)) as never as Data).results;
    expect([await findResults('T'), await findResults('船')].map(({ length }) => length)).toEqual([
      1, 0,
    ]);
    await findResults('船'.repeat(400));
    const longQuery = encodeURIComponent('船'.repeat(200));
    expect(radarQueries.slice(1)).toEqual([
      ...Array(2).fill('/api/v1/items?mode=all&window=7d&limit=100'),
      `/api/v1/items?mode=all&window=7d&q=${longQuery}&limit=10`,
    ]);
    await radar.close();
  });

  test('the error names the missing configuration when there is no radar either', async () => {
    const noEngine = openSearch(providers.world, [], () => null);
    expect(await noEngine.missing()).toBe('Web search needs an entry in providers.search.');
  });
});

test.each([
  [{}],
  [{ q: '' }],
  [{ q: 'x'.repeat(401) }],
  [{ q: 'x', limit: '21' }],
  [{ q: 'x', n: 1 }],
])('refuses %o', (input) => {
  expect(openSearch(providers.world, allConfigs(), () => null).input.safeParse(input).success).toBe(
    false,
  );
});
