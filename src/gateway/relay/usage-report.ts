// Reads the usage of chat calls by day, model, account or key. Calls of recent days have one row
// each. A worker replaces older calls by one row per day, key and model.

import type { Db } from '../../kernel/ports/db.ts';
import { parseShanghaiDay, shanghaiDay } from '../../kernel/time/calendar.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import {
  foldRelayUsage,
  hasRelayUsage,
  type RelayUsageGroup,
  type RelayUsageQuality,
  type RelayUsageSum,
  readRelayUsageQuality,
  sumRelayUsage,
} from '../../store/gateway/relay-usage.ts';

export type ChatUsageSum = RelayUsageSum;

/** Days for which single calls are stored. */
const KEPT_DAYS = 7;
const BATCH_SIZE = 20_000;
const GROUPS_MAX = 1_000;

/** `wallet` null: live calls of all accounts. `from` and `to`: YYYY-MM-DD, both inclusive. */
export async function readChatUsage(
  db: Db,
  query: {
    readonly wallet: { readonly accountId: string; readonly livemode: boolean } | null;
    readonly from: string;
    readonly to: string;
    readonly groupBy: RelayUsageGroup;
  },
): Promise<readonly ChatUsageSum[]> {
  const { startsAt } = parseShanghaiDay(query.from);
  const { endsAt } = parseShanghaiDay(query.to);
  return sumRelayUsage(db, { ...query, startsAt, endsAt, limit: GROUPS_MAX });
}

/**
 * Reads the quality of usage data of live calls. The figures by upstream are those of calls that
 * still have single rows: about the last week, even if `since` is earlier.
 */
export const readUsageQuality = (db: Db, since: number): Promise<RelayUsageQuality> =>
  readRelayUsageQuality(db, since);

const startOfKeptDays = ({ clock }: World) =>
  shanghaiDay(clock.now() - KEPT_DAYS * DAY_MS).startsAt;

/** Whether calls older than a week still have single rows. */
export async function isChatUsageFoldDue(world: World, db: Db): Promise<boolean> {
  return hasRelayUsage(db, startOfKeptDays(world));
}

/**
 * Replaces calls older than a week by one row per day, key and model. Returns the number of
 * replaced calls.
 */
export async function foldChatUsage(world: World, db: Db): Promise<number> {
  const before = startOfKeptDays(world);
  let foldedCalls = 0;
  for (;;) {
    const count = await foldRelayUsage(db, before, BATCH_SIZE);
    foldedCalls += count;
    if (count < BATCH_SIZE) return foldedCalls;
  }
}
