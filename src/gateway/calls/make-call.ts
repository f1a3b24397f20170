// Makes a call of any capability, in this order: authenticate, rate limit, validate,
// Idempotency-Key, price, hold, run, store and capture, respond.
//
// Sources: docs/ledger.md, "Recovery and housekeeping"; the capability contract, "Money".
import { Fault } from '../../kernel/errors/fault.ts';
import type { MicroFen } from '../../kernel/money.ts';
import type { Capability, Quote } from '../capabilities/capability.ts';
import type { Switches } from '../capabilities/switches.ts';
import type { Key } from '../keys/key.ts';
import { splitCharge } from '../wallet/ledger/allocate-capture.ts';
import type { AuthorizeResult, InsufficientFunds } from '../wallet/ledger/wallet.ts';
import type { Caller } from './admit.ts';
import type { CallDeps, CallRequest, CallResponse } from './call.ts';
import { envelopeOf } from './envelope.ts';
import { hasPreference } from './idempotency.ts';
import { acceptJob } from './jobs/accept-job.ts';
import { JSON_TYPE } from './jobs/complete-job.ts';
import { type PriceList, priceOf } from './prices.ts';
import { readRequest, type ValidatedCall } from './read-request.ts';
import {
  duplicateFault,
  insufficientBalanceFault,
  lateCaptureFault,
  notOfferedFault,
  priceTooHighFault,
  refusalOf,
  switchedOffFault,
} from './refusals.ts';
import { deadlineMsOf, type Hold, priceOfQuantity, releaseHold, runOnHold } from './run-on-hold.ts';

/** Throws Faults. A client that disconnects does not stop the call. */
export async function makeCall(deps: CallDeps, request: CallRequest): Promise<CallResponse> {
  const { world, wallet, jobs } = deps;
  const { capability, requestId, knownLimits } = request;

  // Authenticate, and apply the rate limit.
  const caller = await deps.admission.admit(request);
  const { accountId, livemode } = caller.key;
  requireKeyForCapability(caller.key, capability);

  // Validate. The body is read after authentication.
  const validatedCall = await readRequest(request);

  // A used Idempotency-Key is reported before every other refusal. The statement that authorizes a
  // call finds it before quota and funds.
  const claim = validatedCall.idempotency;
  const query = claim === null ? null : { accountId, livemode, ...claim };
  // The response of a job is its 202, even when the job failed and nothing was charged.
  const findConflict = async () =>
    query &&
    ((await wallet.findIdempotencyKey(query)) ??
      (validatedCall.isJob ? await jobs.findByKey(query) : null));
  const jobConflict = validatedCall.isJob ? await findConflict() : null;
  if (jobConflict !== null) return respondToRefusal(deps, request, caller, jobConflict);

  // Price. Calls that cannot run are refused before any hold.
  const now = world.clock.now();
  let priced: PricedCall;
  try {
    priced = await priceCall(deps, caller, { capability, validatedCall, now });
  } catch (refusal) {
    const conflict = await findConflict();
    if (conflict !== null) return respondToRefusal(deps, request, caller, conflict);
    throw refusal;
  }
  const { quote, list, price } = priced;
  const { maxCharge } = validatedCall;

  const authorizeRequest = {
    requestId,
    accountId,
    livemode,
    keyId: caller.key.id,
    capability: capability.id,
    sku: quote.sku,
    unit: quote.unit,
    quantity: quote.quantity,
    priceVersion: list.version,
    amount: price,
    maxCharge,
    budget: caller.key.budget,
    idempotency: claim,
    quotas: caller.quotas,
  };
  const unitPrice = priceOf(list, { sku: quote.sku, quantity: 1 });
  const owner = { requestId, accountId, livemode };
  if (validatedCall.isJob) {
    const job = {
      request,
      authorizeRequest,
      sentInput: validatedCall.sentInput,
      increment: quote.increment,
      unitPrice,
    };
    const outcome = await acceptJob(deps, job);
    if ('status' in outcome)
      deps.requestLog?.record({ ...owner, sentInput: validatedCall.sentInput });
    return 'status' in outcome ? outcome : respondToRefusal(deps, request, caller, outcome);
  }

  // Check quota and balance, create the hold and claim the key, durably, before anything runs.
  const deadlineAt = now + deadlineMsOf(capability) + RECOVERY_DELAY_MS;
  const authorization = await wallet.authorize({ ...authorizeRequest, deadlineAt });
  if ('quotas' in authorization) knownLimits.quotaUse = authorization.quotas;
  if (authorization.kind !== 'authorized')
    return respondToRefusal(deps, request, caller, authorization);
  deps.requestLog?.record({ ...owner, sentInput: validatedCall.sentInput });
  const { input } = validatedCall;
  const { allocations } = authorization;
  return runAndCapture(deps, {
    requestId,
    accountId,
    livemode,
    capability,
    input,
    unitPrice,
    maxCharge,
    allocations,
    isHeld: true,
    key: caller.key,
  });
}

type PricedCall = {
  readonly quote: Quote;
  readonly list: PriceList;
  readonly price: MicroFen;
};

/** Throws a Fault for a call that cannot run. */
async function priceCall(
  { prices, switches }: CallDeps,
  { key: { livemode }, isRateCertain }: Caller,
  call: {
    readonly capability: Capability;
    readonly validatedCall: ValidatedCall;
    readonly now: number;
  },
): Promise<PricedCall> {
  const { capability, validatedCall, now } = call;
  const { maxCharge } = validatedCall;
  const quote = capability.quote(validatedCall.input);
  const list = await prices.current();
  const price = priceOf(list, quote);
  if (maxCharge !== null && price > maxCharge) throw priceTooHighFault(price, maxCharge, now);
  if (price > 0n && !isRateCertain) throw limiterUnavailableFault();
  await refuseSwitchedOff(switches, capability, livemode);
  if (livemode) await refuseUnconfigured(capability);
  return { quote, list, price };
}

