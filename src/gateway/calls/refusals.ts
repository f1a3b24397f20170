// Converts refusals and failures of a call to Faults, with the codes of the contract's error table.
// In each case nothing was charged. A refused call did not run.

import type { Code } from '../../kernel/errors/codes.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import { formatCny, type MicroFen } from '../../kernel/money.ts';
import { shanghaiDay, toWireTime } from '../../kernel/time/calendar.ts';
import type { ProviderFailure } from '../capabilities/capability.ts';
import type { AuthorizeResult } from '../wallet/ledger/wallet.ts';
import { callPath } from './call.ts';

type Refusal = Exclude<AuthorizeResult, { kind: 'authorized' } | { kind: 'duplicate' }>;

export function refusalOf(refusal: Refusal, now: number): Fault {
  switch (refusal.kind) {
    case 'in_progress':
      return inProgressFault(refusal.requestId);
    case 'reused':
      return new Fault(
        'idempotency_key_reused',
        'This Idempotency-Key was sent with a different request before. Use a new key.',
      );
    case 'insufficient':
      return insufficientBalanceFault(refusal, now);
    case 'budget_exceeded': {
      const { resetsAt } = refusal;
      const members = { budget_resets_at: resetsAt === null ? null : toWireTime(resetsAt) };
      const message = 'The budget of this API key does not cover this call.';
      return unpaidFault('key_budget_exceeded', message, refusal, now, members);
    }
    case 'quota_exceeded': {
      const retryAfterSeconds = Math.max(1, Math.ceil((refusal.resetsAt - now) / 1000));
      const { quota, quotas, resetsAt } = refusal;
      const resets = toWireTime(resetsAt);
      const usageText = `The account has used up its ${quotas[quota].used} calls of this ${quota}.`;
      const message = `${usageText} The next ${quota} begins at ${resets}.`;
      const members = { quota, quota_resets_at: resets };
      return new Fault('quota_exceeded', message, { retryAfterSeconds, members });
    }
  }
}

/**
 * The wallet does not cover the price. `isCapped`: the operators' cap prevented today's allowance.
 */
export function insufficientBalanceFault(
  money: Money,
  now: number,
  { isCapped = false } = {},
): Fault {
  const message = isCapped
    ? 'The wallet does not cover this call, and the free allowance that this installation gives ' +
      'to all accounts together is used up for today.'
    : 'The wallet does not cover this call.';
  return unpaidFault('insufficient_balance', message, money, now);
}

/** An operator has switched the capability or its provider off. */
export function switchedOffFault(name: string): Fault {
  const message = `${name} is switched off at the moment.`;
  const noCharge = 'Nothing was charged, and nothing was run.';
  return new Fault('capability_unavailable', `${message} ${noCharge}`, { retryAfterSeconds: 30 });
}

/**
 * The capability is not configured. The customer's message states that the capability is not
 * available; the log has `internal`, which names the missing setting.
 */
export function notOfferedFault(name: string, internal: string): Fault {
  const message = `${name} is not available on this service. Nothing was charged.`;
  return new Fault('capability_unavailable', message, { internal, retryAfterSeconds: null });
}

/** The price exceeds the caller's limit. */
export function priceTooHighFault(price: MicroFen, maxCharge: MicroFen, now: number): Fault {
  const message = `The price, ${formatCny(price)} CNY, is above max_charge.`;
  return unpaidFault(
    'max_charge_exceeded',
    message,
    { required: price, available: maxCharge },
    now,
  );
}

type Money = { readonly required: MicroFen; readonly available: MicroFen };

function unpaidFault(
  code: Code,
  message: string,
  money: Money,
  now: number,
  extraMembers: object = {},
): Fault {
  const members = {
    required: formatCny(money.required),
    available: formatCny(money.available),
    free_quota_resets_at: toWireTime(shanghaiDay(now).endsAt),
    ...extraMembers,
  };
  return new Fault(code, `${message} Nothing was charged, and nothing was run.`, { members });
}

function inProgressFault(requestId: string): Fault {
  const message = 'The request with this Idempotency-Key is still running.';
  return new Fault('idempotency_in_progress', message, {
    retryAfterSeconds: 1,
    headers: { location: callPath(requestId) },
  });
}

export function duplicateFault({
  original,
}: Extract<AuthorizeResult, { kind: 'duplicate' }>): Fault {
  const { requestId, status } = original;
  const url = callPath(requestId);
  const cause = 'The call of this Idempotency-Key was completed before';
  const message = `${cause}, with ${status}: see ${url}.`;
  return new Fault('duplicate_idempotency_key', message, {
    members: { original: { request_id: requestId, status, url } },
    headers: { location: url },
  });
}

const UNAVAILABLE_RETRY_SECONDS = 5;

/** The Fault for a failed provider. */
export function providerFault(failure: ProviderFailure): Fault {
  const { code, message, internal, retryAfterSeconds } = failure;
  const wait = code === 'capability_unavailable' ? UNAVAILABLE_RETRY_SECONDS : undefined;
  const seconds = retryAfterSeconds === undefined ? wait : retryAfterSeconds;
  const boundedSeconds = typeof seconds === 'number' ? Math.min(30, Math.max(1, seconds)) : seconds;
  return new Fault(code, message, {
    ...(internal !== undefined && { internal }),
    ...(boundedSeconds !== undefined && { retryAfterSeconds: boundedSeconds }),
  });
}

/** The Fault for a call whose hold was released before its capture. */
export const lateCaptureFault = () =>
  new Fault('temporarily_unavailable', 'The call took too long and was not charged. Try again.', {
    internal: 'recovery had released the hold before the capture',
    retryAfterSeconds: 1,
  });
