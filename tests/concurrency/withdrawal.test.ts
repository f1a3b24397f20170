// Tests a withdrawal across two serving processes. The command returns when both have confirmed.
// After that, no response of either process contains the item, with any headers of a reader.
import { randomBytes } from 'node:crypto';
import { beforeAll, expect, inject, test } from 'vitest';
import { hostName } from '../../src/kernel/files/process.ts';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { slowConnectOptions } from '../support/connect-timeout.ts';
import { connectionTo, runStatement } from '../support/database-server.ts';
import { openItemPublisher } from '../support/item-publisher.ts';
import {
  runRadarCommand,
  type ServingProcess,
  startServing,
  temporaryDataDir,
} from '../support/radar-process.ts';
import { urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';
import { until } from '../support/until.ts';

const DATA_DIR = temporaryDataDir();
const NOW = '2026-08-22T12:00:00Z';
const ITEMS = 12;

const server = inject('databaseServer');
const name = `radar_test_${randomBytes(6).toString('hex')}`;
const connection = connectionTo(server, name);
const environment = { DATA_DIR, DATABASE_URL: urlOf(connection), RADAR_NOW: NOW };
const items: string[] = [];
let nodes: readonly ServingProcess[];

beforeAll(async () => {
  const template = inject('databaseTemplate');
  await runStatement(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const { world } = testWorld();
  const db = openDb(world.log, connection, {
    applicationName: 'radar test',
    ...slowConnectOptions,
  });
  const publisher = await openItemPublisher(world, db);
  for (let index = 0; index < ITEMS; index += 1) {
    items.push(await publisher.publish(`Item ${index}`, world.clock.now() - index * 60_000));
  }
  await closeDb(db);
  nodes = await Promise.all([start(), start()]);
  return async () => {
    await Promise.all(nodes.map((node) => node.end('SIGKILL')));
    await runStatement(server, `DROP DATABASE ${name} WITH (FORCE)`);
  };
});

const start = () => startServing(environment, ['--only', 'radar']);

/** A list with the ETag and the cursor that a reader received. */
type OutputState = { readonly path: string; readonly etag: string; readonly cursor: string | null };

type Body = {
  readonly items?: readonly { id: string }[];
  readonly cursor?: string;
  readonly nextPage?: string | null;
  readonly page?: { readonly nextCursor: string | null };
  readonly changes?: readonly { op: string; id?: string; item?: { id: string } }[];
};

async function getPage(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Body);
  return { status: response.status, etag: response.headers.get('etag') ?? '', text, body };
}

const lists = [
  '/api/v1/items',
  '/api/v1/items?mode=all',
  '/api/v1/items?by=published',
  '/api/v1/items?window=24h&category=industry',
  '/api/v1/items?q=item',
  '/api/v1/items?limit=2',
  '/api/v1/selected/snapshot',
  '/api/v1/selected/snapshot?fields=minimal',
];

/** Reads each list with its ETag, and one page of a snapshot, from a node. */
async function readAll(node: ServingProcess) {
  const outputs: OutputState[] = [];
  for (const path of lists) {
    // The second request makes later requests receive the cached response.
    await getPage(node.url + path);
    const { etag, body } = await getPage(node.url + path);
    outputs.push({ path, etag, cursor: body.cursor ?? null });
  }
  const { body } = await getPage(`${node.url}/api/v1/selected/snapshot?limit=1`);
  return { node, outputs, nextPage: body.nextPage ?? '', cursor: body.cursor ?? '' };
}

type Reader = Awaited<ReturnType<typeof readAll>>;

const runItemCommand = (...action: readonly string[]) =>
  runRadarCommand(['item', ...action], environment);

/**
 * Returns the output after all nodes have confirmed. The command names a late node, which confirms
 * at the second attempt. Two late confirmations in a row fail the test.
 */
async function runConfirmed(...action: readonly string[]): Promise<string> {
  const firstOutput = await runItemCommand(...action);
  if (firstOutput.code === 0) return firstOutput.out;
  expect(firstOutput.err).toContain(', but not confirmed by ');
  const secondOutput = await runItemCommand(...action);
  expect(secondOutput).toMatchObject({ code: 0, err: '' });
  return secondOutput.out.replace(' already;', ';');
}

/** Ids in the remaining pages of a snapshot from before the withdrawal, two per page. */
async function remainingIds({ node, nextPage }: Reader): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page: string | null = nextPage; page !== null; ) {
    const { status, body } = await getPage(
      `${node.url}/api/v1/selected/snapshot?limit=2&page=${page}`,
    );
    expect(status).toBe(200);
    ids.push(...(body.items ?? []).map((item) => item.id));
    page = body.nextPage ?? null;
  }
  return ids;
}

async function changesOf({ node, cursor }: Reader): Promise<readonly string[]> {
  const { body } = await getPage(`${node.url}/api/v1/selected/changes?cursor=${cursor}`);
  return (body.changes ?? []).map(({ op, id, item }) => `${op} ${id ?? item?.id}`);
}

