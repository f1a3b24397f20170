// Only this file writes `price_versions` and `price_figures`: the price lists that operators added
// after the built-in list.
import { sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';

export type PriceVersion = {
  readonly version: number;
  readonly startsAt: number;
  readonly madeAt: number;
  readonly actor: string;
  readonly reason: string;
  /** Null: not withdrawn. */
  readonly withdrawnAt: number | null;
  /** Micro-fen of one unit, by sku. */
  readonly figures: Readonly<Record<string, bigint>>;
  /** The version whose model prices also apply; null: none. */
  readonly modelVersion: number | null;
};

/** Oldest first, withdrawn versions included. */
export async function readPriceVersions(db: Db): Promise<readonly PriceVersion[]> {
  type Row = Omit<PriceVersion, 'figures'> & { readonly figures: Record<string, string> };
  const { rows } = await sql<Row>`
    SELECT v.version, v.starts_at AS "startsAt", v.made_at AS "madeAt", v.actor, v.reason,
      v.withdrawn_at AS "withdrawnAt", v.model_version AS "modelVersion",
      jsonb_object_agg(f.sku, f.amount::text) AS figures
    FROM price_versions v JOIN price_figures f ON f.version = v.version
    GROUP BY v.version ORDER BY v.version`.execute(sqlOf(db));
  return rows.map(({ figures, ...row }) => ({
    ...row,
    figures: Object.fromEntries(
      Object.entries(figures).map(([sku, amount]) => [sku, BigInt(amount)]),
    ),
  }));
}

/** Locks the price lists until the caller's transaction ends. Readers are not blocked. */
export async function lockPriceVersions(tx: Db): Promise<void> {
  await sql`LOCK TABLE price_versions IN EXCLUSIVE MODE`.execute(sqlOf(tx));
}

export async function insertPriceVersion(
  tx: Db,
  list: Omit<PriceVersion, 'withdrawnAt'>,
): Promise<void> {
  const { version, figures } = list;
  await sqlOf(tx)
    .insertInto('price_versions')
    .values({
      version,
      starts_at: toTimestamp(list.startsAt),
      made_at: toTimestamp(list.madeAt),
      actor: list.actor,
      reason: list.reason,
      withdrawn_at: null,
      model_version: list.modelVersion,
    })
    .execute();
  await sqlOf(tx)
    .insertInto('price_figures')
    .values(
      Object.entries(figures).map(([sku, amount]) => ({ version, sku, amount: Number(amount) })),
    )
    .execute();
}

export async function withdrawPriceVersion(tx: Db, version: number, at: number): Promise<void> {
  await sqlOf(tx)
    .updateTable('price_versions')
    .set({ withdrawn_at: toTimestamp(at) })
    .where('version', '=', version)
    .execute();
}
