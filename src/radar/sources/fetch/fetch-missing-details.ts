// Fetches detail pages for new or edited entries of a web list whose list page lacks data. Entries
// beyond the limit wait for the next fetch.

import type { Robots } from '../../../kernel/net/robots.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { listKnownItems } from '../../../store/radar/sources/items.ts';
import type { StoredSource } from '../../../store/radar/sources/sources.ts';
import { toDrafts } from '../ingest/entry-to-item.ts';
import { matchDrafts } from '../ingest/match-drafts.ts';
import type { ParsedEntry } from '../parse/entry.ts';
import { entriesNeedingDetail } from '../parse/web-list/merge-detail.ts';
import type { WebListSettings } from '../source-settings.ts';
import { type DetailPages, fetchDetailPages } from './fetch-detail-pages.ts';

export const noDetailPages: DetailPages = {
  completedEntries: new Map(),
  deferredEntries: new Set(),
  warnings: [],
};

type WebList = { readonly source: StoredSource; readonly settings: WebListSettings };

/** An entry that equals its stored item needs no request. */
export async function fetchMissingDetails(
  world: World,
  db: Db,
  robots: Robots,
  list: WebList & { readonly entries: readonly ParsedEntry[] },
): Promise<DetailPages> {
  const wantedEntries = entriesNeedingDetail(await findNewOrEditedEntries(db, list), list.settings);
  return fetchDetailPages(world, robots, list, wantedEntries);
}

async function findNewOrEditedEntries(
  db: Db,
  { source, entries }: WebList & { entries: readonly ParsedEntry[] },
) {
  const drafts = toDrafts(entries, source.url);
  const storedItems = await listKnownItems(
    db,
    source.id,
    drafts.map((draft) => draft.entryKey),
    drafts.map((draft) => draft.canonicalUrl),
  );
  const matches = matchDrafts(drafts, storedItems).filter((match) => match.kind !== 'unchanged');
  const wantedUrls = new Set(matches.map((match) => match.draft.url));
  return entries.filter((entry) => entry.url !== null && wantedUrls.has(entry.url));
}
