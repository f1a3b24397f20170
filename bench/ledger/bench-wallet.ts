// Opens what the ledger's measurements need: an embedded server with fsync on, and one wallet with
// enough money. Its functions authorize and capture calls of that wallet.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topUp } from '../../src/gateway/wallet/credits/post-transfer.ts';
import { openWallet } from '../../src/gateway/wallet/ledger/open-wallet.ts';
import type { AuthorizeRequest, Wallet } from '../../src/gateway/wallet/ledger/wallet.ts';
import { timedIds } from '../../src/kernel/crypto/ids.ts';
import { systemRandom } from '../../src/kernel/crypto/random.ts';
import { openNet } from '../../src/kernel/net/open-net.ts';
import { openLog } from '../../src/kernel/observability/log.ts';
import { runningClock } from '../../src/kernel/time/clock.ts';
import { DAY_MS } from '../../src/kernel/time/durations.ts';
import type { World } from '../../src/kernel/world.ts';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../src/store/embedded-postgres/open.ts';
import { type LedgerConnection, openLedgerConnection } from '../../src/store/ledger/connection.ts';
import { closeDb, openDb } from '../../src/store/platform/db.ts';
import { migrate } from '../../src/store/platform/migrate.ts';
import { addMonthlyPartitions, fillLedger } from '../growth/fill-ledger.ts';
import { serverProcessorMs } from '../server-processor-time.ts';

export type BenchWallet = {
  readonly world: World;
  readonly wallet: Wallet;
  readonly ledger: LedgerConnection;
  readonly connection: EmbeddedPostgres['connection'];
  /** Authorizes a call of the wallet and returns its id. */
  authorizeCall(): Promise<string>;
  /** Captures the call, with a response of 300 bytes. */
  captureCall(requestId: string): Promise<void>;
  /** Processor time of all processes of the server since its start. */
  processorMs(): number;
  close(): Promise<void>;
};

const PRICE_MICRO_FEN = 3_600_000n;
const text = 'A line of text as it was read from an image. '.repeat(6);

/** `history`: earlier calls, spread evenly over this number of days. */
export async function openBenchWallet(history?: {
  readonly days: number;
  readonly calls: number;
}): Promise<BenchWallet> {
  const dataDir = mkdtempSync(join(tmpdir(), 'radar-bench-ledger-'));
  const clock = runningClock();
  const random = systemRandom();
  const log = openLog({ level: 'warn', now: clock.now });
  const net = openNet({ clock, privateHosts: [], politenessMs: 0, userAgent: 'bench' });
  const world: World = { clock, random, ids: timedIds(clock, random), net, log };
  const server = await openEmbeddedPostgres(log, { dataDir, isDurable: true });
  const db = openDb(log, server.connection, { applicationName: 'bench' });
  await migrate(world, db);
  if (history !== undefined) {
    const since = new Date(clock.now() - history.days * DAY_MS);
    await addMonthlyPartitions(db, since);
    await fillLedger(db, { calls: history.calls, since, until: new Date(clock.now()) });
  }
  const topUpRequest = {
    accountId: 'acct_hot',
    livemode: true,
    amount: 10n ** 15n,
    reference: 'bench',
  };
  await topUp(world, db, { ...topUpRequest, reason: null, actor: 'bench' });
  const [wallet, ledger] = [await openWallet(world, db), openLedgerConnection(log, db)];
  return {
    world,
    wallet,
    ledger,
    connection: server.connection,
    authorizeCall: async () => {
      const authorizeRequest = authorizeRequestOf(world);
      const { kind } = await wallet.authorize(authorizeRequest);
      if (kind !== 'authorized') throw new Error(`an authorization has the result ${kind}`);
      return authorizeRequest.requestId;
    },
    captureCall: async (requestId) => {
      const responseBody = { request_id: requestId, data: { text }, charge: { total: '0.036' } };
      const usage = { unit: 'per_call', quantity: 1, increment: 'call' };
      const captureResult = await wallet.capture({
        requestId,
        captured: PRICE_MICRO_FEN,
        usage,
        status: 200,
        contentType: 'application/json',
        body: Buffer.from(JSON.stringify(responseBody)),
      });
      if (captureResult.kind !== 'captured') throw new Error('a capture failed');
    },
    processorMs: () => serverProcessorMs(dataDir),
    close: async () => {
      await wallet.close();
      await ledger.close();
      await closeDb(db);
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function authorizeRequestOf(world: World): AuthorizeRequest {
  const requestId = `req_${world.ids.next()}`;
  return {
    requestId,
    accountId: 'acct_hot',
    livemode: true,
    keyId: 'key_one',
    capability: 'ocr',
    sku: 'ocr',
    priceVersion: 1,
    unit: 'per_call',
    quantity: 1,
    amount: PRICE_MICRO_FEN,
    maxCharge: null,
    budget: null,
    quotas: { day: 1e9, month: 1e9 },
    idempotency: { key: requestId, fingerprint: requestId.repeat(2) },
    deadlineAt: world.clock.now() + 3_600_000,
  };
}
