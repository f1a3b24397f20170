// The current price list: the one with the latest start that has passed, by the World's clock.
// Lists are read every second and created a minute ahead, so every node changes at the same
// instant.

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
   * The current model prices; null: no model has a price. Rejects when the database is unavailable.
   */
  models(): Promise<ModelPriceList | null>;
};

const REMEMBERED_MS = 900;
const VERSIONS_KEPT = 4;

export function openPriceLists(world: World, db: Db): PriceLists {
  const versions = openRefreshingValue(world, REMEMBERED_MS, () => readPriceVersions(db));
  /** Without the database, the last known lists. */
  const currentLists = async () => {
    try {
      return await versions.fresh();
    } catch (error) {
      const last = versions.last();
      if (last === null) throw error;
      return last;
    }
  };
  const current = async () => listAt(await versions.fresh(), world.clock.now());
  // Prices of a version never change.
  const models = openBoundedCache<ModelPriceList['models']>(VERSIONS_KEPT);
  const modelsOf = async (version: number) => {
    const stored = models.get(String(version));
    if (stored !== undefined) return stored;
    const prices = modelPricesOf(await readModelPrices(db, version));
    models.set(String(version), prices);
    return prices;
  };
  return {
    current,
    models: async () => {
      const { version, modelVersion } = listAt(await currentLists(), world.clock.now());
      if (modelVersion === null) return null;
      const prices = await modelsOf(modelVersion);
      return prices.size === 0 ? null : { version, models: prices };
    },
  };
}

/** Skips rows of classes that this program does not know. */
function modelPricesOf(rows: readonly ModelPriceRow[]): ModelPriceList['models'] {
  const models = new Map<string, ModelPrice[]>();
  for (const { model, class: name, from, variant, microFen } of rows) {
    if (!isTokenClass(name)) continue;
    const prices = models.get(model) ?? [];
    models.set(model, prices);
    prices.push({ class: name, from, variant, microFen });
  }
  // A stable sort: rows of one class stay in the order of their tiers.
  for (const prices of models.values()) prices.sort((a, b) => compareClasses(a.class, b.class));
  return models;
}

/** The current list at an instant. Pure. */
export function listAt(versions: readonly PriceVersion[], now: number): PriceList {
  let last: PriceVersion | null = null;
  for (const version of versions) {
    if (version.withdrawnAt !== null || version.startsAt > now) continue;
    if (last === null || version.startsAt > last.startsAt) last = version;
  }
  return last === null ? shippedPrices : listOf(last);
}

/** A SKU that the stored list omits has its shipped price. */
export function listOf({ version, figures, modelVersion }: PriceVersion): PriceList {
  return { version, modelVersion, prices: { ...shippedPrices.prices, ...figures } };
}
