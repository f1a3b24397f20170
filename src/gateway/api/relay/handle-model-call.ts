// POST to the endpoint of a dialect: the response, whole or as a stream, and its records. In a
// stream a durable capture comes before the last event.
import { Fault } from '../../../kernel/errors/fault.ts';
import type {
  StartedResponse,
  StartedStream,
  StartedWhole,
  UpstreamRefusal,
} from '../../relay/attempt.ts';
import { type CallEnding, type CountedUsage, countUsage } from '../../relay/count-usage.ts';
import type { ApiDialect } from '../../relay/dialects/dialect.ts';
import { type CapturedCharge, chargeByTokens } from '../../relay/prices/price-call.ts';
import {
  forwardStream,
  type ResumeStream,
  type StreamEnd,
} from '../../relay/stream/forward-stream.ts';
import type { Upstream } from '../../relay/upstream/upstream.ts';
import { JSON_TYPE, NO_STORE } from '../http-response.ts';
import type { CallAccounting } from './call-accounting.ts';
import type { RelayContext, RelayRequest, RelayResponse } from './relay-context.ts';
import { errorEventOf, errorResponse } from './relay-error.ts';
import { type CallFacts, startCall } from './start-call.ts';

const SENT: RelayResponse = { kind: 'sent' };

export async function handleModelCall(
  context: RelayContext,
  dialect: ApiDialect,
  received: RelayRequest,
): Promise<RelayResponse> {
  const opened = await startCall(context, dialect, received);
  if (opened.kind === 'answered') return opened.answer;
  const { beginning, facts, bill, resume } = opened;
  const call: ModelCall = { context, dialect, received, facts, bill, resume };
  switch (beginning.kind) {
    case 'left': {
      const nothing = { usage: null, bytes: 0 };
      if (beginning.upstream !== null) record(call, beginning.upstream, 'client_left', nothing);
      await captureAbandoned(call, beginning.upstream, null, facts.model);
      return SENT;
    }
    case 'refused':
      return respondRefused(call, beginning);
    case 'whole':
      return respondWhole(call, beginning);
    case 'stream':
      return respondStream(call, beginning);
  }
}

type ModelCall = {
  readonly context: RelayContext;
  readonly dialect: ApiDialect;
  readonly received: RelayRequest;
  readonly facts: CallFacts;
  readonly bill: CallAccounting;
  readonly resume: ResumeStream | null;
};

/** The client's own mistake, in the upstream's words. */
async function respondRefused(
  { bill, dialect, facts: { requestId } }: ModelCall,
  { status, error }: UpstreamRefusal,
): Promise<RelayResponse> {
  await bill.release({ status, code: 'invalid_request' });
  const named = { ...error, code: error.code ?? 'invalid_request' };
  return errorResponse(dialect, { status, requestId, error: named });
}

async function respondWhole(call: ModelCall, whole: StartedWhole): Promise<RelayResponse> {
  const { target, bytes, used } = whole;
  const { upstream } = target;
  const { bill, received } = call;
  const refusal = bill.refusal();
  if (refusal !== null) throw refusal;
  const hasLeft = received.signals.left.reason !== null;
  const recordUsage = () => record(call, upstream, hasLeft ? 'client_left' : 'completed', used);
  const headers = { ...WHOLE_HEADERS, ...headersOf(call, whole) };
  const answer = { kind: 'whole', status: 200, headers, body: bytes } as const;
  // What is not durable is written down when the answer is on its way.
  if (!bill.isDurable) {
    const afterwards = () => {
      recordUsage();
      bill.capture({ status: 200, contentType: JSON_TYPE, body: bytes, charge: null });
    };
    return { ...answer, afterwards };
  }
  const charge = chargeFor(call, recordUsage(), target.model);
  const isSettled = await bill.capture({
    status: 200,
    contentType: JSON_TYPE,
    body: bytes,
    charge,
  });
  if (!isSettled) throw capturedTooLate();
  return answer;
}

const WHOLE_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': NO_STORE };

/** Relay contract, 1.2 and 3.6. */
function headersOf({ facts }: ModelCall, { upstreamRequestId }: StartedResponse) {
  return {
    ...(upstreamRequestId !== null && { 'x-relay-upstream-request-id': upstreamRequestId }),
    ...(facts.warnings.length > 0 && { 'x-relay-warning': facts.warnings.join(', ') }),
  };
}

