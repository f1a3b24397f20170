// Random calls of four dialects through four relay processes on one database, each killed with -9
// while calls run. Afterwards every charge in the ledger equals the charge that a second
// implementation computes. Random values are: usage, which is sometimes absent or contradictory,
// price lists, tiers, broken and continued streams, extended holds, fallbacks, and clients that
// disconnect. Relay contract, section 7, "exactness". Full size: npm run proof -- exactness.
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount } from '../../src/gateway/accounts/account.ts';
import { planPrices } from '../../src/gateway/calls/plan-prices.ts';
import { shippedPrices } from '../../src/gateway/calls/prices.ts';
import { makeKey } from '../../src/gateway/keys/change-keys.ts';
import type { ModelPrice } from '../../src/gateway/relay/prices/model-prices.ts';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { auditLedger } from '../../src/gateway/wallet/integrity/audit-ledger.ts';
import { recoverHolds } from '../../src/gateway/wallet/integrity/recover-holds.ts';
import { seededRandom } from '../../src/kernel/crypto/random.ts';
import { inTransaction, sqlOf, toTimestamp } from '../../src/store/platform/db.ts';
import { expectedCost } from '../relay/expected-cost.ts';
import {
  expectedUsage,
  fallbackOf,
  models,
  type PlannedCall,
  planCall,
  requestOf,
  routeLimits,
} from '../relay/random-calls.ts';
import { openRandomUpstream } from '../relay/random-upstream.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';
import { type ServingProcess, startServing, temporaryDataDir } from '../support/radar-process.ts';
import { openTestDatabase, urlOf } from '../support/test-database.ts';
import { testWorld } from '../support/test-world.ts';

const seed = proofSeed();
const CALLS = proofSize(240, 100_000);
const KILLS = proofSize(2, 40);
/** The number of price lists, which take effect in order. */
const PRICE_LISTS = proofSize(2, 10);
const NODES = 4;
const CONCURRENCY = 24;
/** Calls that show whether a new price list is in effect. */
const PROBE_CALLS = 400;
/** Noon in Shanghai, so that no day ends during the test. */
const NOW = Date.parse('2026-08-22T04:00:00Z');

