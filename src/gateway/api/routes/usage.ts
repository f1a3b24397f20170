// Handles GET /api/v1/usage, calls and charges by day, capability or key, and GET
// /api/v1/usage/chat, chat calls in tokens. Both cover at most 366 days.
import { z } from 'zod';
import { Fault } from '../../../kernel/errors/fault.ts';
import { daysBetween, isDay, shanghaiDay } from '../../../kernel/time/calendar.ts';
import type { World } from '../../../kernel/world.ts';
import { chargeOf } from '../../calls/envelope.ts';
import { readChatUsage } from '../../relay/usage-report.ts';
import { readWalletUsage } from '../../wallet/history/read-usage.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, privateJson } from '../http-response.ts';
import { readQuery } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

const day = z
  .string({ error: 'must be a date, YYYY-MM-DD' })
  .refine(isDay, 'must be a date, YYYY-MM-DD')
  .meta({ format: 'date' });

export const usageQuery = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  group_by: z.enum(['day', 'capability', 'key']).default('day'),
});

const DAYS_MAX = 366;

export const chatUsageQuery = z.strictObject({
  from: day.optional(),
  to: day.optional(),
  group_by: z.enum(['day', 'model', 'key']).default('model'),
});

type DayRange = { readonly from: string; readonly to: string };

/** Defaults: `to` is today, and `from` is the first day of the month of `to`. */
function daysOf(
  { clock }: Pick<World, 'clock'>,
  range: { readonly from?: string | undefined; readonly to?: string | undefined },
): DayRange {
  const now = clock.now();
  const to = range.to ?? shanghaiDay(now).day;
  const from = range.from ?? `${to.slice(0, 'YYYY-MM'.length)}-01`;
  const days = daysBetween(from, to) + 1;
  if (days >= 1 && days <= DAYS_MAX) return { from, to };
  const message =
    `"from" and "to" must span 1 to ${DAYS_MAX} days, ` + 'and "from" must not be after "to".';
  throw new Fault('invalid_request', message);
}

export async function handleChatUsage(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { accountId, livemode } = (await admitReader(context, request)).key;
  const { group_by: groupBy, ...range } = readQuery(request.query, chatUsageQuery);
  const { from, to } = daysOf(context.world, range);
  const scope = { accountId, livemode };
  const rows = await readChatUsage(context.db, { wallet: scope, from, to, groupBy });
  return privateJson({
    from,
    to,
    group_by: groupBy,
    rows: rows.map(({ group, calls, completed, promptTokens, completionTokens }) => ({
      group,
      calls,
      succeeded: completed,
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
    })),
  });
}

export async function handleUsage(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { world, db } = context;
  const { accountId, livemode } = (await admitReader(context, request)).key;
  const { group_by: groupBy, ...range } = readQuery(request.query, usageQuery);
  const { from, to } = daysOf(world, range);
  const rows = await readWalletUsage(db, { accountId, livemode, from, to, groupBy });
  return privateJson({
    from,
    to,
    group_by: groupBy,
    rows: rows.map(({ group, calls, succeeded, charge }) => ({
      group,
      calls,
      succeeded,
      charge: chargeOf(charge),
    })),
  });
}
