// Writes news entries that enrichment selects when a first party publishes them. Reads the stored
// fetches and the selected change log.
import type { Db } from '../../src/kernel/ports/db.ts';
import { HOUR_MS } from '../../src/kernel/time/durations.ts';
import { listSelectedChangesAfter } from '../../src/store/radar/publication/selected-changes.ts';
import { listLatestFetchRows } from '../../src/store/radar/sources/fetches.ts';
import type { FeedEntry, LoopbackSite } from './loopback-site.ts';
import { TEST_NOW } from './test-world.ts';

/** An entry of `site`, one hour old; `name` is its subject and its id. */
export function newsOf(
  site: LoopbackSite,
  name: string,
  overrides: Partial<FeedEntry> = {},
): FeedEntry {
  return {
    id: name,
    title:
      `Halden Labs releases ${name}, ` +
      'a 70B open-weights language model with a 1M-token context',
    text:
      `Halden Labs today released ${name}, a language model with open weights. ` +
      'It scores 71.2 percent on the public reasoning benchmark, up from 58.4 percent, ' +
      'and costs $2 per million tokens through the API.',
    link: `${site.url}/${name}`,
    at: TEST_NOW - HOUR_MS,
    ...overrides,
  };
}

/** The latest attempts to fetch a source, newest first. */
export async function listLatestFetches(db: Db, sourceId: string, count: number) {
  const rows = await listLatestFetchRows(db, sourceId, count);
  return rows.map(({ outcome, status, entries, created, changed, message }) => {
    return { outcome, status, entries, created, changed, message };
  });
}

/** The change log of the selected set as `upsert <title>` and `remove`, with the item's id. */
export async function selectedChangeLines(db: Db): Promise<readonly (readonly [string, string])[]> {
  const rows = await listSelectedChangesAfter(db, 0, 10_000);
  return rows.map(({ itemId, item }) => [itemId, item === null ? 'remove' : String(item.title)]);
}
