// Revenue of the whole gateway in live mode: charges by source, grouped by day, account or
// capability. Reads only.
import { type RawBuilder, sql } from 'kysely';
import { microFen } from '../../kernel/money.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { sqlOf } from '../platform/db.ts';
import { toSqlTime } from './parameters.ts';
import { chargeSplit, type UsageRow } from './read-calls.ts';

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
  type Money = Record<'allowance' | 'voucher' | 'cash', string>;
  const { rows } = await sql<Omit<UsageRow, keyof Money> & Money>`
    SELECT ${groups[range.groupBy]} AS "group", count(*) AS calls,
      count(*) FILTER (WHERE c.state = 'captured') AS succeeded,
      coalesce(sum(s.allowance), 0)::text AS allowance,
      coalesce(sum(s.voucher), 0)::text AS voucher, coalesce(sum(s.cash), 0)::text AS cash
    FROM calls c
    ${chargeSplit}
    WHERE c.livemode AND c.opened_at >= ${toSqlTime(range.starts)}::timestamptz
      AND c.opened_at < ${toSqlTime(range.ends)}::timestamptz
    GROUP BY 1 ORDER BY 1`.execute(sqlOf(db));
  return rows.map(({ allowance, voucher, cash, ...row }) => ({
    ...row,
    allowance: microFen(allowance),
    voucher: microFen(voucher),
    cash: microFen(cash),
  }));
}
