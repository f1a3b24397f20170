// Only this file writes `model_prices` (prices of models by token class) and `price_proposals`
// (imported prices that an operator can accept).
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf, toTimestamp } from '../platform/db.ts';

export type ModelPriceRow = {
  readonly model: string;
  readonly class: string;
  /** Number of input tokens from which the price applies. */
  readonly from: number;
  /** A service tier; '' is the standard tier. */
  readonly variant: string;
  /** Per million tokens; per call for the classes `request` and `tool:…`. */
  readonly microFen: bigint;
  readonly origin: 'manual' | 'import';
};

/** Prices of one version, by model, class and tier. */
export async function readModelPrices(db: Db, version: number): Promise<readonly ModelPriceRow[]> {
  const rows = await sqlOf(db)
    .selectFrom('model_prices')
    .selectAll()
    .where('version', '=', version)
    .orderBy('model')
    .orderBy('class')
    .orderBy('from_tokens')
    .orderBy('variant')
    .execute();
  return rows.map((row) => ({
    model: row.model,
    class: row.class,
    from: Number(row.from_tokens),
    variant: row.variant,
    microFen: BigInt(row.micro_fen),
    origin: row.origin,
  }));
}

const ROWS_AT_ONCE = 1_000;

export async function insertModelPrices(
  tx: Db,
  version: number,
  prices: readonly ModelPriceRow[],
): Promise<void> {
  for (let index = 0; index < prices.length; index += ROWS_AT_ONCE) {
    const values = prices.slice(index, index + ROWS_AT_ONCE).map((price) => ({
      version,
      model: price.model,
      class: price.class,
      from_tokens: price.from,
      variant: price.variant,
      micro_fen: Number(price.microFen),
      origin: price.origin,
    }));
    await sqlOf(tx).insertInto('model_prices').values(values).execute();
  }
}

export type PriceProposal = {
  readonly id: string;
  readonly madeAt: number;
  /** Hash of the imported file. */
  readonly sha256: string;
  /** CNY per USD, and the margin, in millionths. */
  readonly ratePpm: number;
  readonly marginPpm: number;
  readonly rows: readonly ModelPriceRow[];
  /** Null: not accepted. */
  readonly acceptedVersion: number | null;
};

export async function insertPriceProposal(
  db: Db,
  proposal: Omit<PriceProposal, 'acceptedVersion'>,
): Promise<void> {
  const rows = proposal.rows.map((row) => ({ ...row, microFen: String(row.microFen) }));
  await sqlOf(db)
    .insertInto('price_proposals')
    .values({
      id: proposal.id,
      made_at: toTimestamp(proposal.madeAt),
      sha256: proposal.sha256,
      rate_ppm: proposal.ratePpm,
      margin_ppm: proposal.marginPpm,
      rows: JSON.stringify(rows),
      accepted_version: null,
    })
    .execute();
}

export async function findPriceProposal(db: Db, id: string): Promise<PriceProposal | null> {
  return (await selectProposals(db, sql`id = ${id}`))[0] ?? null;
}

const OPEN_PROPOSALS_MAX = 5;

/** The newest proposals that were not accepted. */
export const readOpenProposals = (db: Db): Promise<readonly PriceProposal[]> =>
  selectProposals(
    db,
    sql`accepted_version IS NULL ORDER BY made_at DESC, id LIMIT ${OPEN_PROPOSALS_MAX}`,
  );

async function selectProposals(
  db: Db,
  condition: RawBuilder<unknown>,
): Promise<readonly PriceProposal[]> {
  type Row = Omit<PriceProposal, 'rows' | 'ratePpm' | 'marginPpm'> & {
    readonly ratePpm: string;
    readonly marginPpm: string;
    readonly rows: readonly (Omit<ModelPriceRow, 'microFen' | 'variant'> & {
      readonly microFen: string;
      readonly variant?: string;
    })[];
  };
  const { rows } = await sql<Row>`
    SELECT id, made_at AS "madeAt", sha256, rate_ppm AS "ratePpm", margin_ppm AS "marginPpm", rows,
      accepted_version AS "acceptedVersion"
    FROM price_proposals WHERE ${condition}`.execute(sqlOf(db));
  return rows.map((row) => ({
    ...row,
    ratePpm: Number(row.ratePpm),
    marginPpm: Number(row.marginPpm),
    rows: row.rows.map((price) => ({
      ...price,
      // Proposals of the first version have no variants.
      variant: price.variant ?? '',
      microFen: BigInt(price.microFen),
    })),
  }));
}

export async function acceptPriceProposal(tx: Db, id: string, version: number): Promise<void> {
  await sqlOf(tx)
    .updateTable('price_proposals')
    .set({ accepted_version: version })
    .where('id', '=', id)
    .execute();
}
