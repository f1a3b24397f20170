// Opens a radar with content on every page for people, in English and in Chinese. It has a story
// with a contradiction, a merged story, a ranking, and a daily, a weekly and a monthly report.
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { openTestReportContext, shanghai } from '../reports/publish-item.ts';
import { openTestServer } from './radar-server.ts';
import { openStoryRadar, type StoryRadar } from './story-radar.ts';

export const STORY = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';
export const MERGED_STORY = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a22';
export const REPORT_KEYS = { daily: '2026-08-30', weekly: '2026-W35', monthly: '2026-08' } as const;

export type ReaderRadar = StoryRadar & {
  /** Origin of a second server of the same publication; its site is in Chinese. */
  readonly chinese: string;
  /** The first report of the story. */
  readonly itemId: string;
};

/** Call at the top of a test file. The radar's clock is at 2026-09-01 10:31 in Shanghai. */
export async function openReaderRadar(): Promise<ReaderRadar> {
  const radar = await openStoryRadar();
  const { clock, publisher, world, db } = radar;
  clock.set(shanghai('2026-08-29T09:00'));
  const at = clock.now();
  const itemId = await publishPlantStory(radar, at);
  await publisher.publish({
    source: 'forum',
    title: '奥勒里实验室在北方开设工厂',
    summary: '奥勒里实验室周六宣布，北方的新工厂已经投产，计划招聘 400 人。',
    text: '奥勒里实验室周六宣布，北方的新工厂已经投产，计划招聘 400 人。',
    language: 'zh',
    at: at + 3_600_000,
    story: STORY,
  });
  const report = { source: 'ledger', title: 'A plant in the north, says the Ledger again' };
  await publisher.publish({ ...report, story: MERGED_STORY });
  await publisher.merge(MERGED_STORY, STORY);
  clock.set(shanghai('2026-08-29T12:00'));
  await computeRanking(world, db, await readRankingRules('editorial'));
  clock.set(shanghai('2026-09-01T10:31'));
  await writeDueReports(world, db, await openTestReportContext(), new AbortController().signal);
  await radar.settle();
  const chinese = await openTestServer(world, radar.publication, undefined, { language: 'zh-CN' });
  return { ...radar, chinese, itemId };
}

/** Three reports of one story; the third one has another amount. Returns the id of the first. */
async function publishPlantStory({ publisher }: StoryRadar, at: number): Promise<string> {
  const title = 'Orrery Labs opens a plant in the north';
  const textWithCost = (cost: string) =>
    `Orrery Labs opened a plant in the north on Saturday. Orrery Labs raised ${cost} million ` +
    'in a Series B round to pay for it. The plant will make 1,200 lenses a day.';
  const ids: string[] = [];
  for (const [source, cost] of [
    ['orrery', '$40'],
    ['ledger', '$40'],
    ['wire', '$55'],
  ] as const) {
    const text = textWithCost(cost);
    const report = { title: `${title}, says ${source}`, summary: text, text };
    const minutes = ids.length * 10;
    ids.push(
      await publisher.publish({ source, ...report, at: at + minutes * 60_000, story: STORY }),
    );
  }
  return ids[0] ?? '';
}
