// Only this file writes `story_digests`: the last digest of each story with its inputs. The table
// is private; the story's document contains the public part.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../../../kernel/ports/db.ts';
import { instant, sqlOf, toTimestamp } from '../../platform/db.ts';
import type { Schema } from '../../schema/schema.ts';

export type StoredDigest = Readonly<Selectable<Schema['story_digests']>>;

export async function listStoryDigests(
  db: Db,
  storyIds: readonly string[],
): Promise<readonly StoredDigest[]> {
  if (storyIds.length === 0) return [];
  return sqlOf(db)
    .selectFrom('story_digests')
    .selectAll()
    .where('story_id', '=', sql<string>`any(${[...storyIds]}::text[])`)
    .execute();
}

/** Ids of reports by their part in the digests of their stories. */
export type ReportRoles = {
  /** The titles of the stories come from these reports. */
  readonly titleIds: ReadonlySet<string>;
  /** These reports contain a figure that a later report has replaced. */
  readonly outdatedIds: ReadonlySet<string>;
};

export async function listReportRoles(db: Db, storyIds: readonly string[]): Promise<ReportRoles> {
  if (storyIds.length === 0) return { titleIds: new Set(), outdatedIds: new Set() };
  // The first report of a revision has the current figure, so only the others are outdated.
  const { rows } = await sql<{ readonly id: string | null; readonly role: 'title' | 'outdated' }>`
    SELECT d.digest->>'titleReportId' AS id, 'title' AS role
    FROM story_digests d
    WHERE d.story_id = any(${[...storyIds]}::text[])
    UNION
    SELECT report.id, 'outdated'
    FROM story_digests d,
         jsonb_array_elements(coalesce(d.digest->'revisions', '[]')) revision,
         jsonb_array_elements_text((revision->'reportIds') - 0) report(id)
    WHERE d.story_id = any(${[...storyIds]}::text[])`.execute(sqlOf(db));
  const idsWith = (wanted: 'title' | 'outdated') =>
    new Set(rows.flatMap(({ id, role }) => (role === wanted && id !== null ? [id] : [])));
  return { titleIds: idsWith('title'), outdatedIds: idsWith('outdated') };
}

/** Public stories, newest first, whose digest was written by another version than `rules`. */
export async function listStoriesOfOtherRules(
  db: Db,
  rules: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await sqlOf(db)
    .selectFrom('story_digests as d')
    .innerJoin('public_documents as p', (join) =>
      join.onRef('p.key', '=', 'd.story_id').on('p.kind', '=', 'story'),
    )
    .select('d.story_id')
    .where('d.rules', '!=', rules)
    .where(sql<boolean>`p.body->>'kind' = 'story'`)
    .orderBy('p.sort_at', 'desc')
    .orderBy('d.story_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.story_id);
}

export type RewriteQuery = {
  /** Only stories whose digest changed since this time; epoch milliseconds. */
  readonly since: number;
  /** A failed request is repeated when it was made before this instant. */
  readonly requestedBefore: number;
  readonly limit: number;
};

/**
 * Public stories with several reports, newest first. No request for the current state of their
 * digests is finished.
 */
export async function listStoriesAwaitingModel(
  db: Db,
  { since, requestedBefore, limit }: RewriteQuery,
): Promise<readonly string[]> {
  const rows = await sqlOf(db)
    .selectFrom('story_digests as d')
    .innerJoin('public_documents as p', (join) =>
      join.onRef('p.key', '=', 'd.story_id').on('p.kind', '=', 'story'),
    )
    .select('d.story_id')
    .where('d.updated_at', '>=', instant(since))
    .where(sql<boolean>`d.asked_inputs IS DISTINCT FROM d.inputs_hash`)
    .where(sql<boolean>`coalesce(d.asked_at < ${instant(requestedBefore)}, true)`)
    .where(sql<boolean>`cardinality(d.inputs) > 1`)
    .where(sql<boolean>`p.body->>'kind' = 'story'`)
    .orderBy('p.sort_at', 'desc')
    .orderBy('d.story_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.story_id);
}

/**
 * `inputs`: the hash of the state that was sent, when the request is finished; null: the request is
 * repeated later.
 */
export async function recordRequest(
  db: Db,
  storyId: string,
  request: { readonly inputs: string | null; readonly at: number },
): Promise<void> {
  await sqlOf(db)
    .updateTable('story_digests')
    // A state with a finished request is not requested again.
    .set(
      request.inputs === null
        ? { asked_at: toTimestamp(request.at) }
        : { asked_at: null, asked_inputs: request.inputs },
    )
    .where('story_id', '=', storyId)
    .execute();
}

export type NewDigest = Omit<StoredDigest, 'asked_inputs' | 'asked_at'>;

/** Inserts or replaces digests. The columns of the last model request are kept. */
export async function saveStoryDigests(tx: Db, rows: readonly NewDigest[]): Promise<void> {
  if (rows.length === 0) return;
  await sqlOf(tx)
    .insertInto('story_digests')
    .values(
      rows.map((row) => ({
        story_id: row.story_id,
        version: row.version,
        rules: row.rules,
        inputs_hash: row.inputs_hash,
        inputs: [...row.inputs],
        digest: JSON.stringify(row.digest),
        digest_by: row.digest_by,
        updated_at: toTimestamp(row.updated_at),
        written_with: row.written_with === null ? null : JSON.stringify(row.written_with),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('story_id').doUpdateSet((eb) => ({
        version: eb.ref('excluded.version'),
        rules: eb.ref('excluded.rules'),
        inputs_hash: eb.ref('excluded.inputs_hash'),
        inputs: eb.ref('excluded.inputs'),
        digest: eb.ref('excluded.digest'),
        digest_by: eb.ref('excluded.digest_by'),
        updated_at: eb.ref('excluded.updated_at'),
        written_with: eb.ref('excluded.written_with'),
      })),
    )
    .execute();
}
