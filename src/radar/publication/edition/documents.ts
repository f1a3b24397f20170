// The documents that an edition holds: stories of the window and of the ranking, the ranking, and
// the newest reports. Their text is parsed when somebody reads it: most are never asked for.
import type { DocumentName } from '../../../store/public-documents.ts';
import type { DocumentKind } from '../../../store/schema/stories.ts';
import { type BodyOf, RANKING_KEY } from '../documents/bodies.ts';
import { changeTable, emptyTable, type IdTable, rowOf } from './id-table.ts';
import { isSameMinute, keptFrom } from './window.ts';

export type PublicDocument<K extends DocumentKind = DocumentKind> = {
  readonly kind: K;
  readonly key: string;
  /** Parsed anew at each reading: take it once. */
  readonly body: BodyOf<K>;
  /** Epoch milliseconds. */
  readonly sortAt: number;
};

type Table = IdTable<PublicDocument>;

export type Documents = {
  readonly tables: ReadonlyMap<DocumentKind, Table>;
  /** When what is too old was last looked for. */
  readonly sweptAt: number;
};

export type DocumentChanges = {
  readonly upserts: readonly PublicDocument[];
  readonly removals: readonly DocumentName[];
};

/** How many of each kind of report are held: half a year of days, a year and more of the others. */
export const heldReports = { daily: 200, weekly: 70, monthly: 70 } as const;

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
      return JSON.parse(text);
    },
  };
}

type Holder = { readonly documents: Documents };

/** Null: not public, or not held; `findDocument` looks further. */
export function documentOf<K extends DocumentKind>(
  edition: Holder,
  kind: K,
  key: string,
): PublicDocument<K> | null {
  const document = rowOf(edition.documents.tables.get(kind) ?? noTable, key) ?? null;
  // A table holds documents of its own kind only.
  return document as PublicDocument<K> | null;
}

/** Whether what the edition does not hold of a kind is not public at all. */
export function holdsAll(edition: Holder, kind: DocumentKind): boolean {
  if (kind === 'story') return false;
  const size = edition.documents.tables.get(kind)?.size ?? 0;
  return kind === 'ranking' || size < heldReports[kind];
}

const inOrder = new WeakMap<Table, readonly PublicDocument[]>();

/** Newest first: by sort time, then key, both descending. */
export function newestDocuments<K extends DocumentKind>(
  edition: Holder,
  kind: K,
  limit: number,
): readonly PublicDocument<K>[] {
  const table = edition.documents.tables.get(kind) ?? noTable;
  // A table holds documents of its own kind only.
  return newestFirst(table).slice(0, limit) as readonly PublicDocument[] as PublicDocument<K>[];
}

function newestFirst(table: Table): readonly PublicDocument[] {
  const sorted = inOrder.get(table) ?? table.shards.flat().sort(compareDocuments);
  inOrder.set(table, sorted);
  return sorted;
}

const compareDocuments = (a: PublicDocument, b: PublicDocument) =>
  b.sortAt - a.sortAt || (a.key < b.key ? 1 : -1);

/** Ids of the stories in the edition's ranking: held, however old they are. */
export function rankedStories(edition: Holder): readonly string[] {
  const ranking = documentOf(edition, 'ranking', RANKING_KEY);
  return ranking === null ? [] : ranking.body.topics.map((topic) => topic.storyId);
}

/** The documents after `changes`, at `now`. A ref that is also upserted is removed. */
export function applyDocuments(
  documents: Documents,
  { upserts, removals }: DocumentChanges,
  now: number,
): Documents {
  if (upserts.length + removals.length === 0 && isSameMinute(now, documents.sweptAt)) {
    return documents;
  }
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
  return { tables: sweep({ tables, sweptAt: now }), sweptAt: now };
}

const nameOf = ({ kind, key }: DocumentName) => `${kind} ${key}`;

function sweep(documents: Documents): ReadonlyMap<DocumentKind, Table> {
  const tables = new Map(documents.tables);
  const drop = (kind: DocumentKind, old: readonly PublicDocument[]) => {
    const table = tables.get(kind);
    if (table !== undefined && old.length > 0) tables.set(kind, changeTable(table, old, []));
  };
  const ranked = new Set(rankedStories({ documents }));
  const from = keptFrom(documents.sweptAt);
  const stories = tables.get('story')?.shards.flat() ?? [];
  drop(
    'story',
    stories.filter(({ key, sortAt }) => sortAt < from && !ranked.has(key)),
  );
  for (const kind of ['daily', 'weekly', 'monthly'] as const) {
    const table = tables.get(kind);
    if (table !== undefined) drop(kind, newestFirst(table).slice(heldReports[kind]));
  }
  return tables;
}
