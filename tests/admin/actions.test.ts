// Every action of the admin area: its form, its audit row, and its effect in the public API. When
// two editors act at once, the second editor receives a conflict and overwrites nothing.
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { listAuditLines } from '../../src/operators/audit-log.ts';
import { auditKinds } from '../../src/radar/admin/audit-kinds.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { dailyOf } from '../../src/radar/reports/report-periods.ts';
import { writeReport } from '../../src/radar/reports/write-reports.ts';
import { sqlOf } from '../../src/store/platform/db.ts';
import { type Browser, readFormFields } from '../support/form-browser.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestAdmin } from './admin-session.ts';

const admin = await openTestAdmin();
const site = await openLoopbackSite();
const publisher = openStoryPublisher(admin.world, admin.db);
const ids: Record<'first' | 'second' | 'third', string> = { first: '', second: '', third: '' };
let operator: Browser;
let otherOperator: Browser;

const hostile = '<img src=x onerror=alert(1)>"\'</textarea><script>alert(2)</script>';

beforeAll(async () => {
  await publisher.addSource({ id: 'wire', name: `The Wire ${hostile}`, tier: 'T1' });
  await publisher.addSource({ id: 'ledger', name: 'The Ledger' });
  const at = admin.world.clock.now() - HOUR_MS;
  const event = { source: 'wire', at } as const;
  ids.first = await publisher.publish({ ...event, title: 'Orrery ships a lens', story: 'story-a' });
  const secondReport = {
    ...event,
    source: 'ledger',
    title: 'A lens from Orrery',
    story: 'story-b',
  };
  ids.second = await publisher.publish({ ...secondReport, at: at + 1_000 });
  ids.third = await publisher.publish({
    ...event,
    title: hostile,
    story: 'story-c',
    at: at + 2_000,
  });
  operator = await admin.signIn('Ada');
  otherOperator = await admin.signIn('Bo');
});

async function readLastRecord() {
  const query = { kinds: auditKinds, subject: null, limit: 1, skip: 0 };
  const [line] = await listAuditLines(admin.db, query);
  if (line === undefined) throw new Error('the audit log is empty');
  const { id: _id, at: _at, operatorId: _operatorId, address: _address, ...record } = line;
  return record;
}

async function findPublicItem(id: string) {
  const response = await sendRequest(admin.origin, { path: '/api/v1/items?mode=all&limit=50' });
  const { items } = json(response) as { items: { id: string; title: string }[] };
  return items.find((item) => item.id === id);
}

const storyStatus = async (id: string) =>
  (await sendRequest(admin.origin, { path: `/api/v1/stories/${id}` })).status;

test('the list of stories states that no story has two reports', async () => {
  const list = await operator.get('/admin/stories');
  expect(list.text).toContain('No story has two or more reports yet.');
  const allStories = await operator.get('/admin/stories?least=1');
  expect(allStories.text).toContain('Orrery ships a lens');
});

test('corrects an item for every reader, and undoes the correction', async () => {
  const [page, actionPath] = [`/admin/items/${ids.first}`, `/admin/items/${ids.first}/correct`];
  const savedPage = await operator.submit(page, actionPath, {
    title: 'Orrery ships lenses',
    note: 'Plural',
  });
  expect(savedPage.text).toContain('<p>Corrected.</p>');
  expect((await findPublicItem(ids.first))?.title).toBe('Orrery ships lenses');
  expect(await readLastRecord()).toEqual({
    actor: 'Ada',
    action: 'correct',
    kind: 'item',
    subject: ids.first,
    before: { title: null },
    after: { title: 'Orrery ships lenses' },
    note: 'Plural',
  });
  await operator.submit(page, actionPath, { title: '' });
  expect((await findPublicItem(ids.first))?.title).toBe('Orrery ships a lens');
});

