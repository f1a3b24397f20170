import { expect, test } from 'vitest';
import { changeItem } from '../../../src/radar/publication/change-item.ts';
import { writeDueReports } from '../../../src/radar/reports/write-reports.ts';
import { readContract } from '../../contract/read-document.ts';
import {
  openReportPublisher,
  openTestReportContext,
  shanghai,
} from '../../reports/publish-item.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openTestServer } from '../../support/radar-server.ts';
import { openTestDatabase } from '../../support/test-database.ts';
import { openTestPublication } from '../../support/test-publication.ts';
import { testWorld } from '../../support/test-world.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const publisher = await openReportPublisher(world, clock, db);
const context = await openTestReportContext();
const summary =
  'A summary that is long enough to stand in a section by itself. It has a second sentence, too.';
const ids: string[] = [];
for (const day of ['19', '20', '21', '22', '23']) {
  const commonFields = { at: `2026-09-${day}T12:00`, summary };
  ids.push(
    await publisher.publish({ ...commonFields, title: `News of day ${day}`, owner: 'Orrery Labs' }),
  );
}
clock.set(shanghai('2026-10-05T12:00'));
await writeDueReports(world, db, context, new AbortController().signal);
const publication = await openTestPublication(world, db);
const origin = await openTestServer(world, publication);
const contract = await readContract(origin);
const readReport = async (path: string) => {
  await publication.catchUp();
  const response = await contract.sendRequest({ path: `/api/v1/${path}` });
  expect([path, response.status]).toEqual([path, 200]);
  return response;
};
type Report = Record<string, unknown> & {
  readonly sections: readonly { readonly items: readonly Record<string, unknown>[] }[];
};
const readReportBody = async (path: string) => json(await readReport(path)).report as Report;
const linksOf = (subject: string) => ({
  html: `https://radar.example/${subject}`,
  aihot: `https://radar.example/${subject}`,
});
const attributionOf = (url: string) => ({
  name: 'Content Radar',
  url: `https://radar.example/${url}`,
});

test('returns a daily report in the contract’s form', async () => {
  const id = ids[1] ?? '';
  const entry = {
    title: 'News of day 20',
    summary: expect.stringContaining('A summary'),
    source: { name: 'Orrery Labs' },
    links: { ...linksOf(`items/${id}`), original: `https://press.example/${id}` },
    attribution: attributionOf(`items/${id}`),
    sourceCount: 1,
    disagreement: false,
  };
  const daily = await readReportBody('dailies/2026-09-21');
  expect(daily).toEqual({
    date: '2026-09-21',
    generatedAt: new Date(shanghai('2026-10-05T12:00')).toISOString(),
    windowStart: '2026-09-20T00:00:00.000Z',
    windowEnd: '2026-09-21T00:00:00.000Z',
    links: linksOf('daily/2026-09-21'),
    attribution: attributionOf('daily/2026-09-21'),
    lead: { title: 'News of day 20', leadParagraph: expect.stringMatching(/./) },
    sections: [{ label: expect.stringMatching(/./), items: [entry] }],
    flashes: [],
    prevKey: '2026-09-20',
    nextKey: '2026-09-22',
    corrections: [],
  });
});

test('returns a weekly and a monthly report in the contract’s form', async () => {
  const weekly = await readReportBody('weeklies/2026-W39');
  expect(weekly).toMatchObject({
    week: '2026-W39',
    periodStart: '2026-09-21',
    periodEnd: '2026-09-27',
    links: linksOf('weekly/2026-W39'),
    attribution: attributionOf('weekly/2026-W39'),
    prevKey: '2026-W38',
    nextKey: null,
    corrections: [],
  });
  expect(weekly.sections.flatMap(({ items }) => items.map(({ title }) => title))).toContain(
    'News of day 22',
  );
  const monthly = await readReportBody('monthlies/2026-09');
  expect(monthly).toMatchObject({
    month: '2026-09',
    periodStart: '2026-09-01',
    periodEnd: '2026-09-30',
    links: linksOf('monthly/2026-09'),
    prevKey: null,
    nextKey: null,
  });
});

