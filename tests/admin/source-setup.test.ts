// Sources on the operators' pages: one line, found feeds as buttons, OPML with a preview, removal,
// and the setup page of a first run.
import { expect, test } from 'vitest';
import { openServices } from '../../demo/receivers/open-services.ts';
import { listSettings } from '../../src/config.ts';
import { openRobots } from '../../src/kernel/net/robots.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { listChannels } from '../../src/notifications/channels.ts';
import { readSetupSettings } from '../../src/operators/setup-settings.ts';
import { fetchSource } from '../../src/radar/sources/fetch/fetch-source.ts';
import { listSources } from '../../src/radar/sources/list-sources.ts';
import { listDefinitions } from '../../src/radar/sources/stored-source.ts';
import { listSubscriptions } from '../../src/radar/subscriptions/change-subscriptions.ts';
import { readSettingValues } from '../../src/store/operators/settings.ts';
import { openBrowser, readFormFields } from '../support/form-browser.ts';
import { openLoopbackSite, rssOf } from '../support/loopback-site.ts';
import { openTestAdmin } from './admin-session.ts';

const admin = await openTestAdmin();
const site = await openLoopbackSite();
const readSourceIds = async () => (await listSources(admin.db)).map(({ id }) => id);

test('the one-time address signs in once, within one hour', async () => {
  const staleToken = admin.issueSetupToken();
  const token = admin.issueSetupToken();
  const setupPath = (setupToken: string) => `/admin/setup?once=${setupToken}`;
  const expectExplanation = async (setupToken: string) => {
    const { status, text } = await admin.browser().get(setupPath(setupToken));
    expect([status, readFormFields(text, '/admin/sign-in').to]).toEqual([401, '/admin/setup']);
    expect(text).toContain('The setup link works once, within an hour,');
  };
  await expectExplanation(staleToken);
  const browser = admin.browser();
  expect((await browser.get(setupPath(token))).headers.location).toBe('/admin/setup');
  expect((await browser.get('/admin/setup')).text).toContain('Set up your radar');
  await expectExplanation(token);
  const expiredToken = admin.issueSetupToken();
  admin.setClock(admin.world.clock.now() + HOUR_MS);
  await expectExplanation(expiredToken);
});

test('offers each feed of a page as a button, and recognizes an existing source', async () => {
  const ada = await admin.signIn();
  const links = [0, 1].map(
    (number) =>
      `<link rel="alternate" type="application/rss+xml" title="Feed ${number}" href="/f${number}">`,
  );
  const headers = { 'content-type': 'text/html' };
  site.respond('/', { headers, body: `<!doctype html><html>${links.join('')}</html>` });
  site.respond('/f1', { body: rssOf('Halden News', []) });
  const findFeeds = (line: string) =>
    ada.submit('/admin/sources/add', '/admin/sources/find', { line });
  const choices = (await findFeeds(site.url)).text;
  expect(choices).toContain('2 feeds were found. Choose one.');
  expect(choices).toContain('<button class="quiet">Feed 1</button>');
  const page = (await findFeeds(`${site.url}/f1`)).text;
  expect(readFormFields(page, '/admin/sources/add')).toMatchObject({
    kind: 'feed',
    url: `${site.url}/f1`,
    name: 'Halden News',
  });
  const fields = { ...readFormFields(page, '/admin/sources/add'), intent: 'save' };
  await ada.post('/admin/sources/add', fields);
  expect(await readSourceIds()).toEqual(['halden-news']);
  expect((await ada.get('/admin/sources')).text).toContain('not fetched yet');
  const repeatedPage = await findFeeds(`${site.url}/f1`);
  expect([repeatedPage.status, repeatedPage.text]).toEqual([
    409,
    expect.stringContaining('is a source already'),
  ]);
  site.respond('/f1', { status: 404, body: '' });
  const failingFeedPage = await findFeeds(`${site.url}/f1`);
  expect([failingFeedPage.status, failingFeedPage.text]).toEqual([
    409,
    expect.stringContaining('is a source already'),
  ]);
  const refusedPage = await findFeeds('file:///etc/passwd');
  expect([refusedPage.status, refusedPage.text]).toEqual([
    422,
    expect.stringContaining('must be a template'),
  ]);
});

