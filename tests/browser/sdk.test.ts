// The published SDK in a real browser, on a page of another origin than every service. Each
// response therefore passes CORS, with the headers that the SDK reads.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openTestRelay } from '../relay/test-relay.ts';
import { atEnd } from '../support/at-end.ts';
import { desktop, hasBrowser, openTestBrowser, type Tab } from '../support/browser.ts';
import { json, sendRequest } from '../support/http-request.ts';
import { openLoopbackSite } from '../support/loopback-site.ts';
import { MERGED_STORY, openReaderRadar, STORY } from '../support/reader-radar.ts';
import { openTestGateway } from '../support/test-gateway.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '../..');
const radar = await openReaderRadar();
const gateway = await openTestGateway();
const relay = await openTestRelay();
const page = await openLoopbackSite();
const browser = openTestBrowser();

const script = { headers: { 'content-type': 'text/javascript; charset=utf-8' } };
page.respond('/', {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>A</title>',
});

/** Compiles the SDK as `npm pack` does, and serves its modules. */
function publishSdk(): void {
  const dist = mkdtempSync(join(tmpdir(), 'sdk-dist-'));
  atEnd(() => rmSync(dist, { recursive: true, force: true }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'packages/sdk', '--outDir', dist], { cwd: root });
  const modules = readdirSync(dist).filter((name) => name.endsWith('.js'));
  expect(modules).toContain('gateway.js');
  for (const name of modules) {
    page.respond(`/sdk/${name}`, { ...script, body: readFileSync(join(dist, name)) });
  }
}

const sdkUrl = `${page.url}/sdk`;
const servedOrigin = `${gateway.origin}/sdk`;

/** Runs a function of the page's program with the SDK, and returns its result. */
async function runInPage(tab: Tab, name: string, origin: string, options: object, sdk = sdkUrl) {
  const address = JSON.stringify(`/program.js?sdk=${sdk}`);
  const args = `${JSON.stringify(origin)}, ${JSON.stringify(options)}`;
  return tab.evaluate(`import(${address}).then((program) => program.${name}(${args}))`);
}

describe.skipIf(!hasBrowser)('the SDK in a browser of another origin', () => {
  let tab: Tab;
  beforeAll(async () => {
    publishSdk();
    const program = readFileSync(join(import.meta.dirname, 'sdk-in-page.js'), 'utf8');
    for (const sdk of [sdkUrl, servedOrigin]) {
      const body = program.replaceAll(/'\.\.\/.*\/(\w+)\.ts'/g, `'${sdk}/$1.js'`);
      page.respond(`/program.js?sdk=${sdk}`, { ...script, body });
    }
    tab = await browser.open(desktop);
    await tab.goto(`${page.url}/`);
  });

  test('reads the feed by page, caches unchanged pages and follows a merged story', async () => {
    type ItemList = { readonly items: readonly { readonly id: string }[] };
    const allItems = json(
      await sendRequest(radar.origin, { path: '/api/v1/items?mode=all' }),
    ) as ItemList;
    const topics = json(await sendRequest(radar.origin, { path: '/api/v1/hot-topics' }));
    expect(allItems.items.length).toBeGreaterThan(3);
    expect(await runInPage(tab, 'readFeed', radar.origin, { merged: MERGED_STORY })).toEqual({
      ids: allItems.items.map(({ id }) => id),
      isCached: true,
      topics: topics.count,
      story: STORY,
      nothing: { name: 'ApiError', code: 'not_found', status: 404, hasRequestId: true },
    });
  });

  test('mirrors the selected set and its changes', async () => {
    type Snapshot = { readonly items: readonly { readonly id: string }[] };
    const selectedItems = async () => {
      const response = await sendRequest(radar.origin, { path: '/api/v1/selected/snapshot' });
      return (json(response) as Snapshot).items.map(({ id }) => id).sort();
    };
    const firstSync = await runInPage(tab, 'mirror', radar.origin, { isNew: true });
    expect(firstSync).toMatchObject({ synced: { snapshots: 1 }, ids: await selectedItems() });
    await radar.publisher.publish({ source: 'orrery', title: 'Orrery Labs opens a second plant' });
    await radar.settle();
    const secondSync = await runInPage(tab, 'mirror', radar.origin, { isNew: false });
    expect(secondSync).toMatchObject({ synced: { snapshots: 0 }, ids: await selectedItems() });
  });

  test.each([
    ['as published', sdkUrl],
    ['as the gateway serves it', servedOrigin],
  ])('charges a call and its replay once: the SDK %s', async (_name, sdk) => {
    const { sk: apiKey } = await gateway.newAccount();
    const options = { apiKey, idempotencyKey: `browser:${sdk}` };
    const runCountBefore = gateway.paid.runs.length;
    expect(await runInPage(tab, 'call', gateway.origin, options, sdk)).toEqual({
      isReplay: [false, true],
      isSame: true,
      data: { text: 'from a browser' },
      refused: { name: 'ApiError', code: 'invalid_request', status: 400, hasRequestId: true },
      overMaxCharge: expect.stringMatching(/^[a-z_]+$/),
      calls: 1,
      balance: 'string',
    });
    expect(gateway.paid.runs.length - runCountBefore).toBe(1);
  });

  test('reads a chat as a stream and as one response', async () => {
    const reply = 'You said: Good morning – 好的.';
    const options = { agentKey: relay.keys.ak, end: 'read' };
    expect(await runInPage(tab, 'chat', relay.origin, options)).toEqual({
      models: ['demo-chat', 'demo-only-0'],
      reply,
      whole: reply,
      refused: { name: 'ApiError', code: 'not_found', status: 404, hasRequestId: true },
      pieces: expect.any(Number),
    });
  });

  test('stops the model when a page leaves a chat', async () => {
    const [chat] = relay.chats;
    const abortedBefore = chat?.aborted() ?? 0;
    const options = { agentKey: relay.keys.ak };
    const leavingRun = await runInPage(tab, 'chat', relay.origin, { ...options, end: 'leave' });
    expect(leavingRun).toEqual({ pieces: 1 });
    await until(async () => (chat?.aborted() === abortedBefore + 1 ? true : null));
    const abortedRun = await runInPage(tab, 'chat', relay.origin, { ...options, end: 'abort' });
    expect(abortedRun).toEqual({ name: 'AbortError' });
    await until(async () => (chat?.aborted() === abortedBefore + 2 ? true : null));
  });

  test('reports a broken stream after the partial reply', async () => {
    const options = { agentKey: relay.keys.ak, end: 'die' };
    expect(await runInPage(tab, 'chat', relay.origin, options)).toEqual({
      hasReply: true,
      error: { name: 'ApiError', code: 'upstream_error', status: 200, hasRequestId: true },
    });
  });

  test('causes no CORS error and no uncaught exception', () => {
    expect(tab.complaints.filter((text) => /CORS|blocked|Uncaught/i.test(text))).toEqual([]);
  });
});