const random = seededRandom(seed);
const randomBelow = (count: number) => Math.floor(random.next() * count);
const { world, clock } = testWorld(7, NOW - 120_000);
const { db, connection } = await openTestDatabase();
const folder = temporaryDataDir();
const calls = Array.from({ length: CALLS + PROBE_CALLS }, (_, n) => planCall(random, n));
const upstream = await openRandomUpstream(calls);
const nodes: ServingProcess[] = [];
const keys: string[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

const randomPrices = (): readonly ModelPrice[] =>
  (['input', 'cache_read', 'cache_write', 'output', 'reasoning', 'request'] as const).flatMap(
    (name) => {
      const isAlways = name === 'input' || name === 'output';
      if (!isAlways && randomBelow(3) === 0) return [];
      const price = (from: number, variant: string) => ({
        class: name,
        from,
        variant,
        microFen: BigInt(randomBelow(name === 'request' ? 500_000 : 2_000_000_000)),
      });
      const priority = name === 'input' || randomBelow(2) === 0 ? [price(0, 'priority')] : [];
      return [price(0, ''), ...(randomBelow(2) === 0 ? [price(500, '')] : []), ...priority];
    },
  );
const priceLists = new Map<number, ReadonlyMap<string, readonly ModelPrice[]>>();

async function openAccount(email: string): Promise<string> {
  const addedAccount = await addAccount(world, db, { email, password: 'a long word' });
  if (addedAccount.kind !== 'added') throw new Error(addedAccount.kind);
  return addedAccount.id;
}

async function planList(startsAt: number): Promise<void> {
  const list = new Map(models.map((model) => [model, randomPrices()]));
  const rows = [...list].flatMap(([model, prices]) =>
    prices.map((price) => ({ ...price, model, origin: 'manual' as const })),
  );
  const { prices } = shippedPrices;
  const change = { startsAt, prices, models: rows, actor: 'Ada', reason: 'random' };
  const listCount = priceLists.size + 1;
  const addedList = await inTransaction(db, (tx) =>
    planPrices(world, tx, { ...change, expectedVersion: listCount }),
  );
  if (addedList.kind !== 'planned') throw new Error(addedList.kind);
  priceLists.set(addedList.version, list);
}

const begunAt = performance.now();
/** Time by the clock of the processes. */
const nodesNow = () => NOW + Math.floor(performance.now() - begunAt);

const startNode = () =>
  startServing(
    {
      DATA_DIR: folder,
      DATABASE_URL: urlOf(connection),
      RADAR_CONFIG: join(folder, 'radar.config.json'),
      RADAR_NOW: new Date(nodesNow()).toISOString(),
    },
    ['--only', 'relay'],
  );

beforeAll(async () => {
  await planList(NOW - 30_000);
  const richAccount = await openAccount('a@example.com');
  const payment = { amount: 10n ** 15n, reference: 'paid', reason: null, actor: 'test' };
  await topUp(world, db, { accountId: richAccount, livemode: true, ...payment });
  // The last account has only its allowance, so its holds are refused or cannot be extended.
  const owners = [
    ...Array.from({ length: 9 }, () => richAccount),
    await openAccount('b@example.com'),
  ];
  for (const [index, accountId] of owners.entries()) {
    // Spending is stored only for keys with a budget.
    const budget = { amount: 10n ** 15n, period: 'total' } as const;
    const input = { accountId, kind: 'sk', livemode: true, name: `key ${index}`, budget } as const;
    keys.push((await makeKey(world, db, input)).text);
  }
  const sharedOptions = { key: 'k', maxMs: 20_000, responseTimeoutMs: 20_000, firstByteMs: 20_000 };
  const kinds = ['openai-chat', 'openai-responses', 'anthropic-messages', 'embeddings'];
  const upstreams = kinds.map((kind) => {
    const servedModels = Object.fromEntries(models.map((model) => [model, model]));
    return { ...sharedOptions, name: kind, kind, url: upstream.url, models: servedModels };
  });
  const routes = models.map((model) => {
    return [model, { ...routeLimits, fallbacks: [fallbackOf(model)] }];
  });
  const config = {
    logLevel: 'error',
    gateway: { requestsPerSecond: 100_000, burst: 1_000_000, callsPerDay: 2_000_000_000 },
    relay: { upstreams, models: Object.fromEntries(routes) },
  };
  writeFileSync(join(folder, 'radar.config.json'), JSON.stringify(config));
  nodes.push(...(await Promise.all(Array.from({ length: NODES }, startNode))));
});
afterAll(async () => {
  agent.destroy();
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
});

/**
 * Sends a call and resolves after any outcome, because the test reads the ledger and not the
 * client's result. Returns the version of the price list in the response's head; null: no response.
 */
function send(call: PlannedCall, node: ServingProcess): Promise<number | null> {
  const { n, chunksUntilDisconnect } = call;
  const { path, body } = requestOf(call);
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${keys[n % keys.length]}`,
      'content-type': 'application/json',
      'idempotency-key': `call-${n}`,
    };
    const clientRequest = request(`${node.relayUrl}${path}`, { method: 'POST', agent, headers });
    clientRequest.on('error', () => resolve(null));
    clientRequest.on('response', (response) => {
      let pieces = 0;
      response.on('data', () => {
        pieces += 1;
        if (pieces === chunksUntilDisconnect) response.destroy();
      });
      response.on('error', () => {});
      const version = Number(response.headers['x-relay-price-version']);
      response.on('close', () => resolve(version));
    });
    clientRequest.end(body);
  });
}

/** Kills and restarts one process after the other while calls run. */
async function killNodes(isOver: () => boolean): Promise<number> {
  let killCount = 0;
  while (killCount < KILLS && !isOver()) {
    const startCount = upstream.requestCount();
    // The next kill happens after enough calls.
    await expect
      .poll(() => isOver() || upstream.requestCount() - startCount > CALLS / (KILLS + 2))
      .toBe(true);
    const killedIndex = killCount % NODES;
    await nodes[killedIndex]?.end('SIGKILL');
    killCount += 1;
    nodes[killedIndex] = await startNode();
  }
  return killCount;
}

type StoredCall = {
  readonly requestId: string;
  readonly keyId: string;
  readonly n: number;
  readonly state: string;
  readonly version: number;
  readonly held: bigint;
  readonly captured: bigint;
  readonly counted: string | undefined;
  readonly isExtended: boolean;
  readonly ended: string | undefined;
};

type StoredUsage = {
  readonly counted?: string;
  readonly relay?: { readonly ended: string; readonly cut?: string; readonly extended?: string };
};

/** `since`: only calls of this time and later, by the clock of the processes. */
async function readStoredCalls(since = NOW): Promise<readonly StoredCall[]> {
  const rows = await sqlOf(db)
    .selectFrom('calls')
    .select(['request_id', 'key_id', 'state', 'price_version', 'amount', 'captured', 'usage'])
    .select(['idempotency_key', 'freed_key'])
    .where('opened_at', '>=', sql<number>`${toTimestamp(since)}::timestamptz`)
    .execute();
  return rows.map((row) => {
    const usage = row.usage as StoredUsage | null;
    return {
      requestId: row.request_id,
      keyId: row.key_id,
      n: Number(String(row.idempotency_key ?? row.freed_key).replace('call-', '')),
      state: row.state,
      version: row.price_version,
      held: BigInt(row.amount),
      captured: BigInt(row.captured ?? 0),
      counted: usage?.counted,
      isExtended: usage?.relay?.extended !== undefined,
      ended: usage?.relay?.cut ?? usage?.relay?.ended,
    };
  });
}

/** Calls whose charge differs from the second implementation. */
const miscountedCalls = (records: readonly StoredCall[], plannedCalls: readonly PlannedCall[]) =>
  records.filter(({ n, state, version, held, captured, counted, ended }) => {
    const call = plannedCalls[n];
    if (call === undefined) return true;
    if (state !== 'captured') return captured !== 0n;
    // The plan does not contain the text that a client received before it disconnected. The audit
    // checks the lines of these calls.
    if (ended !== 'completed') return captured > held;
    const expected = expectedCharge(call, { version, held });
    return counted !== expected?.counted || captured !== expected?.charge;
  });

/** The charge by the second implementation; null: the provider has not served the call. */
function expectedCharge(
  call: PlannedCall,
  { version, held }: Pick<StoredCall, 'version' | 'held'>,
) {
  const servedReply = upstream.served(call.n);
  if (servedReply === undefined) return null;
  const pricesOf = (model: string) => priceLists.get(version)?.get(model) ?? [];
  const requestedPrices = pricesOf(call.model);
  const hasCachePrice = requestedPrices.some(({ class: name }) => name === 'cache_read');
  const { counted, usage } = expectedUsage(call, servedReply, () => hasCachePrice);
  const cost = expectedCost(pricesOf(servedReply.model), usage);
  const largestCharge = expectedCost(requestedPrices, usage);
  return { counted, charge: minOf(cost, largestCharge, held) };
}

const sumOf = (records: readonly StoredCall[]) =>
  records.reduce((sum, { captured }) => sum + captured, 0n);

/** The sum that the second implementation expects of complete calls. */
const expectedSum = (records: readonly StoredCall[]) =>
  records.reduce((sum, record) => {
    const call = calls[record.n];
    return sum + ((call && expectedCharge(call, record)?.charge) ?? 0n);
  }, 0n);

const isComplete = ({ state, ended }: StoredCall) => state === 'captured' && ended === 'completed';

/** Checks the calls that have ended, so that an interrupted run also gives a result. */
async function checkPart(since: number): Promise<void> {
  const endedCalls = (await readStoredCalls(since)).filter(({ state }) => !isRunning(state));
  expect(miscountedCalls(endedCalls, calls)).toEqual([]);
  const completeCalls = endedCalls.filter(isComplete);
  const [chargedSum, expectedTotal] = [sumOf(completeCalls), expectedSum(completeCalls)];
  expect(chargedSum).toBe(expectedTotal);
  process.stdout.write(
    `  ${endedCalls.length} ended calls, ${completeCalls.length} complete: ` +
      `charged ${chargedSum}, ` +
      `expected ${expectedTotal} micro-fen\n`,
  );
}

const isRunning = (state: string) => state === 'held' || state === 'unknown';

const minOf = (...amounts: readonly bigint[]) =>
  amounts.reduce((min, amount) => (amount < min ? amount : min));

test(`${CALLS} calls with kills are charged exactly (RADAR_SEED=${seed})`, {
  // The full size takes a quarter of an hour on two idle cores, and an hour on busy ones.
  timeout: proofSize(3_600_000, 4 * 3_600_000),
}, async () => {
  let nextCall = 0;
  let isOver = false;
  const killing = killNodes(() => isOver);
  const runCallsUntil = async (end: number) => {
    while (nextCall < end) {
      const call = calls[nextCall];
      nextCall += 1;
      // Every call is sent to two nodes with the same key, as by a client whose node was killed.
      for (const attempt of [0, 1]) {
        const node = nodes[((call?.n ?? 0) + attempt) % NODES];
        if (call !== undefined && node !== undefined) await send(call, node);
      }
    }
  };
  const runUntil = (end: number) =>
    Promise.all(Array.from({ length: CONCURRENCY }, () => runCallsUntil(end)));
  let probeIndex = CALLS;
  const probe = async () => {
    const [call, node] = [calls[probeIndex], nodes[0]];
    probeIndex += 1;
    return call === undefined || node === undefined ? null : send(call, node);
  };
  // The clock of a process that started slowly is behind. Calls therefore show whether the list is
  // in effect.
  const waitForListInEffect = () =>
    expect.poll(probe, { interval: 500, timeout: 300_000 }).toBe(priceLists.size + 1);
  for (let partIndex = 1; partIndex <= PRICE_LISTS; partIndex += 1) {
    const since = nodesNow() - 60_000;
    await runUntil((CALLS * partIndex) / PRICE_LISTS);
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    process.stdout.write(
      `${nextCall} of ${CALLS} calls, ${upstream.requestCount()} requests, ${seconds} s\n`,
    );
    await checkPart(since);
    await waitForListInEffect();
    // The list changes while the calls of the next part run.
    if (partIndex < PRICE_LISTS) await planList(nodesNow() + 1_000);
  }
  isOver = true;
  const killCount = await killing;
  await Promise.all(nodes.map((node) => node.end('SIGTERM')));
  // The holds of killed processes are past their deadlines.
  clock.advance(60 * 60_000);
  for (let remainingHolds = 1; remainingHolds > 0; ) {
    const { captured, released, unknown } = await recoverHolds(world, db);
    remainingHolds = captured + released + unknown;
  }

  const storedRows = await readStoredCalls();
  expect(killCount).toBeGreaterThan(0);
  expect(storedRows.filter(({ state }) => isRunning(state))).toEqual([]);
  expect(miscountedCalls(storedRows, calls)).toEqual([]);
  const complete = storedRows.filter(isComplete);
  expect(complete.length).toBeGreaterThan(CALLS / 4);
  expect(new Set(complete.map(({ version }) => version)).size).toBe(PRICE_LISTS);
  const counts = new Set(complete.map(({ counted }) => counted));
  expect(counts).toEqual(new Set(['upstream', 'estimated', 'contradictory']));
  expect(storedRows.some(({ isExtended }) => isExtended)).toBe(true);
  const hasCompleteCall = (fault: PlannedCall['fault']) =>
    complete.some(({ n }) => calls[n]?.fault === fault);
  expect([
    hasCompleteCall('failing'),
    hasCompleteCall('spliced'),
    hasCompleteCall('restarted'),
  ]).toEqual([true, true, true]);
  // Each key is charged once. The spending of the keys and the balance equal the sums of the
  // captures.
  const captures = storedRows.filter(({ state }) => state === 'captured');
  expect(new Set(captures.map(({ n }) => n)).size).toBe(captures.length);
  const spentByKey = await sqlOf(db)
    .selectFrom('key_spending')
    .select(['key_id', 'total_spent'])
    .execute();
  expect(spentByKey).toHaveLength(keys.length);
  for (const { key_id: key, total_spent: total } of spentByKey) {
    expect(BigInt(total)).toBe(sumOf(captures.filter(({ keyId }) => keyId === key)));
  }
  const { invariants } = await auditLedger(world, db, 'full');
  expect(invariants.flatMap(({ violations }) => violations)).toEqual([]);
  process.stdout.write(
    `seed ${seed}: ${storedRows.length} calls, ${killCount} kills, ` +
      `${captures.length} captures of ` +
      `${sumOf(captures)} micro-fen, ${Math.round((performance.now() - begunAt) / 1_000)} s\n`,
  );

  // The check must find planted faults: more output in one call whose hold and price do not hide
  // the difference.
  const withMoreOutput = (call: PlannedCall) => ({ ...call, output: call.output + 1_000 });
  const firstCall = complete.find((record) => {
    const call = calls[record.n];
    if (call === undefined || record.counted !== 'upstream') return false;
    if (call.fault !== 'none' || call.dialect !== 'chat') return false;
    return expectedCharge(withMoreOutput(call), record)?.charge !== record.captured;
  });
  const plantedCalls = calls.map((call) => (call.n === firstCall?.n ? withMoreOutput(call) : call));
  expect(miscountedCalls(storedRows, plantedCalls).map(({ n }) => n)).toEqual([firstCall?.n]);
});
