// Every page of the admin area in Chinese: filled, empty, after an action, after a refusal, and in
// a conflict. Latin letters occur only in names, or in third-party text that is marked with its
// language.
import { beforeAll, expect, test } from 'vitest';
import { openReportContext } from '../../src/app/serve/open-report-context.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { SHELL, withAudit } from '../../src/operators/audit-log.ts';
import { readEditorial } from '../../src/radar/enrichment/read-editorial.ts';
import { modelSchema } from '../../src/radar/model/model-config.ts';
import { dailyOf } from '../../src/radar/reports/report-periods.ts';
import { writeReport } from '../../src/radar/reports/write-reports.ts';
import { fetchWarning } from '../../src/radar/sources/fetch/fetch-warning.ts';
import { addToModelDay } from '../../src/store/model/model-spending.ts';
import { insertFetch } from '../../src/store/radar/sources/fetches.ts';
import { type Browser, readFormFields } from '../support/form-browser.ts';
import { latinWords } from '../support/latin-words.ts';
import { openStoryPublisher } from '../support/published-stories.ts';
import { openTestAdmin } from './admin-session.ts';

const language = 'zh-CN';
const file = modelSchema.parse({ models: { small: { budget: { day: { requests: 9 } } } } });
const modelOptions = { url: 'http://127.0.0.1:9', key: 'x', embeddingModel: null, file } as const;
const settings = [
  { name: 'RADAR_PORT', value: '4000', isSecret: false, from: 'default' },
  { name: 'MODEL_KEY', value: '', isSecret: true, from: 'environment' },
] as const;
const admin = await openTestAdmin({
  language,
  settings,
  model: { ...modelOptions, name: 'large' },
});
const emptyAdmin = await openTestAdmin({ language });
const publisher = openStoryPublisher(admin.world, admin.db);
const STORY_A = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a11';
const STORY_B = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a22';
const ids = { first: '', second: '', third: '' };
let operator: Browser;
let otherOperator: Browser;

/** Names, literal inputs, and titles whose language cannot be marked. */
const names = new RegExp(
  [
    '(?:Orrery ships a lens|A lens from Orrery) · ',
    'The Ledger: “A lens from Orrery” · ',
    ' · A lens from Orrery',
    'Content Radar',
    'Webhook|Lark|Telegram|Slack|Discord|ntfy|Bark',
    'NDJSON|CSV',
    'The Wire',
    'The Ledger',
    '[Nn]otes',
    'Ada',
    String.raw`Bo\b`,
    'Asia/Shanghai',
    'docs/operations',
    String.raw`first-run\.json`,
    'operator_password',
    'npx radar (?:operator password|source token)',
    String.raw`radar\.config\.json`,
    'MODEL_URL',
    'MODEL_NAME',
    String.raw`model\.models`,
    'en 或 zh-CN',
    String.raw`https?://\S*`,
    '/feed',
    String.raw`settings\.\w+`,
    String.raw`robots\.txt`,
    String.raw`req_\w+`,
    // Lines of source templates: `github:owner/repo`.
    String.raw`\b[a-z]+:[@\w/.]*`,
    'wire',
    'ledger',
    'small',
    'large',
    String.raw`2026-W\d+`,
    String.raw`daily/[\d-]+`,
    '[0-9a-f-]{20,}',
  ].join('|'),
  'g',
);

const findUntranslated = (text: string) => latinWords(text, names);

beforeAll(async () => {
  await publisher.addSource({ id: 'wire', name: 'The Wire', tier: 'T1' });
  await publisher.addSource({ id: 'ledger', name: 'The Ledger' });
  const at = admin.world.clock.now() - HOUR_MS;
  const wire = { source: 'wire', at, story: STORY_A };
  ids.first = await publisher.publish({
    ...wire,
    title: 'Orrery ships a lens',
    summary: 'A lens.',
  });
  const second = { source: 'ledger', title: 'A lens from Orrery', at: at + 1 };
  ids.second = await publisher.publish({ ...second, story: STORY_B });
  ids.third = await publisher.publish({ ...wire, title: '奥瑞里发布镜头', at: at + 2 });
  await publisher.link(STORY_A, [{ other_id: STORY_B, relation: 'related', score: 0.6 }]);
  for (const [outcome, message, notes] of [
    ['failed', 'an old text of ours', null],
    ['failed', 'x', [fetchWarning('status', '503')]],
    [
      'refused',
      'x',
      [fetchWarning('robots-disallows', '/feed'), fetchWarning('net', 'dns', 'ENOTFOUND')],
    ],
  ] as const) {
    await insertFetch(admin.db, {
      id: admin.world.ids.next(),
      source_id: 'wire',
      started_at: at,
      duration_ms: 12,
      outcome,
      status: 503,
      bytes: 0,
      entries: 0,
      created: 0,
      changed: 0,
      message,
      notes,
    });
  }
  const dayCounts = { requests: 12, answers: 11, failures: 1, promptTokens: 9, answerTokens: 9 };
  const day = { day: '2026-08-22', step: 'score', model: 'large' };
  await addToModelDay(admin.db, day, { ...dayCounts, cost: 1_000_000n });
  await recordNotificationChanges();
  const { categories } = await readEditorial('editorial');
  const reports = await openReportContext('editorial', { language, categories });
  await writeReport(admin.world, admin.db, reports, dailyOf('2026-08-23'));
  operator = await admin.signIn('Ada');
  otherOperator = await admin.signIn('Bo');
});

