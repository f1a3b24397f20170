// Executes a claimed request: waits for a slot, reserves the budget, sends the request, and stores
// the result before it is used. A refused request is retried for a limited time. A request with a
// lost reply is not repeated before its claim expires.

import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { BuiltInReason } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  type Dialect,
  decreaseInterval,
  increaseInterval,
  reserveRequestTime,
} from '../../store/model/model-rate-states.ts';
import {
  extendRequestClaim,
  markFailed,
  markReplied,
  markSent,
  markUnknown,
  markUnsent,
  type ReservedCost,
} from '../../store/model/model-requests.ts';
import { addToModelDay } from '../../store/model/model-spending.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { correctBudget, reserveBudget } from './budget.ts';
import { reduceDialect } from './chat-request.ts';
import type { ModelClientState, ModelEndpoint } from './client-state.ts';
import { costOf, type ModelTokens } from './request-cost.ts';
import { type SendResult, sendRequest } from './send-request.ts';

export type RequestSpec = {
  /** `id` of the stored request, and the id of the claim on it. */
  readonly claimedRequest: { readonly id: string; readonly claim: string };
  readonly step: string;
  readonly path: '/chat/completions' | '/embeddings';
  readonly body: (dialect: Dialect) => string;
  /** Upper estimate of the tokens. */
  readonly estimate: ModelTokens;
  readonly read: (body: Uint8Array) => ParsedCompletion;
  readonly signal?: AbortSignal | undefined;
  /** Usable share of each budget; the whole budget when absent. */
  readonly budgetShare?: number | undefined;
};

export type ParsedCompletion =
  | {
      readonly kind: 'parsed';
      /** The part that is stored. */
      readonly content: string;
      readonly finish: string | null;
      /** Null when the server does not report it. */
      readonly tokens: ModelTokens | null;
      /** Runs in the transaction that stores the reply. */
      readonly storeWithin?: (tx: Db) => Promise<void>;
    }
  | { readonly kind: 'malformed'; readonly problem: string };

export type RequestResult =
  | { readonly kind: 'paid'; readonly content: string; readonly finish: string | null }
  /** Another worker has claimed the request. */
  | { readonly kind: 'taken_over' }
  | {
      readonly kind: 'built_in';
      readonly why: BuiltInReason;
      readonly detail: string;
      /** The server did no work, so the request costs nothing. */
      readonly isFree: boolean;
    };

const TRIES_MAX = 3;
/** Maximum number of fields that a server may refuse in sequence. */
const DIALECT_FALLBACKS = 6;
const BACKOFF_MS = 1_000;
/** Consecutive successes before the interval is reduced. */
const SUCCESSES_TO_SPEED_UP = 10;
const MIN_INTERVAL_MS = 250;

/** The caller holds the model's semaphore. */
export async function executeRequest(
  client: ModelClientState,
  world: World,
  endpoint: ModelEndpoint,
  spec: RequestSpec,
): Promise<RequestResult> {
  const { clock } = world;
  const giveUpAt = clock.now() + client.settings.file.queueTimeoutSeconds * 1000;
  let detail = '';
  for (let tries = 0, reductions = 0; tries < TRIES_MAX; ) {
    if (endpoint.breaker.waitMs() > 0) {
      return failRequest(
        client,
        world,
        spec,
        `no request is sent for a while after failures: ${endpoint.lastFailure}`,
      );
    }
    const hasSlot = await waitForSlot(client, world, endpoint, { spec, until: giveUpAt });
    if (!hasSlot) return failRequest(client, world, spec, 'the next free slot is too late');
    const attempt = await attemptRequest(client, world, endpoint, spec);
    if (attempt.kind !== 'retry') return attempt.result;
    detail = attempt.detail;
    if (attempt.isDialectReduced && reductions < DIALECT_FALLBACKS) reductions += 1;
    else tries += 1;
    if (attempt.isDialectReduced || tries >= TRIES_MAX) continue;
    const pauseMs = attempt.retryAfterMs ?? BACKOFF_MS * 4 ** (tries - 1);
    if (clock.now() + pauseMs > giveUpAt) break;
    await extendRequestClaim(client.db, spec.claimedRequest, clock.now() + pauseMs);
    await clock.sleep(pauseMs, spec.signal);
  }
  return failRequest(client, world, spec, detail);
}

async function failRequest(
  { db }: ModelClientState,
  world: World,
  spec: RequestSpec,
  detail: string,
): Promise<RequestResult> {
  await markFailed(db, spec.claimedRequest, { now: world.clock.now(), error: detail });
  return { kind: 'built_in', why: 'failed', detail, isFree: true };
}

