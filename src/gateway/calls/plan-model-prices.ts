// Changes model prices: an operator accepts an import proposal or sets prices. Each change is a new
// price list that starts in a minute. Functions with a parameter `tx` run in the caller's
// transaction.

import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import {
  acceptPriceProposal,
  findPriceProposal,
  insertPriceProposal,
  type ModelPriceRow,
  type PriceProposal,
  readModelPrices,
  readOpenProposals,
} from '../../store/gateway/model-prices.ts';
import { type PriceVersion, readPriceVersions } from '../../store/gateway/price-lists.ts';
import { comparePrices, mergePrices, type PriceChange } from '../relay/prices/import-prices.ts';
import { PLAN_AHEAD_MS, type PricePlanResult, planPrices } from './plan-prices.ts';
import { findListAt, findModelVersionAt } from './price-lists.ts';
import { shippedPrices } from './prices.ts';

export type { ModelPriceRow } from '../../store/gateway/model-prices.ts';

type LastModelPrices = {
  /** Null: no model ever had a price. */
  readonly version: number | null;
  readonly rows: readonly ModelPriceRow[];
};

/** The model prices with the latest start. */
export const readLastModelPrices = async (db: Db): Promise<LastModelPrices> =>
  readLastOf(db, await readPriceVersions(db));

async function readLastOf(db: Db, versions: readonly PriceVersion[]): Promise<LastModelPrices> {
  const version = findModelVersionAt(versions, Number.POSITIVE_INFINITY);
  return { version, rows: version === null ? [] : await readModelPrices(db, version) };
}

export type PriceImport = Omit<PriceProposal, 'id' | 'madeAt' | 'acceptedVersion'> & {
  /** Models to import; null: all models of the file. */
  readonly models: ReadonlySet<string> | null;
};

export type ProposedPrices = { readonly id: string; readonly changes: readonly PriceChange[] };

/** Stores a proposal and returns the difference; prices do not change yet. */
export async function proposePrices(
  world: World,
  db: Db,
  { models, ...imported }: PriceImport,
): Promise<ProposedPrices> {
  const { rows: before } = await readLastModelPrices(db);
  const rows = mergePrices(before, imported.rows, models);
  const id = `prp_${world.ids.next()}`;
  await insertPriceProposal(db, { ...imported, rows, id, madeAt: world.clock.now() });
  return { id, changes: comparePrices(before, rows) };
}

export type OpenProposal = {
  readonly id: string;
  readonly sha256: string;
  /** The price changes, if the proposal is accepted now. */
  readonly changes: readonly PriceChange[];
};

/** Proposals that were not accepted, the newest first. */
export async function listProposals(db: Db): Promise<readonly OpenProposal[]> {
  const { rows: before } = await readLastModelPrices(db);
  return (await readOpenProposals(db)).map(({ id, sha256, rows }) => {
    const imported = rows.filter(({ origin }) => origin === 'import');
    return { id, sha256, changes: comparePrices(before, mergePrices(before, imported, null)) };
  });
}

export type PriceChangeResult<T> = {
  readonly outcome: T;
  /** The row for the operators' audit log; null: nothing changed. */
  readonly entry: PriceChangeEntry | null;
};

type PriceChangeEntry = {
  readonly action: string;
  readonly kind: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly note: string;
};

export type AcceptResult =
  | PricePlanResult
  | { readonly kind: 'unknown' | 'accepted_before' }
  /** Prices become zero, disappear or change by a factor of three. */
  | { readonly kind: 'large'; readonly changes: readonly PriceChange[] };

type AcceptOptions = { readonly actor: string; readonly acceptsLarge: boolean };

export async function acceptPrices(
  world: World,
  tx: Db,
  id: string,
  { actor, acceptsLarge }: AcceptOptions,
): Promise<PriceChangeResult<AcceptResult>> {
  const refusal = (outcome: AcceptResult) => ({ outcome, entry: null });
  const proposal = await findPriceProposal(tx, id);
  if (proposal === null) return refusal({ kind: 'unknown' });
  if (proposal.acceptedVersion !== null) return refusal({ kind: 'accepted_before' });
  const { rows: before } = await readLastModelPrices(tx);
  // Prices that operators have set since the proposal stay.
  const imported = proposal.rows.filter(({ origin }) => origin === 'import');
  const rows = mergePrices(before, imported, null);
  const largeChanges = comparePrices(before, rows).filter(({ isLargeChange }) => isLargeChange);
  if (largeChanges.length > 0 && !acceptsLarge)
    return refusal({ kind: 'large', changes: largeChanges });
  const reason = `accepted ${id}, file ${proposal.sha256.slice(0, 12)}`;
  const plannedPrices = await planModelPrices(world, tx, { rows, actor, reason });
  const { outcome } = plannedPrices;
  if (outcome.kind === 'planned') await acceptPriceProposal(tx, id, outcome.version);
  return plannedPrices;
}

export type ModelPriceChange = {
  readonly model: string;
  /** Replaces all prices of the model. Empty: the model is no longer offered. */
  readonly prices: readonly Omit<ModelPriceRow, 'model' | 'origin'>[];
  readonly actor: string;
  readonly reason: string;
};

export async function setModelPrices(
  world: World,
  tx: Db,
  { model, prices, actor, reason }: ModelPriceChange,
): Promise<PriceChangeResult<PricePlanResult>> {
  const { rows: before } = await readLastModelPrices(tx);
  const newPrices = prices.map((price): ModelPriceRow => ({ ...price, model, origin: 'manual' }));
  const rows = [...before.filter((row) => row.model !== model), ...newPrices];
  return planModelPrices(world, tx, { rows, actor, reason });
}

type ModelPricePlan = {
  readonly rows: readonly ModelPriceRow[];
  readonly actor: string;
  readonly reason: string;
};

async function planModelPrices(
  world: World,
  tx: Db,
  { rows, actor, reason }: ModelPricePlan,
): Promise<PriceChangeResult<PricePlanResult>> {
  const versions = await readPriceVersions(tx);
  const { version, rows: before } = await readLastOf(tx, versions);
  // One second more than the minimum, for the time until the statement runs.
  const startsAt = world.clock.now() + PLAN_AHEAD_MS + 1_000;
  const expectedVersion = versions.at(-1)?.version ?? shippedPrices.version;
  const { prices } = findListAt(versions, startsAt);
  const input = { startsAt, prices, models: rows, actor, reason, expectedVersion };
  const outcome = await planPrices(world, tx, input);
  if (outcome.kind !== 'planned') return { outcome, entry: null };
  const entry = {
    action: 'plan',
    kind: 'prices',
    subject: 'model prices',
    before: { version },
    after: { version: outcome.version, changes: comparePrices(before, rows).length },
    note: reason,
  };
  return { outcome, entry };
}
