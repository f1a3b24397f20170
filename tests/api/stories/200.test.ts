import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/time/durations.ts';
import { changeItem } from '../../../src/radar/publication/change-item.ts';
import { json, sendRequest } from '../../support/http-request.ts';
import { openStoryRadar } from '../../support/story-radar.ts';

const radar = await openStoryRadar();
const { origin, contract, publisher, clock, settle, world, db } = radar;
const path = (id: string) => `/api/v1/stories/${id}`;
type StoryResponse = Record<string, unknown> & {
  readonly reports: readonly { readonly id: string; readonly publishedAt: string }[];
  readonly claims: readonly { readonly text: string; readonly reportIds: readonly string[] }[];
  readonly contradictions: readonly {
    readonly statements: readonly { readonly reportId: string }[];
  }[];
};
const readStory = async (id: string) => {
  await settle();
  const response = await contract.sendRequest({ path: path(id) });
  expect([id, response.status]).toEqual([id, 200]);
  return json(response).story as StoryResponse;
};
const page = (subject: string) => ({
  html: `https://radar.example/${subject}`,
  aihot: `https://radar.example/${subject}`,
});

const START = clock.now();
const release = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';
const rumour = await publisher.publish({
  source: 'ledger',
  story: release,
  at: START - 2 * HOUR_MS,
  title: 'Orrery Labs will release Meridian 3 today',
  summary: 'Meridian 3 has a context window of 1 million tokens, the paper says.',
  text: 'Orrery Labs will release Meridian 3 today. It has a context window of 1 million tokens.',
});
const official = await publisher.publish({
  source: 'orrery',
  story: release,
  at: START - HOUR_MS,
  title: 'Orrery Labs releases Meridian 3',
  summary: 'Meridian 3 has a context window of 2 million tokens.',
  text: 'Orrery Labs today released Meridian 3. It has a context window of 2 million tokens.',
});

test('returns a story in the contract’s form', async () => {
  const foundStory = await readStory(release);
  const claimTexts = foundStory.claims.map((claim) => claim.text);
  expect(foundStory).toEqual({
    publicId: release,
    title: expect.stringContaining('Meridian 3'),
    status: 'active',
    sourceCount: 2,
    reportCount: 2,
    firstReportAt: new Date(START - 2 * HOUR_MS).toISOString(),
    latestAt: new Date(START - HOUR_MS).toISOString(),
    latest: expect.stringMatching(/./),
    digest: expect.stringContaining('2 million'),
    digestUpdatedAt: new Date(START).toISOString(),
    digestBy: 'rules',
    links: page(`stories/${release}`),
    reports: [
      {
        id: official,
        title: 'Orrery Labs releases Meridian 3',
        summary: 'Meridian 3 has a context window of 2 million tokens.',
        source: { name: 'Orrery Labs', firstParty: true },
        publishedAt: new Date(START - HOUR_MS).toISOString(),
        links: { ...page(`items/${official}`), original: `https://orrery.example/${official}` },
      },
      {
        id: rumour,
        title: 'Orrery Labs will release Meridian 3 today',
        summary: 'Meridian 3 has a context window of 1 million tokens, the paper says.',
        source: { name: 'The Ledger', firstParty: false },
        publishedAt: new Date(START - 2 * HOUR_MS).toISOString(),
        links: { ...page(`items/${rumour}`), original: `https://ledger.example/${rumour}` },
      },
    ],
    hasMoreReports: false,
    sources: [
      {
        name: 'The Ledger',
        firstParty: false,
        reportCount: 1,
        firstAt: new Date(START - 2 * HOUR_MS).toISOString(),
        latestAt: new Date(START - 2 * HOUR_MS).toISOString(),
      },
      {
        name: 'Orrery Labs',
        firstParty: true,
        reportCount: 1,
        firstAt: new Date(START - HOUR_MS).toISOString(),
        latestAt: new Date(START - HOUR_MS).toISOString(),
      },
    ],
    storyline: [],
    related: [],
    claims: expect.any(Array),
    contradictions: expect.any(Array),
  });
  expect(foundStory.digest).toBe(claimTexts.join(' '));
});

test('items in the list and in the snapshot name their story', async () => {
  const lists = ['/api/v1/items?mode=all', '/api/v1/selected/snapshot'];
  for (const list of lists) {
    const items = json(await sendRequest(origin, { path: list })).items as Record<
      string,
      unknown
    >[];
    const storyIds = items.filter(({ id }) => id === official).map((item) => item.story);
    expect([list, storyIds]).toEqual([list, [{ publicId: release }]]);
  }
});

