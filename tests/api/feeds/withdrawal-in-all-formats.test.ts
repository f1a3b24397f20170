// A withdrawal and a correction reach every output at once, because all outputs read the same
// publication: JSON, Markdown, feeds, MCP, pages and the sitemap.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeItem, type ItemChange } from '../../../src/radar/publication/change-item.ts';
import { computeRanking } from '../../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../../src/radar/ranking/ranking-rules.ts';
import { writeDueReports } from '../../../src/radar/reports/write-reports.ts';
import { openTestReportContext, shanghai } from '../../reports/publish-item.ts';
import { sendRequest } from '../../support/http-request.ts';
import { openStoryRadar } from '../../support/story-radar.ts';
import { parseValidRss, textOf } from '../../support/valid-rss.ts';

const radar = await openStoryRadar();
const { publisher, clock, world, db, settle, origin } = radar;
const client = new Client({ name: 'a test', version: '1.0.0' });
afterAll(() => client.close());

const STORY = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';
/** A word that only the withdrawn report contains. */
const WORD = 'Quillwort';
const reportKeys = { daily: '2026-08-30', weekly: '2026-W35', monthly: '2026-08' };
let item = '';

const acceptHeaders = { accept: 'text/html, application/json' };
const addresses = () => [
  '/api/v1/items?mode=all',
  `/api/v1/items?mode=all&q=${WORD}`,
  '/api/v1/hot-topics',
  `/api/v1/stories/${STORY}`,
  '/api/v1/selected/snapshot',
  '/api/v1/dailies',
  `/api/v1/dailies/${reportKeys.daily}`,
  '/api/v1/weeklies',
  `/api/v1/weeklies/${reportKeys.weekly}`,
  '/api/v1/monthlies',
  `/api/v1/monthlies/${reportKeys.monthly}`,
  '/api/v1/agent/latest?mode=all&limit=30',
  '/api/v1/agent/hot',
  `/api/v1/agent/stories/${STORY}`,
  `/api/v1/agent/daily/${reportKeys.daily}`,
  `/api/v1/agent/weekly/${reportKeys.weekly}`,
  `/api/v1/agent/monthly/${reportKeys.monthly}`,
  ...['', '/all', '/category/industry', '/daily', '/weekly', '/monthly'].flatMap((feed) => [
    `/feed${feed}.xml`,
    `/feed${feed}.json`,
  ]),
  '/sitemap.xml',
  '/latest',
  '/all',
  '/hot',
  `/stories/${STORY}`,
  `/daily/${reportKeys.daily}`,
  `/weekly/${reportKeys.weekly}`,
  `/monthly/${reportKeys.monthly}`,
];

const tools = (): readonly (readonly [string, Record<string, string>])[] => [
  ['latest', { mode: 'all' }],
  ['search', { q: WORD }],
  ['hot', {}],
  ['story', { publicId: STORY }],
  ['daily', { date: reportKeys.daily }],
  ['weekly', { week: reportKeys.weekly }],
  ['monthly', { month: reportKeys.monthly }],
];

/** Removes correction notes of reports, which contain the former and the corrected title. */
const withoutNotes = (text: string) =>
  text.replaceAll(`The title was “Orrery Labs opens ${WORD}”; it is now`, '');

/** Returns the output formats that contain the text. */
async function findFormatsWith(wantedText: string): Promise<readonly string[]> {
  await settle();
  const formats: string[] = [];
  for (const path of addresses()) {
    const response = await sendRequest(origin, { path, headers: acceptHeaders });
    expect([path, response.status]).toEqual([path, 200]);
    // The response repeats the query, which is not part of the results.
    const text = withoutNotes(response.text).replaceAll(`"q":"${WORD}"`, '');
    if (text.includes(wantedText)) formats.push(path);
  }
  for (const [name, values] of tools()) {
    const response = await client.callTool({ name, arguments: values });
    const text = JSON.stringify(response).replaceAll(`\\"q\\":\\"${WORD}\\"`, '');
    const visibleText = withoutNotes(text)
      .replaceAll(`"q":"${WORD}"`, '')
      .replaceAll(`query: ${WORD}`, '');
    if (visibleText.includes(wantedText)) formats.push(`tool ${name}`);
  }
  return formats;
}

const formatsWithOriginalTitle = [
  '/api/v1/items?mode=all',
  `/api/v1/items?mode=all&q=${WORD}`,
  '/api/v1/selected/snapshot',
  '/api/v1/agent/latest?mode=all&limit=30',
  'tool latest',
  'tool search',
];

async function changeTestItem(itemChange: ItemChange): Promise<void> {
  clock.advance(60_000);
  await changeItem(world, db, item, { ...itemChange, actor: 'test', note: null });
}

beforeAll(async () => {
  clock.set(shanghai('2026-08-29T09:00'));
  const commonFields = { story: STORY, at: clock.now() };
  const summary = `${WORD} is the plant that Orrery Labs opened on Saturday in the north.`;
  const title = `Orrery Labs opens ${WORD}`;
  item = await publisher.publish({
    ...commonFields,
    source: 'orrery',
    title,
    summary,
    text: summary,
  });
  for (const source of ['ledger', 'wire']) {
    const sentence = 'Orrery Labs has opened a plant in the north, its second this year.';
    const otherReport = {
      title: `A plant for Orrery Labs, says ${source}`,
      summary: sentence,
      text: sentence,
    };
    await publisher.publish({
      ...commonFields,
      source,
      at: commonFields.at + 60_000,
      ...otherReport,
    });
  }
  clock.set(shanghai('2026-08-29T10:00'));
  await computeRanking(world, db, await readRankingRules('editorial'));
  clock.set(shanghai('2026-09-01T10:31'));
  await writeDueReports(world, db, await openTestReportContext(), new AbortController().signal);
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', origin)));
});

