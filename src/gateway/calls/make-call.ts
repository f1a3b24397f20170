// One call, top to bottom, the same for every capability: authenticate → rate → validate → look the
// key up → quota, price, reserve and claim → run → store the answer and capture → answer.
// Source: design of the ledger, "Recovery"; the capability contract, "Money".
import { codes } from '../../kernel/codes.ts';
import { Fault, messageOf } from '../../kernel/fault.ts';
import type { Capability, Quote, RunContext } from '../capabilities/capability.ts';
import type { Key } from '../keys/key.ts';
import { type Allocation, splitOf } from '../wallet/split.ts';
import type { Opened } from '../wallet/wallet.ts';
import type { Caller } from './admit.ts';
import type { CallAnswer, CallParts, CallRequest } from './call.ts';
import { envelopeOf } from './envelope.ts';
import { prefers } from './idempotency.ts';
import { PRICE_VERSION, priceOf } from './prices.ts';
import { type Asked, readRequest } from './read-request.ts';
import { duplicateOf, failureOf, insufficient, refusalOf, tooDear } from './refusals.ts';
import { within } from './within.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Throws Faults. That a client hangs up meanwhile changes nothing. */
export async function makeCall(parts: CallParts, request: CallRequest): Promise<CallAnswer> {
  const { world, wallet } = parts;
  const { capability, requestId, notes } = request;

  // Authenticate, rate.
  const caller = await parts.admission.admit(request);
  const { accountId, livemode } = caller.key;
  refuseOtherKeys(caller.key, capability);

  // Validate. The body is not read before it is known who sends it.
  const asked = await readRequest(request);

  // Look the key up, before quota and funds.
  const claim = asked.idempotency;
  const taken = claim === null ? null : await wallet.lookUp({ accountId, livemode, ...claim });
  if (taken !== null) return answerTaken(parts, request, caller, taken);

  // Price. What cannot run is refused while nothing is held for it.
  const quote = capability.quote(asked.input);
  const price = priceOf(quote);
  const now = world.clock.now();
  const { maxCharge } = asked;
  if (maxCharge !== null && price > maxCharge) throw tooDear(price, maxCharge, now);
  if (price > 0n && !caller.isRateCertain) throw limiterAway();
  if (livemode) await refuseMissing(capability);

  // Quota, cover, reserve and the claim of the key: durable before anything runs.
  const opened = await wallet.open({
    ...{ requestId, accountId, livemode, keyId: caller.key.id, capability: capability.id },
    ...{ sku: quote.sku, unit: quote.unit, quantity: quote.quantity },
    ...{ priceVersion: PRICE_VERSION, amount: price, maxCharge },
    ...{ budget: caller.key.budget, idempotency: claim, quotas: caller.quotas },
    deadlineAt: now + deadlineMsOf(capability) + SETTLING_MS,
  });
  if ('quotas' in opened) notes.quotaUse = opened.quotas;
  if (opened.kind !== 'opened') return answerTaken(parts, request, caller, opened);

  // Run; then the stored answer and the capture in one transaction, before the first byte goes out.
  const hold: Hold = { livemode, quote, asked, allocations: opened.allocations, isHeld: true };
  try {
    const { body, captured, usage } = await runOnHold(parts, request, hold);
    const answer = { status: 200, contentType: JSON_TYPE, body };
    const settled = await wallet.settle({ requestId, captured, usage, ...answer });
    if (settled.kind === 'lost') throw settledElsewhere();
    return { ...answer, isReplay: false };
  } catch (error) {
    if (hold.isHeld) await giveBack(parts, requestId, error);
    throw error;
  }
}

/** 30 minutes for what listens to hours of audio; two for everything else. */
const deadlineMsOf = ({ id }: Capability) => (id === 'transcribe' ? 30 : 2) * 60_000;
/** How long after its deadline a call may still be settling before recovery does it. */
const SETTLING_MS = 30_000;

type Hold = {
  readonly livemode: boolean;
  readonly quote: Quote;
  readonly asked: Asked;
  allocations: readonly Allocation[];
  /** False once the wallet has given everything back by itself. */
  isHeld: boolean;
};