async function respondStream(call: ModelCall, begun: StartedStream): Promise<RelayResponse> {
  const { context, received, facts, bill, resume } = call;
  const { world } = context;
  const { cut } = begun;
  const { upstream, model } = begun.target;
  const refusal = bill.refusal();
  if (refusal !== null) {
    cut.cancel('over');
    throw refusal;
  }
  const stream = received.beginStream(headersOf(call, begun));
  const end = await forwardStream(world, begun, stream, {
    dialect: call.dialect,
    wantsUsage: facts.wantsUsage,
    stallMs: context.upstreams.routeOf(model).stallMs,
    resume,
  });
  const hasLeft = end.kind === 'left' || received.signals.left.reason !== null;
  const ended = end.kind === 'failed' ? 'failed' : hasLeft ? 'client_left' : 'completed';
  const usage = record(call, upstream, ended, end);
  const failing = { requestId: facts.requestId, method: 'POST', url: received.path };
  if (end.kind === 'failed') {
    // The head was sent with 200; the code records how the stream ended.
    await bill.release({ status: 200, code: codeOf(end.error) });
    const { error, reader } = end;
    const { requestId } = facts;
    stream.end(
      error instanceof Fault
        ? errorEventOf(world, error, failing, reader)
        : reader.errorEvent(error, { requestId, status: 400 }),
    );
    return SENT;
  }
  if (end.kind === 'left') {
    await captureAbandoned(call, upstream, usage, end.model);
    stream.end('');
    return SENT;
  }
  const stored = { ...storedStream(facts, usage), charge: chargeFor(call, usage, end.model) };
  const isSettled = await bill.capture(stored).catch((error: Error) => error);
  if (isSettled === true) stream.end(end.reader.lastEvent());
  else {
    const error = isSettled === false ? capturedTooLate() : isSettled;
    stream.end(errorEventOf(world, error, failing, end.reader));
  }
  return SENT;
}

/** Null: a price per response, which is the hold. */
function chargeFor(
  { facts, context }: ModelCall,
  used: CountedUsage,
  servedModel: string,
): CapturedCharge | null {
  const { price, model } = facts;
  if (price.kind !== 'per_token') return null;
  if (used.counted === 'upstream') {
    context.ratios.record(model, { bytes: price.textBytes, tokens: used.prompt });
  }
  return chargeByTokens(price, used, servedModel);
}

/** The client has gone before the end. A retry by its Idempotency-Key runs, unless it was paid. */
async function captureAbandoned(
  call: ModelCall,
  upstream: Upstream | null,
  used: CountedUsage | null,
  servedModel: string,
) {
  const { bill, facts } = call;
  const isFree = upstream === null || upstream.rules.whenClientLeaves === 'free';
  const isPaid = facts.price.kind !== 'free';
  if (isFree || (facts.isClaimed && !isPaid)) {
    await bill.release({ status: 499, code: 'client_closed_request' });
    return;
  }
  // Nothing is read any more: 499, as proxies record a connection that its client has closed.
  const charge = used === null ? null : chargeFor(call, used, servedModel);
  await bill.capture({ ...storedStream(facts, used), status: 499, charge });
}

/** Stored response of a stream: its usage without its text. */
function storedStream({ model }: CallFacts, usage: CountedUsage | null) {
  const kept = { object: 'chat.completion.stream', model, usage: usage && usageOnWire(usage) };
  return { status: 200, contentType: JSON_TYPE, body: Buffer.from(JSON.stringify(kept)) };
}

const usageOnWire = ({ prompt, completion, counted }: CountedUsage) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  counted,
});

/** One row for each call that reached an upstream, however it ended. */
function record(
  { context, facts }: ModelCall,
  { rules }: Upstream,
  ended: CallEnding,
  end: Pick<StreamEnd, 'usage' | 'bytes'>,
): CountedUsage {
  const { requestId, key, model, isStream, promptBytes, startedAt } = facts;
  const policy = rules.whenClientLeaves;
  const used = countUsage({ ended, policy, promptBytes, ...end });
  context.usage.record({
    request_id: requestId,
    account_id: key.accountId,
    livemode: key.livemode,
    key_id: key.id,
    model,
    upstream: rules.name,
    is_stream: isStream,
    ended,
    counted: used.counted,
    prompt_tokens: used.prompt,
    completion_tokens: used.completion,
    started_at: startedAt,
    duration_ms: context.world.clock.now() - startedAt,
  });
  return used;
}

const codeOf = (error: Extract<StreamEnd, { kind: 'failed' }>['error']) =>
  error instanceof Fault ? error.code : 'upstream_error';

const capturedTooLate = () =>
  new Fault('temporarily_unavailable', 'The call took too long and was not charged. Try again.', {
    internal: 'recovery had released the hold before the call settled',
    retryAfterSeconds: 1,
  });
