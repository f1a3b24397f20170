// The digest of each story as it was last written, and of what: the only writer of
// `story_digests`. Private: what is public of it is in the story's document.
import { type Selectable, sql } from 'kysely';
import type { Db } from '../kernel/db.ts';
import { sqlOf, toTimestamp } from './db.ts';
import type { Schema } from './schema.ts';

export type StoredDigest = Readonly<Selectable<Schema['story_digests']>>;

export async function storyDigests(
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

/** Public stories, the newest first, whose digest was written by other rules than these. */
export async function storiesOfOtherRules(
  db: Db,
  rules: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await sqlOf(db)
    .selectFrom('story_digests as d')
    .innerJoin('public_documents as p', (on) =>
      on.onRef('p.key', '=', 'd.story_id').on('p.kind', '=', 'story'),
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

export type NewDigest = Omit<StoredDigest, 'asked_inputs' | 'asked_at'>;

/** When a model was asked last is not touched. */
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