async function waitForSlot(
  { db }: ModelClientState,
  { clock }: World,
  { name, terms, rateState }: ModelEndpoint,
  { spec, until }: { readonly spec: RequestSpec; readonly until: number },
): Promise<boolean> {
  const { requestsPerMinute, tokensPerMinute } = terms;
  const tokens = spec.estimate.prompt + spec.estimate.answer;
  const gapMs = Math.max(
    requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute,
    tokensPerMinute === undefined ? 0 : (tokens * 60_000) / tokensPerMinute,
  );
  const now = clock.now();
  if (gapMs === 0 && rateState.intervalMs === 0 && rateState.nextAt <= now) return true;
  const maxWaitMs = Math.max(0, until - now);
  const startAt = await reserveRequestTime(db, name, { now, gapMs, maxWaitMs });
  if (startAt === null) return false;
  if (startAt <= now) return true;
  await extendRequestClaim(db, spec.claimedRequest, startAt);
  await clock.sleep(startAt - now, spec.signal);
  return true;
}

type AttemptResult =
  | { readonly kind: 'done'; readonly result: RequestResult }
  | {
      readonly kind: 'retry';
      readonly detail: string;
      readonly isDialectReduced: boolean;
      readonly retryAfterMs: number | null;
    };

const doneResult = (result: RequestResult): AttemptResult => ({ kind: 'done', result });

async function attemptRequest(
  client: ModelClientState,
  world: World,
  endpoint: ModelEndpoint,
  spec: RequestSpec,
): Promise<AttemptResult> {
  spec.signal?.throwIfAborted();
  const requestedAt = world.clock.now();
  const reservedCost = costToReserve(endpoint, spec.estimate);
  const startResult = await startRequest(client, endpoint, {
    spec,
    reserved: reservedCost,
    requestedAt,
  });
  if (startResult.kind === 'taken_over') return doneResult(startResult);
  if (startResult.kind === 'exhausted')
    return doneResult(exhaustedResult(client, world, endpoint, startResult.span));
  const { dialect } = endpoint.rateState;
  const { path, claimedRequest } = spec;
  const request = { path, body: spec.body(dialect), idempotencyKey: claimedRequest.id };
  const result = await sendRequest(world, client.settings, request);
  return recordResult(client, world, endpoint, {
    spec,
    reserved: reservedCost,
    requestedAt,
    dialect,
    sent: result,
  });
}

const costToReserve = ({ terms }: ModelEndpoint, tokens: ModelTokens): ReservedCost => ({
  tokens: tokens.prompt + tokens.answer,
  cost: costOf(terms, tokens),
});

type StartedRequest =
  | { readonly kind: 'begun' }
  | { readonly kind: 'taken_over' }
  | { readonly kind: 'exhausted'; readonly span: string };

type ReservedRequest = {
  readonly spec: RequestSpec;
  readonly reserved: ReservedCost;
  readonly requestedAt: number;
};

/** Reserves the budget and records the request in one transaction. */
async function startRequest(
  { db, settings }: ModelClientState,
  endpoint: ModelEndpoint,
  { spec, reserved, requestedAt: now }: ReservedRequest,
): Promise<StartedRequest> {
  // The network timeout plus time to store the result.
  const until = now + settings.file.timeoutSeconds * 1000 + 5_000;
  const outcome: { started: StartedRequest } = { started: { kind: 'begun' } };
  const rollBack = (started: StartedRequest) => {
    outcome.started = started;
    throw new Fault('quota_exceeded', 'The model request is not sent.');
  };
  try {
    await inTransaction(db, async (tx) => {
      const exceededBudget = await reserveBudget(tx, endpoint, reserved, {
        now,
        share: spec.budgetShare,
      });
      if (exceededBudget !== null) rollBack({ kind: 'exhausted', span: exceededBudget.span });
      const isMarked = await markSent(tx, spec.claimedRequest, { now, until, held: reserved });
      if (!isMarked) rollBack({ kind: 'taken_over' });
      await addToModelDay(tx, dayCountKey(endpoint, spec, now), { requests: 1 });
    });
  } catch (error) {
    if (outcome.started.kind === 'begun') throw error;
  }
  return outcome.started;
}

const dayCountKey = ({ name }: ModelEndpoint, { step }: RequestSpec, now: number) => {
  return { day: shanghaiDay(now).day, step, model: name };
};

