// Only this file writes `public_documents`: stories, rankings and reports. The read model of every
// node loads its documents from this table.
import { sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { DocumentKind, ReportKind } from '../../schema/stories.ts';

export type DocumentName = { readonly kind: DocumentKind; readonly key: string };

export type StoredDocument = DocumentName & {
  readonly body: unknown;
  readonly cites: readonly string[];
  readonly sortAt: number;
};

/** The body as its JSON text. */
export type DocumentText = DocumentName & { readonly text: string; readonly sortAt: number };

const textColumns = [
  'kind',
  'key',
  'sort_at as sortAt',
  sql<string>`body::text`.as('text'),
] as const;

const isNamed = (names: readonly DocumentName[]) =>
  sql<boolean>`(kind, key) IN (SELECT * FROM unnest(
    ${names.map(({ kind }) => kind)}::text[], ${names.map(({ key }) => key)}::text[]))`;

export async function listPublicDocuments(
  db: Db,
  names: readonly DocumentName[],
): Promise<readonly StoredDocument[]> {
  if (names.length === 0) return [];
  return sqlOf(db)
    .selectFrom('public_documents')
    .select(['kind', 'key', 'body', 'cites', 'sort_at as sortAt'])
    .where(isNamed(names))
    .execute();
}

/** Documents that cite any of these items. */
export async function listDocumentsCiting(
  db: Db,
  itemIds: readonly string[],
): Promise<readonly DocumentName[]> {
  if (itemIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('public_documents')
    .select(['kind', 'key'])
    .where(sql<boolean>`cites && ${[...itemIds]}::text[]`)
    .execute();
}

export async function savePublicDocuments(
  tx: Db,
  documents: readonly StoredDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  await sqlOf(tx)
    .insertInto('public_documents')
    .values(
      documents.map(({ kind, key, body, cites, sortAt }) => ({
        kind,
        key,
        body: JSON.stringify(body),
        cites: [...cites],
        sort_at: toTimestamp(sortAt),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet((eb) => ({
        body: eb.ref('excluded.body'),
        cites: eb.ref('excluded.cites'),
        sort_at: eb.ref('excluded.sort_at'),
      })),
    )
    .execute();
}

export async function deletePublicDocuments(tx: Db, names: readonly DocumentName[]): Promise<void> {
  if (names.length === 0) return;
  await sqlOf(tx).deleteFrom('public_documents').where(isNamed(names)).execute();
}

export async function listDocumentTexts(
  db: Db,
  names: readonly DocumentName[],
): Promise<readonly DocumentText[]> {
  if (names.length === 0) return [];
  return sqlOf(db)
    .selectFrom('public_documents')
    .select(textColumns)
    .where(isNamed(names))
    .execute();
}

/** Stories with a `sort_at` of `since` or later, in pages of `limit` by ascending key. */
export async function listStoryTextsSince(
  db: Db,
  since: number,
  afterKey: string,
  limit: number,
): Promise<readonly DocumentText[]> {
  return sqlOf(db)
    .selectFrom('public_documents')
    .select(textColumns)
    .where('kind', '=', 'story')
    .where('key', '>', afterKey)
    .where('sort_at', '>=', instant(since))
    .orderBy('key')
    .limit(limit)
    .execute();
}

/** Newest first. */
export async function listNewestReportTexts(
  db: Db,
  kind: ReportKind,
  limit: number,
): Promise<readonly DocumentText[]> {
  return sqlOf(db)
    .selectFrom('public_documents')
    .select(textColumns)
    .where('kind', '=', kind)
    .orderBy('sort_at', 'desc')
    .orderBy('key', 'desc')
    .limit(limit)
    .execute();
}

/** The keys of the previous and the next report. Keys of reports ascend with time. */
export async function readNeighbourKeys(
  db: Db,
  kind: ReportKind,
  key: string,
): Promise<{ readonly prevKey: string | null; readonly nextKey: string | null }> {
  const { rows } = await sql<{ prevKey: string | null; nextKey: string | null }>`
    SELECT max(key) FILTER (WHERE key < ${key}) AS "prevKey",
      min(key) FILTER (WHERE key > ${key}) AS "nextKey"
    FROM public_documents WHERE kind = ${kind}`.execute(sqlOf(db));
  return rows[0] ?? { prevKey: null, nextKey: null };
}

export type LoggedDocument = DocumentName & {
  readonly seq: number;
  /** Null: not public, or no longer public. */
  readonly document: DocumentText | null;
};

/** Documents changed after `seq`, in their current state; each once, at its last change. */
export async function listDocumentChangesSince(
  db: Db,
  seq: number,
): Promise<readonly LoggedDocument[]> {
  const logged = await sqlOf(db)
    .selectFrom('publication_log')
    .select(({ fn }) => ['kind', 'key', fn.max('seq').as('seq')])
    .where('seq', '>', seq)
    .where('kind', '!=', 'item')
    .groupBy(['kind', 'key'])
    .orderBy('seq')
    .execute();
  const names = logged.map(({ kind, key }) => ({ kind: kind as DocumentKind, key }));
  const texts = await listDocumentTexts(db, names);
  const byName = new Map(texts.map((text) => [`${text.kind} ${text.key}`, text]));
  return names.map(({ kind, key }, index) => ({
    kind,
    key,
    seq: Number(logged[index]?.seq),
    document: byName.get(`${kind} ${key}`) ?? null,
  }));
}