test('does not list a removed source, and accepts its address again', async () => {
  const ada = await admin.signIn();
  const path = '/admin/sources/halden-news';
  const removedPage = await ada.submit(path, `${path}/remove`);
  expect(removedPage.text).toContain('The source is removed. Its items stay public.');
  expect(await readSourceIds()).toEqual([]);
  expect((await ada.get(path)).status).toBe(404);
});

test('previews an OPML file, stores only the chosen feeds, and exports them', async () => {
  const ada = await admin.signIn();
  const page = '/admin/sources/import';
  const opml = `<opml version="2.0"><body><outline text="News">
<outline text="Alder" type="rss" xmlUrl="https://alder.example/feed"/>
<outline text="Birch" type="rss" xmlUrl="https://birch.example/feed"/></outline>
<outline text="Bad" xmlUrl="file:///etc/passwd"/></body></opml>`;
  const preview = (await ada.submit(page, page, { opml, intent: 'preview' })).text;
  expect(preview).toContain('2 new, 0 existing, 1 refused');
  expect(preview).toContain('<td data-label="Address">file:///etc/passwd</td>');
  expect(await readSourceIds()).toEqual([]);
  const [, birch = ''] = [...preview.matchAll(/name="source" value="(\w+)"/g)].map(
    ([, key]) => key,
  );
  const storedPage = await ada.submit(page, page, { opml, intent: 'store', source: birch });
  expect(storedPage.text).toContain('The sources are added.');
  expect(await readSourceIds()).toEqual(['birch']);
  const repeatedText = (await ada.submit(page, page, { opml, intent: 'preview' })).text;
  expect(repeatedText).toContain('1 new, 1 existing, 1 refused');
  const file = await ada.get('/admin/sources.opml');
  expect(file.headers['content-type']).toBe('text/x-opml; charset=utf-8');
  expect(file.text).toContain('xmlUrl="https://birch.example/feed"');
  // The form is UTF-8, even when the pasted file declares another encoding.
  const declaredFile = `<?xml version="1.0" encoding="GBK"?>${opml.replace('Alder', '机器之心')}`;
  const pastedPage = await ada.submit(page, page, { opml: declaredFile, intent: 'preview' });
  expect(pastedPage.text).toContain('机器之心</label>');
  const brokenFilePage = await ada.submit(page, page, { opml: '<html/>', intent: 'preview' });
  expect([brokenFilePage.status, brokenFilePage.text]).toEqual([
    422,
    expect.stringContaining('Line 1: the file is not OPML.'),
  ]);
});

test('stores packs and lines together, and shows the progress', async () => {
  const ada = await admin.signIn();
  site.respond('/own', { body: rssOf('Own News', []) });
  const form = {
    name: 'Content Radar',
    zone: 'Asia/Shanghai',
    pack: 'ai-zh',
    lines: `${site.url}/own\n`,
  };
  const invalidLinesPage = await ada.submit('/admin/setup', '/admin/setup', {
    ...form,
    lines: 'two words',
  });
  expect([invalidLinesPage.status, invalidLinesPage.text]).toEqual([
    422,
    expect.stringContaining('two words'),
  ]);
  expect(invalidLinesPage.text).toContain('refused</span>: must be');
  const response = await ada.submit('/admin/setup', '/admin/setup', {
    ...form,
    lines: `${site.url}/no`,
  });
  expect(response.text).toContain(`no feed was found; ${site.url}/no: the server answered 404`);
  const manyLinesPage = await ada.submit('/admin/setup', '/admin/setup', {
    ...form,
    lines: 'a\n'.repeat(51),
  });
  expect([manyLinesPage.status, manyLinesPage.text]).toEqual([
    422,
    expect.stringContaining('at most 50 lines'),
  ]);
  expect(await readSourceIds()).toEqual(['birch']);
  const progress = (await ada.submit('/admin/setup', '/admin/setup', form)).text;
  expect(await readSourceIds()).toHaveLength(12);
  expect(progress).toContain('0 of 12 fetched');
  expect(progress).toContain('<dt>Public, from the last seven days</dt>');
  expect(progress).toContain('<meta http-equiv="refresh" content="2">');
  expect(admin.requests).toContain('own-news');
});

