// The SDK's feed against a real radar: pages, ETags and missing reports. A copy of the selected set
// stays exact after every kind of interruption.
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { ApiError } from '../../packages/sdk/src/errors.ts';
import { createFeed } from '../../packages/sdk/src/feed.ts';
import { type MirrorStore, openMemoryStore } from '../../packages/sdk/src/mirror.ts';
import { changeItem } from '../../src/radar/publication/change-item.ts';
import { openFilledRadar } from '../support/filled-radar.ts';
import { json, sendRequest } from '../support/http-request.ts';

const radar = await openFilledRadar();

const requests: { path: string; tag: string | undefined; status: number }[] = [];
let refusal: { readonly path: RegExp; readonly status: number; readonly code: string } | null =
  null;
/** Forwards and records all requests; a test can replace the response. */
const proxy = createServer((req, res) => {
  const path = req.url ?? '/';
  const tag = req.headers['if-none-match'];
  if (refusal?.path.test(path)) {
    const { status, code } = refusal;
    refusal = null;
    requests.push({ path, tag, status });
    res.writeHead(status).end(JSON.stringify({ code }));
    return;
  }
  const forwardedRequest = forward(
    new URL(path, radar.origin),
    { headers: req.headers },
    (response) => {
      requests.push({ path, tag, status: response.statusCode ?? 0 });
      res.writeHead(response.statusCode ?? 0, response.headers);
      response.pipe(res);
    },
  );
  forwardedRequest.end();
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  proxy.closeAllConnections();
  proxy.close();
});
const baseUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
const feed = createFeed({ baseUrl });

async function selectedIds(): Promise<readonly string[]> {
  const path = '/api/v1/selected/snapshot?limit=1000';
  const { items } = json(await sendRequest(radar.origin, { path })) as { items: { id: string }[] };
  return items.map(({ id }) => id).sort();
}

test('yields items page by page, each once, and stops with the reader', async () => {
  const allItems = await feed.itemsPage({ mode: 'all', limit: 100 });
  const ids: string[] = [];
  for await (const { id } of feed.items({ mode: 'all', limit: 7 })) ids.push(id);
  expect(ids).toEqual(allItems.items.map(({ id }) => id));
  expect(ids.length).toBeGreaterThan(14);
  const requestsBefore = requests.length;
  for await (const _first of feed.items({ mode: 'all', limit: 5 })) break;
  expect(requests.length).toBe(requestsBefore + 1);
});

test('revalidates by ETag and returns the cached content', async () => {
  const firstResult = await feed.itemsPage({ limit: 3 });
  const repeatedResult = await feed.itemsPage({ limit: 3 });
  expect(repeatedResult).toBe(firstResult);
  const [firstRequest, secondRequest] = requests.slice(-2);
  expect([firstRequest?.tag, firstRequest?.status]).toEqual([undefined, 200]);
  expect([secondRequest?.tag?.startsWith('W/"'), secondRequest?.status]).toEqual([true, 304]);
  const { items, rankedAt } = await feed.hotTopics();
  expect([Array.isArray(items), rankedAt === null || typeof rankedAt === 'string']).toEqual([
    true,
    true,
  ]);
});

test('ends an iteration whose cursor is no longer in the window', async () => {
  const ids: string[] = [];
  for await (const { id } of feed.items({ mode: 'all', limit: 4 })) {
    ids.push(id);
    if (ids.length === 4) refusal = { path: /cursor=/, status: 400, code: 'invalid_cursor' };
  }
  expect(ids).toHaveLength(4);
  await expect(feed.itemsPage({ cursor: 'nothing' })).rejects.toMatchObject({
    name: 'ApiError',
    status: 400,
    code: 'invalid_cursor',
    requestId: expect.any(String),
  });
});

test('lists reports, and throws an ApiError for a missing report', async () => {
  for (const reports of [feed.dailies, feed.weeklies, feed.monthlies]) {
    expect(await reports.list({ limit: 2 })).toEqual([]);
    const missingReport = await reports.latest().catch((error: unknown) => error);
    expect(missingReport).toBeInstanceOf(ApiError);
    expect(missingReport).toMatchObject({ status: 404, code: 'not_found' });
  }
});

test('a mirror is exact after its snapshot, its changes and a new snapshot', async () => {
  const store = openMemoryStore();
  const mirror = feed.mirror({ store, pageSize: 3 });
  const storedIds = () => [...store.items.keys()].sort();
  const firstResult = await mirror.sync();
  expect(firstResult.snapshots).toBe(1);
  expect(storedIds()).toEqual(await selectedIds());
  const [removedId = ''] = storedIds();
  const change = { action: 'withdraw', actor: 'test', note: null } as const;
  await changeItem(radar.world, radar.db, removedId, change);
  await radar.publication.catchUp();
  expect(await mirror.sync()).toEqual({ upserts: 0, removes: 1, snapshots: 0 });
  expect(storedIds()).toEqual(await selectedIds());
  expect(storedIds()).not.toContain(removedId);
  // The change log of the cursor no longer exists, and the new set lacks an item of the mirror.
  const [otherItem] = store.items.values();
  if (otherItem === undefined) throw new Error('an empty set');
  const state = await store.load();
  if (state === null) throw new Error('no state');
  const strayItem = { ...otherItem, id: 'stray' };
  await store.commit({
    upserts: [strayItem],
    removes: [],
    isComplete: false,
    state: { ...state, cursor: 'of-another-epoch' },
  });
  expect(await mirror.sync()).toMatchObject({ snapshots: 1 });
  expect(storedIds()).toEqual(await selectedIds());
});

test('a mirror that stops after any commit continues from there', async () => {
  const expected = await selectedIds();
  const memory = openMemoryStore();
  let commits = 0;
  const failingStore: MirrorStore = {
    load: memory.load,
    commit: (commit) => {
      commits += 1;
      if (commits % 2 === 0) throw new Error('stopped');
      return memory.commit(commit);
    },
  };
  let stopCount = 0;
  const sync = () =>
    feed
      .mirror({ store: failingStore, pageSize: 2 })
      .sync()
      .then(
        () => true,
        () => false,
      );
  while (!(await sync())) stopCount += 1;
  expect(stopCount).toBeGreaterThan(1);
  expect([...memory.items.keys()].sort()).toEqual(expected);
});