async function runOnHold({ world, wallet }: CallParts, request: CallRequest, hold: Hold) {
  const { capability, requestId } = request;
  const { livemode, quote, asked } = hold;
  const { sku, unit, increment } = quote;
  let refusal: Fault | null = null;
  const remeasure = async (quantity: number) => {
    const amount = priceOf({ sku, quantity });
    const now = world.clock.now();
    if (asked.maxCharge !== null && amount > asked.maxCharge) {
      refusal = tooDear(amount, asked.maxCharge, now);
      return 'insufficient';
    }
    const measured = await wallet.remeasure(requestId, { quantity, amount });
    if (measured.kind === 'held') {
      hold.allocations = measured.allocations;
      return 'held';
    }
    hold.isHeld = false;
    refusal = insufficient(measured, now);
    return 'insufficient';
  };
  const outcome = await within(world, deadlineMsOf(capability), (signal) => {
    const progress = () => {};
    const context: RunContext = { world, requestId, livemode, signal, remeasure, progress };
    const { input } = asked;
    return livemode ? capability.run(context, input) : capability.sandbox(context, input);
  });
  if (outcome.kind === 'failed') throw failureOf(outcome);
  if (outcome.kind === 'insufficient') {
    const nothing = { required: priceOf(quote), available: 0n };
    throw refusal ?? insufficient(nothing, world.clock.now());
  }
  const { data, quantity } = outcome;
  const captured = priceOf({ sku, quantity });
  const split = splitOf(hold.allocations, captured);
  const usage = { unit, quantity, increment };
  return { captured, usage, body: envelopeOf({ requestId, livemode, data, usage, split }) };
}

/** Everything back, the key free. Where that fails too, recovery does it after the deadline. */
async function giveBack({ world, wallet }: CallParts, requestId: string, error: unknown) {
  const code = error instanceof Fault ? error.code : 'temporarily_unavailable';
  await wallet.release({ requestId, status: codes[code].status, code }).catch((failure) => {
    world.log.error({ requestId, error: messageOf(failure) }, 'a hold is left to recovery');
  });
}

/** The wallet says no, or that this was asked before. */
async function answerTaken(
  parts: CallParts,
  { prefer }: CallRequest,
  { key: { accountId, livemode } }: Caller,
  opened: Exclude<Opened, { kind: 'opened' }>,
): Promise<CallAnswer> {
  if (opened.kind !== 'duplicate') throw refusalOf(opened, parts.world.clock.now());
  if (!prefers(prefer, 'idempotent-replay')) throw duplicateOf(opened);
  const { requestId } = opened.original;
  const answer = await parts.findAnswer({ accountId, livemode, requestId });
  // Kept for a day; the key is known for ever.
  if (answer === null) throw duplicateOf(opened);
  return { ...answer, isReplay: true };
}

function refuseOtherKeys(key: Key, { id, name, key: kind }: Capability): void {
  if (key.kind !== kind) {
    const right = kind === 'sk' ? 'an API key (sk-…)' : 'an Agent API key (ak-…)';
    throw new Fault('key_not_allowed', `${name} is called with ${right}.`);
  }
  if (key.scopes.length > 0 && !key.scopes.includes(id)) {
    throw new Fault('key_not_allowed', `This API key may not call ${name}.`);
  }
}

async function refuseMissing(capability: Capability): Promise<void> {
  const missing = await capability.missing();
  if (missing === null) return;
  const message = `${capability.name} is not available here: ${missing}`;
  throw new Fault('capability_unavailable', message, { retryAfterSeconds: 30 });
}

const limiterAway = () =>
  new Fault('temporarily_unavailable', 'Paid calls cannot be admitted right now. Try again soon.', {
    internal: 'the shared limiter is away: fail-closed for what costs money',
    retryAfterSeconds: 2,
  });

const settledElsewhere = () =>
  new Fault('temporarily_unavailable', 'The call took too long and was not charged. Try again.', {
    internal: 'recovery had released the hold before the call settled',
    retryAfterSeconds: 1,
  });
