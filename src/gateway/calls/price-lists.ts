// Finds the current price list: of the lists that have started, the list with the latest start.
// Lists are read every second and created at least a minute before their start, so every node
// changes its prices at the same instant.

import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import { openRefreshingValue } from '../../kernel/concurrency/refreshing-value.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { type ModelPriceRow, readModelPrices } from '../../store/gateway/model-prices.ts';
import { type PriceVersion, readPriceVersions } from '../../store/gateway/price-lists.ts';
import type { ModelPrice, ModelPriceList } from '../relay/prices/model-prices.ts';
import { compareClasses, isTokenClass } from '../relay/prices/token-classes.ts';
import { type PriceList, shippedPrices } from './prices.ts';

export type PriceLists = {
  /** Rejects when the database is unavailable. */
  current(): Promise<PriceList>;
  /**
   * The current model prices; null: no model has a price. Rejects when the database is unavailable
   * and the prices are not cached.
   */
  models(): Promise<ModelPriceList | null>;
};

const REFRESH_MS = 900;
const MAX_CACHED_VERSIONS = 4;

export function openPriceLists(world: World, db: Db): PriceLists {
  const versions = openRefreshingValue(world, REFRESH_MS, () => readPriceVersions(db));
  /** Returns the last known lists when the database is unavailable. */
  const currentLists = async () => {
    try {
      return await versions.get();
    } catch (error) {
      const lastLists = versions.getLast();
      if (lastLists === null) throw error;
      return lastLists;
    }
  };
  const current = async () => findListAt(await versions.get(), world.clock.now());
  // Prices of a version never change.
  const modelCache = openBoundedCache<ModelPriceList['models']>(MAX_CACHED_VERSIONS);
  const modelsOf = async (version: number) => {
    const cachedPrices = modelCache.get(String(version));
    if (cachedPrices !== undefined) return cachedPrices;
    const prices = modelPricesOf(await readModelPrices(db, version));
    modelCache.set(String(version), prices);
    return prices;
  };
  return {
    current,
    models: async () => {
      const version = findModelVersionAt(await currentLists(), world.clock.now());
      if (version === null) return null;
      const prices = await modelsOf(version);
      return prices.size === 0 ? null : { version, models: prices };
    },
  };
}

/** Skips rows with unknown token classes. */
function modelPricesOf(rows: readonly ModelPriceRow[]): ModelPriceList['models'] {
  const models = new Map<string, ModelPrice[]>();
  for (const { model, class: name, from, variant, microFen } of rows) {
    if (!isTokenClass(name)) continue;
    const prices = models.get(model) ?? [];
    models.set(model, prices);
    prices.push({ class: name, from, variant, microFen });
  }
  // The sort is stable, so rows of one class stay in the order of their tiers.
  for (const prices of models.values()) prices.sort((a, b) => compareClasses(a.class, b.class));
  return models;
}

/** The list of SKU prices that applies at an instant. */
export function findListAt(versions: readonly PriceVersion[], now: number): PriceList {
  const last = findLastStarted(versions, now, (version) => !hasModelPrices(version));
  return last === null ? shippedPrices : toPriceList(last);
}

/** The version of the model prices that apply at an instant; null: no model has a price. */
export const findModelVersionAt = (versions: readonly PriceVersion[], now: number): number | null =>
  findLastStarted(versions, now, hasModelPrices)?.version ?? null;

/**
 * A list with model prices changes no SKU price, and a list of SKU prices changes no model price.
 * Otherwise a list that was planned earlier and starts later would restore old prices.
 */
const hasModelPrices = ({ version, modelVersion }: PriceVersion) => version === modelVersion;

function findLastStarted(
  versions: readonly PriceVersion[],
  now: number,
  isSelected: (version: PriceVersion) => boolean,
): PriceVersion | null {
  let last: PriceVersion | null = null;
  for (const version of versions) {
    if (!isSelected(version) || version.withdrawnAt !== null || version.startsAt > now) continue;
    if (last === null || version.startsAt > last.startsAt) last = version;
  }
  return last;
}

/** A SKU that the stored list omits has its shipped price. */
export function toPriceList({ version, figures }: PriceVersion): PriceList {
  return { version, prices: { ...shippedPrices.prices, ...figures } };
}