test('the setup shows the source of each line, and omits refused lines', async () => {
  const newAdmin = await openTestAdmin();
  const ada = await newAdmin.signIn();
  const path = '/admin/setup';
  site.respond('/shown', { body: rssOf('Shown News', []) });
  const lines = `${site.url}/shown\ntwo words`;
  const checkedPage = await ada.submit(path, path, { lines, do: 'check-sources' });
  expect(checkedPage.status).toBe(200);
  expect(checkedPage.text).toContain('1 new, 0 existing, 1 refused');
  const repeated = `${lines}\n${site.url}/shown`;
  const repeatedPage = await ada.submit(path, path, { lines: repeated, do: 'check-sources' });
  expect(repeatedPage.text).toContain('same address as an earlier line');
  expect(repeatedPage.text).not.toContain('href="/admin/sources/shown-news"');
  expect(await listSources(newAdmin.db)).toEqual([]);
  const keysIn = (page: string) =>
    [...page.matchAll(/name="source" value="(\w+)"/g)].map(([, key = '']) => key);
  await ada.post(path, {
    ...readFormFields(checkedPage.text, path),
    lines,
    source: keysIn(checkedPage.text),
  });
  expect((await listSources(newAdmin.db)).map(({ id }) => id)).toEqual(['shown-news']);
  const opml = `<opml version="2.0"><body>
<outline text="Alder" xmlUrl="https://alder.example/feed"/>
<outline text="Birch" xmlUrl="https://birch.example/feed"/></body></opml>`;
  const opmlPage = await ada.submit(path, path, { lines: opml, do: 'check-sources' });
  expect(opmlPage.text).toContain('2 new, 0 existing, 0 refused');
  const [, birch = ''] = keysIn(opmlPage.text);
  await ada.post(path, { ...readFormFields(opmlPage.text, path), lines: opml, source: birch });
  expect((await listSources(newAdmin.db)).map(({ id }) => id)).toEqual(['birch', 'shown-news']);
  for (const action of [{}, { do: 'check-sources' }]) {
    const brokenFilePage = await ada.submit(path, path, { lines: '<html/>', ...action });
    expect([brokenFilePage.status, brokenFilePage.text]).toEqual([
      422,
      expect.stringContaining('Line 1: the file is not OPML.'),
    ]);
  }
  const manyLines = { lines: 'a\n'.repeat(51), do: 'check-sources' };
  expect((await ada.submit(path, path, manyLines)).text).toContain('at most 50 lines');
});

test('the setup tests a channel, and stores it with alerts and the daily report', async () => {
  const newAdmin = await openTestAdmin();
  const ada = await newAdmin.signIn();
  const path = '/admin/setup';
  const services = await openServices({ now: newAdmin.world.clock.now });
  const firstPage = await ada.get(path);
  expect(firstPage.text).toMatch(
    /name="webhook-secret" type="text" value="whsec_[A-Za-z0-9+/=]{40,}"/,
  );
  expect(firstPage.text).toContain('name="alerts" value="on" checked');
  expect(firstPage.text).toContain('name="report" value="on" checked');
  expect(firstPage.text).toContain('at 08:00 (time zone of part 1)');
  const { url = '', secret = '' } = services.fieldsOf('feishu');
  const feishu = { channel: 'feishu', 'feishu-url': url, 'feishu-secret': secret };
  const missingFields = { channel: 'feishu', 'feishu-url': '', do: 'test-channel' };
  const rejection = await ada.submit(path, path, missingFields);
  expect([rejection.status, rejection.text]).toEqual([
    422,
    expect.stringContaining('href="#f-feishu-url"'),
  ]);
  const testedPage = await ada.submit(path, path, { ...feishu, do: 'test-channel' });
  expect(testedPage.text).toContain('The service accepted the test (status 200).');
  expect(services.received).toMatchObject([{ kind: 'feishu', problems: [] }]);
  expect(await listChannels(newAdmin.db)).toEqual([]);
  await ada.post(path, {
    ...readFormFields(testedPage.text, path),
    ...feishu,
    alerts: 'on',
    report: 'on',
  });
  const [channel] = await listChannels(newAdmin.db);
  expect(channel).toMatchObject({ kind: 'feishu', name: 'Feishu', state: 'on' });
  expect(await listSubscriptions(newAdmin.db)).toMatchObject([
    { kind: 'alerts', channel: channel?.id },
    { kind: 'report', schedule: { daily: ['08:00'], zone: 'Asia/Shanghai' } },
  ]);
  const audit = (await ada.get('/admin/audit')).text;
  expect(audit).toContain('Feishu');
  expect(audit).not.toContain(secret);
  await services.close();
});

