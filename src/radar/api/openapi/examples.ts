// A fictitious example of every response.
import { itemPageUrl, type Site } from '../wire-item.ts';

export const exampleNames = {
  dailies: { index: 'DailyIndex', report: 'DailyEnvelope' },
  weeklies: { index: 'WeeklyIndex', report: 'WeeklyEnvelope' },
  monthlies: { index: 'MonthlyIndex', report: 'MonthlyEnvelope' },
} as const;

export type ExampleName = keyof ReturnType<typeof examplesOf>;

const ITEM = '019a9d4f2c1b5e6f7a8b9c0d';
const STORY = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';
const TITLE = 'Orrery Labs releases Meridian 3 with a context of two million tokens';
const ORIGINAL = 'https://orrery.example/blog/meridian-3';
const CURSOR = 's1.WzEwMjMsIm1pbmltYWwiXQ.Zm9yIGV4YW1wbGUgb25seQ';

export function examplesOf(site: Site) {
  const exampleParts = buildExampleParts(site);
  return {
    ItemsPage: {
      schemaVersion: 1,
      query: {
        mode: 'selected',
        category: null,
        window: '7d',
        q: null,
        by: 'timeline',
        ordering: 'timelineDesc',
      },
      items: [{ ...exampleParts.item, reason: 'A first-party release with figures' }],
      page: { count: 1, hasMore: false, nextCursor: null },
    },
    HotTopicList: {
      schemaVersion: 1,
      count: 1,
      rankedAt: '2026-11-19T16:10:00.000Z',
      items: [exampleParts.topic],
    },
    StoryEnvelope: { schemaVersion: 1, story: exampleParts.story },
    SnapshotPage: {
      schemaVersion: 1,
      asOf: '2026-11-19T16:10:00.000Z',
      fields: 'default',
      cursor: CURSOR,
      count: 1,
      totalCount: 1,
      hasMore: false,
      nextPage: null,
      items: [exampleParts.item],
    },
    ChangesPage: {
      schemaVersion: 1,
      fields: 'default',
      cursor: CURSOR,
      count: 2,
      hasMore: false,
      changes: [
        { op: 'upsert', changedAt: '2026-11-19T16:05:00.000Z', item: exampleParts.item },
        { op: 'remove', changedAt: '2026-11-19T16:31:40.000Z', id: '019a9d49b00d1aa07c3e5512' },
      ],
    },
    ...reportExamples(site),
  };
}

function reportExamples(site: Site) {
  const exampleParts = buildExampleParts(site);
  return {
    DailyIndex: {
      schemaVersion: 1,
      count: 1,
      items: [{ ...exampleParts.daily, ...exampleParts.lead }],
    },
    DailyEnvelope: {
      schemaVersion: 1,
      report: {
        ...exampleParts.daily,
        windowStart: '2026-11-18T00:00:00.000Z',
        windowEnd: '2026-11-19T00:00:00.000Z',
        lead: {
          title: exampleParts.lead.leadTitle,
          leadParagraph: exampleParts.lead.leadParagraph,
        },
        sections: [{ label: 'Models', items: [exampleParts.cited] }],
        flashes: [],
        prevKey: '2026-11-18',
        nextKey: null,
        corrections: [],
      },
    },
    WeeklyIndex: { schemaVersion: 1, count: 1, items: [exampleParts.weekly] },
    WeeklyEnvelope: { schemaVersion: 1, report: { ...exampleParts.weekly, ...exampleParts.body } },
    MonthlyIndex: { schemaVersion: 1, count: 1, items: [exampleParts.monthly] },
    MonthlyEnvelope: {
      schemaVersion: 1,
      report: { ...exampleParts.monthly, ...exampleParts.body, prevKey: '2026-09' },
    },
  };
}

