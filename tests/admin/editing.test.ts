// Corrections, withdrawals, placements and merges by an editor. Each page shows the current text,
// the difference, the effect for readers, a reason, and how to undo.
import { beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { listAuditLines } from '../../src/operators/audit-log.ts';
import { auditKinds } from '../../src/radar/admin/audit-kinds.ts';
import { computeRanking } from '../../src/radar/ranking/compute-ranking.ts';
import { readRankingRules } from '../../src/radar/ranking/ranking-rules.ts';
import { type Browser, readFormFields } from '../support/form-browser.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestAdmin } from './admin-session.ts';

const radar = await openTestAdmin();
const publisher = openStoryPublisher(radar.world, radar.db);
const ids: Record<'lens' | 'copy' | 'law' | 'chip', string> = {
  lens: '',
  copy: '',
  law: '',
  chip: '',
};
let operator: Browser;

beforeAll(async () => {
  await publisher.addSource({ id: 'wire', name: 'The Wire', tier: 'T1' });
  await publisher.addSource({ id: 'ledger', name: 'The Ledger' });
  const publishedAt = radar.world.clock.now() - HOUR_MS;
  const lensItem = { title: 'Orrery ships a lens', story: 'story-a', at: publishedAt } as const;
  ids.lens = await publisher.publish({
    ...lensItem,
    source: 'wire',
    summary: 'It costs 420 dollars.',
  });
  ids.copy = await publisher.publish({
    ...lensItem,
    source: 'ledger',
    title: 'A lens of Orrery',
    at: publishedAt + 1,
  });
  for (const [index, source] of ['wire', 'ledger'].entries()) {
    const lawItem = {
      title: 'Court fines Tidewater',
      story: 'story-b',
      at: publishedAt + 2 + index,
    };
    ids.law = await publisher.publish({ ...lawItem, source });
    const chip = {
      title: 'Marrowgate opens a fab',
      story: 'story-c',
      at: publishedAt + 4 + index,
    };
    ids.chip = await publisher.publish({ ...chip, source });
  }
  await publishRanking();
  operator = await radar.signIn('Ada');
});

/** Stores and publishes a ranking of the present. */
async function publishRanking(): Promise<void> {
  radar.setClock(radar.world.clock.now() + 6 * 60_000);
  const rankingRules = await readRankingRules('editorial');
  await computeRanking(radar.world, radar.db, rankingRules);
}

async function readHotTitles(): Promise<readonly string[]> {
  const response = await sendRequest(radar.origin, { path: '/api/v1/hot-topics' });
  return (json(response) as { items: { title: string }[] }).items.map(({ title }) => title);
}

async function readLastActionAndNote(): Promise<unknown> {
  const query = { kinds: auditKinds, subject: null, limit: 1, skip: 0 };
  const [line] = await listAuditLines(radar.db, query);
  return [line?.action, line?.note];
}

test('starts a correction from the current text and shows the difference', async () => {
  const [page, actionPath] = [`/admin/items/${ids.lens}`, `/admin/items/${ids.lens}/correct`];
  const form = readFormFields((await operator.get(page)).text, actionPath);
  expect(form).toMatchObject({ title: 'Orrery ships a lens', summary: 'It costs 420 dollars.' });
  const formInput = { summary: 'It costs 530 dollars.', intent: 'preview' };
  const preview = await operator.submit(page, actionPath, formInput);
  expect(preview.text).toContain('It costs <del>420</del><ins>530</ins> dollars.');
  expect(readFormFields((await operator.get(page)).text, actionPath)).toMatchObject({
    summary: 'It costs 420 dollars.',
  });
  const savedPage = await operator.submit(page, actionPath, { summary: formInput.summary });
  expect(savedPage.text).toContain('<p>Corrected.</p>');
  expect(savedPage.text).toContain('It costs <del>420</del><ins>530</ins> dollars.');
  const undonePage = await operator.post(actionPath, readFormFields(savedPage.text, actionPath));
  expect(undonePage.status).toBe(303);
  expect(readFormFields((await operator.get(page)).text, actionPath)).toMatchObject({
    summary: 'It costs 420 dollars.',
  });
});

test('shows the effect of a withdrawal, requires a reason and can undo it', async () => {
  const path = `/admin/items/${ids.copy}`;
  const page = await operator.get(`${path}/withdraw`);
  expect(page.text).toContain('The item is in no list, feed, search or mirror.');
  expect(page.text).toContain('This story keeps 1 other report');
  const refusal = await operator.submit(`${path}/withdraw`, `${path}/withdraw`, { note: ' ' });
  expect([refusal.status, refusal.text.includes('id="e-note">Give a reason.')]).toEqual([
    422,
    true,
  ]);
  const withdrawnPage = await operator.submit(`${path}/withdraw`, `${path}/withdraw`, {
    note: 'Invented',
  });
  expect(await readLastActionAndNote()).toEqual(['withdraw', 'Invented']);
  const restoredPage = await operator.post(
    `${path}/restore`,
    readFormFields(withdrawnPage.text, `${path}/restore`),
  );
  expect(restoredPage.status).toBe(303);
  expect((await sendRequest(radar.origin, { path: `/items/${ids.copy}` })).status).toBe(200);
});

test('filters items by category, and applies one change to several', async () => {
  const chosenItems = { item: [ids.law, ids.chip, 'itm_unknown'], category: 'ai-products' };
  const refusedPage = await operator.submit('/admin/items', '/admin/items/category', {
    category: 'ai-products',
  });
  expect(refusedPage.status).toBe(422);
  expect(refusedPage.text).toContain('Choose at least one item and a category.');
  const changedPage = await operator.submit('/admin/items', '/admin/items/category', chosenItems);
  expect(changedPage.text).toContain('2 items have the category now.');
  const listedItems = (await operator.get('/admin/items?of=ai-products&state=selected')).text;
  expect([listedItems.includes(ids.law), listedItems.includes(ids.lens)]).toEqual([true, false]);
});

test('renames a story, makes it the lead, and takes a sunk story out of the ranking', async () => {
  await expect.poll(readHotTitles).toHaveLength(3);
  const pathOfStory = (id: string) => `/admin/stories/${id}`;
  const savePlacement = (id: string, fields: Record<string, string>) =>
    operator.submit(pathOfStory(id), `${pathOfStory(id)}/placement`, fields);
  const placedPage = await savePlacement('story-c', {
    placement: 'lead',
    storyTitle: 'A fab in Quillon Falls',
  });
  expect(placedPage.text).toContain('Saved. Readers see the place and the name within a minute.');
  await expect.poll(async () => (await readHotTitles())[0]).toBe('A fab in Quillon Falls');
  await savePlacement('story-b', { placement: 'sunk' });
  await expect.poll(readHotTitles).toHaveLength(2);
  await publishRanking();
  await expect.poll(readHotTitles).toHaveLength(2);
  const raisedPage = await savePlacement('story-b', { placement: 'lead' });
  expect(raisedPage.text).toContain('This story is not in the ranking now');
  await publishRanking();
  await expect
    .poll(async () => (await operator.get('/admin/ranking')).text)
    .toMatch(/Court fines Tidewater<\/a> <span class="name-of">lead of the front page/);
  expect((await operator.get(pathOfStory('story-b'))).text).not.toContain('This story is not');
  await expect.poll(readHotTitles).toHaveLength(3);
  await expect.poll(async () => (await readHotTitles())[0]).toBe('Court fines Tidewater');
  const list = await operator.get('/admin/stories?q=quillon');
  expect(list.text).toContain('A fab in Quillon Falls');
  expect(
    readFormFields(
      (await operator.get(pathOfStory('story-c'))).text,
      `${pathOfStory('story-c')}/placement`,
    ),
  ).toMatchObject({
    placement: 'none',
  });
});

test('finds a story to merge by words, and warns about dissimilar stories', async () => {
  const foundPage = await operator.get('/admin/stories/story-a/merge?with=tidewater');
  expect(foundPage.status).toBe(200);
  expect(foundPage.text).toContain('href="/admin/stories/story-a/merge?with=story-b"');
  const dissimilarPage = await operator.get('/admin/stories/story-a/merge?with=story-b');
  expect(dissimilarPage.text).toContain('These stories have little in common');
  const emptySearchPage = await operator.get('/admin/stories/story-a/merge?with=zeppelin');
  expect(emptySearchPage.status).toBe(422);
  expect(emptySearchPage.text).toContain('No story has the words “zeppelin” in a title.');
});
