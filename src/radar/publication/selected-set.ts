// Reads the selected set for mirrors: a snapshot at one sequence number of the change log, and the
// changes after it. Tokens do not expire. A new snapshot is required when a token is from another
// epoch, or when its number is beyond the end of the log.

import type { KeyObject } from 'node:crypto';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { openCursor, sealCursor } from '../../kernel/text/cursor.ts';
import type { World } from '../../kernel/world.ts';
import { inSnapshot } from '../../store/platform/db.ts';
import {
  type PublicationHead,
  readPublicationHead,
} from '../../store/radar/publication/publication-head.ts';
import {
  countSnapshot,
  listSelectedChangesAfter,
  readSnapshotPage,
} from '../../store/radar/publication/selected-changes.ts';
import type { PublicItem } from './item.ts';
import type { Publication } from './open-publication.ts';
import { fromSelectedItem } from './selected-item.ts';

export type SelectedFields = 'default' | 'minimal';

export type Snapshot = {
  /** Epoch milliseconds of the snapshot's first page. */
  readonly asOf: number;
  readonly fields: SelectedFields;
  /** The cursor for the changes after the snapshot. It is the same on every page. */
  readonly cursor: string;
  readonly totalCount: number;
  readonly items: readonly PublicItem[];
  /** Null on the last page. */
  readonly nextPage: string | null;
};

export type SnapshotQuery = {
  /** Undefined: the value in `page`, or the default. */
  readonly fields: SelectedFields | undefined;
  readonly limit: number;
  readonly page: string | undefined;
};

/** Fails as `snapshot_required` or `invalid_cursor`. */
export async function readSelectedSnapshot(
  world: World,
  publication: Publication,
  query: SnapshotQuery,
): Promise<Snapshot> {
  return inSnapshot(publication.db, async (tx) => {
    const log = await openChangeLog(world, tx, publication);
    const firstPage = {
      watermark: log.seq,
      fields: query.fields ?? 'default',
      afterId: '',
    } as const;
    const position =
      query.page === undefined
        ? { ...firstPage, asOf: world.clock.now() }
        : readPage(log, query.page);
    if (query.fields !== undefined && query.fields !== position.fields) {
      throw new Fault(
        'invalid_cursor',
        `This page is of a snapshot with fields=${position.fields}. Send the same value of fields.`,
      );
    }
    const page = await readSnapshotPage(tx, position.watermark, position.afterId, query.limit);
    const hasMore = page.hasMore && page.lastId !== null;
    return {
      asOf: position.asOf,
      fields: position.fields,
      cursor: sealChanges(log, position.watermark, position.fields),
      totalCount: await countSnapshot(tx, position.watermark),
      items: page.items.map(fromSelectedItem),
      nextPage: hasMore ? sealPage(log, { ...position, afterId: page.lastId }) : null,
    };
  });
}

export type SelectedChange = {
  readonly id: string;
  readonly changedAt: number;
  /** Null: the item was removed from the set. */
  readonly item: PublicItem | null;
};

export type SelectedChanges = {
  readonly fields: SelectedFields;
  readonly cursor: string;
  readonly hasMore: boolean;
  readonly changes: readonly SelectedChange[];
};

/** Fails as `snapshot_required`. */
export async function readSelectedChanges(
  world: World,
  publication: Publication,
  query: { readonly cursor: string | undefined; readonly limit: number },
): Promise<SelectedChanges> {
  return inSnapshot(publication.db, async (tx) => {
    const log = await openChangeLog(world, tx, publication);
    const { seq, fields } = readChanges(log, query.cursor);
    const rows = await listSelectedChangesAfter(tx, seq, query.limit + 1);
    const page = rows.slice(0, query.limit);
    return {
      fields,
      cursor: sealChanges(log, page.at(-1)?.seq ?? seq, fields),
      hasMore: rows.length > query.limit,
      changes: page.map((row) => ({
        id: row.itemId,
        changedAt: row.changedAt,
        item: row.item === null ? null : fromSelectedItem(row.item),
      })),
    };
  });
}

type PagePosition = {
  readonly watermark: number;
  readonly fields: SelectedFields;
  readonly afterId: string;
  readonly asOf: number;
};

/** The head is read in the request's transaction, so a new epoch takes effect immediately. */
type ChangeLog = PublicationHead & { readonly secret: KeyObject };

async function openChangeLog(world: World, tx: Db, publication: Publication): Promise<ChangeLog> {
  const { epoch, seq } = await readPublicationHead(world, tx);
  return { epoch, seq, secret: publication.cursorSecret };
}

const pageScope = ({ epoch }: ChangeLog) => ({ kind: 'p1', bound: [epoch] });
const changesScope = ({ epoch }: ChangeLog) => ({ kind: 's1', bound: [epoch] });

function sealPage(
  log: ChangeLog,
  position: Omit<PagePosition, 'afterId'> & { afterId: string | null },
) {
  const { watermark, fields, afterId, asOf } = position;
  return sealCursor(log.secret, pageScope(log), [watermark, fields, afterId, asOf]);
}

function readPage(log: ChangeLog, token: string): PagePosition {
  const [watermark, fields, afterId, asOf] = openCursor(log.secret, pageScope(log), token) ?? [];
  if (
    typeof watermark !== 'number' ||
    watermark > log.seq ||
    typeof afterId !== 'string' ||
    typeof asOf !== 'number'
  ) {
    throw snapshotRequired('This page belongs to no snapshot of this radar.');
  }
  return { watermark, fields: fields === 'minimal' ? 'minimal' : 'default', afterId, asOf };
}

function sealChanges(log: ChangeLog, seq: number, fields: SelectedFields): string {
  return sealCursor(log.secret, changesScope(log), [seq, fields]);
}

function readChanges(log: ChangeLog, token: string | undefined) {
  if (token === undefined) throw snapshotRequired('Changes need the cursor of a snapshot.');
  const [seq, fields] = openCursor(log.secret, changesScope(log), token) ?? [];
  if (typeof seq !== 'number' || seq > log.seq) {
    throw snapshotRequired('This cursor belongs to no state of this radar’s selected set.');
  }
  return { seq, fields: fields === 'minimal' ? ('minimal' as const) : ('default' as const) };
}

const snapshotRequired = (reason: string) =>
  new Fault('snapshot_required', `${reason} Read /api/v1/selected/snapshot and go on from there.`);