function buildExampleParts(site: Site) {
  const { name } = site;
  const links = (html: string) => ({ html, ...(site.hasAihotLinks && { aihot: html }) });
  const pageLinks = (path: string) => links(`${site.url}/${path}`);
  const attributionOf = (url: string) => ({ attribution: { name, url } });
  const source = { name: 'Orrery Labs' };
  const itemUrl = itemPageUrl(site, ITEM);
  const itemReference = { title: TITLE, source, links: { ...links(itemUrl), original: ORIGINAL } };
  const reportEntry = {
    ...itemReference,
    links: { ...itemReference.links, story: `${site.url}/stories/${STORY}` },
    summary: 'It doubles the context.',
    ...attributionOf(itemUrl),
    sourceCount: 2,
    disagreement: false,
  };
  const publishedAt = '2026-11-19T16:00:00.000Z';
  const generatedAt = '2026-11-19T00:00:04.000Z';
  const reportHead = (path: string) => ({
    generatedAt,
    links: pageLinks(path),
    ...attributionOf(`${site.url}/${path}`),
  });
  return {
    item: buildItem(itemReference, attributionOf(itemUrl), publishedAt),
    topic: {
      rank: 1,
      id: ITEM,
      ...itemReference,
      links: { ...itemReference.links, story: `${site.url}/stories/${STORY}` },
      sourceCount: 2,
      signalCount: 1,
      participantCount: 3,
      sourceNames: ['Orrery Labs', 'The Ledger'],
      latestAt: publishedAt,
    },
    story: buildStory(pageLinks(`stories/${STORY}`), { ...itemReference, publishedAt }),
    cited: reportEntry,
    daily: { date: '2026-11-19', ...reportHead('daily/2026-11-19') },
    lead: { leadTitle: 'Meridian 3 is out', leadParagraph: 'It doubles the context.' },
    weekly: {
      week: '2026-W47',
      periodStart: '2026-11-16',
      periodEnd: '2026-11-22',
      headline: 'A week of releases',
      ...reportHead('weekly/2026-W47'),
    },
    monthly: {
      month: '2026-10',
      periodStart: '2026-10-01',
      periodEnd: '2026-10-31',
      headline: 'A month of releases',
      ...reportHead('monthly/2026-10'),
    },
    body: {
      windowStart: '2026-11-15T00:00:00.000Z',
      windowEnd: '2026-11-22T00:00:00.000Z',
      overview: 'Two laboratories released models.',
      sections: [{ label: 'Models', summary: null, items: [{ ...reportEntry, publishedAt }] }],
      prevKey: '2026-W46',
      nextKey: null,
      corrections: [],
    },
  };
}

function buildItem(reference: object, credit: object, publishedAt: string) {
  return {
    id: ITEM,
    ...reference,
    originalTitle: 'Introducing Meridian 3 | Orrery Labs',
    summary: 'Meridian 3 doubles the context of its predecessor to two million tokens.',
    publishedAt,
    discoveredAt: '2026-11-19T16:04:12.318Z',
    category: 'ai-models',
    score: 87,
    selected: true,
    ...credit,
    language: 'en',
    summaryBy: 'rules',
    story: { publicId: STORY },
  };
}

function buildStory(
  links: object,
  reference: { title: string; links: object; publishedAt: string },
): object {
  const at = reference.publishedAt;
  const text = 'Orrery Labs released Meridian 3 with a context of two million tokens.';
  const reporter = { name: 'Orrery Labs', firstParty: true };
  return {
    publicId: STORY,
    title: 'Orrery Labs releases Meridian 3',
    status: 'active',
    sourceCount: 1,
    reportCount: 1,
    firstReportAt: at,
    latestAt: at,
    latest: reference.title,
    digest: text,
    digestUpdatedAt: '2026-11-19T16:06:00.000Z',
    digestBy: 'rules',
    links,
    reports: [{ id: ITEM, ...reference, summary: null, source: reporter }],
    hasMoreReports: false,
    sources: [{ ...reporter, reportCount: 1, firstAt: at, latestAt: at }],
    storyline: [],
    related: [],
    claims: [{ text, reportIds: [ITEM] }],
    contradictions: [],
  };
}