function exhaustedResult(
  client: ModelClientState,
  world: World,
  { name }: ModelEndpoint,
  span: string,
): RequestResult {
  const detail = `the budget of ${name} for this ${span} is spent`;
  const day = shanghaiDay(world.clock.now()).day;
  if (client.recordOccurrence(`${day} ${detail}`)) {
    world.log.warn({ model: name, span }, 'a budget is exhausted; the rules are used');
  }
  return { kind: 'built_in', why: 'budget', detail, isFree: true };
}

function countFailure(endpoint: ModelEndpoint, detail: string, isFinal = false): void {
  endpoint.breaker.recordFailure(isFinal);
  endpoint.lastFailure = detail;
}

const billedFailure = (detail: string): RequestResult => {
  return { kind: 'built_in', why: 'failed', detail, isFree: false };
};

type CompletedRequest = ReservedRequest & { readonly dialect: Dialect; readonly sent: SendResult };

async function recordResult(
  client: ModelClientState,
  world: World,
  endpoint: ModelEndpoint,
  completed: CompletedRequest,
): Promise<AttemptResult> {
  const { sent } = completed;
  const now = world.clock.now();
  switch (sent.kind) {
    case 'reply':
      return doneResult(
        await recordReply(client, world, endpoint, { ...completed, body: sent.body }),
      );
    case 'too_large': {
      await closeRequest(client, world, endpoint, {
        ...completed,
        parsed: null,
        error: sent.detail,
      });
      countFailure(endpoint, sent.detail);
      return doneResult(billedFailure(sent.detail));
    }
    case 'lost': {
      countFailure(endpoint, sent.detail);
      await inTransaction(client.db, async (tx) => {
        await markUnknown(tx, completed.spec.claimedRequest, { now, error: sent.detail });
        await addToModelDay(tx, dayCountKey(endpoint, completed.spec, now), { failures: 1 });
      });
      return doneResult(billedFailure(sent.detail));
    }
    case 'unsent':
    case 'refused':
      return recordRefusal(client, world, endpoint, { ...completed, sent });
  }
}

/** The server did no work: the reservation is released, and a retry is allowed. */
async function recordRefusal(
  client: ModelClientState,
  world: World,
  endpoint: ModelEndpoint,
  completed: ReservedRequest & {
    readonly dialect: Dialect;
    readonly sent: Extract<SendResult, { kind: 'refused' | 'unsent' }>;
  },
): Promise<AttemptResult> {
  const { sent, reserved, requestedAt, spec } = completed;
  const now = world.clock.now();
  await inTransaction(client.db, async (tx) => {
    await markUnsent(tx, spec.claimedRequest, now);
    await correctBudget(tx, endpoint.name, {
      reserved,
      paid: { tokens: 0, cost: 0n },
      requestedAt,
    });
    await addToModelDay(tx, dayCountKey(endpoint, spec, now), { failures: 1 });
  });
  const retry = { kind: 'retry', detail: sent.detail, isDialectReduced: false } as const;
  if (sent.kind === 'unsent') {
    countFailure(endpoint, sent.detail);
    return { ...retry, retryAfterMs: null };
  }
  const { status, detail } = sent;
  if (status === 429) {
    await pauseAllWorkers(client, world, endpoint, sent.retryAfterMs);
    return { ...retry, retryAfterMs: sent.retryAfterMs };
  }
  if (status === 400 || status === 422) {
    const reducedDialect = reduceDialect(endpoint.rateState.dialect, detail);
    if (reducedDialect !== null) {
      await client.saveDialect(endpoint, reducedDialect);
      return { ...retry, isDialectReduced: true, retryAfterMs: null };
    }
  }
  // A server error may be temporary. Any other refusal is permanent.
  if (status >= 500) {
    countFailure(endpoint, detail);
    return { ...retry, retryAfterMs: sent.retryAfterMs };
  }
  const isFinal = [401, 402, 403, 404].includes(status);
  if (isFinal) countFailure(endpoint, detail, true);
  if (isFinal && client.recordOccurrence(detail)) {
    world.log.error(
      { model: endpoint.name, detail },
      'the model server refuses the requests; check MODEL_KEY, the model name and the account',
    );
  }
  return doneResult(await failRequest(client, world, spec, detail));
}

