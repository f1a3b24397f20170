// Entries of a report and their stories. An entry has the title with the newest figure, or the
// operator's title. Clients read how many sources report and whether they disagree.
import { beforeAll, expect, test } from 'vitest';
import type { DailyBody } from '../../src/radar/publication/documents/report-body.ts';
import { readReportRecord } from '../../src/radar/publication/documents/report-record.ts';
import { editStory } from '../../src/radar/publication/edit-story.ts';
import { writeDueReports } from '../../src/radar/reports/write-reports.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestServer } from '../support/radar-server.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { openTestPublication } from '../support/test-publication.ts';
import { testWorld } from '../support/test-world.ts';
import { openTestReportContext, shanghai } from './publish-item.ts';

const { world, clock } = testWorld();
const { db } = await openTestDatabase();
const stories = openStoryPublisher(world, db);
const key = '2026-09-24';

beforeAll(async () => {
  await stories.addSource({ id: 'wire', name: 'The Wire', tier: 'T1' });
  await stories.addSource({ id: 'ledger', name: 'The Ledger' });
  const summary = 'A summary that is long enough to stand in a section of the daily by itself.';
  const publish = (at: string, source: string, story: string, title: string, text: string) => {
    clock.set(shanghai(`2026-09-23T${at}`));
    return stories.publish({ source, story, title, text, summary });
  };
  const cutText = 'in its hardware business, it told staff on Monday.';
  await publish(
    '09:00',
    'wire',
    'cuts',
    'Acme to cut 420 jobs',
    `Acme will cut 420 jobs ${cutText}`,
  );
  await publish(
    '11:00',
    'ledger',
    'cuts',
    'Acme to cut 530 jobs',
    'Acme will cut 530 jobs in its hardware business. ' +
      'Correction: the number of jobs is 530, not 420 as first stated.',
  );
  const raisedText = 'in a round led by Elm Park.';
  const fundingText = (million: number) => `Birch has raised $${million} million ${raisedText}`;
  await publish('12:00', 'wire', 'round', 'Birch round', fundingText(480));
  await publish('13:00', 'ledger', 'round', 'Birch raises money', fundingText(360));
  clock.set(shanghai(`${key}T08:00`));
  await writeDueReports(world, db, await openTestReportContext(), new AbortController().signal);
});

async function readTitles(): Promise<readonly string[]> {
  const body = (await readReportRecord(db, 'daily', key))?.body as DailyBody;
  return body.sections.flatMap(({ items }) => items.map(({ title }) => title));
}

test('an entry has the newest figure of its story', async () => {
  expect((await readTitles()).toSorted()).toEqual(['Acme to cut 530 jobs', 'Birch raises money']);
});

test('clients read the story, the number of sources and the disagreement of an entry', async () => {
  const origin = await openTestServer(world, await openTestPublication(world, db));
  const response = json(await sendRequest(origin, { path: `/api/v1/dailies/${key}` })) as {
    report: { sections: { items: { title: string; links: { story?: string } }[] }[] };
  };
  const entries = response.report.sections.flatMap(({ items }) => items);
  const byTitle = new Map(entries.map((entry) => [entry.title, entry]));
  expect(byTitle.get('Acme to cut 530 jobs')).toMatchObject({
    links: { story: 'https://radar.example/stories/cuts' },
    sourceCount: 2,
    disagreement: false,
  });
  expect(byTitle.get('Birch raises money')).toMatchObject({
    links: { story: 'https://radar.example/stories/round' },
    sourceCount: 2,
    disagreement: true,
  });
});

test('an operator’s title of a story is the title of its entry', async () => {
  const edit = { storyId: 'round', title: 'Birch closes its round', placement: null, version: 0 };
  expect(await editStory(world, db, edit)).toMatchObject({ kind: 'saved' });
  expect((await readTitles()).toSorted()).toEqual([
    'Acme to cut 530 jobs',
    'Birch closes its round',
  ]);
});
