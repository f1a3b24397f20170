// Documents in the read model: stories of the window and of the ranking, the ranking, and the
// newest reports. Their text is parsed on first use, because most are never read.
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
  readonly sweptAt: number;
};

export type DocumentChanges = {
  readonly upserts: readonly PublicDocument[];
  readonly removals: readonly DocumentName[];
};

/** Number of reports per kind in memory: half a year of dailies, more than a year of the others. */
export const maxReports = { daily: 200, weekly: 70, monthly: 70 } as const;

const noTable: Table = emptyTable((document) => document.key);

export const noDocuments: Documents = { tables: new Map(), sweptAt: Number.NaN };

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
  const document = rowOf(model.documents.tables.get(kind) ?? noTable, key) ?? null;
  // A table contains only documents of its kind.
  return document as PublicDocument<K> | null;
}

/** Whether a document of this kind is certainly not public when the read model lacks it. */
export function containsAllDocuments(model: ReadModelDocuments, kind: DocumentKind): boolean {
  if (kind === 'story') return false;
  const size = model.documents.tables.get(kind)?.size ?? 0;
  return kind === 'ranking' || size < maxReports[kind];
}

const sortedDocuments = new WeakMap<Table, readonly PublicDocument[]>();

/** Newest first: by sort time, then key, both descending. */
export function newestDocuments<K extends DocumentKind>(
  model: ReadModelDocuments,
  kind: K,
  limit: number,
): readonly PublicDocument<K>[] {
  const table = model.documents.tables.get(kind) ?? noTable;
  // A table contains only documents of its kind.
  return newestFirst(table).slice(0, limit) as readonly PublicDocument[] as PublicDocument<K>[];
}

function newestFirst(table: Table): readonly PublicDocument[] {
  const sorted = sortedDocuments.get(table) ?? table.shards.flat().sort(compareDocuments);
  sortedDocuments.set(table, sorted);
  return sorted;
}

const compareDocuments = (a: PublicDocument, b: PublicDocument) =>
  b.sortAt - a.sortAt || (a.key < b.key ? 1 : -1);

/** Ids of the stories in the ranking. They are kept at any age. */
export function rankedStories(model: ReadModelDocuments): readonly string[] {
  const ranking = documentOf(model, 'ranking', RANKING_KEY);
  return ranking === null ? [] : ranking.body.topics.map((topic) => topic.storyId);
}

/** The documents after `changes`, at `now`. A reference that is also upserted is removed. */
export function applyDocuments(
  documents: Documents,
  { upserts, removals }: DocumentChanges,
  now: number,
): Documents {
  const tables = new Map(documents.tables);
  const changed = Map.groupBy([...upserts, ...removals], (change) => change.kind);
  const added = new Map(upserts.map((document) => [nameOf(document), document]));
  for (const ref of removals) added.delete(nameOf(ref));
  for (const [kind, changes] of changed) {
    const before = tables.get(kind) ?? noTable;
    const keys = [...new Set(changes.map((change) => change.key))];
    tables.set(
      kind,
      changeTable(
        before,
        keys.flatMap((key) => rowOf(before, key) ?? []),
        keys.flatMap((key) => added.get(nameOf({ kind, key })) ?? []),
      ),
    );
  }
  // All documents are checked for expiry once a minute; in between, only the changed ones.
  const isDue = changed.has('ranking') || !isSameMinute(now, documents.sweptAt);
  const stories = isDue ? (tables.get('story')?.shards.flat() ?? []) : (changed.get('story') ?? []);
  dropOldStories(tables, stories, now);
  for (const kind of reportKinds) if (changed.has(kind)) dropOldReports(tables, kind);
  return { tables, sweptAt: isDue ? now : documents.sweptAt };
}

type Tables = Map<DocumentKind, Table>;

const reportKinds = ['daily', 'weekly', 'monthly'] as const;

function dropOldStories(tables: Tables, candidates: readonly DocumentName[], now: number): void {
  const table = tables.get('story');
  if (table === undefined) return;
  const from = earliestKeptAt(now);
  const old = candidates.flatMap(({ key }) => {
    const story = rowOf(table, key);
    return story !== undefined && story.sortAt < from ? [story] : [];
  });
  if (old.length === 0) return;
  const ranked = new Set(rankedStories({ documents: { tables, sweptAt: now } }));
  const dropped = new Set(old.filter((story) => !ranked.has(story.key)));
  tables.set('story', changeTable(table, dropped, []));
}

function dropOldReports(tables: Tables, kind: (typeof reportKinds)[number]): void {
  const table = tables.get(kind) ?? noTable;
  const old = newestFirst(table).slice(maxReports[kind]);
  if (old.length > 0) tables.set(kind, changeTable(table, old, []));
}

const nameOf = ({ kind, key }: DocumentName) => `${kind} ${key}`;