test('the setup stores language, zone, name and model', async () => {
  const ada = await admin.signIn();
  const firstPage = await ada.get('/admin/setup');
  expect(firstPage.text).toContain('<option value="Asia/Shanghai" selected>');
  site.respond('/v1/chat/completions', { body: '{"choices":[]}' });
  const model = { modelUrl: `${site.url}/v1/`, modelName: 'small', modelKey: 'sk-secret-1' };
  const formInput = { language: 'zh-CN', zone: 'Europe/Paris', name: 'Morning paper', ...model };
  const testedPage = await ada.submit('/admin/setup', '/admin/setup', {
    ...formInput,
    do: 'try-model',
  });
  expect(testedPage.text).toContain('The model replied within');
  expect(readFormFields(testedPage.text, '/admin/setup')).toMatchObject({
    name: 'Morning paper',
    ...model,
  });
  expect(await readSetupSettings(admin.world, admin.db)).toEqual({});
  const savedPage = await ada.submit('/admin/setup', '/admin/setup', formInput);
  expect(savedPage.status).toBe(200);
  expect(await readSetupSettings(admin.world, admin.db)).toEqual({
    language: 'zh-CN',
    zone: 'Europe/Paris',
    name: 'Morning paper',
    model: { url: `${site.url}/v1`, name: 'small', key: 'sk-secret-1' },
  });
  expect(JSON.stringify([...(await readSettingValues(admin.db))])).not.toContain('sk-secret-1');
});

test('the setup uses the rules of its packs, and the general rules for own sources', async () => {
  site.respond('/chess', { body: rssOf('Chess News', []) });
  const own = { lines: `${site.url}/chess` };
  const startWith = async (form: Readonly<Record<string, string>>) => {
    const newAdmin = await openTestAdmin();
    const ada = await newAdmin.signIn();
    const page = await ada.get('/admin/setup');
    expect(page.text).toContain('<option value="" selected>Automatic</option>');
    await ada.submit('/admin/setup', '/admin/setup', form);
    const { editorial } = await readSetupSettings(newAdmin.world, newAdmin.db);
    const definitions = await listDefinitions(newAdmin.db);
    const laterPage = await ada.get('/admin/setup');
    expect(laterPage.text).not.toContain('Automatic</option>');
    const audit = (await ada.get('/admin/audit')).text;
    expect(audit.includes('Rules of the selection')).toBe(editorial !== undefined);
    expect(audit.includes('Any other field')).toBe(editorial === 'general');
    const rulesField = readFormFields(laterPage.text, '/admin/setup').rules;
    const hasHints = definitions.some(({ categoryHint }) => categoryHint !== undefined);
    return { editorial, rulesField, sources: definitions.length, hasHints };
  };
  const general = { editorial: 'general', rulesField: 'general' };
  expect(await startWith(own)).toEqual({ ...general, sources: 1, hasHints: false });
  expect(await startWith({ pack: 'science' })).toMatchObject({ ...general, hasHints: true });
  const unchanged = { editorial: undefined, rulesField: '.' };
  expect(await startWith({ pack: 'ai', ...own })).toMatchObject({ ...unchanged, hasHints: true });
  // An explicit choice precedes the packs. Hints of other rules are left out.
  expect(await startWith({ ...own, rules: '.' })).toMatchObject(unchanged);
  expect(await startWith({ pack: 'ai', rules: 'general' })).toMatchObject({
    ...general,
    hasHints: false,
  });
});

