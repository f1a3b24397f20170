// Creates and withdraws price lists. A price list is created before its start and never changes. A
// list can be withdrawn only while the withdrawal still reaches every node before the start.
// `planPrices` and `withdrawPrices` run in the caller's transaction.

import { MICRO_FEN_PER_FEN, type MicroFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { insertModelPrices, type ModelPriceRow } from '../../store/gateway/model-prices.ts';
import {
  insertPriceVersion,
  lockPriceVersions,
  type PriceVersion,
  readPriceVersions,
  withdrawPriceVersion,
} from '../../store/gateway/price-lists.ts';
import { findModelVersionAt } from './price-lists.ts';
import { type PriceList, type Sku, shippedPrices, skus } from './prices.ts';

export type { PriceVersion } from '../../store/gateway/price-lists.ts';

/** Minimum time between the creation and the start of a list. */
export const PLAN_AHEAD_MS = 60_000;
const WITHDRAW_AHEAD_MS = 10_000;
const MAX_AHEAD_MS = 5 * 366 * DAY_MS;

/** Units of a displayed price: 1,000 calls, one minute, one call. */
export const displayUnits: Readonly<Record<Sku, number>> = {
  social_data: 1000,
  transcribe: 60,
  svc_image: 1,
  ocr: 1,
};

/** The catalog displays these two prices in whole fen. */
const wholeFenSkus: ReadonlySet<Sku> = new Set(['social_data', 'transcribe']);

/** A thousand CNY for one display unit. */
const MAX_FEN = 100_000n;

export type FigureProblem =
  | { readonly kind: 'too_high'; readonly max: MicroFen }
  /** The displayed amount must be a multiple of `step`. */
  | { readonly kind: 'step'; readonly step: MicroFen };

/** Price of one unit from the displayed amount, or the reason why the amount is invalid. */
export function unitPriceOf(sku: Sku, displayed: MicroFen): MicroFen | FigureProblem {
  const max = MAX_FEN * MICRO_FEN_PER_FEN;
  if (displayed < 0n || displayed > max) return { kind: 'too_high', max };
  const units = BigInt(displayUnits[sku]);
  // One unit costs whole micro-fen, and a display unit costs whole fen.
  const step = wholeFenSkus.has(sku) ? leastCommonMultiple(units, MICRO_FEN_PER_FEN) : units;
  return displayed % step === 0n ? displayed / units : { kind: 'step', step };
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  const greatestCommonDivisor = (c: bigint, d: bigint): bigint =>
    d === 0n ? c : greatestCommonDivisor(d, c % d);
  return (a / greatestCommonDivisor(a, b)) * b;
}

export type PlannedPrices = {
  readonly startsAt: number;
  readonly prices: PriceList['prices'];
  readonly actor: string;
  readonly reason: string;
  /** All model prices; absent: the model prices of the previous list. */
  readonly models?: readonly ModelPriceRow[];
  /** The latest version when the form was loaded. */
  readonly expectedVersion: number;
};

export type PricePlanProblem =
  /** The start is too early to reach all nodes, or more than five years in the future. */
  | { readonly kind: 'too_soon' | 'too_far' }
  /** Another list begins at the same instant. */
  | { readonly kind: 'instant_taken'; readonly version: number }
  /** Another list was created after the form was loaded. */
  | { readonly kind: 'conflict'; readonly last: number };

export type PricePlanResult =
  | { readonly kind: 'planned'; readonly version: number }
  | PricePlanProblem;

/**
 * The reason why the list cannot be created; null: it can be created. `versions`: all lists, oldest
 * first.
 */
function planProblem(
  versions: readonly PriceVersion[],
  { startsAt, expectedVersion }: Pick<PlannedPrices, 'startsAt' | 'expectedVersion'>,
  now: number,
): PricePlanProblem | null {
  if (startsAt < now + PLAN_AHEAD_MS) return { kind: 'too_soon' };
  if (startsAt > now + MAX_AHEAD_MS) return { kind: 'too_far' };
  const last = versions.at(-1)?.version ?? shippedPrices.version;
  if (last !== expectedVersion) return { kind: 'conflict', last };
  const listWithSameStart = versions.find(
    (version) => version.withdrawnAt === null && version.startsAt === startsAt,
  );
  return listWithSameStart === undefined
    ? null
    : { kind: 'instant_taken', version: listWithSameStart.version };
}

/** The reason why `planPrices` would refuse the plan; null: it would create the list. */
export async function findPlanProblem(
  world: World,
  db: Db,
  plan: Pick<PlannedPrices, 'startsAt' | 'expectedVersion'>,
): Promise<PricePlanProblem | null> {
  return planProblem(await readPriceVersions(db), plan, world.clock.now());
}

export async function planPrices(
  world: World,
  tx: Db,
  input: PlannedPrices,
): Promise<PricePlanResult> {
  await lockPriceVersions(tx);
  const now = world.clock.now();
  const versions = await readPriceVersions(tx);
  const problem = planProblem(versions, input, now);
  if (problem !== null) return problem;
  const version = input.expectedVersion + 1;
  const { startsAt, actor, reason, prices: figures } = input;
  const previousModelVersion = findModelVersionAt(versions, Number.POSITIVE_INFINITY);
  const modelVersion = input.models === undefined ? previousModelVersion : version;
  const list = { version, startsAt, madeAt: now, actor, reason, figures, modelVersion };
  await insertPriceVersion(tx, list);
  if (input.models !== undefined) await insertModelPrices(tx, version, input.models);
  return { kind: 'planned', version };
}

export type WithdrawResult =
  | { readonly kind: 'withdrawn'; readonly version: PriceVersion }
  /** The list has started, or starts too soon to reach all nodes. */
  | { readonly kind: 'begun' }
  /** The list does not exist or is already withdrawn. */
  | { readonly kind: 'gone' };

export async function withdrawPrices(
  world: World,
  tx: Db,
  version: number,
): Promise<WithdrawResult> {
  await lockPriceVersions(tx);
  const priceList = (await readPriceVersions(tx)).find(
    (priceVersion) => priceVersion.version === version,
  );
  if (priceList === undefined || priceList.withdrawnAt !== null) return { kind: 'gone' };
  const now = world.clock.now();
  if (priceList.startsAt < now + WITHDRAW_AHEAD_MS) return { kind: 'begun' };
  await withdrawPriceVersion(tx, version, now);
  return { kind: 'withdrawn', version: priceList };
}

/** All lists except the shipped one, newest first. */
export async function listPrices(db: Db): Promise<readonly PriceVersion[]> {
  return [...(await readPriceVersions(db))].reverse();
}

/** The SKUs whose prices differ between two lists. */
export function changedSkus(before: PriceList, after: PriceList): readonly Sku[] {
  return skus.filter((sku) => before.prices[sku] !== after.prices[sku]);
}
