// Authorizes and captures the calls of the relay. A call with a price or an Idempotency-Key is
// authorized durably before the upstream request.
//
// All other calls are recorded in batches outside the request path, so they do not wait for the
// disk. These calls count against quotas and are listed. When the recording shows an exhausted
// quota, later calls are refused.

import { openBatcher } from '../../../kernel/concurrency/batcher.ts';
import { openBoundedCache } from '../../../kernel/concurrency/bounded-cache.ts';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import type { World } from '../../../kernel/world.ts';
import { refusalOf } from '../../calls/refusals.ts';
import type { CapturedCharge } from '../../relay/prices/price-call.ts';
import type { CallRecord } from '../../relay/receipt.ts';
import type {
  AuthorizeRequest,
  AuthorizeResult,
  CaptureRequest,
  Wallet,
} from '../../wallet/ledger/wallet.ts';

export type CapturedResponse = Pick<CaptureRequest, 'status' | 'contentType' | 'body'> & {
  /** Null: the call is free. */
  readonly charge: CapturedCharge | null;
  /** Stored with the usage of the call; null: nothing to store. */
  readonly record: CallRecord | null;
};

export type CallAccounting = {
  /** A reason to refuse the call. The reason was found after the call's start. Null: none. */
  refusal(): Fault | null;
  /** For durable calls: resolves after the commit; false when recovery has released the hold. */
  capture(captured: CapturedResponse): Promise<boolean>;
  /** Raises the hold of a durable call while it runs. */
  extend(next: Parameters<Wallet['extend']>[1]): ReturnType<Wallet['extend']>;
  /** True when the response waits for the capture; otherwise capturing never fails. */
  readonly isDurable: boolean;
  /** The call has an Idempotency-Key, so a repetition receives the same response. */
  readonly isRepeatable: boolean;
  /** Releases the hold and the idempotency key. Never rejects. */
  release(failed: FailedCall): Promise<void>;
};

export type FailedCall = {
  readonly status: number;
  readonly code: string;
  /** Attempts and ending of the call, for the receipt. */
  readonly record: CallRecord;
};

/** An account in one mode, live or test. */
type AccountMode = Pick<AuthorizeRequest, 'accountId' | 'livemode'>;

export type AccountingService = {
  /** Resolves after the commit. Refusals of the wallet are values, not errors. */
  authorize(authorizeRequest: AuthorizeRequest): Promise<AuthorizeResult>;
  /**
   * Whether the account's last call in this mode was refused. The next call may also be refused.
   */
  wasRefused(account: AccountMode): boolean;
  /** The accounting of a call that `authorize` has accepted. */
  accountingOf(authorizeRequest: AuthorizeRequest): CallAccounting;
  /** Throws when the account's quota is known to be exhausted. */
  refuseExhausted(account: AccountMode): void;
  /** Authorizes while the call runs. */
  authorizeInBackground(authorizeRequest: AuthorizeRequest): CallAccounting;
  /** Resolves when all writes are finished. */
  idle(): Promise<void>;
};

const MAX_ACCOUNTS = 10_000;
/**
 * A batch of twenty calls costs little more than one call. A crash loses the calls of one interval.
 */
const BATCH_MS = 25;

