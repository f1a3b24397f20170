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
const story = async (id: string) => {
  await settle();
  const response = await contract.sendRequest({ path: path(id) });
  expect([id, response.status]).toEqual([id, 200]);
  return json(response).story as StoryResponse;
};
const page = (subject: string) => ({
  html: `https://radar.example/${subject}`,
  aihot: `https://radar.example/${subject}`,
});

const T = clock.now();
const release = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';
const rumour = await publisher.publish({
  source: 'ledger',
  story: release,
  at: T - 2 * HOUR_MS,
  title: 'Orrery Labs will release Meridian 3 today',
  summary: 'Meridian 3 has a context window of 1 million tokens, the paper says.',
  text: 'Orrery Labs will release Meridian 3 today. It has a context window of 1 million tokens.',
});
const official = await publisher.publish({
  source: 'orrery',
  story: release,
  at: T - HOUR_MS,
  title: 'Orrery Labs releases Meridian 3',
  summary: 'Meridian 3 has a context window of 2 million tokens.',
  text: 'Orrery Labs today released Meridian 3. It has a context window of 2 million tokens.',
});

test('returns a story in the contract’s form', async () => {
  const found = await story(release);
  const claimed = found.claims.map((claim) => claim.text);
  expect(found).toEqual({
    publicId: release,
    title: expect.stringContaining('Meridian 3'),
    status: 'active',
    sourceCount: 2,
    reportCount: 2,
    firstReportAt: new Date(T - 2 * HOUR_MS).toISOString(),
    latestAt: new Date(T - HOUR_MS).toISOString(),
    latest: expect.stringMatching(/./),
    digest: expect.stringContaining('2 million'),
    digestUpdatedAt: new Date(T).toISOString(),
    digestBy: 'rules',
    links: page(`stories/${release}`),
    reports: [
      {
        id: official,
        title: 'Orrery Labs releases Meridian 3',
        summary: 'Meridian 3 has a context window of 2 million tokens.',
        source: { name: 'Orrery Labs', firstParty: true },
        publishedAt: new Date(T - HOUR_MS).toISOString(),
        links: { ...page(`items/${official}`), original: `https://orrery.example/${official}` },
      },
      {
        id: rumour,
        title: 'Orrery Labs will release Meridian 3 today',
        summary: 'Meridian 3 has a context window of 1 million tokens, the paper says.',
        source: { name: 'The Ledger', firstParty: false },
        publishedAt: new Date(T - 2 * HOUR_MS).toISOString(),
        links: { ...page(`items/${rumour}`), original: `https://ledger.example/${rumour}` },
      },
    ],
    hasMoreReports: false,
    sources: [
      {
        name: 'The Ledger',
        firstParty: false,
        reportCount: 1,
        firstAt: new Date(T - 2 * HOUR_MS).toISOString(),
        latestAt: new Date(T - 2 * HOUR_MS).toISOString(),
      },
      {
        name: 'Orrery Labs',
        firstParty: true,
        reportCount: 1,
        firstAt: new Date(T - HOUR_MS).toISOString(),
        latestAt: new Date(T - HOUR_MS).toISOString(),
      },
    ],
    storyline: [],
    related: [],
    claims: expect.any(Array),
    contradictions: expect.any(Array),
  });
  expect(found.digest).toBe(claimed.join(' '));
});

test('its items name the story in lists and in the change log', async () => {
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
  const long = 'a-long-story';
  for (let n = 0; n < 54; n += 1) {
    await publisher.publish({
      source: n % 2 === 0 ? 'ledger' : 'wire',
      story: long,
      at: T - (100 - n) * 60_000,
      title: `Halden Labs strike, day ${n}`,
      text:
        n === 0
          ? 'Halden Labs has 4,100 workers, and all of them went on strike on Monday.'
          : 'The workers of Halden Labs are still on strike, their union said.',
    });
  }
  const longStory = await story(long);
  const listed = longStory.reports.map(({ id }) => id);
  const times = longStory.reports.map(({ publishedAt }) => publishedAt);
  expect([longStory.reportCount, longStory.hasMoreReports, longStory.sourceCount]).toEqual([
    54,
    true,
    2,
  ]);
  expect(listed.length).toBeGreaterThanOrEqual(50);
  expect(times).toEqual(times.toSorted().reverse());
  const cited = [
    ...longStory.claims.flatMap((claim) => claim.reportIds),
    ...longStory.contradictions.flatMap(({ statements }) =>
      statements.map((statement) => statement.reportId),
    ),
  ];
  expect(cited.length).toBeGreaterThan(0);
  expect(cited.filter((id) => !listed.includes(id))).toEqual([]);
});

test('is active until 72 hours after its newest report, in whole minutes', async () => {
  const slow = 'a-slow-story';
  const at = clock.now() - 72 * HOUR_MS + 60_000;
  await publisher.publish({
    source: 'ledger',
    story: slow,
    at,
    title: 'A slow matter',
    summary: 'Slow.',
  });
  expect((await story(slow)).status).toBe('active');
  clock.advance(59_999);
  expect((await story(slow)).status).toBe('active');
  clock.advance(1);
  expect((await story(slow)).status).toBe('settled');
});

test('related stories link to each other, and only to public ones', async () => {
  const [one, other, withdrawn] = ['saga-one', 'saga-two', 'saga-gone'];
  await publisher.publish({ source: 'ledger', story: one, title: 'The first part of a saga' });
  await publisher.publish({ source: 'ledger', story: other, title: 'The second part of a saga' });
  const lost = await publisher.publish({
    source: 'ledger',
    story: withdrawn,
    title: 'A part nobody sees',
  });
  await publisher.link(one, [
    { other_id: other, relation: 'storyline', score: 0.8 },
    { other_id: withdrawn, relation: 'related', score: 0.9 },
  ]);
  const linkTo = (id: string, title: string, relation: string) => ({
    publicId: id,
    title,
    relation,
    links: { ...page(`stories/${id}`), api: `https://radar.example/api/v1/stories/${id}` },
  });
  const [first, second] = ['The first part of a saga', 'The second part of a saga'];
  expect((await story(one)).related).toEqual([linkTo(withdrawn, 'A part nobody sees', 'related')]);
  const withdrawal = { action: 'withdraw', actor: 'test', note: null } as const;
  await changeItem(world, db, lost, withdrawal);
  expect((await story(one)).related).toEqual([]);
  expect((await story(one)).storyline).toEqual([linkTo(other, second, 'storyline')]);
  expect((await story(other)).storyline).toEqual([linkTo(one, first, 'storyline')]);
  await publisher.link(one, []);
  expect((await story(other)).storyline).toEqual([]);
});

test('the tag changes with the content only', async () => {
  await settle();
  const first = await sendRequest(origin, { path: path(release) });
  const etag = first.headers.etag ?? '';
  const conditionalRequest = { path: path(release), headers: { 'if-none-match': etag } };
  expect((await contract.sendRequest(conditionalRequest)).status).toBe(304);
  await changeItem(world, db, rumour, { action: 'withdraw', actor: 'test', note: null });
  await settle();
  const after = await contract.sendRequest(conditionalRequest);
  expect(after.status).toBe(200);
  expect(after.text).not.toContain('1 million');
  expect(after.text).not.toContain(rumour);
  expect(first.headers['cache-control']).toBe(
    'public, max-age=60, s-maxage=60, stale-while-revalidate=60',
  );
});
