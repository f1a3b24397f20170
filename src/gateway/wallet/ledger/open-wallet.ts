// Opens the wallet of a process. Its requests form batches over one ledger connection (group
// commit).

import { type BatchQueue, openBatchQueue } from '../../../kernel/concurrency/batch-queue.ts';
import { requirePresent } from '../../../kernel/errors/assert.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { type Deadlines, openDeadlines } from '../../../kernel/time/deadlines.ts';
import type { World } from '../../../kernel/world.ts';
import { authorizeCalls } from '../../../store/ledger/authorize.ts';
import { changeHold, type HoldChange } from '../../../store/ledger/change-hold.ts';
import { type LedgerConnection, openLedgerConnection } from '../../../store/ledger/connection.ts';
import type { AuthorizationRow, HoldChangeRow } from '../../../store/ledger/decode-result.ts';
import { findIdempotencyKey } from '../../../store/ledger/find-idempotency-key.ts';
import type { BatchTime } from '../../../store/ledger/parameters.ts';
import type { Resolution } from '../../../store/ledger/resolution.ts';
import { resolveHolds } from '../../../store/ledger/resolve.ts';
import { allocationsOf } from './allocate-capture.ts';
import { openBatchTimes } from './batch-time.ts';
import { coalesceDuplicates } from './coalesce-duplicates.ts';
import { executeBatch, ledgerUnavailable } from './execute-batch.ts';
import type { Failpoint } from './failpoint.ts';
import { type HoldCache, openHoldCache } from './hold-cache.ts';
import {
  DISCONNECTED,
  retryUnacknowledged,
  SHORT_PAUSES_MS,
  unknownChargeFault,
} from './retry-unacknowledged.ts';
import type { AuthorizeRequest, AuthorizeResult, Wallet } from './wallet.ts';
import { toAdjustResult, toAuthorizeResult, toIdempotencyConflict } from './wallet-results.ts';

/** Larger batches gain nothing and lock their wallets longer. */
const MAX_BATCH = 256;

export type WalletOptions = { readonly failpoint?: Failpoint };

export async function openWallet(
  world: World,
  db: Db,
  { failpoint }: WalletOptions = {},
): Promise<Wallet> {
  const connection = openLedgerConnection(world.log, db);
  const queue = openBatchQueue();
  const batchTimeAt = openBatchTimes();
  const holds = openHoldCache();
  const closeController = new AbortController();
  const deps: WalletDeps = {
    world,
    connection,
    queue,
    holds,
    deadlines: openDeadlines(world.clock, closeController.signal),
    batchTimeNow: () => batchTimeAt(world.clock.now()),
    instrument: (name, execute) =>
      failpoint === undefined ? execute() : runWithFailpoints(failpoint, name, execute),
  };
  const authorize = createAuthorize(deps);
  const resolve = createResolve(deps);
  const submitHoldChange = createHoldChange(deps);
  return {
    findIdempotencyKey: (query) =>
      findIdempotencyKey(db, query).then((claim) => claim && toIdempotencyConflict(claim)),
    authorize,
    adjust: async (requestId, next) => {
      const hold = holds.remove(requestId);
      const row = await submitHoldChange({ requestId, ...next, ifUncovered: 'release' });
      const result = toAdjustResult(deps.batchTimeNow(), requestId, row);
      if (hold !== null && result.kind === 'held') {
        holds.put(requestId, { ...hold, amount: next.amount }, result.allocations);
      }
      return result;
    },
    extend: async (requestId, next) => {
      const hold = holds.remove(requestId);
      const row = await submitHoldChange({ requestId, ...next, ifUncovered: 'keep' });
      if (row.kind !== 'held') return 'not_covered';
      if (hold !== null) {
        const { amount } = next;
        holds.put(requestId, { ...hold, amount }, allocationsOf(row.parts));
      }
      return 'held';
    },
    capture: async (request) => {
      const hold = holds.remove(request.requestId);
      const capture = { ...request, outcome: 'captured', code: null, hold } as const;
      const result = await retryUnacknowledged(deps, () => resolve(capture));
      if (result === DISCONNECTED) throw unknownChargeFault(request.requestId);
      return { kind: result === 'done' ? 'captured' : 'lost' };
    },
    release: async (request) => {
      holds.remove(request.requestId);
      const { usage = null } = request;
      const release = { ...request, ...noCharge, usage, outcome: 'released' } as const;
      const result = await retryUnacknowledged(deps, () => resolve(release), SHORT_PAUSES_MS);
      if (result === DISCONNECTED) throw ledgerUnavailable(`${request.requestId} was not released`);
      if (result !== 'done') world.log.warn({ request: request.requestId }, 'released by recovery');
    },
    close: async () => {
      await queue.whenIdle();
      closeController.abort();
      await connection.close();
    },
  };
}