test('lists the newest fifty reports and every report that the digest cites', async () => {
  const longStoryId = 'a-long-story';
  for (let index = 0; index < 54; index += 1) {
    await publisher.publish({
      source: index % 2 === 0 ? 'ledger' : 'wire',
      story: longStoryId,
      at: START - (100 - index) * 60_000,
      title: `Halden Labs strike, day ${index}`,
      text:
        index === 0
          ? 'Halden Labs has 4,100 workers, and all of them went on strike on Monday.'
          : 'The workers of Halden Labs are still on strike, their union said.',
    });
  }
  const longStory = await readStory(longStoryId);
  const listedIds = longStory.reports.map(({ id }) => id);
  const times = longStory.reports.map(({ publishedAt }) => publishedAt);
  expect([longStory.reportCount, longStory.hasMoreReports, longStory.sourceCount]).toEqual([
    54,
    true,
    2,
  ]);
  expect(listedIds.length).toBeGreaterThanOrEqual(50);
  expect(times).toEqual(times.toSorted().reverse());
  const citedIds = [
    ...longStory.claims.flatMap((claim) => claim.reportIds),
    ...longStory.contradictions.flatMap(({ statements }) =>
      statements.map((statement) => statement.reportId),
    ),
  ];
  expect(citedIds.length).toBeGreaterThan(0);
  expect(citedIds.filter((id) => !listedIds.includes(id))).toEqual([]);
});

test('a story is active until 72 hours after its newest report, in whole minutes', async () => {
  const slowStory = 'a-slow-story';
  const at = clock.now() - 72 * HOUR_MS + 60_000;
  await publisher.publish({
    source: 'ledger',
    story: slowStory,
    at,
    title: 'A slow matter',
    summary: 'Slow.',
  });
  expect((await readStory(slowStory)).status).toBe('active');
  clock.advance(59_999);
  expect((await readStory(slowStory)).status).toBe('active');
  clock.advance(1);
  expect((await readStory(slowStory)).status).toBe('settled');
});

test('related stories link to each other, and only to public stories', async () => {
  const [firstPart, secondPart, withdrawnPart] = ['saga-one', 'saga-two', 'saga-gone'];
  await publisher.publish({
    source: 'ledger',
    story: firstPart,
    title: 'The first part of a saga',
  });
  await publisher.publish({
    source: 'ledger',
    story: secondPart,
    title: 'The second part of a saga',
  });
  const withdrawnItem = await publisher.publish({
    source: 'ledger',
    story: withdrawnPart,
    title: 'The third part of a saga',
  });
  await publisher.link(firstPart, [
    { other_id: secondPart, relation: 'storyline', score: 0.8 },
    { other_id: withdrawnPart, relation: 'related', score: 0.9 },
  ]);
  const linkTo = (id: string, title: string, relation: string) => ({
    publicId: id,
    title,
    relation,
    links: { ...page(`stories/${id}`), api: `https://radar.example/api/v1/stories/${id}` },
  });
  const [firstTitle, secondTitle] = ['The first part of a saga', 'The second part of a saga'];
  expect((await readStory(firstPart)).related).toEqual([
    linkTo(withdrawnPart, 'The third part of a saga', 'related'),
  ]);
  const withdrawal = { action: 'withdraw', actor: 'test', note: null } as const;
  await changeItem(world, db, withdrawnItem, withdrawal);
  expect((await readStory(firstPart)).related).toEqual([]);
  expect((await readStory(firstPart)).storyline).toEqual([
    linkTo(secondPart, secondTitle, 'storyline'),
  ]);
  expect((await readStory(secondPart)).storyline).toEqual([
    linkTo(firstPart, firstTitle, 'storyline'),
  ]);
  await publisher.link(firstPart, []);
  expect((await readStory(secondPart)).storyline).toEqual([]);
});

test('the ETag changes only with the content', async () => {
  await settle();
  const firstResponse = await sendRequest(origin, { path: path(release) });
  const etag = firstResponse.headers.etag ?? '';
  const conditionalRequest = { path: path(release), headers: { 'if-none-match': etag } };
  expect((await contract.sendRequest(conditionalRequest)).status).toBe(304);
  await changeItem(world, db, rumour, { action: 'withdraw', actor: 'test', note: null });
  await settle();
  const responseAfter = await contract.sendRequest(conditionalRequest);
  expect(responseAfter.status).toBe(200);
  expect(responseAfter.text).not.toContain('1 million');
  expect(responseAfter.text).not.toContain(rumour);
  expect(firstResponse.headers['cache-control']).toBe(
    'public, max-age=60, s-maxage=60, stale-while-revalidate=60',
  );
});
