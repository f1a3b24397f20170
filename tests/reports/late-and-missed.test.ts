// Reports on the whole pipeline: a feed is fetched over HTTP, enriched and published. The worker's
// own tick writes due reports by the manual clock, however late it runs.
import { expect, test } from 'vitest';
import { openInlineQueue } from '../../src/jobs/inline-queue.ts';
import { runDue } from '../../src/jobs/run-due.ts';
import { startWorker } from '../../src/jobs/start-worker.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { openRuleBasedEnricher } from '../../src/radar/enrichment/rules/rule-based-enricher.ts';
import type { DailyBody, WeeklyBody } from '../../src/radar/publication/documents/report-body.ts';
import { readReportRecord } from '../../src/radar/publication/documents/report-record.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { openArticlePool } from '../../src/radar/sources/article/extract-pool.ts';
import { openStoryService } from '../../src/radar/stories/sync/story-service.ts';
import { listLatestReportRuns } from '../../src/store/radar/publication/report-runs.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { newsOf } from '../support/news.ts';
import { openTestApp } from '../support/test-radar.ts';
import { openTestReportContext, shanghai } from './publish-item.ts';

const app = await openTestApp();
const site = await openLoopbackSite();
const { world, clock, db, robots } = app;
const { signal } = new AbortController();
const queue = openInlineQueue(2);
const articles = openArticlePool(world);

const texts = {
  orrin: [
    'Halden Labs releases Orrin 1, a 70B open-weights language model',
    'Halden Labs today released Orrin 1, a language model with open weights. It scores 71.2 ' +
      'percent on the public reasoning benchmark and costs $2 per million tokens.',
  ],
  fine: [
    'Regulator in Vesterby fines Quarrel Systems 40 million euros over training data',
    'The data authority of Vesterby fined the chatbot maker Quarrel Systems 40 million euros ' +
      'on Monday. The company trained its assistant on medical records without consent.',
  ],
  round: [
    'Tessel raises $310 million for robots that sort laundry',
    'The robotics company Tessel raised $310 million in a Series C round led by Pennant ' +
      'Capital, at a valuation of $2.1 billion. It will build a second factory.',
  ],
} as const;

/** Adds an entry to the feed; it is fetched when the clock reaches its time. */
function publish(name: keyof typeof texts, at: string): void {
  const [title, text] = texts[name];
  const news = newsOf(site, name, { title, text, at: shanghai(at) });
  site.respond('/feed', { body: rssOf('News', [news]) });
}

async function runTick(at: string): Promise<void> {
  clock.set(shanghai(at));
  await runDue(world, db, queue);
  await queue.drain(signal);
}

async function latestRuns(count: number) {
  const rows = await listLatestReportRuns(db, count);
  return rows.map(({ kind, key, outcome }) => `${kind} ${key} ${outcome}`).sort();
}

const daily = async (key: string) => (await readReportRecord(db, 'daily', key))?.body as DailyBody;
const titlesOf = (body: DailyBody | WeeklyBody) =>
  body.sections.flatMap((section) => section.items.map((item) => item.title));

test('late and missed windows get their report, and empty windows get none', async () => {
  clock.set(shanghai('2026-09-21T12:00'));
  publish('orrin', '2026-09-21T11:00');
  await app.addFeed('news', `${site.url}/feed`);
  await startWorker(world, db, {
    queue,
    robots,
    articles,
    enricher: openRuleBasedEnricher(await readEditorial('editorial'), { siteLanguage: 'en' }),
    stories: openStoryService(world, db, { editorial: 'editorial' }),
    rankingRules: await readRankingRules('editorial'),
    reports: await openTestReportContext(),
    dataDir: '/dev/null',
  });
  await queue.drain(signal);
  expect(await latestRuns(9)).toEqual([]);

  // A minute before eight nothing is due. Half an hour after eight the window still ends at eight.
  await runTick('2026-09-22T07:59');
  expect(await latestRuns(9)).toEqual([]);
  publish('fine', '2026-09-22T08:29');
  clock.set(shanghai('2026-09-22T08:29'));
  await app.fetchAndEnrich('news');
  await runTick('2026-09-22T08:30');
  expect(await latestRuns(9)).toEqual(['daily 2026-09-22 written']);
  const firstReport = await daily('2026-09-22');
  expect(firstReport).toMatchObject({
    generatedAt: shanghai('2026-09-22T08:30'),
    windowStart: shanghai('2026-09-21T08:00'),
    windowEnd: shanghai('2026-09-22T08:00'),
  });
  expect(titlesOf(firstReport)).toEqual([texts.orrin[0]]);

  // Nothing was fetched for days. Past windows are written or found empty, starting with the oldest
  // window.
  publish('round', '2026-09-24T11:59');
  await runTick('2026-09-24T12:00');
  await runTick('2026-09-28T10:07');
  expect(await latestRuns(8)).toEqual(
    [
      'daily 2026-09-23 written',
      'daily 2026-09-24 empty',
      'daily 2026-09-25 written',
      'daily 2026-09-26 empty',
      'daily 2026-09-27 empty',
      'daily 2026-09-28 empty',
      'weekly 2026-W39 written',
      'daily 2026-09-22 written',
    ].sort(),
  );
  expect(titlesOf(await daily('2026-09-23'))).toEqual([texts.fine[0]]);
  expect(titlesOf(await daily('2026-09-25'))).toEqual([texts.round[0]]);
  const week = (await readReportRecord(db, 'weekly', '2026-W39'))?.body as WeeklyBody;
  expect(titlesOf(week)).toHaveLength(3);

  // An outcome is logged once, not every minute, and not again when the clock moves back.
  const outcomes = await latestRuns(99);
  await runTick('2026-09-28T10:08');
  await runTick('2026-09-23T09:00');
  expect(await latestRuns(99)).toEqual(outcomes);
  await articles.close();
});
