// Handles GET /api/v1/account: balances, allowance and limits of the account in the key's mode.

import { formatCny } from '../../../kernel/money.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import { readAccountMoney } from '../../wallet/history/read-account.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, privateJson } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';
import { admitReader } from './admit-reader.ts';

export async function handleAccount(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const { world, db } = context;
  const { key, quotas, rate } = await admitReader(context, request);
  readQuery(request.query, noParameters);
  const { accountId, livemode } = key;
  const money = await readAccountMoney(world, db, { accountId, livemode });
  request.knownLimits.quotaUse = money.quotas;
  const { cash, vouchers, held, total } = money.balance;
  const { allowance } = money;
  const quota = (name: 'day' | 'month') => {
    const { used, resetsAt } = money.quotas[name];
    return { limit: quotas[name], used, resets_at: toWireTime(resetsAt) };
  };
  return privateJson({
    id: accountId,
    livemode,
    currency: 'CNY',
    balance: {
      cash: formatCny(cash),
      vouchers: formatCny(vouchers),
      held: formatCny(held),
      total: formatCny(total),
    },
    vouchers: money.vouchers.map(({ id, name, amount, remaining, expiresAt }) => ({
      id,
      name,
      amount: formatCny(amount),
      remaining: formatCny(remaining),
      expires_at: expiresAt === null ? null : toWireTime(expiresAt),
    })),
    free_quota: {
      period: 'daily',
      amount: formatCny(allowance.amount),
      remaining: formatCny(allowance.remaining),
      resets_at: toWireTime(allowance.resetsAt),
    },
    limits: {
      rate: { q: Math.max(1, Math.floor(rate.perSecond)), w: 1 },
      quotas: { day: quota('day'), month: quota('month') },
    },
  });
}
