// Reads one item for operators: the source's text, the public form, and all actions, newest first.

import type { Db } from '../../kernel/ports/db.ts';
import { toWireTime } from '../../kernel/time/calendar.ts';
import { listPublicItemRows } from '../../store/radar/publication/public-items.ts';
import { listActionsOfItem } from '../../store/radar/sources/item-overrides.ts';
import { findItem } from '../../store/radar/sources/items.ts';
import { fromPublicRow } from './public-row.ts';

/** Null: the item does not exist. */
export async function readItemRecord(db: Db, id: string) {
  const item = await findItem(db, id);
  if (item === null) return null;
  const [row] = await listPublicItemRows(db, [id]);
  const actions = await listActionsOfItem(db, id);
  return {
    id,
    source: item.source_id,
    url: item.url,
    title: item.title,
    publishedAt: item.published_at === null ? null : toWireTime(item.published_at),
    discoveredAt: toWireTime(item.discovered_at),
    revision: item.revision,
    awaitsEnrichment: item.awaits_desk_since !== null,
    /** Null: not public. */
    public: row === undefined ? null : fromPublicRow(row),
    actions: actions.map(({ action, at, actor, fields, note }) => ({
      action,
      at: toWireTime(at),
      actor,
      fields,
      note,
    })),
  };
}
