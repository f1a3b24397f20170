// Documents in the read model: stories of the window and of the ranking, the ranking, and the
// newest reports. Their text is parsed only when it is read, because most are never read.
import { timeSection } from '../../../kernel/observability/timed-section.ts';
import type { DocumentName } from '../../../store/radar/publication/public-documents.ts';
import type { DocumentKind } from '../../../store/schema/stories.ts';
import { type BodyOf, RANKING_KEY } from '../documents/bodies.ts';
import { changeTable, emptyTable, type IdTable, rowOf } from './id-table.ts';
import { earliestKeptAt, isSameMinute } from './window.ts';

export type PublicDocument<K extends DocumentKind = DocumentKind> = {
  readonly kind: K;
  readonly key: string;
  /** Parsed at each access; callers read it once. */
  readonly body: BodyOf<K>;
  /** Epoch milliseconds. */
  readonly sortAt: number;
};

type Table = IdTable<PublicDocument>;

export type Documents = {
  readonly tables: ReadonlyMap<DocumentKind, Table>;
  /** Time of the last removal of expired documents. */
  readonly expiredRemovedAt: number;
};

export type DocumentChanges = {
  readonly upserts: readonly PublicDocument[];
  readonly removals: readonly DocumentName[];
};

/** Number of reports per kind in memory: half a year of dailies, more than a year of the others. */
export const REPORTS_MAX = { daily: 200, weekly: 70, monthly: 70 } as const;

const emptyDocumentTable: Table = emptyTable((document) => document.key);

export const noDocuments: Documents = { tables: new Map(), expiredRemovedAt: Number.NaN };

/** `text`: the body as JSON. */
export function documentFrom(row: DocumentName & { text: string; sortAt: number }): PublicDocument {
  const { kind, key, text, sortAt } = row;
  return {
    kind,
    key,
    sortAt,
    get body() {
      return timeSection('document: parse', () => JSON.parse(text));
    },
  };
}

export type ReadModelDocuments = { readonly documents: Documents };

/** Null: not public, or not in memory; `findDocument` continues in the database. */
export function documentOf<K extends DocumentKind>(
  model: ReadModelDocuments,
  kind: K,
  key: string,
): PublicDocument<K> | null {
  const document = rowOf(model.documents.tables.get(kind) ?? emptyDocumentTable, key) ?? null;
  // A table contains only documents of its kind.
  return document as PublicDocument<K> | null;
}

/** True when the read model certainly contains all public documents of this kind. */
export function containsAllDocuments(model: ReadModelDocuments, kind: DocumentKind): boolean {
  if (kind === 'story') return false;
  const size = model.documents.tables.get(kind)?.size ?? 0;
  return kind === 'ranking' || size < REPORTS_MAX[kind];
}

const sortedDocuments = new WeakMap<Table, readonly PublicDocument[]>();

/** Newest first: by sort time, then key, both descending. */
export function newestDocuments<K extends DocumentKind>(
  model: ReadModelDocuments,
  kind: K,
  limit: number,
): readonly PublicDocument<K>[] {
  const table = model.documents.tables.get(kind) ?? emptyDocumentTable;
  // A table contains only documents of its kind.
  return sortNewestFirst(table).slice(0, limit) as readonly PublicDocument[] as PublicDocument<K>[];
}

function sortNewestFirst(table: Table): readonly PublicDocument[] {
  const sortedTable = sortedDocuments.get(table) ?? table.shards.flat().sort(compareDocuments);
  sortedDocuments.set(table, sortedTable);
  return sortedTable;
}

const compareDocuments = (a: PublicDocument, b: PublicDocument) =>
  b.sortAt - a.sortAt || (a.key < b.key ? 1 : -1);

/** Ids of the stories in the ranking. The read model keeps these stories at any age. */
export function listRankedStoryIds(model: ReadModelDocuments): readonly string[] {
  const ranking = documentOf(model, 'ranking', RANKING_KEY);
  return ranking === null ? [] : ranking.body.topics.map((topic) => topic.storyId);
}

/**
 * Returns the documents after the changes, without those that are expired at `now`. A removal
 * overrides an upsert of the same document.
 */
export function applyDocuments(
  documents: Documents,
  { upserts, removals }: DocumentChanges,
  now: number,
): Documents {
  const tables = new Map(documents.tables);
  const changedKinds = Map.groupBy([...upserts, ...removals], (change) => change.kind);
  const addedDocuments = new Map(upserts.map((document) => [nameOf(document), document]));
  for (const ref of removals) addedDocuments.delete(nameOf(ref));
  for (const [kind, changes] of changedKinds) {
    const before = tables.get(kind) ?? emptyDocumentTable;
    const keys = [...new Set(changes.map((change) => change.key))];
    tables.set(
      kind,
      changeTable(
        before,
        keys.flatMap((key) => rowOf(before, key) ?? []),
        keys.flatMap((key) => addedDocuments.get(nameOf({ kind, key })) ?? []),
      ),
    );
  }
  // Once a minute and for a new ranking, all stories are checked for expiry, otherwise only the
  // changed ones.
  const isDue = changedKinds.has('ranking') || !isSameMinute(now, documents.expiredRemovedAt);
  const stories = isDue
    ? (tables.get('story')?.shards.flat() ?? [])
    : (changedKinds.get('story') ?? []);
  dropOldStories(tables, stories, now);
  for (const kind of reportKinds) if (changedKinds.has(kind)) dropOldReports(tables, kind);
  return { tables, expiredRemovedAt: isDue ? now : documents.expiredRemovedAt };
}

type Tables = Map<DocumentKind, Table>;

const reportKinds = ['daily', 'weekly', 'monthly'] as const;

function dropOldStories(tables: Tables, candidates: readonly DocumentName[], now: number): void {
  const table = tables.get('story');
  if (table === undefined) return;
  const from = earliestKeptAt(now);
  const oldStories = candidates.flatMap(({ key }) => {
    const story = rowOf(table, key);
    return story !== undefined && story.sortAt < from ? [story] : [];
  });
  if (oldStories.length === 0) return;
  const rankedIds = new Set(listRankedStoryIds({ documents: { tables, expiredRemovedAt: now } }));
  const droppedStories = new Set(oldStories.filter((story) => !rankedIds.has(story.key)));
  tables.set('story', changeTable(table, droppedStories, []));
}

function dropOldReports(tables: Tables, kind: (typeof reportKinds)[number]): void {
  const table = tables.get(kind) ?? emptyDocumentTable;
  const oldReports = sortNewestFirst(table).slice(REPORTS_MAX[kind]);
  if (oldReports.length > 0) tables.set(kind, changeTable(table, oldReports, []));
}

const nameOf = ({ kind, key }: DocumentName) => `${kind} ${key}`;
