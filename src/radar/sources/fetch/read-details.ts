// The pages behind the entries of a web list that says too little of them: only what is new or
// edited. What is not asked for now waits for the next reading.

import type { Robots } from '../../../kernel/net/robots.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import { knownItems } from '../../../store/radar/sources/items.ts';
import type { Source } from '../../../store/radar/sources/sources.ts';
import { toDrafts } from '../ingest/entry-to-item.ts';
import { matchDrafts } from '../ingest/match-drafts.ts';
import type { Entry } from '../parse/entry.ts';
import { entriesNeedingDetail } from '../parse/web-list/merge-detail.ts';
import type { WebListSettings } from '../source-settings.ts';
import { askForPages, type Details } from './fetch-detail-pages.ts';

export const noDetails: Details = { detailed: new Map(), left: new Set(), warnings: [] };

type List = { readonly source: Source; readonly settings: WebListSettings };

/** Of entries that are stored already and still the same, nothing is asked. */
export async function readDetails(
  world: World,
  db: Db,
  robots: Robots,
  list: List & { readonly entries: readonly Entry[] },
): Promise<Details> {
  const wanted = entriesNeedingDetail(await freshEntries(db, list), list.settings);
  return askForPages(world, robots, list, wanted);
}

async function freshEntries(db: Db, { source, entries }: List & { entries: readonly Entry[] }) {
  const drafts = toDrafts(entries, source.url);
  const known = await knownItems(
    db,
    source.id,
    drafts.map((draft) => draft.entryKey),
    drafts.map((draft) => draft.canonicalUrl),
  );
  const matches = matchDrafts(drafts, known).filter((match) => match.kind !== 'unchanged');
  const fresh = new Set(matches.map((match) => match.draft.url));
  return entries.filter((entry) => entry.url !== null && fresh.has(entry.url));
}
