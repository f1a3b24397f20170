// Finds a document in this node's read model, or in the database when the read model does not
// contain it. Every output format finds stories and reports through these functions.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import {
  listDocumentTexts,
  readNeighbourKeys,
} from '../../../store/radar/publication/public-documents.ts';
import type { DocumentKind, ReportKind } from '../../../store/schema/stories.ts';
import { withinDatabaseTimeout } from '../await-database.ts';
import type { Publication } from '../open-publication.ts';
import {
  containsAllDocuments,
  documentFrom,
  documentOf,
  newestDocuments,
  type PublicDocument,
} from '../read-model/documents.ts';
import type { StoryBody } from './bodies.ts';

/**
 * Null: not public. Rejects as `temporarily_unavailable` when the read model does not contain the
 * document and the database is unavailable.
 */
export async function findDocument<K extends DocumentKind>(
  world: World,
  publication: Publication,
  kind: K,
  key: string,
): Promise<PublicDocument<K> | null> {
  const model = publication.readModel();
  const document = documentOf(model, kind, key);
  if (document !== null || containsAllDocuments(model, kind)) return document;
  // PostgreSQL cannot represent these keys.
  if (key.includes('\0') || !key.isWellFormed()) return null;
  const [row] = await withinDatabaseTimeout(
    world,
    listDocumentTexts(publication.db, [{ kind, key }]),
  );
  return row === undefined ? null : (documentFrom(row) as PublicDocument<K>);
}

/**
 * Returns the public stories with these ids. While the database is unavailable, it returns only
 * stories of the read model.
 */
export async function findStories(
  world: World,
  publication: Publication,
  ids: readonly string[],
): Promise<readonly PublicDocument<'story'>[]> {
  const model = publication.readModel();
  const documents = ids.flatMap((id) => documentOf(model, 'story', id) ?? []);
  const foundKeys = new Set(documents.map(({ key }) => key));
  const missingKeys = ids.filter((id) => !foundKeys.has(id));
  if (missingKeys.length === 0 || containsAllDocuments(model, 'story')) return documents;
  const names = missingKeys.map((key) => ({ kind: 'story' as const, key }));
  try {
    const rows = await withinDatabaseTimeout(world, listDocumentTexts(publication.db, names));
    return [...documents, ...rows.map((row) => documentFrom(row) as PublicDocument<'story'>)];
  } catch (error) {
    if (error instanceof Fault && error.code === 'temporarily_unavailable') return documents;
    throw error;
  }
}

export type FoundStory =
  | { readonly kind: 'story'; readonly body: StoryBody }
  /** The story was merged; `into` is the public story at the end of the chain of merges. */
  | { readonly kind: 'moved'; readonly into: string }
  | { readonly kind: 'none' };

/** Fails like `findDocument`. */
export async function findStory(
  world: World,
  publication: Publication,
  id: string,
): Promise<FoundStory> {
  const body = (await findDocument(world, publication, 'story', id))?.body;
  if (body === undefined) return { kind: 'none' };
  if (body.kind === 'story') return { kind: 'story', body };
  const target = await findDocument(world, publication, 'story', body.into);
  return target?.body.kind === 'story' ? { kind: 'moved', into: body.into } : { kind: 'none' };
}

export type ReportNeighbours = { readonly prevKey: string | null; readonly nextKey: string | null };

/** Returns the keys of the reports before and after a public report. Fails like `findDocument`. */
export async function findReportNeighbours(
  world: World,
  publication: Publication,
  kind: ReportKind,
  key: string,
): Promise<ReportNeighbours> {
  const model = publication.readModel();
  const documents = newestDocuments(model, kind, Number.POSITIVE_INFINITY);
  const index = documents.findIndex((document) => document.key === key);
  const isKnown =
    index !== -1 && (index < documents.length - 1 || containsAllDocuments(model, kind));
  if (!isKnown) return withinDatabaseTimeout(world, readNeighbourKeys(publication.db, kind, key));
  return { prevKey: documents[index + 1]?.key ?? null, nextKey: documents[index - 1]?.key ?? null };
}