test('removes a withdrawn item for readers, lists it for operators, and restores it', async () => {
  const page = `/admin/items/${ids.second}`;
  const withdrawPath = `${page}/withdraw`;
  await operator.submit(withdrawPath, withdrawPath, { note: 'A hoax' });
  expect(await findPublicItem(ids.second)).toBeUndefined();
  expect(await storyStatus('story-b')).toBe(404);
  expect((await operator.get('/admin/items?state=withdrawn&q=lens+orrery')).text).toContain(
    ids.second,
  );
  expect(await readLastRecord()).toMatchObject({ after: { withdrawn: true }, note: 'A hoax' });
  await operator.submit(page, `${page}/restore`);
  expect((await findPublicItem(ids.second))?.title).toBe('A lens from Orrery');
  expect((await readLastRecord()).before).toEqual({ withdrawn: true });
});

test('shows the change of another editor and keeps the submitted text', async () => {
  const [page, actionPath] = [`/admin/items/${ids.first}`, `/admin/items/${ids.first}/correct`];
  const formBefore = readFormFields((await otherOperator.get(page)).text, actionPath);
  await operator.submit(page, actionPath, { title: 'By Ada' });
  const conflict = await otherOperator.post(actionPath, {
    ...formBefore,
    title: 'By Bo',
    summary: 'Bo’s words',
  });
  expect(conflict.status).toBe(409);
  expect(conflict.text).toContain('Ada saved a change first.');
  expect(conflict.text).toMatch(/Title<\/th><td[^>]*>By Ada<\/td><td[^>]*>By Bo<\/td>/);
  expect((await findPublicItem(ids.first))?.title).toBe('By Ada');
  const secondForm = readFormFields(conflict.text, actionPath);
  expect(secondForm).toMatchObject({ title: 'By Bo', summary: 'Bo’s words' });
  expect((await otherOperator.post(actionPath, secondForm)).status).toBe(303);
  expect((await findPublicItem(ids.first))?.title).toBe('By Bo');
});

test('merges stories after a preview, splits them by selection, and undoes the split', async () => {
  const page = '/admin/stories/story-a';
  const preview = await operator.get(`${page}/merge?with=story-b`);
  expect(preview.text).toContain('Are these one story?');
  const mergedPage = await operator.submit(`${page}/merge?with=story-b`, `${page}/merge`);
  expect(mergedPage.text).toContain('The two stories are merged.');
  const statusAfter = await sendRequest(admin.origin, { path: '/api/v1/stories/story-b' });
  expect(statusAfter.status).toBe(308);
  expect(await readLastRecord()).toMatchObject({
    actor: 'Ada',
    action: 'merge',
    before: { stories: ['story-a', 'story-b'] },
  });
  expect((await otherOperator.get(page)).text).toContain('its story was merged into this one');
  const splitPage = await operator.submit(page, `${page}/split`, {
    item: [ids.second],
    note: 'Not one',
  });
  expect(splitPage.text).toContain('The chosen reports form a new story.');
  const listedReport = 'A lens from Orrery</a>\n<p class="meta"><span>';
  expect(splitPage.text).not.toContain(listedReport);
  const undoPage = await operator.submit(page, `${page}/undo`);
  expect(undoPage.text).toContain('Undone.');
  expect(undoPage.text).toContain(listedReport);
});

test('refuses to split a story that changed after the page was loaded', async () => {
  const page = '/admin/stories/story-a';
  const formBefore = readFormFields((await otherOperator.get(page)).text, `${page}/split`);
  const pin = { kind: 'must-link', item: ids.first, other: ids.third };
  await operator.submit(page, `${page}/pin`, pin);
  expect((await readLastRecord()).after).toMatchObject({ items: [ids.first, ids.third] });
  const staleSave = await otherOperator.post(`${page}/split`, {
    ...formBefore,
    item: [ids.second],
    note: 'Bo’s reason',
  });
  expect(staleSave.status).toBe(409);
  expect(staleSave.text).toContain(`value="${ids.second}" checked`);
  expect(staleSave.text).toContain('name="note" value="Bo’s reason"');
  const pageWithoutItems = await otherOperator.submit(page, `${page}/split`, { item: [] });
  expect(pageWithoutItems.status).toBe(422);
  expect(pageWithoutItems.text).toContain('Choose the reports to move out of this story.');
});