export function openCallAccounting(world: World, wallet: Wallet): AccountingService {
  const batcher = openBatcher(world.clock, BATCH_MS);
  const pendingWrites = new Set<Promise<unknown>>();
  const quotaRefusals =
    openBoundedCache<Extract<AuthorizeResult, { kind: 'quota_exceeded' }>>(MAX_ACCOUNTS);
  const refusals = openRefusals();
  const runInBackground = (work: Promise<unknown>, requestId: string): void => {
    const pendingWrite = work
      .catch((error) =>
        world.log.error({ requestId, error: messageOf(error) }, 'the request was not recorded'),
      )
      .finally(() => pendingWrites.delete(pendingWrite));
    pendingWrites.add(pendingWrite);
  };
  return {
    authorize: async (authorizeRequest) => {
      const authorization = await wallet.authorize(authorizeRequest);
      refusals.note(authorizeRequest, authorization);
      return authorization;
    },
    wasRefused: refusals.has,
    accountingOf: (authorizeRequest) => ({
      isDurable: true,
      isRepeatable: authorizeRequest.idempotency !== null,
      refusal: () => null,
      extend: (next) => wallet.extend(authorizeRequest.requestId, next),
      capture: (captured) => captureCall(wallet, authorizeRequest, captured),
      release: (failed) =>
        releaseCall(wallet, authorizeRequest, failed).catch((error) => {
          const { requestId } = authorizeRequest;
          world.log.error(
            { requestId, error: messageOf(error) },
            'a hold was not released; recovery will resolve it',
          );
        }),
    }),
    refuseExhausted: (account) => {
      const refusal = quotaRefusals.get(cacheKeyOf(account));
      if (refusal && refusal.resetsAt > world.clock.now())
        throw refusalOf(refusal, world.clock.now());
    },
    authorizeInBackground: (authorizeRequest) => {
      const { requestId } = authorizeRequest;
      let refusal: Fault | null = null;
      const authorization = batcher.wait().then(() => wallet.authorize(authorizeRequest));
      const isAuthorizedPromise = authorization.then(
        (result) => {
          if (result.kind === 'quota_exceeded')
            quotaRefusals.set(cacheKeyOf(authorizeRequest), result);
          if (result.kind === 'authorized') return true;
          refusal = result.kind === 'duplicate' ? null : refusalOf(result, world.clock.now());
          return false;
        },
        (cause) => {
          const message = 'The call could not be recorded. Try again.';
          refusal = new Fault('temporarily_unavailable', message, {
            cause,
            internal: messageOf(cause),
            retryAfterSeconds: 1,
          });
          return false;
        },
      );
      const runAfterAuthorization = async (work: () => Promise<unknown>) =>
        runInBackground(
          isAuthorizedPromise.then((isAuthorized) =>
            isAuthorized ? batcher.wait().then(work) : null,
          ),
          requestId,
        );
      return {
        isDurable: false,
        isRepeatable: false,
        refusal: () => refusal,
        extend: async () => 'not_covered',
        capture: async (captured) => {
          await runAfterAuthorization(() => captureCall(wallet, authorizeRequest, captured));
          return true;
        },
        release: (failed) =>
          runAfterAuthorization(() => releaseCall(wallet, authorizeRequest, failed)),
      };
    },
    idle: () =>
      batcher.runImmediately(async () => {
        while (pendingWrites.size > 0) await Promise.all(pendingWrites);
      }),
  };
}

async function captureCall(
  wallet: Wallet,
  { requestId, quantity }: AuthorizeRequest,
  { charge, record, ...response }: CapturedResponse,
) {
  const usage = { unit: 'per_call', quantity, increment: 'call' } as const;
  const { kind } = await wallet.capture({
    requestId,
    captured: charge?.captured ?? 0n,
    usage: { ...(charge?.usage ?? usage), ...(record !== null && { relay: record }) },
    ...response,
  });
  return kind === 'captured';
}

const releaseCall = (
  wallet: Wallet,
  { requestId }: AuthorizeRequest,
  { status, code, record }: FailedCall,
) => wallet.release({ requestId, status, code, usage: { relay: record } });

/** Stores the accounts whose last call was refused. */
function openRefusals() {
  const refusedAccounts = openBoundedCache<boolean>(MAX_ACCOUNTS);
  const has = (account: AccountMode) => refusedAccounts.get(cacheKeyOf(account)) ?? false;
  const note = (authorizeRequest: AuthorizeRequest, { kind }: AuthorizeResult) => {
    const isRefused = kind !== 'authorized';
    if (isRefused !== has(authorizeRequest))
      refusedAccounts.set(cacheKeyOf(authorizeRequest), isRefused);
  };
  return { has, note };
}

const cacheKeyOf = ({ accountId, livemode }: AccountMode) => `${livemode} ${accountId}`;
