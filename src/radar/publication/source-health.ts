// Reads the public health of sources. It separates sources that publish nothing from sources that
// cannot be fetched.

import { messageOf } from '../../kernel/errors/fault.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  countItemsPerDay,
  listSourceHealthSince,
  type SourceHealthRow,
} from '../../store/radar/sources/source-health.ts';
import { withinDatabaseTimeout } from './await-database.ts';
import type { Publication } from './open-publication.ts';
import { conditionOf, type SourceCondition } from './source-condition.ts';

export type PublicSourceHealth = Omit<SourceHealthRow, 'failures' | 'nextReadAt'> & {
  readonly condition: SourceCondition;
  /** New items in spans of 24 hours up to now, oldest first. */
  readonly daily: readonly number[];
};

export type HealthReport = {
  /** Epoch ms. */
  readonly at: number;
  readonly sources: readonly PublicSourceHealth[];
};

/** The number of days that the counts and the freshness cover. */
export const HEALTH_DAYS = 14;
const CACHE_MS = 60_000;
/** Cache time while a new source waits for its first fetch. */
const FILLING_CACHE_MS = 2_000;

export type HealthReader = {
  /**
   * The report is at most a minute old, or older while the database is unavailable. Null: no report
   * was read since the start.
   */
  read(): Promise<HealthReport | null>;
};

export function openSourceHealth(world: World, publication: Publication): HealthReader {
  let lastReport: HealthReport | null = null;
  let runningRead: Promise<HealthReport> | null = null;
  const readFresh = () => {
    runningRead ??= readHealth(world, publication).finally(() => {
      runningRead = null;
    });
    return runningRead;
  };
  return {
    read: async () => {
      const now = world.clock.now();
      const hasWaitingSource =
        lastReport?.sources.some(({ condition }) => condition === 'waiting') === true;
      const cacheMs = hasWaitingSource ? FILLING_CACHE_MS : CACHE_MS;
      if (lastReport !== null && now >= lastReport.at && now - lastReport.at < cacheMs)
        return lastReport;
      try {
        lastReport = await withinDatabaseTimeout(world, readFresh());
      } catch (error) {
        world.log.warn(
          { error: messageOf(error) },
          'the health of sources could not be read, so the last report is shown',
        );
      }
      return lastReport;
    },
  };
}

async function readHealth(world: World, { db }: Publication): Promise<HealthReport> {
  const at = world.clock.now();
  const since = at - HEALTH_DAYS * DAY_MS;
  const [rows, counts] = [
    await listSourceHealthSince(db, since),
    await countItemsPerDay(db, since),
  ];
  const countsBySource = Map.groupBy(counts, ({ sourceId }) => sourceId);
  const sources = rows.map(({ failures, nextReadAt, ...row }) => {
    const daily = fillDays(countsBySource.get(row.id) ?? []);
    const condition = conditionOf({ ...row, failures, nextReadAt, now: at });
    return { ...row, condition, daily };
  });
  return { at, sources };
}

/**
 * Returns one count per day. An item can arrive after the start of the read; the last day includes
 * it. Exported for its test.
 */
export function fillDays(counts: readonly { day: number; count: number }[]): readonly number[] {
  const daily = new Array<number>(HEALTH_DAYS).fill(0);
  for (const { day, count } of counts) {
    const index = Math.min(day, HEALTH_DAYS - 1);
    daily[index] = (daily[index] ?? 0) + count;
  }
  return daily;
}