test('keeps the submitted text of a refused pin or merge', async () => {
  const page = '/admin/stories/story-a';
  const pin = { kind: 'cannot-link', item: ids.first, other: '' };
  const refusal = await operator.submit(page, `${page}/pin`, pin);
  expect(refusal.status).toBe(422);
  expect(readFormFields(refusal.text, `${page}/pin`)).toMatchObject(pin);
  expect(refusal.text).toContain('id="e-other">Enter the id of the other report.');
  const emptySearchPage = await operator.get(`${page}/merge?with=nothing-like-it`);
  expect([
    emptySearchPage.status,
    emptySearchPage.text.includes('value="nothing-like-it"'),
  ]).toEqual([422, true]);
  await publisher.publish({ source: 'ledger', title: 'Lenses, again', story: 'story-d' });
  const formBefore = readFormFields(
    (await otherOperator.get(`${page}/merge?with=story-d`)).text,
    `${page}/merge`,
  );
  await operator.submit(page, `${page}/pin`, { kind: 'stand-alone', item: ids.first });
  const staleSave = await otherOperator.post(`${page}/merge`, {
    ...formBefore,
    note: 'The same lens',
  });
  expect(staleSave.status).toBe(409);
  expect(staleSave.text).toContain('Ada saved a change first.');
  expect(readFormFields(staleSave.text, `${page}/merge`)).toMatchObject({ note: 'The same lens' });
});

test('a failed read of the other story is not reported as a missing story', async () => {
  const run = (text: string) => sql.raw(text).execute(sqlOf(admin.db));
  await run('ALTER TABLE story_links RENAME TO kept_story_links');
  await run(`CREATE FUNCTION fail_read() RETURNS real STABLE LANGUAGE plpgsql
    AS 'BEGIN RAISE EXCEPTION ''the read fails''; END'`);
  await run(`CREATE VIEW story_links AS SELECT story_id, other_id, relation, score
    FROM kept_story_links UNION ALL SELECT 'story-d', 'x', 'related', fail_read()`);
  const page = '/admin/stories/story-a';
  const statuses = [
    (await operator.get(page)).status,
    (await operator.get(`${page}/merge?with=story-d`)).status,
  ];
  await run('DROP VIEW story_links');
  await run('ALTER TABLE kept_story_links RENAME TO story_links');
  expect(statuses).toEqual([200, 503]);
});