/** Audit rows of pages about notifications, which need a service to be filled. */
async function recordNotificationChanges() {
  const subject = 'd'.repeat(32);
  for (const [kind, action, before, after] of [
    ['channel', 'pause', 'on', 'off'],
    ['subscription', 'resume', 'paused', 'on'],
    ['delivery', 'drop', 'waiting', 'dropped'],
    ['delivery', 'send', 'failed', 'waiting'],
  ] as const) {
    const states = { before: { state: before }, after: { state: after }, note: null };
    const entry = { action, kind, subject, ...states };
    const author = { ...SHELL, name: 'Ada' };
    await withAudit(admin.world, admin.db, author, async () => ({ outcome: null, entry }));
  }
}

/** Submits a form of a page with changed fields. Returns the status and untranslated words. */
async function submitForm(
  page: string,
  action: string,
  fields: Parameters<Browser['post']>[1] = {},
) {
  const response = await operator.submit(page, action, fields);
  return { status: response.status, untranslated: findUntranslated(response.text) };
}

const itemPath = () => `/admin/items/${ids.first}`;
const acceptedResult = { status: 200, untranslated: [] };
const refusedResult = { status: 422, untranslated: [] };

test('translates actions, refusals and confirmations', async () => {
  const story = `/admin/stories/${STORY_A}`;
  const addPath = '/admin/sources/add';
  const url = 'http://127.0.0.1:1/feed';
  expect(
    await submitForm(itemPath(), `${itemPath()}/correct`, { title: '镜头', note: '改' }),
  ).toEqual(acceptedResult);
  const withdrawPath = `${itemPath()}/withdraw`;
  expect(await submitForm(withdrawPath, withdrawPath, { note: '' })).toEqual(refusedResult);
  expect(await submitForm(withdrawPath, withdrawPath, { note: '不实' })).toEqual(acceptedResult);
  expect(await submitForm(itemPath(), `${itemPath()}/restore`)).toEqual(acceptedResult);
  const longTitle = { title: 'x'.repeat(301), category: 'none' };
  expect(await submitForm(itemPath(), `${itemPath()}/correct`, longTitle)).toEqual(refusedResult);
  expect(await submitForm(`${story}/merge?with=${STORY_B}`, `${story}/merge`)).toEqual(
    acceptedResult,
  );
  expect(await submitForm(story, `${story}/split`, { item: [] })).toEqual(refusedResult);
  expect(await submitForm(story, `${story}/split`, { item: [ids.second] })).toEqual(acceptedResult);
  expect(await submitForm(story, `${story}/undo`)).toEqual(acceptedResult);
  const placement = { placement: 'lead', storyTitle: '镜头' };
  expect(await submitForm(story, `${story}/placement`, placement)).toEqual(acceptedResult);
  const chosenItems = { item: [ids.first], category: '' };
  expect(await submitForm('/admin/items', '/admin/items/category', chosenItems)).toEqual(
    refusedResult,
  );
  expect(await submitForm(story, `${story}/pin`, { kind: 'must-link', item: ids.first })).toEqual(
    refusedResult,
  );
  const pin = { kind: 'must-link', item: ids.first, other: ids.third };
  expect(await submitForm(story, `${story}/pin`, pin)).toEqual(acceptedResult);
  expect(await submitForm(story, `${story}/unpin`)).toEqual(acceptedResult);
  expect(await submitForm(addPath, addPath, { url, intent: 'preview' })).toEqual(acceptedResult);
  const invalidSource = {
    kind: 'web-list',
    url: 'ftp://x',
    name: '',
    language: 'x',
    intervalMinutes: '1',
  };
  expect(await submitForm(addPath, addPath, { ...invalidSource, settings: '{"a":1}' })).toEqual(
    refusedResult,
  );
  expect(await submitForm(addPath, addPath, { url, settings: 'x' })).toEqual(refusedResult);
  expect(await submitForm(addPath, addPath, { url, name: 'Notes', intent: 'save' })).toEqual(
    acceptedResult,
  );
  expect(await submitForm(addPath, addPath, { url, name: 'Notes', intent: 'save' })).toEqual(
    refusedResult,
  );
  const notes = '/admin/sources/notes';
  expect(await submitForm(`${notes}/edit`, `${notes}/edit`, { owner: 'Bo' })).toEqual(
    acceptedResult,
  );
  expect(await submitForm(notes, `${notes}/pause`)).toEqual(acceptedResult);
  expect(await submitForm(notes, `${notes}/resume`)).toEqual(acceptedResult);
  expect(await submitForm(notes, `${notes}/read`)).toEqual(acceptedResult);
  expect(await submitForm('/admin/model', '/admin/model', { score: 'small' })).toEqual(
    acceptedResult,
  );
  expect(await submitForm('/admin/model', '/admin/model', { score: '不明' })).toEqual(
    refusedResult,
  );
  const subscription = '/admin/subscriptions/add';
  const invalidSubscription = {
    any: '字',
    minScore: '900',
    schedule: 'daily',
    daily: '25:00',
    quietFrom: '7',
    zone: '火星',
  };
  expect(await submitForm(subscription, subscription, invalidSubscription)).toEqual(refusedResult);
  const report = '/admin/reports/daily/2026-08-23';
  expect(await submitForm(report, report, { act: 'note', note: '说明' })).toEqual(acceptedResult);
  expect(await submitForm(report, report, { act: 'note', note: '' })).toEqual(refusedResult);
});