/**
 * Runs the capability. Then one transaction stores the response and captures the hold, before the
 * first byte is sent.
 */
async function runAndCapture(
  deps: CallDeps,
  hold: Hold & { readonly key: Caller['key'] },
): Promise<CallResponse> {
  const { requestId, livemode, capability } = hold;
  try {
    const { data, quantity } = await runOnHold(deps, hold, {
      timeoutMs: deadlineMsOf(capability),
      progress: () => {},
      uncoveredFault: (result) => uncoveredFault(deps, hold.key, result),
    });
    const captured = priceOfQuantity(hold, quantity);
    const split = splitCharge(hold.allocations, captured);
    const { unit, increment } = capability.quote(hold.input);
    const usage = { unit, quantity, increment };
    const body = envelopeOf({ requestId, livemode, data, usage, split });
    const result = { status: 200, contentType: JSON_TYPE, body };
    const capture = await deps.wallet.capture({ requestId, captured, usage, ...result });
    if (capture.kind === 'lost') throw lateCaptureFault();
    return { ...result, isReplay: false };
  } catch (error) {
    if (hold.isHeld) await releaseHold(deps, requestId, error);
    throw error;
  }
}

/** Time after a call's deadline before recovery resolves its hold. */
const RECOVERY_DELAY_MS = 30_000;

/**
 * The Fault states the cause: the key's budget, the operators' cap on allowances, or the balance.
 */
async function uncoveredFault(
  deps: CallDeps,
  key: Caller['key'],
  shortage: InsufficientFunds,
): Promise<Fault> {
  const now = deps.world.clock.now();
  if (shortage.kind === 'budget_exceeded') {
    deps.onBudgetRefused?.(key);
    return refusalOf(shortage, now);
  }
  const isCapped = key.livemode && (await deps.isAllowanceCapped(key.accountId));
  return insufficientBalanceFault(shortage, now, { isCapped });
}

/**
 * Returns the stored response of a known Idempotency-Key when the caller prefers a replay. Throws a
 * Fault about the refusal in all other cases.
 */
async function respondToRefusal(
  deps: CallDeps,
  { prefer }: CallRequest,
  { key }: Caller,
  refusal: Exclude<AuthorizeResult, { kind: 'authorized' }>,
): Promise<CallResponse> {
  const { accountId, livemode } = key;
  const cause = await treatJobAsCompleted(deps, { accountId, livemode }, refusal);
  if (cause.kind === 'insufficient' || cause.kind === 'budget_exceeded') {
    throw await uncoveredFault(deps, key, cause);
  }
  if (cause.kind !== 'duplicate') throw refusalOf(cause, deps.world.clock.now());
  if (!hasPreference(prefer, 'idempotent-replay')) throw duplicateFault(cause);
  const { requestId } = cause.original;
  const call = { accountId, livemode, requestId };
  const result = (await deps.jobs.findAccepted(call)) ?? (await deps.findResponse(call));
  // Responses expire after one day. Idempotency keys do not expire.
  if (result === null) throw duplicateFault(cause);
  return { ...result, isReplay: true };
}

/** A running job counts as a completed call, because the client has received the job's 202. */
async function treatJobAsCompleted(
  { jobs }: CallDeps,
  owner: { readonly accountId: string; readonly livemode: boolean },
  refusal: Exclude<AuthorizeResult, { kind: 'authorized' }>,
): Promise<Exclude<AuthorizeResult, { kind: 'authorized' }>> {
  if (refusal.kind !== 'in_progress') return refusal;
  const { requestId } = refusal;
  const completedAt = await jobs.acceptedAt({ ...owner, requestId });
  if (completedAt === null) return refusal;
  return { kind: 'duplicate', original: { requestId, status: 202, completedAt } };
}

export function requireKeyForCapability(key: Key, { id, name, key: kind }: Capability): void {
  if (key.kind !== kind) {
    const neededKey = kind === 'sk' ? 'an API key (sk-…)' : 'an Agent API key (ak-…)';
    throw new Fault('key_not_allowed', `${name} must be called with ${neededKey}.`);
  }
  if (key.scopes.length > 0 && !key.scopes.includes(id)) {
    throw new Fault('key_not_allowed', `This API key may not call ${name}.`);
  }
}

/**
 * Capabilities that operators switched off are refused in test mode too. Switches of providers
 * affect only live calls.
 */
async function refuseSwitchedOff(
  switches: Switches,
  capability: Capability,
  livemode: boolean,
): Promise<void> {
  await switches.refresh();
  if (switches.isOff('capability', capability.id)) throw switchedOffFault(capability.name);
  if (!livemode) return;
  const { providers } = capability.health();
  const areAllOff = providers.length > 0 && providers.every(({ circuit }) => circuit === 'off');
  if (areAllOff) throw switchedOffFault(capability.name);
}

async function refuseUnconfigured(capability: Capability): Promise<void> {
  const missing = await capability.missing();
  if (missing !== null) throw notOfferedFault(capability.name, missing);
}

const limiterUnavailableFault = () =>
  new Fault('temporarily_unavailable', 'Paid calls cannot be admitted right now. Try again soon.', {
    internal: 'the shared limiter is unavailable, so paid calls are refused',
    retryAfterSeconds: 2,
  });