test('a withdrawal removes an item from every format, and a restore returns it', async () => {
  const formats = await findFormatsWith(WORD);
  // The sitemap has only addresses. In the ranking, the title of the story comes from another
  // report.
  const formatsWithoutText = [
    '/feed/category/industry.xml',
    '/feed/category/industry.json',
    '/sitemap.xml',
    '/hot',
  ];
  expect(new Set([...formats, ...formatsWithoutText])).toEqual(
    new Set([...addresses(), ...tools().map(([name]) => `tool ${name}`)]),
  );
  expect((await sendRequest(origin, { path: `/items/${item}` })).status).toBe(200);
  const storyEtag = (await sendRequest(origin, { path: `/stories/${STORY}` })).headers.etag ?? '';

  // The server prepares new versions of the responses that it sent from its cache. Prepared
  // responses must show the withdrawal too.
  for (const _ of [1, 2]) await findFormatsWith(WORD);
  await changeTestItem({ action: 'withdraw' });
  expect(await findFormatsWith(WORD)).toEqual([]);
  expect(await findFormatsWith(item)).toEqual([]);
  expect((await sendRequest(origin, { path: `/items/${item}` })).status).toBe(404);
  const conditionalRequest = { path: `/stories/${STORY}`, headers: { 'if-none-match': storyEtag } };
  expect((await sendRequest(origin, conditionalRequest)).status).toBe(200);

  await changeTestItem({ action: 'restore' });
  expect(new Set(await findFormatsWith(WORD))).toEqual(new Set(formats));
});

test('every output format with titles shows only the corrected title', async () => {
  const formatsBefore = new Set(await findFormatsWith(`Orrery Labs opens ${WORD}`));
  await changeTestItem({ action: 'correct', fields: { title: 'Orrery Labs opens Spleenwort' } });
  // Some formats also show the original title of the source, which stays unchanged.
  expect(await findFormatsWith(`Orrery Labs opens ${WORD}`)).toEqual(formatsWithOriginalTitle);
  const formatsAfter = new Set(await findFormatsWith('Orrery Labs opens Spleenwort'));
  expect([...formatsBefore].filter((format) => !formatsAfter.has(format))).toEqual([]);
});

test('feeds of reports are valid and state when a correction changed a report', async () => {
  for (const name of ['daily', 'weekly', 'monthly'] as const) {
    const path = `/feed/${name}`;
    const rss = await sendRequest(origin, { path: `${path}.xml` });
    const { items } = parseValidRss(rss.text, `https://radar.example${path}.xml`);
    const feed = JSON.parse((await sendRequest(origin, { path: `${path}.json` })).text);
    const ids = feed.items.map((entry: { readonly id: string }) => entry.id);
    expect(items.map((entry) => textOf(entry, 'guid'))).toEqual(ids);
    expect(ids).toContain(`urn:radar:${name}:${reportKeys[name]}`);
    const entry = feed.items[ids.indexOf(`urn:radar:${name}:${reportKeys[name]}`)];
    expect(Date.parse(entry.date_modified)).toBe(clock.now());
    expect(entry.url).toBe(`https://radar.example/${name}/${reportKeys[name]}`);
  }
});

test('the sitemap names every page, and each of its addresses returns 200', async () => {
  const { text } = await sendRequest(origin, { path: '/sitemap.xml' });
  const pages = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);
  for (const path of [
    `/items/${item}`,
    `/stories/${STORY}`,
    `/daily/${reportKeys.daily}`,
    '/about',
  ]) {
    expect(pages).toContain(`https://radar.example${path}`);
  }
  for (const url of pages) {
    const { status } = await sendRequest(origin, { path: new URL(url).pathname });
    expect([url, status]).toEqual([url, 200]);
  }
});

test('each output format may be cached for as long as the contract states', async () => {
  const livePages = 'public, max-age=60, s-maxage=60, stale-while-revalidate=60';
  const items = 'public, max-age=60, s-maxage=60, stale-while-revalidate=300';
  const reports = 'public, max-age=300, s-maxage=300, stale-while-revalidate=60';
  const cachingOf = (path: string) => {
    if (/^\/api\/v1\/(items|dailies$|agent\/(latest|search))/.test(path)) return items;
    if (path.startsWith('/api/v1/selected/')) return 'public, no-cache, s-maxage=300';
    return /^\/api\/v1\/(dailies\/|weeklies|monthlies)|^\/api\/v1\/agent$/.test(path)
      ? reports
      : livePages;
  };
  const otherPaths = [
    '/llms.txt',
    '/robots.txt',
    '/api/v1/agent',
    '/api/v1/agent/daily',
    `/items/${item}`,
  ];
  for (const path of [...addresses(), ...otherPaths]) {
    const response = await sendRequest(origin, { path });
    const { 'cache-control': caching, etag } = response.headers;
    expect([path, response.status, caching]).toEqual([path, 200, cachingOf(path)]);
    const repeatedResponse = await sendRequest(origin, {
      path,
      headers: { 'if-none-match': etag ?? '' },
    });
    expect([path, repeatedResponse.status, repeatedResponse.text]).toEqual([path, 304, '']);
  }
});