test('withdraws and restores an item in every output format of both nodes', async () => {
  const [id = ''] = items;
  const readers = await Promise.all(nodes.map(readAll));
  for (const { outputs, node } of readers) {
    for (const { path, etag } of outputs) {
      expect((await getPage(node.url + path, { 'if-none-match': etag })).status, path).toBe(304);
    }
  }

  expect(await runConfirmed('withdraw', id)).toBe(`${id} is withdrawn; 2 nodes confirmed.\n`);
  for (const reader of readers) {
    for (const { path, etag } of reader.outputs) {
      const response = await getPage(reader.node.url + path, { 'if-none-match': etag });
      expect(response.status, path).toBe(200);
      expect(response.text, path).not.toContain(id);
      expect(response.etag, path).not.toBe(etag);
    }
    expect(await remainingIds(reader)).not.toContain(id);
    expect(await changesOf(reader)).toEqual([`remove ${id}`]);
  }

  const repeatedWithdrawal = await runItemCommand('withdraw', id);
  expect(repeatedWithdrawal.out).toBe(`${id} is withdrawn already; 2 nodes confirmed.\n`);
  expect(await runConfirmed('restore', id)).toBe(`${id} is restored; 2 nodes confirmed.\n`);
  for (const reader of readers) {
    for (const { path, etag } of reader.outputs) {
      const response = await getPage(reader.node.url + path);
      expect(response.text, path).toContain(id);
      // Equal content has an equal ETag.
      expect(response.etag, path).toBe(etag);
    }
    expect(await changesOf(reader)).toEqual([`remove ${id}`, `upsert ${id}`]);
  }
});

test('a correction is in every response of both nodes when the command returns', async () => {
  const [, id = ''] = items;
  const readers = await Promise.all(nodes.map(readAll));
  const output = await runConfirmed('correct', id, '--title', 'Put right');
  expect(output).toBe(`${id} is corrected; 2 nodes confirmed.\n`);
  for (const { node, outputs } of readers) {
    for (const { path, etag } of outputs) {
      const response = await getPage(node.url + path, { 'if-none-match': etag });
      expect(response.status, path).toBe(200);
      expect(response.text, path).toContain('Put right');
      expect(response.text, path).not.toContain('"title":"Item 1"');
    }
  }
});

test('constantly polling readers do not receive an item after its withdrawal returns', async () => {
  const id = items[2] ?? '';
  const state = { isConfirmed: false, isFinished: false };
  const readers = nodes.map(({ url }) => readRepeatedly(`${url}/api/v1/items?mode=all`, id, state));
  await runConfirmed('withdraw', id);
  state.isConfirmed = true;
  for (let index = 0; index < 50; index += 1)
    await getPage(`${nodes[0]?.url}/api/v1/items?mode=all`);
  state.isFinished = true;
  for (const counts of await Promise.all(readers)) {
    expect(counts.before).toBeGreaterThan(0);
    expect(counts.after).toBe(0);
  }
});

/** Counts how often a caching reader receives the item, before and after the confirmation. */
async function readRepeatedly(
  url: string,
  id: string,
  state: { readonly isConfirmed: boolean; readonly isFinished: boolean },
) {
  const counts = { before: 0, after: 0 };
  let cachedResponse = { etag: '', text: '' };
  while (!state.isFinished) {
    const phase = state.isConfirmed ? 'after' : 'before';
    const response = await getPage(
      url,
      cachedResponse.etag === '' ? {} : { 'if-none-match': cachedResponse.etag },
    );
    if (response.status === 200) cachedResponse = { etag: response.etag, text: response.text };
    if (cachedResponse.text.includes(id)) counts[phase] += 1;
  }
  return counts;
}

test('the command names a stalled node and does not wait for a killed one', async () => {
  const [stalledNode, killedNode] = [nodes[0] as ServingProcess, nodes[1] as ServingProcess];
  process.kill(stalledNode.pid, 'SIGSTOP');
  const id = items[3] ?? '';
  // Repeats until only the stalled node is late, because the other node may pause for a second.
  const unconfirmed = await until(async () => {
    const output = await runItemCommand('withdraw', id);
    return output.err.includes(`(process ${killedNode.pid})`) ? null : output;
  }).finally(() => process.kill(stalledNode.pid, 'SIGCONT'));
  expect(unconfirmed).toEqual({
    code: 1,
    out: '',
    err:
      `radar: ${id} is withdrawn, but not confirmed by ` +
      `${hostName()} (process ${stalledNode.pid}). A node without a confirmation may show the ` +
      'old state until it reaches the database again.\n',
  });
  // The stalled node resumes and then confirms like any other node.
  expect(await runConfirmed('withdraw', id)).toMatch(
    / is withdrawn( already)?; 2 nodes confirmed\./,
  );
  await killedNode.end('SIGKILL');
  const lastId = items[4] ?? '';
  expect(await runConfirmed('withdraw', lastId)).toBe(
    `${lastId} is withdrawn; 1 node confirmed.\n`,
  );
  expect((await getPage(`${stalledNode.url}/api/v1/items?mode=all`)).text).not.toContain(lastId);
});