test('an index lists the newest report first, and `latest` returns that report', async () => {
  const allReports = json(await readReport('dailies'));
  const dates = (allReports.items as { date: string }[]).map(({ date }) => date);
  expect(dates).toEqual(['2026-09-24', '2026-09-23', '2026-09-22', '2026-09-21', '2026-09-20']);
  expect(allReports).toEqual({ schemaVersion: 1, count: 5, items: expect.any(Array) });
  expect(json(await readReport('dailies?limit=2'))).toEqual({
    schemaVersion: 1,
    count: 2,
    items: (allReports.items as unknown[]).slice(0, 2),
  });
  expect((allReports.items as unknown[])[0]).toEqual({
    date: '2026-09-24',
    generatedAt: expect.any(String),
    leadTitle: 'News of day 23',
    leadParagraph: expect.any(String),
    links: linksOf('daily/2026-09-24'),
    attribution: attributionOf('daily/2026-09-24'),
  });
  for (const [kind, key] of [
    ['dailies', '2026-09-24'],
    ['weeklies', '2026-W39'],
    ['monthlies', '2026-09'],
  ]) {
    expect(await readReportBody(`${kind}/latest`)).toEqual(await readReportBody(`${kind}/${key}`));
  }
});

test('each response may be cached for as long as the contract states', async () => {
  const shortTime = 'public, max-age=60, s-maxage=60, stale-while-revalidate=300';
  const longTime = 'public, max-age=300, s-maxage=300, stale-while-revalidate=60';
  const expected = {
    dailies: shortTime,
    'dailies/latest': shortTime,
    'dailies/2026-09-21': longTime,
    weeklies: longTime,
    'weeklies/latest': longTime,
    'monthlies/2026-09': longTime,
  };
  for (const [path, caching] of Object.entries(expected)) {
    expect([path, (await readReport(path)).headers['cache-control']]).toEqual([path, caching]);
  }
});

test('a withdrawal changes every report at once, also for a client with an old ETag', async () => {
  const paths = ['dailies/2026-09-21', 'dailies', 'weeklies/2026-W39', 'monthlies/2026-09'];
  const etags = new Map<string, string>();
  for (const path of paths) etags.set(path, (await readReport(path)).headers.etag ?? '');
  const change = { actor: 'test', note: null } as const;
  await changeItem(world, db, ids[1] ?? '', { action: 'withdraw', ...change });
  await publication.catchUp();
  for (const path of paths) {
    const headers = { 'if-none-match': etags.get(path) };
    const responseAfter = await sendRequest(origin, { path: `/api/v1/${path}`, headers });
    expect([path, responseAfter.status]).toEqual([path, 200]);
    expect(responseAfter.text).not.toContain('News of day 20');
    expect(responseAfter.text).not.toContain(ids[1]);
  }
  expect((await readReportBody('dailies/2026-09-21')).sections).toEqual([]);
  expect((json(await readReport('dailies')).items as unknown[]).length).toBe(5);
  await changeItem(world, db, ids[1] ?? '', { action: 'restore', ...change });
  expect((await readReportBody('dailies/2026-09-21')).sections).toHaveLength(1);
});

test('feeds give each report its due time', async () => {
  for (const [kind, key, dueTime] of [
    ['daily', '2026-09-24', '2026-09-24T08:00'],
    ['weekly', '2026-W39', '2026-09-28T10:00'],
    ['monthly', '2026-09', '2026-10-01T10:30'],
  ] as const) {
    const { items } = json(await sendRequest(origin, { path: `/feed/${kind}.json` }));
    const [newestItem] = items as readonly { id: string; date_published: string }[];
    expect(newestItem).toMatchObject({
      id: `urn:radar:${kind}:${key}`,
      date_published: new Date(shanghai(dueTime)).toISOString(),
    });
  }
});
