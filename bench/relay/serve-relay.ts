// Runs the relay in its own process, for measurements. It has a durable database, one account, one
// key, and the benchmark's chat server as upstream. It sends its address to the parent process and
// reports its memory on request.
// The mode is `free`, `unrecorded` (free calls without records), `per_call` or `per_token`. With a
// price per token, the hold of the model `bench` covers only a part of a stream. The hold of the
// model `covered` covers a whole stream.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import {
  type AccountingService,
  openCallAccounting,
} from '../../src/gateway/api/relay/call-accounting.ts';
import { openRelayServer } from '../../src/gateway/api/relay/open-relay-server.ts';
import { openAdmission } from '../../src/gateway/calls/admit.ts';
import { setModelPrices } from '../../src/gateway/calls/plan-model-prices.ts';
import { openPriceLists } from '../../src/gateway/calls/price-lists.ts';
import { openSwitches } from '../../src/gateway/capabilities/switches.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import { openKeyCache } from '../../src/gateway/keys/key-cache.ts';
import { upstreamKinds } from '../../src/gateway/relay/dialects/dialect.ts';
import { openCallServices } from '../../src/gateway/relay/open-call-services.ts';
import { openInputRatios } from '../../src/gateway/relay/prices/input-ratio.ts';
import { relaySchema } from '../../src/gateway/relay/relay-config.ts';
import { openSandboxes } from '../../src/gateway/relay/upstream/sandbox-upstream.ts';
import { openUpstreamHealth } from '../../src/gateway/relay/upstream/upstream-health.ts';
import { openUpstreams } from '../../src/gateway/relay/upstream/upstreams.ts';
import { openUsageRecorder } from '../../src/gateway/relay/usage-recorder.ts';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import { openClientResolver } from '../../src/kernel/client-address/client-address.ts';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { systemRandom } from '../../src/kernel/crypto/random.ts';
import { parseCny } from '../../src/kernel/money.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openStreamingClients } from '../../src/kernel/net/streaming-client.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { openMetrics } from '../../src/kernel/observability/metrics.ts';
import { openLocalLimiter } from '../../src/kernel/rate-limit/limiter.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import type { World } from '../../src/kernel/world.ts';
import { openEmbeddedPostgres } from '../../src/store/embedded-postgres/open.ts';
import { insertRelayUsage, type RelayUsageRow } from '../../src/store/gateway/relay-usage.ts';
import { closeDb, inTransaction, openDb } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';

const [, , upstreamUrl = '', mode = 'free'] = process.argv;
const clock = runningClock();
const random = systemRandom();
const log = openLog({ level: 'warn', now: clock.now });
const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'bench' });
const world: World = { clock, random, ids: timedIds(clock, random), net, log };
const dataDir = mkdtempSync(join(tmpdir(), 'radar-bench-relay-'));
const postgres = await openEmbeddedPostgres(log, { dataDir, isDurable: true });
const db = openDb(log, postgres.connection, { applicationName: 'bench' });
await migrate(world, db);
const config = relaySchema.parse({
  upstreams: upstreamKinds.map((kind) => {
    return { name: kind, kind, url: upstreamUrl, models: { bench: 'bench', covered: 'bench' } };
  }),
  models: { bench: { holdOutput: 40, maxOutput: 100_000 } },
  ...(mode === 'per_call' && { price: { perCall: '0.000001', version: 1 } }),
});
const wallet = await openWallet(world, db);
const limits = {
  rate: { perSecond: 1e5, burst: 1e6 },
  callsPerDay: 1e9,
  callsPerMonth: 1e9,
  keysPerAccount: 50,
};
const limiter = openLocalLimiter(clock);
const admission = openAdmission(world, { keys: await openKeyCache(world, db), limiter, limits });
const isRecorded = mode !== 'unrecorded';
const usage = isRecorded
  ? openUsageRecorder(world, db)
  : { record: () => {}, flush: async () => {} };
