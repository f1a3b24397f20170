// Measures how long a start rebuilds the story engine with 100,000 live items. The engine's thread
// receives the members and stored features from a durable database. Run: bin/node24
// bench/story-start.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { timedIds } from '../src/kernel/crypto/ids.ts';
import { systemRandom } from '../src/kernel/crypto/random.ts';
import { openNet } from '../src/kernel/net/open-net.ts';
import { openLog } from '../src/kernel/observability/log.ts';
import type { Db } from '../src/kernel/ports/db.ts';
import { runningClock } from '../src/kernel/time/clock.ts';
import { addSource } from '../src/radar/sources/add-source.ts';
import { openEngine } from '../src/radar/stories/clustering/engine.ts';
import type { StoryRules } from '../src/radar/stories/rules/open-rules.ts';
import { readStoryRules } from '../src/radar/stories/rules/read-story-rules.ts';
import { rebuildReplica } from '../src/radar/stories/sync/engine-replica.ts';
import { openEngineThread } from '../src/radar/stories/sync/engine-thread.ts';
import { inTransaction, sqlOf } from '../src/store/platform/db.ts';
import { migrate } from '../src/store/platform/migrate.ts';
import { openDatabase } from '../src/store/platform/open-database.ts';
import { insertStories } from '../src/store/radar/stories/stories.ts';
import { saveFeatures } from '../src/store/radar/stories/story-features.ts';
import { putMembers } from '../src/store/radar/stories/story-members.ts';
import { type BenchRow, rowsAsTable } from './row.ts';
import { benchStream } from './stories.ts';

const LIVE_ITEMS = 100_000;
const CHUNK_ITEMS = 2_000;

async function benchStoryStart(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-bench-'));
  const clock = runningClock();
  const random = systemRandom();
  const log = openLog({ level: 'error', now: clock.now });
  const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'bench' });
  const world = { clock, random, ids: timedIds(clock, random), net, log };
  const options = { databaseUrl: null, dataDir: folder, isDurable: true };
  const database = await openDatabase(world, options);
  try {
    await migrate(world, database.db);
    const commonFields = { owner: 'Bench', language: 'en', intervalMinutes: 30, tier: 'T1' };
    const pushFields = { kind: 'push', participation: 'editorial', settings: {} };
    const source = { id: 'bench', name: 'Bench', ...commonFields, ...pushFields };
    await addSource(world, database.db, source);
    const bytes = await fillDatabase(database.db, await readStoryRules('editorial'));
    const thread = await openEngineThread('editorial');
    const startedAt = performance.now();
    await rebuildReplica(database.db, thread, 0);
    const value = (performance.now() - startedAt) / 1000;
    await thread.close();
    const bytesPerItem = Math.round(bytes / LIVE_ITEMS);
    const note = `${LIVE_ITEMS.toLocaleString('en')} live items, ${bytesPerItem} bytes each`;
    const name = 'stories: engine rebuilt from the store';
    return [{ name, value, unit: 's', goal: { atMost: 10 }, note }];
  } finally {
    await database.close();
    await net.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Stores items, groups, members and features as the story service does. Returns the total bytes of
 * the features.
 */
async function fillDatabase(db: Db, rules: StoryRules): Promise<number> {
  const engine = openEngine(rules);
  const [storyIds, rows] = [new Set<string>(), [] as Row[]];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    await writeRows(db, rules.featureVersion, rows, storyIds);
    rows.length = 0;
  };
  let ordinal = 0;
  for (const { item, event } of benchStream(LIVE_ITEMS)) {
    engine.restore(item, event);
    const view = engine.featuresOf(item.id) ?? new Uint8Array();
    bytes += view.length;
    ordinal += 1;
    const { id, title, text = '', timeMs } = item;
    rows.push({ id, title, text, at: timeMs ?? 0, event, view, ordinal });
    if (rows.length === CHUNK_ITEMS) await flush();
  }
  await flush();
  return bytes;
}

type Row = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly at: number;
  readonly event: string;
  readonly view: Uint8Array;
  readonly ordinal: number;
};

async function writeRows(db: Db, version: string, rows: readonly Row[], storyIds: Set<string>) {
  const json = JSON.stringify(rows.map(({ id, title, text, at }) => ({ id, title, text, at })));
  const newRows = sql`jsonb_to_recordset(${json}::jsonb)
    AS r (id text, title text, text text, at bigint)`;
  const at = sql`to_timestamp(r.at / 1000)`;
  await inTransaction(db, async (tx) => {
    const query = sqlOf(tx);
    await sql`
      INSERT INTO items (id, source_id, entry_key, url, canonical_url, title, summary, content,
        published_at, discovered_at, updated_at, content_hash, revision, is_backfill)
      SELECT r.id, 'bench', r.id, 'https://news.example/' || r.id, 'https://news.example/' || r.id,
        r.title, '', r.text, ${at}, ${at}, ${at}, r.id, 1, false FROM ${newRows}`.execute(query);
    await sql`INSERT INTO reading_groups (id, first_appeared_at)
      SELECT r.id, ${at} FROM ${newRows}`.execute(query);
    await sql`INSERT INTO reading_group_members (item_id, group_id)
      SELECT r.id, r.id FROM ${newRows}`.execute(query);
    const newStories = rows.filter(({ event }) => !storyIds.has(event) && storyIds.add(event));
    await insertStories(
      tx,
      newStories.map((row) => {
        return {
          id: row.event,
          founded_at: row.at,
          merged_into: null,
          is_closed: false,
          version: 1,
        };
      }),
    );
    await putMembers(
      tx,
      rows.map(({ id, event, at: time, ordinal }) => {
        return { item_id: id, story_id: event, at: time, ordinal };
      }),
    );
    await saveFeatures(
      tx,
      version,
      rows.map((row) => ({ itemId: row.id, at: row.at, view: row.view })),
    );
  });
}

if (import.meta.main) console.log(rowsAsTable(await benchStoryStart()));
