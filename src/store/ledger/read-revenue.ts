// Revenue of the whole gateway in live mode: charges by source, grouped by day, account or
// capability. Reads only.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../kernel/ports/db.ts';
import { type UsageRow, usageRows } from './read-calls.ts';

export type RevenueGroup = 'day' | 'account' | 'capability';

const groups: Readonly<Record<RevenueGroup, RawBuilder<string>>> = {
  day: sql`c.day`,
  account: sql`c.account_id`,
  capability: sql`c.capability`,
};

/** `starts` and `ends` bound the time of authorization. */
export async function readRevenue(
  db: Db,
  range: { readonly starts: number; readonly ends: number; readonly groupBy: RevenueGroup },
): Promise<readonly UsageRow[]> {
  return usageRows(db, range, {
    group: groups[range.groupBy],
    where: sql`c.livemode`,
    orderBy: sql`1`,
  });
}