const accounting = isRecorded ? openCallAccounting(world, wallet) : openNoAccounting();
const clients = openStreamingClients();
const context = {
  world,
  admission,
  wallet,
  usage,
  accounting,
  price: config.price ?? null,
  prices: openPriceLists(world, db),
  ratios: openInputRatios(),
  findResponse: async () => null,
  switches: openSwitches(world, db),
  upstreams: openUpstreams(world, config, {
    clients,
    openHealth: (name) => openUpstreamHealth(clock, { name, isOff: () => false }),
  }),
  sandboxOf: openSandboxes(world),
  ...openCallServices(world),
};
if (mode === 'per_token') await setPrices();
const server = await openRelayServer(context, {
  host: '127.0.0.1',
  port: 0,
  metrics: openMetrics(),
  clients: openClientResolver({ trustProxy: [] }),
  operator: { findNotReadyReason: async () => null, metrics: async () => null },
});
const account = await addAccount(world, db, { email: 'a@example.com', password: 'a long word' });
if (account.kind !== 'added') throw new Error(account.kind);
const owner = { accountId: account.id, livemode: true };
const { text: key } = await makeKey(world, db, { ...owner, kind: 'ak', name: 'Bench' });
const topUpRequest = {
  ...owner,
  amount: 10n ** 15n,
  reference: 'bench',
  reason: null,
  actor: 'bench',
};
await topUp(world, db, topUpRequest);

/** A new price list starts a minute later. The clock is set back, so that it applies at once. */
async function setPrices(): Promise<void> {
  const earlierWorld = { ...world, clock: { ...clock, now: () => clock.now() - 120_000 } };
  for (const model of ['bench', 'covered']) {
    const microFen = parseCny('1') ?? 0n;
    const prices = [{ class: 'output', from: 0, variant: '', microFen }];
    const change = { model, prices, actor: 'bench', reason: 'bench' };
    const { outcome } = await inTransaction(db, (tx) => setModelPrices(earlierWorld, tx, change));
    if (outcome.kind !== 'planned') throw new Error(outcome.kind);
  }
}

/** Accounting that writes nothing, for free calls. */
function openNoAccounting(): AccountingService {
  const realAccounting = openCallAccounting(world, wallet);
  const call = {
    isDurable: false,
    isRepeatable: false,
    refusal: () => null,
    extend: async () => 'not_covered' as const,
    capture: async () => true,
    release: async () => {},
  };
  return { ...realAccounting, authorizeInBackground: () => call };
}

let statementCount = 0;

/** Measures one durable statement on this disk. Every charge takes at least this time. */
async function measureStatementMs(): Promise<number> {
  statementCount += 1;
  const row: RelayUsageRow = {
    request_id: `bench_${statementCount}`,
    account_id: 'a',
    livemode: true,
    key_id: 'k',
    model: 'm',
    upstream: 'u',
    is_stream: true,
    ended: 'completed',
    counted: 'free',
    prompt_tokens: 0,
    completion_tokens: 0,
    started_at: clock.now(),
    duration_ms: 0,
    charge: null,
    cost: null,
    attempt_costs: null,
  };
  const startedAt = performance.now();
  await insertRelayUsage(db, [row]);
  return performance.now() - startedAt;
}

async function stop(): Promise<void> {
  await server.close();
  clients.close();
  await wallet.close();
  await closeDb(db);
  await postgres.close();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
}

process.on('disconnect', stop);
process.on('message', async (message) => {
  if (message === 'memory') {
    globalThis.gc?.();
    process.send?.({ rss: process.memoryUsage().rss });
  }
  if (message === 'cpu') process.send?.(process.cpuUsage());
  if (message === 'statement') process.send?.({ ms: await measureStatementMs() });
  if (message === 'stop') await stop();
});
process.send?.({ url: `http://127.0.0.1:${server.port}`, key });
