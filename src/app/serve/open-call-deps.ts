// Opens the dependencies that the gateway and the relay share in one process, such as the limiter,
// the wallet and the keys.
import type { Config } from '../../config.ts';
import { openAdmission } from '../../gateway/calls/admit.ts';
import type { CallDeps } from '../../gateway/calls/call.ts';
import { openPriceLists } from '../../gateway/calls/price-lists.ts';
import { openRequestLog } from '../../gateway/calls/request-log.ts';
import { openSwitches } from '../../gateway/capabilities/switches.ts';
import { openKeyCache } from '../../gateway/keys/key-cache.ts';
import { openInputRatios } from '../../gateway/relay/prices/input-ratio.ts';
import { isAllowanceCapped } from '../../gateway/wallet/credits/allowance-cap.ts';
import { findStoredResponse } from '../../gateway/wallet/history/read-calls.ts';
import { openWallet } from '../../gateway/wallet/ledger/open-wallet.ts';
import { openBudgetNotice } from '../../gateway/webhooks/raise-alerts.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { openLocalLimiter } from '../../kernel/rate-limit/limiter.ts';
import { openRedisLimiter } from '../../kernel/rate-limit/redis-limiter.ts';
import type { World } from '../../kernel/world.ts';
import type { AppRun } from './run.ts';

/** Only the gateway has jobs. */
type SharedDeps = Omit<CallDeps, 'jobs'>;

const depsByRun = new WeakMap<AppRun, Promise<SharedDeps>>();

/** Opened once per run by the first caller, and closed with the run. */
export function openCallDeps(run: AppRun, db: Db): Promise<SharedDeps> {
  const existing = depsByRun.get(run);
  const deps = existing ?? createDeps(run, db);
  depsByRun.set(run, deps);
  return deps;
}

async function createDeps(run: AppRun, db: Db): Promise<SharedDeps> {
  const { config, components, options } = run;
  // While a demonstration replays its past, calls use the present time.
  const { gatewayWorld: world = run.world } = options;
  const limiter = openLimiter(world, config);
  components.push({ name: 'limiter', close: limiter.close });
  const wallet = await openWallet(world, db);
  components.push({ name: 'wallet', close: wallet.close });
  const keys = await openKeyCache(world, db);
  const admission = openAdmission(world, { keys, limiter, limits: limitsOf(config) });
  const requestLog = openRequestLog(world, db);
  components.push({ name: 'log of requests', close: requestLog.close });
  const findResponse: CallDeps['findResponse'] = (call) => findStoredResponse(world, db, call);
  return {
    world,
    admission,
    wallet,
    findResponse,
    prices: openPriceLists(world, db),
    switches: openSwitches(world, db),
    ratios: openInputRatios(),
    requestLog,
    onBudgetRefused: openBudgetNotice(world, db),
    isAllowanceCapped: (accountId) => isAllowanceCapped(world, db, accountId),
  };
}

export const limitsOf = ({ file: { gateway } }: Config) => ({
  rate: { perSecond: gateway.requestsPerSecond, burst: gateway.burst },
  callsPerDay: gateway.callsPerDay,
  callsPerMonth: gateway.callsPerMonth,
  keysPerAccount: gateway.keysPerAccount,
});

function openLimiter({ clock, log }: World, { redisUrl }: Config) {
  return redisUrl === null ? openLocalLimiter(clock) : openRedisLimiter(clock, log, redisUrl);
}
