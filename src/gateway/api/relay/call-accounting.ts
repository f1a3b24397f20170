// Accounting of chat calls. A call with a price or an Idempotency-Key is authorized durably before
// the upstream request.
//
// All other calls are recorded in batches beside the request path, so they do not wait for the
// disk. They count against quotas and are listed like any call. An exhausted quota refuses the
// calls after it.

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
  /** Stored with the usage of a durable call; null: nothing to store. */
  readonly record: CallRecord | null;
};

export type CallAccounting = {
  /** The reason to refuse the call that has become known since it began; null: none. */
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

/** The calls of an account in one mode, live or test. */
type Account = Pick<AuthorizeRequest, 'accountId' | 'livemode'>;

export type AccountingService = {
  /** Resolves after the commit. Refusals of the wallet are values, not errors. */
  authorize(authorizeRequest: AuthorizeRequest): Promise<AuthorizeResult>;
  /** Whether the account's last such call was refused, so the next one may be refused as well. */
  wasRefused(account: Account): boolean;
  /** For a call that `authorize` has accepted. */
  accountingOf(authorizeRequest: AuthorizeRequest): CallAccounting;
  /** Throws when the account's quota is known to be exhausted. */
  refuseExhausted(account: Account): void;
  /** Authorizes while the call runs. */
  authorizeInBackground(authorizeRequest: AuthorizeRequest): CallAccounting;
  /** Resolves when all writes are finished. */
  idle(): Promise<void>;
};

const ACCOUNTS_MAX = 10_000;
/** A batch of twenty costs little more than one. A crash loses the calls of one interval. */
const BATCH_MS = 25;

export function openCallAccounting(world: World, wallet: Wallet): AccountingService {
  const batcher = openBatcher(world.clock, BATCH_MS);
  const writing = new Set<Promise<unknown>>();
  const exhausted =
    openBoundedCache<Extract<AuthorizeResult, { kind: 'quota_exceeded' }>>(ACCOUNTS_MAX);
  const refusals = openRefusals();
  const runInBackground = (work: Promise<unknown>, requestId: string): void => {
    const done = work
      .catch((error) =>
        world.log.error({ requestId, error: messageOf(error) }, 'the request was not recorded'),
      )
      .finally(() => writing.delete(done));
    writing.add(done);
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
      const used = exhausted.get(accountOf(account));
      if (used && used.resetsAt > world.clock.now()) throw refusalOf(used, world.clock.now());
    },
    authorizeInBackground: (authorizeRequest) => {
      const { requestId } = authorizeRequest;
      let refusal: Fault | null = null;
      const authorization = batcher.wait().then(() => wallet.authorize(authorizeRequest));
      const authorized = authorization.then(
        (captured) => {
          if (captured.kind === 'quota_exceeded')
            exhausted.set(accountOf(authorizeRequest), captured);
          if (captured.kind === 'authorized') return true;
          refusal = captured.kind === 'duplicate' ? null : refusalOf(captured, world.clock.now());
          return false;
        },
        (cause) => {
          refusal = new Fault('temporarily_unavailable', 'The call could not be recorded.', {
            cause,
            internal: messageOf(cause),
            retryAfterSeconds: 1,
          });
          return false;
        },
      );
      const afterAuthorization = async (work: () => Promise<unknown>) =>
        runInBackground(
          authorized.then((isAuthorized) => (isAuthorized ? batcher.wait().then(work) : null)),
          requestId,
        );
      return {
        isDurable: false,
        isRepeatable: false,
        refusal: () => refusal,
        extend: async () => 'not_covered',
        capture: async (captured) => {
          await afterAuthorization(() => captureCall(wallet, authorizeRequest, captured));
          return true;
        },
        release: (failed) =>
          afterAuthorization(() => releaseCall(wallet, authorizeRequest, failed)),
      };
    },
    idle: () =>
      batcher.runImmediately(async () => {
        while (writing.size > 0) await Promise.all(writing);
      }),
  };
}

async function captureCall(
  wallet: Wallet,
  { requestId, quantity }: AuthorizeRequest,
  { charge, record, ...charged }: CapturedResponse,
) {
  const usage = { unit: 'per_call', quantity, increment: 'call' } as const;
  const { kind } = await wallet.capture({
    requestId,
    captured: charge?.captured ?? 0n,
    usage: { ...(charge?.usage ?? usage), ...(record !== null && { relay: record }) },
    ...charged,
  });
  return kind === 'settled';
}

const releaseCall = (
  wallet: Wallet,
  { requestId }: AuthorizeRequest,
  { status, code, record }: FailedCall,
) => wallet.release({ requestId, status, code, usage: { relay: record } });

/** Remembers accounts whose last call was refused. */
function openRefusals() {
  const refused = openBoundedCache<boolean>(ACCOUNTS_MAX);
  const has = (account: Account) => refused.get(accountOf(account)) ?? false;
  const note = (authorizeRequest: AuthorizeRequest, { kind }: AuthorizeResult) => {
    const isRefused = kind !== 'authorized';
    if (isRefused !== has(authorizeRequest)) refused.set(accountOf(authorizeRequest), isRefused);
  };
  return { has, note };
}

const accountOf = ({ accountId, livemode }: Account) => `${livemode} ${accountId}`;
