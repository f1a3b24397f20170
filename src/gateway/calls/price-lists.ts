// Which price list holds now: of those that were made, the one that began last, by the World's
// clock. Lists are read again every second and made a minute before they begin, so every node
// changes over at the same instant.

import { openRemembered } from '../../kernel/concurrency/refreshing-value.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { type PriceVersion, readPriceVersions } from '../../store/gateway/price-lists.ts';
import { type PriceList, shippedPrices } from './prices.ts';

export type PriceLists = {
  /** Rejects with the database. */
  current(): Promise<PriceList>;
};

const REMEMBERED_MS = 900;

export function openPriceLists(world: World, db: Db): PriceLists {
  const versions = openRemembered(world, REMEMBERED_MS, () => readPriceVersions(db));
  return {
    current: async () => listAt(await versions.fresh(), world.clock.now()),
  };
}

/** Pure. */
export function listAt(versions: readonly PriceVersion[], now: number): PriceList {
  let last: PriceVersion | null = null;
  for (const version of versions) {
    if (version.withdrawnAt !== null || version.startsAt > now) continue;
    if (last === null || version.startsAt > last.startsAt) last = version;
  }
  return last === null ? shippedPrices : listOf(last);
}

/** A SKU that the stored list omits has its shipped price. */
export function listOf({ version, figures }: PriceVersion): PriceList {
  return { version, prices: { ...shippedPrices.prices, ...figures } };
}