test('previews, adds, edits, pauses and resumes a source', async () => {
  const entry = '<item><title>One</title><link>https://a.example/1</link></item>';
  const body = `<rss version="2.0"><channel><title>Notes</title>${entry}</channel></rss>`;
  site.respond('/feed', { body, headers: { 'content-type': 'application/rss+xml' } });
  const addPath = '/admin/sources/add';
  const url = `${site.url}/feed`;
  const preview = await operator.submit(addPath, addPath, { url, intent: 'preview' });
  expect(preview.text).toContain('The source would yield 1 entry');
  expect(readFormFields(preview.text, addPath)).toMatchObject({ url, name: 'Notes' });
  expect((await operator.get('/admin/sources')).text).not.toContain('/admin/sources/notes');
  const invalidPage = await operator.submit(addPath, addPath, {
    url: 'ftp://x',
    name: 'Notes',
    intent: 'save',
  });
  expect(invalidPage.status).toBe(422);
  expect(invalidPage.text).toContain('id="e-url">must be an absolute http or https address');
  expect(readFormFields(invalidPage.text, addPath)).toMatchObject({
    url: 'ftp://x',
    name: 'Notes',
  });
  await operator.submit(addPath, addPath, { url, name: 'Notes', intent: 'save' });
  expect(admin.requests).toEqual(['notes']);
  expect(await readLastRecord()).toMatchObject({ action: 'add', subject: 'notes', before: {} });
  const repeatedPage = await operator.submit(addPath, addPath, { url, intent: 'preview' });
  expect(repeatedPage.text).toContain('This address is a source already');
  expect(repeatedPage.text).toContain('<a href="/admin/sources/notes">notes</a>');
  const page = '/admin/sources/notes';
  const formBefore = readFormFields((await otherOperator.get(`${page}/edit`)).text, `${page}/edit`);
  await operator.submit(`${page}/edit`, `${page}/edit`, { name: 'Notes of Ada', intent: 'save' });
  expect(await readLastRecord()).toMatchObject({
    before: { name: 'Notes' },
    after: { name: 'Notes of Ada' },
  });
  const staleSave = await otherOperator.post(`${page}/edit`, {
    ...formBefore,
    name: 'Notes of Bo',
    intent: 'save',
  });
  expect(staleSave.status).toBe(409);
  expect(staleSave.text).toMatch(/<td[^>]*>Notes of Ada<\/td><td[^>]*>Notes of Bo<\/td>/);
  const pausedPage = await operator.submit(page, `${page}/pause`);
  expect(pausedPage.text).toContain('Paused: the source is no longer fetched.');
  expect(
    (await otherOperator.post(`${page}/pause`, { token: formBefore.token ?? '', version: '1' }))
      .status,
  ).toBe(409);
  await operator.submit(page, `${page}/resume`);
  expect(await readLastRecord()).toMatchObject({
    action: 'resume',
    before: { status: 'paused' },
    after: { status: 'active' },
  });
  expect(admin.requests).toEqual(['notes', 'notes']);
});

test('previews a report before writing it, and corrects it afterwards', async () => {
  const nextReportPage = await operator.get('/admin/reports/next/daily');
  expect(nextReportPage.text).toContain('By Bo');
  const { categories } = await readEditorial('editorial');
  const reports = await openReportContext('editorial', { language: 'en', categories });
  await writeReport(admin.world, admin.db, reports, dailyOf('2026-08-23'));
  const page = '/admin/reports/daily/2026-08-23';
  const editFields = { act: 'edit', item: ids.first, title: 'Told better', summary: '', note: '' };
  const form = readFormFields((await operator.get(page)).text, page);
  const formBefore = { token: form.token ?? '', version: form.version ?? '' };
  expect((await operator.post(page, { ...formBefore, ...editFields })).status).toBe(303);
  const dailyReport = await sendRequest(admin.origin, { path: '/api/v1/dailies/2026-08-23' });
  expect(dailyReport.text).toContain('Told better');
  const otherForm = readFormFields((await otherOperator.get(page)).text, page);
  const staleSave = {
    ...formBefore,
    token: otherForm.token ?? '',
    ...editFields,
    title: 'Bo’s title',
  };
  const conflict = await otherOperator.post(page, staleSave);
  expect(conflict.status).toBe(409);
  expect(conflict.text).toMatch(/<td[^>]*>Told better<\/td><td[^>]*>Bo’s title<\/td>/);
  expect(await readLastRecord()).toMatchObject({ kind: 'report', action: 'edit', actor: 'Ada' });
});

test('escapes third-party text on every operator page', async () => {
  for (const path of [
    '/admin/sources',
    '/admin/sources/wire',
    '/admin/sources/wire/edit',
    '/admin/items',
    `/admin/items?q=${encodeURIComponent(hostile)}`,
    `/admin/items/${ids.third}`,
    '/admin/stories?least=1',
    '/admin/stories/story-a',
    '/admin/stories/story-c',
    '/admin/ranking',
    '/admin/reports/next/daily',
    '/admin/reports/daily/2026-08-23',
    '/admin/runs',
    '/admin/settings',
    '/admin/audit',
  ]) {
    const { status, text } = await operator.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect([path, /<img|<script>|<\/textarea><script|style=/.exec(text)?.[0]]).toEqual([
      path,
      undefined,
    ]);
  }
});