/** Dependencies of the wallet's operations. */
type WalletDeps = {
  readonly world: World;
  readonly connection: LedgerConnection;
  readonly queue: BatchQueue;
  readonly holds: HoldCache;
  readonly deadlines: Deadlines;
  readonly batchTimeNow: () => BatchTime;
  readonly instrument: <T>(name: LedgerOperation, execute: () => Promise<T>) => Promise<T>;
};

function createAuthorize({
  world,
  connection,
  queue,
  holds,
  deadlines,
  batchTimeNow,
  instrument,
}: WalletDeps): Wallet['authorize'] {
  const retryQueue = queue.addQueue<AuthorizeRequest, AuthorizationRow | typeof DISCONNECTED>({
    maxInputs: MAX_BATCH,
    run: (authorizeRequests) =>
      executeBatch<AuthorizeRequest, AuthorizationRow | typeof DISCONNECTED>(
        world,
        authorizeRequests,
        {
          execute: (batch) =>
            instrument('authorize', () => authorizeCalls(connection, batchTimeNow(), batch, true)),
          onDisconnected: () => DISCONNECTED,
        },
      ),
  });
  /** Repeats a request whose hold may exist. An unknown hold would stay until its deadline. */
  const authorizeUntilKnown = async (
    authorizeRequest: AuthorizeRequest,
  ): Promise<AuthorizationRow> => {
    const row = await retryUnacknowledged({ world, deadlines }, () => retryQueue(authorizeRequest));
    if (row === DISCONNECTED) throw ledgerUnavailable(`${authorizeRequest.requestId} may be held`);
    return row;
  };
  const authorizeAll = async (leaders: readonly AuthorizeRequest[]) => {
    const batchTime = batchTimeNow();
    const results = await executeBatch(world, leaders, {
      execute: (batch, isRetry) =>
        instrument('authorize', () => authorizeCalls(connection, batchTime, batch, isRetry)),
      onDisconnected: (request, isSent) => (isSent ? authorizeUntilKnown(request) : null),
    });
    return results.map((result, index) =>
      mapResult(result, (row) =>
        cacheHold(
          holds,
          batchTime,
          requirePresent(leaders[index], 'the request of an authorization'),
          row,
        ),
      ),
    );
  };
  const authorize: Wallet['authorize'] = queue.addQueue<AuthorizeRequest, AuthorizeResult>({
    maxInputs: MAX_BATCH,
    run: (authorizeRequests) => coalesceDuplicates(authorizeRequests, authorize, authorizeAll),
  });
  return authorize;
}

/** The created function returns `done`, `lost` or `DISCONNECTED`. */
function createResolve({ world, connection, queue, instrument }: WalletDeps) {
  return queue.addQueue<Resolution, string>({
    maxInputs: MAX_BATCH,
    sizeOf: ({ body }) => body?.length ?? 0,
    run: (resolutions) =>
      executeBatch(world, resolutions, {
        execute: (batch) =>
          instrument('resolve', () => resolveHolds(connection, world.clock.now(), batch)),
        onDisconnected: () => DISCONNECTED,
      }),
  });
}

function createHoldChange({ world, connection, queue, batchTimeNow, instrument }: WalletDeps) {
  return queue.addQueue<HoldChange, HoldChangeRow>({
    maxInputs: 1,
    run: (request) =>
      executeBatch(world, request, {
        execute: ([change]) =>
          instrument('adjust', () =>
            changeHold(
              connection,
              batchTimeNow(),
              requirePresent(change, 'the request of a hold change'),
            ),
          ),
      }),
  });
}

/**
 * A result that cannot be decoded fails only its own request. A synchronous result stays
 * synchronous, because each promise delays all results of the batch by a microtask turn.
 */
function mapResult(
  result: AuthorizationRow | Promise<AuthorizationRow>,
  toResult: (row: AuthorizationRow) => AuthorizeResult,
): AuthorizeResult | Promise<AuthorizeResult> {
  if (result instanceof Promise) return result.then(toResult);
  try {
    return toResult(result);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Returns the result, and caches the hold of a priced call. */
function cacheHold(
  holds: ReturnType<typeof openHoldCache>,
  batchTime: BatchTime,
  authorizeRequest: AuthorizeRequest,
  row: AuthorizationRow,
): AuthorizeResult {
  const authorization = toAuthorizeResult(batchTime, authorizeRequest, row);
  const { requestId, accountId, livemode, sku, amount } = authorizeRequest;
  if (authorization.kind === 'authorized' && sku !== null) {
    holds.put(requestId, { accountId, livemode, sku, amount }, authorization.allocations);
  }
  return authorization;
}

type LedgerOperation = 'authorize' | 'resolve' | 'adjust';

async function runWithFailpoints<T>(
  failpoint: Failpoint,
  name: LedgerOperation,
  execute: () => Promise<T>,
) {
  await failpoint(`${name}:before`);
  const result = execute();
  result.catch(() => {});
  await failpoint(`${name}:sent`);
  const value = await result;
  await failpoint(`${name}:done`);
  return value;
}

const noCharge = { captured: 0n, contentType: null, body: null } as const;
