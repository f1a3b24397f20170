// Raises alerts before calls are refused: a balance below the account's threshold, and a key's
// budget that is 80 or 100 percent spent. A balance alert is raised once, and again only after the
// balance has recovered. A budget alert is raised once per period.

import { openBoundedCache } from '../../kernel/concurrency/bounded-cache.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { periodsAt } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  findBalanceAlert,
  type KeyBudget,
  listCrossedBalances,
  listKeyBudgets,
  listNearlySpentBudgets,
  recordThresholdCrossing,
  saveBalanceAlert,
} from '../../store/gateway/balance-alerts.ts';
import type { EndpointOwner } from '../../store/gateway/webhook-endpoints.ts';
import { raiseEvent } from '../../store/gateway/webhook-events.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { balanceLowBody, budgetReachedBody } from './event-bodies.ts';

export type { KeyBudget };
export { findBalanceAlert, saveBalanceAlert };

/** Returns the number of raised alerts. */
export async function raiseAlerts(world: World, db: Db): Promise<number> {
  return (await raiseBalanceAlerts(world, db)) + (await raiseBudgetAlerts(world, db));
}

async function raiseBalanceAlerts(world: World, db: Db): Promise<number> {
  const now = world.clock.now();
  let raisedCount = 0;
  for (const balance of await listCrossedBalances(db, now)) {
    const { accountId, livemode, total, below } = balance;
    const isLow = total < below;
    await inTransaction(db, async (tx) => {
      if (!(await recordThresholdCrossing(tx, balance, isLow ? now : null)) || !isLow) return;
      const id = `msg_${world.ids.next()}`;
      const body = balanceLowBody({ now, livemode }, { total, below });
      const event = { id, accountId, livemode, body, now, subject: `since ${now}` };
      if (await raiseEvent(tx, { ...event, type: 'balance.low' })) raisedCount += 1;
    });
  }
  return raisedCount;
}

async function raiseBudgetAlerts(world: World, db: Db): Promise<number> {
  const now = world.clock.now();
  let raisedCount = 0;
  for (const budget of await listNearlySpentBudgets(db, periodsAt(now))) {
    const reachedPercents = budget.spent >= budget.budget ? ([80, 100] as const) : ([80] as const);
    for (const percent of reachedPercents)
      raisedCount += await raiseBudgetAlert(world, db, budget, percent);
  }
  return raisedCount;
}

async function raiseBudgetAlert(
  world: World,
  db: Db,
  budget: KeyBudget,
  percent: 80 | 100,
): Promise<number> {
  const now = world.clock.now();
  const { accountId, livemode, keyId, period } = budget;
  const { day, month } = periodsAt(now);
  const currentPeriod = { day, month, total: 'total' }[period];
  const isRaised = await raiseEvent(db, {
    id: `msg_${world.ids.next()}`,
    accountId,
    livemode,
    now,
    type: 'budget.reached',
    subject: `${keyId} ${currentPeriod} ${budget.budget} ${percent}`,
    body: budgetReachedBody({ now, livemode }, { ...budget, percent }),
  });
  return isRaised ? 1 : 0;
}

const CHECK_INTERVAL_MS = 60_000;
const MAX_CACHED_KEYS = 10_000;

/**
 * Returns a function that is called for each call refused by a key's budget. Such a refusal counts
 * as a fully spent budget. Each key is checked at most once a minute.
 */
export function openBudgetNotice(
  world: World,
  db: Db,
): (key: EndpointOwner & { readonly id: string }) => void {
  const recentRefusals = openBoundedCache<number>(MAX_CACHED_KEYS);
  return ({ id, accountId, livemode }) => {
    const now = world.clock.now();
    if (now - (recentRefusals.get(id) ?? Number.NEGATIVE_INFINITY) < CHECK_INTERVAL_MS) return;
    recentRefusals.set(id, now);
    const checkBudget = async () => {
      const budgets = await readKeyBudgets(world, db, { accountId, livemode });
      const budget = budgets.find((budget) => budget.keyId === id);
      if (budget === undefined) return;
      for (const percent of [80, 100] as const) await raiseBudgetAlert(world, db, budget, percent);
    };
    checkBudget().catch((error) => {
      world.log.warn(
        { key: id, error: messageOf(error) },
        'an alert about a spent budget was not raised',
      );
    });
  };
}

/** Reads the budgets of keys that are not revoked, oldest key first. */
export async function readKeyBudgets(
  world: World,
  db: Db,
  owner: EndpointOwner,
): Promise<readonly KeyBudget[]> {
  return listKeyBudgets(db, owner, periodsAt(world.clock.now()));
}