/** After a rate-limit response, all workers pause and then use a longer interval. */
async function pauseAllWorkers(
  { db }: ModelClientState,
  { clock }: World,
  endpoint: ModelEndpoint,
  waitMs: number | null,
) {
  const now = clock.now();
  const pauseUntil = now + (waitMs ?? BACKOFF_MS);
  await increaseInterval(db, endpoint.name, {
    until: pauseUntil,
    factor: 1.5,
    minIntervalMs: MIN_INTERVAL_MS,
  });
  // The same interval as `increaseInterval` stores.
  const currentMs = Math.max(endpoint.rateState.intervalMs, MIN_INTERVAL_MS);
  const intervalMs = Math.min(60_000, currentMs * 1.5);
  endpoint.rateState = {
    ...endpoint.rateState,
    intervalMs,
    nextAt: Math.max(endpoint.rateState.nextAt, pauseUntil),
  };
  endpoint.successesInSequence = 0;
}

async function recordReply(
  client: ModelClientState,
  world: World,
  endpoint: ModelEndpoint,
  completed: CompletedRequest & { readonly body: Uint8Array },
): Promise<RequestResult> {
  const { spec, sent } = completed;
  const parsedReply = spec.read(completed.body);
  if (parsedReply.kind === 'malformed') {
    await closeRequest(client, world, endpoint, {
      ...completed,
      parsed: null,
      error: parsedReply.problem,
    });
    countFailure(endpoint, parsedReply.problem);
    return billedFailure(parsedReply.problem);
  }
  await closeRequest(client, world, endpoint, { ...completed, parsed: parsedReply, error: null });
  endpoint.breaker.recordSuccess();
  await updateInterval(client, world, endpoint, sent);
  return { kind: 'paid', content: parsedReply.content, finish: parsedReply.finish };
}

/** Stores the reply and its cost in one transaction. */
async function closeRequest(
  { db }: ModelClientState,
  { clock }: World,
  endpoint: ModelEndpoint,
  completed: ReservedRequest & {
    readonly parsed: Extract<ParsedCompletion, { kind: 'parsed' }> | null;
    readonly error: string | null;
  },
): Promise<void> {
  const { spec, parsed, error, reserved, requestedAt } = completed;
  const now = clock.now();
  const tokens = parsed?.tokens ?? spec.estimate;
  const cost = costOf(endpoint.terms, tokens);
  await retryWrite(clock, db, async (tx) => {
    await parsed?.storeWithin?.(tx);
    await markReplied(tx, spec.claimedRequest.id, {
      answer: parsed?.content ?? null,
      finish: parsed?.finish ?? null,
      error,
      now,
      cost,
      promptTokens: tokens.prompt,
      answerTokens: tokens.answer,
    });
    const result = { tokens: tokens.prompt + tokens.answer, cost };
    await correctBudget(tx, endpoint.name, { reserved, paid: result, requestedAt });
    await addToModelDay(tx, dayCountKey(endpoint, spec, now), {
      ...(parsed === null ? { failures: 1 } : { answers: 1 }),
      promptTokens: tokens.prompt,
      answerTokens: tokens.answer,
      cost,
    });
  });
}

const WRITE_ATTEMPTS = 6;

/** Retries the write while the database is unavailable, so that a paid reply is not lost. */
async function retryWrite(clock: World['clock'], db: Db, work: (tx: Db) => Promise<void>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(db, work);
    } catch (error) {
      // Data errors (classes 22, 23) are permanent.
      const isFinal = /^2[23]/u.test(String((error as { code?: unknown }).code ?? ''));
      if (isFinal || tries >= WRITE_ATTEMPTS) throw error;
    }
    await clock.sleep(tries * 1_000);
  }
}

async function updateInterval(
  { db, ...client }: ModelClientState,
  world: World,
  endpoint: ModelEndpoint,
  result: SendResult,
) {
  try {
    if (result.kind === 'reply' && result.exhaustedMs > 0) {
      const until = world.clock.now() + result.exhaustedMs;
      await increaseInterval(db, endpoint.name, { until, factor: 1, minIntervalMs: 0 });
      endpoint.rateState = { ...endpoint.rateState, nextAt: until };
      return;
    }
    endpoint.successesInSequence += 1;
    if (endpoint.rateState.intervalMs === 0 || endpoint.successesInSequence < SUCCESSES_TO_SPEED_UP)
      return;
    endpoint.successesInSequence = 0;
    await decreaseInterval(db, endpoint.name, 0.8);
    // The same interval as `decreaseInterval` stores.
    const intervalMs = endpoint.rateState.intervalMs * 0.8;
    endpoint.rateState = { ...endpoint.rateState, intervalMs: intervalMs < 20 ? 0 : intervalMs };
  } catch (error) {
    // The reply is stored, so a failure to update the interval is only logged.
    if (client.recordOccurrence(messageOf(error))) {
      world.log.warn(
        { model: endpoint.name, error: messageOf(error) },
        'the rate state of a model was not saved',
      );
    }
  }
}
