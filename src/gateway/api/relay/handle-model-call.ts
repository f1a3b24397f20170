// Handles a POST to the endpoint of a dialect: sends a complete or streamed response and records
// the call. In a stream a durable capture precedes the last event.
import { Fault } from '../../../kernel/errors/fault.ts';
import { formatCny, MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import { lateCaptureFault } from '../../calls/refusals.ts';
import type {
  CompleteAttempt,
  StartedResponse,
  StartedStream,
  UpstreamRefusal,
} from '../../relay/attempt.ts';
import type { CallEnding, CountedUsage } from '../../relay/count-usage.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import {
  type CapturedCharge,
  chargeByResponse,
  chargeByTokens,
  extendPrice,
  heldTokens,
  isContradictory,
  isMeasurable,
} from '../../relay/prices/price-call.ts';
import {
  attemptUsageOf,
  billedAttemptOf,
  type CallRecord,
  isContinued,
  storedAttempts,
} from '../../relay/receipt.ts';
import { forwardStream, type StreamEnd } from '../../relay/stream/forward-stream.ts';
import { type HoldExtension, openHoldExtension } from '../../relay/stream/hold-extension.ts';
import type { Upstream } from '../../relay/upstream/upstream.ts';
import { JSON_TYPE, NO_STORE } from '../http-response.ts';
import { openEarlyHead } from './early-head.ts';
import {
  type CountedCall,
  countCall,
  type ModelCall,
  recordUsage,
  storeOutput,
} from './record-usage.ts';
import type { ClientStream, RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { errorEventOf, errorResponse } from './relay-error.ts';
import { type CallFacts, startCall, versionOf } from './start-call.ts';

const RESPONSE_SENT: RelayResponse = { kind: 'sent' };

export async function handleModelCall(
  context: RelayContext,
  dialect: ApiDialect,
  received: RelayRequest,
): Promise<RelayResponse> {
  const start = await startCall(context, dialect, received);
  if (start.kind === 'responded') return start.response;
  const { startPromise, facts, accounting: callAccounting, resume, attempts } = start;
  const call: ModelCall = {
    context,
    dialect,
    received,
    facts,
    accounting: callAccounting,
    resume,
    attempts,
  };
  const head = facts.isStream
    ? openEarlyHead(context.upstreams.deadlines, () => received.beginStream(headersOf(call, null)))
    : null;
  try {
    const started = await startPromise.finally(() => head?.close());
    switch (started.kind) {
      case 'disconnected':
        await recordCallWithoutResponse(call, started.upstream);
        return RESPONSE_SENT;
      case 'refused':
        return await respondRefused(call, started, head?.stream ?? null);
      case 'complete':
        return await respondComplete(call, started);
      case 'stream':
        return await respondStream(call, started, head?.stream ?? null);
    }
  } catch (error) {
    const stream = head?.stream ?? null;
    if (stream === null) throw error;
    const failedRequest = { requestId: facts.requestId, method: 'POST', url: received.path };
    stream.end(errorEventOf(context.world, error, failedRequest, dialect.openReader()));
    return RESPONSE_SENT;
  } finally {
    facts.prompt.release();
  }
}

/** Records a call whose client disconnected before any response began. */
async function recordCallWithoutResponse(
  call: ModelCall,
  upstream: Upstream | null,
): Promise<void> {
  if (upstream === null) {
    const record = recordOf(call, ENDED_BY_CLIENT);
    return call.accounting.release({ ...CLIENT_CLOSED, record });
  }
  storeOutput(call, { usage: null, interimUsage: null, resumedFrom: '', text: '' });
  const counted = await countCall(call, upstream, ENDED_BY_CLIENT, withoutResponse);
  const servedModel = call.attempts.at(-1)?.model ?? call.facts.model;
  await captureAbandoned(call, { upstream, counted, servedModel });
}

const ENDED_BY_CLIENT = 'client_left';
/** Proxies record a disconnected client with the status 499. */
const CLIENT_CLOSED = { status: 499, code: 'client_closed_request' } as const;

const noOutput = { text: '', moreBytes: 0 };
const withoutResponse = { usage: null, interimUsage: null, written: noOutput };

/**
 * Responds with a client error that contains the upstream's message. `stream`: a stream whose head
 * was already sent.
 */
async function respondRefused(
  call: ModelCall,
  { status, error }: UpstreamRefusal,
  stream: ClientStream | null,
): Promise<RelayResponse> {
  const { accounting, dialect, facts } = call;
  const { requestId } = facts;
  await accounting.release({ status, code: 'invalid_request', record: recordOf(call, 'failed') });
  const namedError = { ...error, code: error.code ?? 'invalid_request' };
  if (stream === null) return errorResponse(dialect, { status, requestId, error: namedError });
  stream.end(dialect.openReader().errorEvent(namedError, { requestId, status }));
  return RESPONSE_SENT;
}

async function respondComplete(
  call: ModelCall,
  startedResponse: CompleteAttempt,
): Promise<RelayResponse> {
  const { target, bytes, usage: completeUsage } = startedResponse;
  const { upstream } = target;
  const { accounting: callAccounting, received, context } = call;
  const refusal = callAccounting.refusal();
  if (refusal !== null) throw refusal;
  const ended = received.signals.disconnected.reason !== null ? 'client_left' : 'completed';
  const { usage, written: text } = completeUsage;
  storeOutput(call, { usage, interimUsage: usage, resumedFrom: '', text });
  const written = { text, moreBytes: 0 };
  const count = () => countCall(call, upstream, ended, { usage, interimUsage: usage, written });
  const headers = { ...COMPLETE_HEADERS, ...headersOf(call, startedResponse) };
  const response = { kind: 'complete', status: 200, headers, body: bytes } as const;
  // Calls without a durable capture are recorded after the response is sent.
  if (!callAccounting.isDurable) {
    const record = (counted: CountedCall) => {
      const stored = storedUsage(call.facts, null);
      callAccounting.capture({ ...stored, charge: null, record: recordOf(call, ended) });
      recordUsage(call, upstream, { ...counted, ended, charge: 0n });
    };
    const afterResponse = () => {
      const counting = count();
      if (!(counting instanceof Promise)) return record(counting);
      counting.then(record).catch((error: Error) => {
        context.world.log.error({ error: error.message }, 'the usage of a call was not recorded');
      });
    };
    const chargedHeaders = { ...headers, ...chargeHeaders(call, 0n) };
    return { ...response, headers: chargedHeaders, afterResponse };
  }
  const counted = await count();
  const charge = chargeFor(call, counted.usage, { servedModel: target.model, ended });
  const captureResult = await callAccounting
    .capture({
      ...(callAccounting.isRepeatable
        ? { status: 200, contentType: JSON_TYPE, body: bytes }
        : storedUsage(call.facts, counted.usage)),
      charge,
      record: recordOf(call, ended),
    })
    .catch((error: Error) => error);
  const amountCharged = chargedAmount(charge, captureResult);
  recordUsage(call, upstream, { ...counted, ended, charge: amountCharged });
  if (captureResult !== true) throw captureResult === false ? lateCaptureFault() : captureResult;
  return { ...response, headers: { ...headers, ...chargeHeaders(call, amountCharged) } };
}

/** Complete responses have the charge in their head. Relay contract, 3.6. */
const chargeHeaders = ({ attempts }: ModelCall, amount: bigint) => ({
  'x-relay-charge': formatCny(amount),
  'x-relay-attempts': String(attempts.length),
});

const COMPLETE_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': NO_STORE };

const heldAmount = ({ price }: Pick<CallFacts, 'price'>) =>
  price.kind === 'free' ? 0n : price.amount;

/** `captureResult` false: recovery has released the hold. */
const chargedAmount = (charge: CapturedCharge | null, captureResult: boolean | Error): bigint =>
  captureResult === true ? (charge?.captured ?? 0n) : 0n;

/** Relay contract, 1.2 and 3.6. `started` null: no upstream has responded yet. */
function headersOf(call: ModelCall, started: StartedResponse | null) {
  const { price, warnings } = call.facts;
  const upstreamRequestId = started?.upstreamRequestId ?? null;
  return {
    ...(upstreamRequestId !== null && { 'x-relay-upstream-request-id': upstreamRequestId }),
    ...(warnings.length > 0 && { 'x-relay-warning': warnings.join(', ') }),
    ...(price.kind !== 'free' && { 'x-relay-hold': formatCny(price.amount) }),
    ...(price.kind !== 'free' && { 'x-relay-price-version': String(versionOf(price)) }),
  };
}

/** `sentStream`: the stream whose head was already sent. */
async function respondStream(
  call: ModelCall,
  started: StartedStream,
  sentStream: ClientStream | null,
): Promise<RelayResponse> {
  const { context, received, facts, accounting: callAccounting, resume } = call;
  const { world } = context;
  const { cancelToken } = started;
  const { upstream, model } = started.target;
  const refusal = callAccounting.refusal();
  if (refusal !== null) {
    cancelToken.cancel('finished');
    throw refusal;
  }
  const stream = sentStream ?? received.beginStream(headersOf(call, started));
  const hold = openStreamHold(call);
  const end = await forwardStream(world, started, stream, {
    dialect: call.dialect,
    wantsUsage: facts.wantsUsage,
    startedAt: facts.startedAt,
    stallMs: context.upstreams.routeOf(model).stallMs,
    resume,
    extension: hold.extension,
    counter: context.counter.of(facts.key.accountId),
    noteOutput: (output) => storeOutput(call, output),
  });
  const pricedCall = await hold.finish();
  const isDisconnected =
    end.kind === 'disconnected' || received.signals.disconnected.reason !== null;
  const endedWithoutFailure = isDisconnected ? 'client_left' : 'completed';
  const ended = end.kind === 'failed' ? 'failed' : endedWithoutFailure;
  const counted = await countCall(call, upstream, ended, end);
  const { usage } = counted;
  const recordCharge = (charge: bigint) =>
    recordUsage(call, upstream, { ...counted, ended, charge });
  const failedRequest = { requestId: facts.requestId, method: 'POST', url: received.path };
  if (end.kind === 'failed') {
    // The head was sent with 200, so only the code records that the stream failed.
    const failedRecord = recordOf(pricedCall, ended, end);
    await callAccounting.release({ status: 200, code: codeOf(end.error), record: failedRecord });
    const { error, writer } = end;
    const { requestId } = facts;
    stream.end(
      error instanceof Fault
        ? errorEventOf(world, error, failedRequest, writer)
        : writer.errorEvent(error, { requestId, status: 400 }),
    );
    recordCharge(0n);
    return RESPONSE_SENT;
  }
  if (end.kind === 'disconnected') {
    await captureAbandoned(pricedCall, { upstream, counted, servedModel: end.model, end });
    stream.end('');
    return RESPONSE_SENT;
  }
  const charge = chargeFor(pricedCall, usage, { servedModel: end.model, ended });
  const record = recordOf(pricedCall, ended, end);
  const stored = { ...storedUsage(facts, usage), charge, record };
  const captureResult = await callAccounting.capture(stored).catch((error: Error) => error);
  if (captureResult === true) {
    const lastEvent = end.writer.lastEvent();
    stream.end(
      wantsReceipt(received)
        ? withReceipt(lastEvent, { facts: pricedCall.facts, charge, record })
        : lastEvent,
    );
  } else {
    const error = captureResult === false ? lateCaptureFault() : captureResult;
    stream.end(errorEventOf(world, error, failedRequest, end.writer));
  }
  recordCharge(chargedAmount(charge, captureResult));
  return RESPONSE_SENT;
}

const wantsReceipt = ({ headers }: RelayRequest) => headers['x-relay-receipt'] === '1';

type StreamReceipt = {
  readonly facts: CallFacts;
  readonly charge: CapturedCharge | null;
  readonly record: CallRecord;
};

/** Adds a comment before the last event. Every event-stream parser ignores comments. */
function withReceipt(last: Buffer | string, { facts, charge, record }: StreamReceipt): Buffer {
  const { requestId } = facts;
  const held = heldAmount(facts);
  const receipt = {
    request_id: requestId,
    held: formatCny(held),
    ...(record.extended !== undefined && { extended: formatCny(BigInt(record.extended)) }),
    charge: formatCny(charge?.captured ?? 0n),
    attempts: record.attempts.length,
    receipt: `/api/v1/relay/receipts/${requestId}`,
  };
  return Buffer.concat([
    Buffer.from(`: relay-receipt ${JSON.stringify(receipt)}\n\n`),
    Buffer.from(last),
  ]);
}

type StreamHold = {
  /** Null: usage cannot exceed the hold. */
  readonly extension: HoldExtension | null;
  /** Waits for a running extension. Returns the call with the price of its last hold. */
  finish(): Promise<ModelCall>;
};

function openStreamHold(call: ModelCall): StreamHold {
  const { price } = call.facts;
  if (price.kind !== 'per_token') return { extension: null, finish: async () => call };
  const { outputTokens, outputMax, responses } = price.bounds;
  let currentPrice = price;
  let isHoldUncertain = false;
  const extension = openHoldExtension(
    { heldTokens: outputTokens * responses, max: outputMax * responses },
    async (tokens) => {
      const next = extendPrice(currentPrice, Math.ceil(tokens / responses));
      const { amount } = next;
      const extending = call.accounting.extend({ quantity: heldTokens(next), amount });
      const result = await extending.catch(() => {
        isHoldUncertain = true;
        return 'not_covered' as const;
      });
      if (result === 'held') currentPrice = next;
      return result;
    },
  );
  return {
    extension,
    finish: async () => {
      await extension.whenIdle();
      const firstHold = price.amount;
      const facts = { ...call.facts, price: currentPrice, firstHold, isHoldUncertain };
      return { ...call, facts };
    },
  };
}

function recordOf(
  { dialect, attempts, facts }: ModelCall,
  ended: CallEnding,
  end: Pick<StreamEnd, 'skipped'> & Partial<Pick<StreamEnd, 'kind'>> = { skipped: 0 },
): CallRecord {
  const { price, firstHold = 0n } = facts;
  const extended = price.kind === 'per_token' && firstHold > 0n ? price.amount - firstHold : 0n;
  const isCut = 'isCut' in end && end.isCut === true;
  return {
    dialect: dialect.name,
    model: facts.model,
    ended,
    ...(isCut && { cut: 'balance' }),
    ...(end.skipped > 0 && { skippedEvents: end.skipped }),
    ...(extended > 0n && { extended: String(extended) }),
    attempts: storedAttempts(attempts),
  };
}

type ServedCall = { readonly servedModel: string; readonly ended: CallEnding };

/** Computes the charge, and stores the billed usage in its attempt. Null: the call is free. */
function chargeFor(
  { facts, context, attempts }: ModelCall,
  usage: CountedUsage,
  { servedModel, ended }: ServedCall,
): CapturedCharge | null {
  const { price, model, key } = facts;
  if (price.kind === 'free') return null;
  const index = Math.max(0, billedAttemptOf(attempts));
  if (price.kind === 'per_call') return chargeByResponse(price, index + 1);
  const isCredible = usage.counted === 'upstream' && !isContradictory(price, usage);
  if (isCredible && isMeasurable(price)) {
    context.ratios.record(model, { bytes: price.textBytes, tokens: usage.prompt });
  }
  const hasLeftBeforeUsage = ended === 'client_left' && !usage.isInputReported;
  const hasManyEstimates = hasLeftBeforeUsage && !context.estimates.permits(key.id);
  const servedCall = { servedModel, attempt: index + 1, hasManyEstimates };
  const charge = chargeByTokens(price, usage, servedCall);
  const billedAttempt = attempts[index];
  if (billedAttempt !== undefined) {
    billedAttempt.billed = charge.billed;
    if (!isContinued(attempts)) billedAttempt.usage = attemptUsageOf(charge.billedUsage);
  }
  if (charge.shortfall > 0n) {
    context.shortfalls.calls.value += 1;
    context.shortfalls.fen.value += Number(charge.shortfall) / Number(MICRO_FEN_PER_FEN);
  }
  // After an extension with an unknown result, the stored hold can exceed `price.amount`. The
  // charge stays within the smaller amount, and `ceiling` explains this to the integrity check.
  const isLimited = facts.isHoldUncertain === true && charge.captured === price.amount;
  return isLimited
    ? { ...charge, usage: { ...charge.usage, ceiling: String(charge.captured) } }
    : charge;
}

type AbandonedCall = {
  readonly upstream: Upstream;
  readonly counted: CountedCall;
  readonly servedModel: string;
  readonly end?: StreamEnd;
};

/**
 * Captures the call of a client that disconnected early. A retry with the call's Idempotency-Key
 * runs again, unless the call was charged.
 */
async function captureAbandoned(
  call: ModelCall,
  { upstream, counted, servedModel, end }: AbandonedCall,
): Promise<void> {
  const { accounting: callAccounting, facts } = call;
  const ended = ENDED_BY_CLIENT;
  const isPaid = facts.price.kind !== 'free';
  // The release of a free call also releases its Idempotency-Key, so that a retry runs again.
  if (upstream.rules.onClientDisconnect === 'free' || (facts.isClaimed && !isPaid)) {
    await callAccounting.release({ ...CLIENT_CLOSED, record: recordOf(call, ended, end) });
    return recordUsage(call, upstream, { ...counted, ended, charge: 0n });
  }
  const charge = chargeFor(call, counted.usage, { servedModel, ended });
  const { status } = CLIENT_CLOSED;
  const record = recordOf(call, ended, end);
  const stored = { ...storedUsage(facts, counted.usage), status, charge, record };
  const captureResult = await callAccounting.capture(stored).catch((error: Error) => error);
  const amountCharged = chargedAmount(charge, captureResult);
  recordUsage(call, upstream, { ...counted, ended, charge: amountCharged });
  if (captureResult instanceof Error) throw captureResult;
}

/** The usage of a response. The text of the response is stored only for repetitions. */
function storedUsage({ model, isStream }: CallFacts, usage: CountedUsage | null) {
  const storedBody = {
    object: isStream ? 'chat.completion.stream' : 'chat.completion.usage',
    model,
    usage: usage && usageOnWire(usage),
  };
  return { status: 200, contentType: JSON_TYPE, body: Buffer.from(JSON.stringify(storedBody)) };
}

const usageOnWire = ({ prompt, completion, counted }: CountedUsage) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  counted,
});

const codeOf = (error: Extract<StreamEnd, { kind: 'failed' }>['error']) =>
  error instanceof Fault ? error.code : 'upstream_error';
