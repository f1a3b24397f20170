// `RADAR_LANGUAGE=zh-CN` translates every page for people. Latin letters are only names, or
// third-party text with its language.
import { expect, test } from 'vitest';
import { codes } from '../../src/kernel/errors/codes.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { sendRequest } from '../support/http-request.ts';
import { latinWords } from '../support/latin-words.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openReaderRadar, REPORT_KEYS, STORY } from '../support/reader-radar.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';

const { itemId, world, publication } = await openReaderRadar();
const { categories } = await readEditorial('editorial');
const labels = Object.fromEntries(categories.map(({ id, label }) => [id, label['zh-CN']]));
const language = 'zh-CN';
const chinese = await openTestServer(world, publication, undefined, { language, labels });
const { db } = await openTestDatabase();
const emptyRadar = await openTestServer(world, await openTestPublication(world, db), undefined, {
  language,
  labels,
});

/** Names, search terms, and text of reports where no language can be marked. */
const names = new RegExp(
  [
    'Orrery Labs(?: open(?:s|ed) a plant.*)?',
    'The Ledger',
    'The Wire',
    'The Forum',
    'Content Radar',
    '(?<=^)(?:plant|zzzz|x)(?= · )',
    'requestId',
    String.raw`req_\w+`,
    '2026-W35',
    'Bearer',
    'Authorization',
    'Cache-Control',
    'If-None-Match',
    'Retry-After',
    '/api/v1/agent',
    'latest、search、hot、story、daily、weekly、monthly',
    String.raw`“\w+”须为 [^。]+ 之一`,
    'GET、HEAD 或 OPTIONS',
    'detail',
  ].join('|'),
  'g',
);
const html = { accept: 'text/html' };

const filledPages = [
  '/',
  '/?category=industry',
  '/?language=zh',
  '/latest',
  '/disagreements',
  '/sources',
  '/sources/orrery',
  '/saved',
  '/all',
  '/all?window=24h',
  '/hot',
  `/stories/${STORY}`,
  `/items/${itemId}`,
  '/search',
  '/search?q=plant',
  '/search?q=x',
  '/search?q=zzzz',
  ...Object.entries(REPORT_KEYS).flatMap(([name, key]) => [`/${name}`, `/${name}/${key}`]),
  '/agent',
  '/about',
  '/nothing',
  '/stories/none',
  '/items/none',
  '/daily/2020-01-01',
  '/?cursor=x',
  '/?window=1h',
  '/?category=none',
  '/daily/x',
  `/stories/${'x'.repeat(129)}`,
];

async function findUntranslated(origin: string, path: string) {
  const { status, text } = await sendRequest(origin, { path, headers: html });
  const hasEnglishDetail = /class="detail" lang="en"/.test(text);
  return { path, isShown: status < 500, hasEnglishDetail, untranslated: latinWords(text, names) };
}

const translatedPage = (path: string) => ({
  path,
  isShown: true,
  hasEnglishDetail: false,
  untranslated: [],
});

test.each(filledPages)('%s is in Chinese', async (path) => {
  expect(await findUntranslated(chinese, path)).toEqual(translatedPage(path));
});

test.each(['/', '/all', '/hot', '/daily', '/weekly', '/monthly', '/about', '/search?q=plant'])(
  '%s is in Chinese without content',
  async (path) => {
    expect(await findUntranslated(emptyRadar, path)).toEqual(translatedPage(path));
  },
);

test('every problem page is in Chinese', async () => {
  for (const code of Object.keys(codes)) {
    const path = `/problems/${code.replaceAll('_', '-')}`;
    expect(await findUntranslated(chinese, path)).toEqual(translatedPage(path));
  }
});