test('the settings page shows the values of the setup page with their origin', async () => {
  const newAdmin = await openTestAdmin({ settings: listSettings({ MODEL_NAME: 'large' }) });
  const ada = await newAdmin.signIn();
  const rowOf = async (name: string) => {
    const { text } = await ada.get('/admin/settings');
    const row = new RegExp(`<code>${name}</code>[^]*?</tr>`).exec(text)?.[0] ?? '';
    return row.replaceAll(/<[^>]*>/g, ' ').split(/\s{2,}/);
  };
  expect(await rowOf('name')).toEqual([
    expect.stringMatching('name'),
    'Content Radar',
    'default',
    '',
  ]);
  const model = { modelUrl: `${site.url}/v1`, modelName: 'small', modelKey: 'sk-secret-2' };
  const form = { name: 'Morning paper', rules: 'general', ...model };
  await ada.submit('/admin/setup', '/admin/setup', form);
  expect(await rowOf('name')).toEqual([expect.anything(), 'Morning paper', 'Setup page', '']);
  expect(await rowOf('editorial')).toContain('editorial/general');
  expect(await rowOf('MODEL_URL')).toContain(`${site.url}/v1`);
  expect(await rowOf('MODEL_NAME')).toEqual([expect.anything(), 'large', 'environment', '']);
  const { text } = await ada.get('/admin/settings');
  expect(text).toContain('href="/admin/setup">Setup page</a>');
  expect(text).not.toContain('sk-secret-2');
});

test('the setup has the language of the browser until a language is stored', async () => {
  const newAdmin = await openTestAdmin();
  const setupToken = newAdmin.issueSetupToken();
  const browser = openBrowser(newAdmin.origin, {
    headers: { 'accept-language': 'zh-CN,en;q=0.5' },
  });
  await browser.get(`/admin/setup?once=${setupToken}`);
  const page = await browser.get('/admin/setup');
  expect(page.text).toContain('<html lang="zh-CN"');
  expect(page.text).toContain('<h1>设置您的雷达</h1>');
  expect(page.text).toContain('<option value="zh-CN" selected>');
  await browser.submit('/admin/setup', '/admin/setup', { language: 'zh-CN' });
  expect(await readSetupSettings(newAdmin.world, newAdmin.db)).toMatchObject({ language: 'zh-CN' });
});

test('a refused setup names each wrong field, keeps the text and stores nothing', async () => {
  const newAdmin = await openTestAdmin();
  const ada = await newAdmin.signIn();
  site.respond('/bad/chat/completions', {
    status: 401,
    body: '{"error":{"message":"no such key"}}',
  });
  const invalidForm = {
    name: '',
    zone: 'Mars/Olympus',
    modelUrl: 'ftp://x',
    modelName: '',
    lines: '',
  };
  const refusal = await ada.submit('/admin/setup', '/admin/setup', invalidForm);
  expect(refusal.status).toBe(422);
  for (const text of [
    'Enter a name of 1 to 60 characters.',
    'Choose a zone from the list.',
    'Enter the address of the endpoint',
    'Enter the name of the model',
  ]) {
    expect(refusal.text).toContain(text);
  }
  expect(readFormFields(refusal.text, '/admin/setup')).toMatchObject({
    name: '',
    modelUrl: 'ftp://x',
  });
  expect(await readSetupSettings(newAdmin.world, newAdmin.db)).toEqual({});
  const model = { modelUrl: `${site.url}/bad`, modelName: 'small', modelKey: 'sk-wrong' };
  const testedPage = await ada.submit('/admin/setup', '/admin/setup', {
    ...model,
    do: 'try-model',
  });
  expect(testedPage.text).toContain('The model did not reply: 401');
});

test('the progress page follows the setup, and retries or removes a failing source', async () => {
  const operator = await admin.signIn();
  site.respond('/gone.xml', { status: 500, body: 'broken' });
  const addedPage = await operator.submit('/admin/sources/add', '/admin/sources/add', {
    kind: 'feed',
    id: 'broken-feed',
    name: 'Broken feed',
    url: `${site.url}/gone.xml`,
    intent: 'save',
  });
  expect([addedPage.status, await readSourceIds()]).toEqual([
    200,
    expect.arrayContaining(['broken-feed']),
  ]);
  const robots = openRobots(admin.world.net, admin.world.clock, 'test');
  const fetchResult = await fetchSource(admin.world, admin.db, robots, 'broken-feed');
  expect(fetchResult).toMatchObject({ kind: 'done', record: { outcome: 'failed' } });
  const progress = '/admin/setup/progress';
  const retriedPage = await operator.submit(progress, '/admin/sources/broken-feed/read');
  expect([retriedPage.status, retriedPage.text]).toEqual([
    200,
    expect.stringContaining('Broken feed'),
  ]);
  const response = await operator.submit(progress, '/admin/sources/broken-feed/remove');
  expect([response.status, response.text]).toEqual([200, expect.stringContaining('<progress')]);
  expect(await readSourceIds()).not.toContain('broken-feed');
});