test('translates conflicts with another editor’s change', async () => {
  const actionPath = `${itemPath()}/correct`;
  const formBefore = readFormFields((await otherOperator.get(itemPath())).text, actionPath);
  await operator.submit(itemPath(), actionPath, { title: '甲' });
  const staleSave = await otherOperator.post(actionPath, { ...formBefore, title: '乙' });
  expect([staleSave.status, findUntranslated(staleSave.text)]).toEqual([409, []]);
});

test('translates the pages of missing objects and of a form without its token', async () => {
  for (const path of ['/0', '/sources/0', '/items/0', '/stories/0', '/reports/0/0']) {
    const { status, text } = await operator.get(`/admin${path}`);
    expect([path, status, findUntranslated(text)]).toEqual([path, 404, []]);
  }
  const refusedPage = await operator.post('/admin/sources/notes/pause', { token: 'x' });
  expect([refusedPage.status, findUntranslated(refusedPage.text)]).toEqual([403, []]);
});

test.each([
  '/sources',
  '/sources/wire',
  '/sources/wire/edit',
  '/sources/notes',
  '/sources/add',
  '/items',
  '/items?q=zzz',
  '/items?state=withdrawn',
  '/stories',
  '/stories?q=zzz',
  '/stories?least=1',
  `/stories/${STORY_A}`,
  `/stories/${STORY_B}`,
  '/ranking',
  '/reports',
  '/reports/daily/2026-08-23',
  '/reports/next/daily',
  '/reports/next/weekly',
  '/runs',
  '/model',
  '/settings',
  '/audit',
  '/audit?kind=story',
  '/audit?kind=model',
  '/audit?kind=channel',
  '/audit?kind=subscription',
  '/audit?kind=delivery',
  `/stories/${STORY_A}/merge?with=${encodeURIComponent('无此事')}`,
])('%s is in Chinese', async (path) => {
  const { status, text } = await operator.get(`/admin${path}`);
  expect([status, findUntranslated(text)]).toEqual([path.includes('?with=') ? 422 : 200, []]);
});

test('translates empty pages', async () => {
  const operatorOfEmptyRadar = await emptyAdmin.signIn('Bo');
  for (const path of [
    'sources',
    'items',
    'stories',
    'ranking',
    'reports',
    'reports/next/daily',
    'channels',
    'channels/add',
    'subscriptions',
    'subscriptions/add?kind=news',
    'subscriptions/add?kind=report',
    'deliveries',
    'runs',
    'model',
    'settings',
    'audit',
  ]) {
    const { status, text } = await operatorOfEmptyRadar.get(`/admin/${path}`);
    expect([path, status, findUntranslated(text)]).toEqual([path, 200, []]);
  }
  const signInPage = await emptyAdmin.browser().get('/admin/sign-in');
  expect(findUntranslated(signInPage.text)).toEqual([]);
  const rejection = await emptyAdmin
    .browser()
    .submit('/admin/sign-in', '/admin/sign-in', { password: 'x' });
  expect([rejection.status, findUntranslated(rejection.text)]).toEqual([401, []]);
});

test('a new source has the language of the radar', async () => {
  const { text } = await operator.get('/admin/sources/add');
  expect(text).toContain('name="language" type="text" value="zh-CN"');
});
