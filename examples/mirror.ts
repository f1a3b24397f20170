// An exact, resumable copy of a radar's selected set, from the public API alone: the snapshot once,
// then its changes, for ever. Needs nothing but Node 24:
//
//   node examples/mirror.ts http://127.0.0.1:4000 mirror.json [--once]
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export type MirrorState = {
  /** Next page of an unfinished snapshot; null: it is complete (or not begun). */
  page: string | null;
  /** Where changes go on from; null: begin with a snapshot. */
  cursor: string | null;
  /** Items by id, unchanged from the radar's response. */
  items: Record<string, { id: string }>;
};

export const emptyMirror = (): MirrorState => ({ page: null, cursor: null, items: {} });

export type Step = {
  /** Nothing more to read now. */
  isCurrent: boolean;
  /** Seconds until the radar allows the next request. */
  waitSeconds: number;
};

type Snapshot = { cursor: string; nextPage: string | null; items: { id: string }[] };
type Change = { op: 'upsert'; item: { id: string } } | { op: 'remove'; id: string };
type Changes = { cursor: string; hasMore: boolean; changes: Change[] };

/** One request, and what it changes in `state`. Throws only when the radar cannot be understood. */
export async function step(baseUrl: string, state: MirrorState): Promise<Step> {
  const isSnapshot = state.cursor === null || state.page !== null;
  const path = isSnapshot
    ? `/api/v1/selected/snapshot?limit=1000${state.page === null ? '' : `&page=${state.page}`}`
    : `/api/v1/selected/changes?cursor=${state.cursor}`;
  const response = await fetch(new URL(path, baseUrl), { headers: { accept: 'application/json' } });
  if (response.status === 409) {
    // The ledger that our tokens belong to is no more: what we hold stays until the new snapshot.
    await response.body?.cancel();
    Object.assign(state, emptyMirror(), { items: state.items });
    return { isCurrent: false, waitSeconds: 0 };
  }
  if (response.status === 429 || response.status === 503) {
    await response.body?.cancel();
    return { isCurrent: false, waitSeconds: Number(response.headers.get('retry-after') ?? 5) };
  }
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  if (isSnapshot) {
    takeSnapshot(state, (await response.json()) as Snapshot);
    return { isCurrent: false, waitSeconds: 0 };
  }
  const changes = (await response.json()) as Changes;
  applyChanges(state, changes);
  const maxAge = /s-maxage=(\d+)/.exec(response.headers.get('cache-control') ?? '')?.[1];
  return { isCurrent: !changes.hasMore, waitSeconds: changes.hasMore ? 0 : Number(maxAge ?? 60) };
}

function takeSnapshot(state: MirrorState, snapshot: Snapshot): void {
  if (state.page === null) state.items = {};
  for (const item of snapshot.items) state.items[item.id] = item;
  state.cursor = snapshot.cursor;
  state.page = snapshot.nextPage;
}

function applyChanges(state: MirrorState, { cursor, changes }: Changes): void {
  for (const change of changes) {
    if (change.op === 'upsert') state.items[change.item.id] = change.item;
    else delete state.items[change.id];
  }
  state.cursor = cursor;
}

async function load(file: string): Promise<MirrorState> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return emptyMirror();
    throw error;
  }
}

/** Whole or not at all: a mirror that is killed goes on where it was. */
async function save(file: string, state: MirrorState): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state));
  await rename(`${file}.new`, file);
}

async function main([baseUrl, file, flag]: string[]): Promise<void> {
  if (baseUrl === undefined || file === undefined) {
    console.error('usage: node examples/mirror.ts <address of a radar> <file> [--once]');
    process.exitCode = 2;
    return;
  }
  const state = await load(file);
  for (;;) {
    const { isCurrent, waitSeconds } = await step(baseUrl, state);
    await save(file, state);
    if (isCurrent) console.log(`${Object.keys(state.items).length} items, current`);
    if (isCurrent && flag === '--once') return;
    await sleep(waitSeconds * 1_000);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.slice(2));
