// Obtains a reply to one task: chooses the model, uses a stored reply or requests one,
// validates it, and requests at most one repair. Without a usable reply, the result is `built_in`
// with the reason.

import { messageOf } from '../../kernel/errors/fault.ts';
import type { ModelRequester, ModelResult, ModelTask } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  claimRequest,
  type ReleasedRequest,
  type RequestClaim,
} from '../../store/model/model-requests.ts';
import { addToModelDay } from '../../store/model/model-spending.ts';
import { inTransaction } from '../../store/platform/db.ts';
import {
  answerTokensOf,
  buildBody,
  buildMessages,
  type ModelAttempt,
  schemaOf,
  taskHash,
} from './chat-request.ts';
import type { ModelClientState } from './client-state.ts';
import {
  executeRequest,
  type ParsedCompletion,
  type RequestResult,
  type RequestSpec,
} from './execute-request.ts';
import { parseCompletion } from './parse-completion.ts';
import { maxCharacters } from './parse-json-reply.ts';
import { estimateTokens, type ModelTokens } from './request-cost.ts';
import type { Routing } from './routing.ts';
import { DECLINED, validateReply } from './validate-reply.ts';

type RuleFallback = Extract<ModelResult<never>, { kind: 'built_in' }>;

type ReplyResult =
  | {
      readonly kind: 'text';
      readonly content: string;
      readonly finish: string | null;
      readonly receipt: string;
      /** Paid for by an earlier request or by another worker. */
      readonly isReused: boolean;
    }
  | RuleFallback;

export type ModelRequestDeps = {
  readonly client: ModelClientState;
  readonly routing: Routing;
  /** Replies that this process is requesting now, by the hash of the task. */
  readonly pendingReplies: Map<string, Promise<ReplyResult>>;
};

export function openModelRequests(deps: ModelRequestDeps): ModelRequester {
  return async <T>(world: World, task: ModelTask<T>): Promise<ModelResult<T>> => {
    const { client, routing } = deps;
    const { step, signal } = task;
    let model = '';
    const emit = (outcome: string) => client.emit(world, { step, model, outcome });
    try {
      const routed = await routing.modelFor(world, step);
      if (routed === null) return { kind: 'built_in', why: 'unconfigured' };
      model = routed;
      const replyResult = await requestReply(deps, world, model, task);
      if (replyResult.kind === 'built_in') await emit(replyResult.why);
      else await emit(replyResult.isReused ? 'reused' : 'answered');
      if (replyResult.kind === 'built_in') return replyResult;
      return { kind: 'answered', value: replyResult.value, receipt: replyResult.receipt, model };
    } catch (error) {
      signal?.throwIfAborted();
      const detail = messageOf(error);
      await emit('failed');
      world.log.error(
        { step, model, error: detail },
        'a model request failed with an error; the rules are used',
      );
      return { kind: 'built_in', why: 'failed', detail };
    }
  };
}

type ValidatedReply<T> =
  | {
      readonly kind: 'valid';
      readonly value: T;
      readonly receipt: string;
      readonly isReused: boolean;
    }
  | RuleFallback;

async function requestReply<T>(
  deps: ModelRequestDeps,
  world: World,
  model: string,
  task: ModelTask<T>,
): Promise<ValidatedReply<T>> {
  const schema = schemaOf(task);
  const attempt: ModelAttempt = { model, task, schema, repair: null };
  const firstReply = await resolveReply(deps, world, attempt, 0);
  if (firstReply.kind === 'built_in') return firstReply;
  const validated = validateReply(task, firstReply);
  const { receipt, isReused } = firstReply;
  if (validated.kind === 'value')
    return { kind: 'valid', value: validated.value, receipt, isReused };
  const refusal = (detail: string): RuleFallback => ({ kind: 'built_in', why: 'refused', detail });
  if (validated.kind === 'declined') return refusal(validated.problem);
  const repairAttempt = { reply: firstReply.content, problem: validated.problem };
  const secondReply = await resolveReply(deps, world, { ...attempt, repair: repairAttempt }, 1);
  if (secondReply.kind === 'built_in') return secondReply;
  const secondCheck = validateReply(task, secondReply);
  if (secondCheck.kind !== 'value') return refusal(secondCheck.problem);
  return { ...secondReply, kind: 'valid', value: secondCheck.value };
}

const ruleFallback = ({
  why,
  detail,
}: Extract<RequestResult, { kind: 'built_in' }>): RuleFallback => {
  return { kind: 'built_in', why, detail };
};

const POLL_MS = 300;

/** The reply's text, stored or requested now. */
async function resolveReply(
  deps: ModelRequestDeps,
  world: World,
  attempt: ModelAttempt,
  round: number,
): Promise<ReplyResult> {
  const { pendingReplies } = deps;
  const { signal } = attempt.task;
  const hash = taskHash(attempt, round);
  for (;;) {
    const pendingReply = pendingReplies.get(hash);
    if (pendingReply !== undefined) {
      // When the first caller aborts, this caller sends the request.
      const sharedReply = await pendingReply.catch(() => null);
      signal?.throwIfAborted();
      if (sharedReply !== null)
        return sharedReply.kind === 'text' ? { ...sharedReply, isReused: true } : sharedReply;
      continue;
    }
    const attemptResult = requestOrAwait(deps, world, attempt, { round, hash });
    pendingReplies.set(hash, attemptResult);
    try {
      return await attemptResult;
    } finally {
      pendingReplies.delete(hash);
    }
  }
}

type RequestTarget = { readonly round: number; readonly hash: string };

async function requestOrAwait(
  { client }: ModelRequestDeps,
  world: World,
  attempt: ModelAttempt,
  target: RequestTarget,
): Promise<ReplyResult> {
  const { clock } = world;
  const { signal } = attempt.task;
  const endpoint = await client.endpointOf(world, attempt.model);
  const { timeoutSeconds, queueTimeoutSeconds } = client.settings.file;
  const waitUntil = clock.now() + (timeoutSeconds + queueTimeoutSeconds) * 1000 + 30_000;
  while (clock.now() <= waitUntil) {
    const release = await endpoint.semaphore.acquire(signal);
    try {
      const [claim, claimResult] = await claimRequestRow(client, world, attempt, target);
      const storedResult = replyOfClaim(claimResult);
      if (storedResult !== null) return storedResult;
      if (claimResult.kind === 'claimed') {
        if (claimResult.released !== null)
          await countLostReply(client, world, claimResult.released);
        const claimedRequest = { id: claimResult.id, claim };
        const requestResult = await executeRequest(
          client,
          world,
          endpoint,
          buildRequestSpec(attempt, endpoint.rateState.dialect, claimedRequest),
        );
        if (requestResult.kind === 'built_in') return ruleFallback(requestResult);
        if (requestResult.kind === 'paid') {
          return { ...requestResult, kind: 'text', receipt: claimResult.id, isReused: false };
        }
      }
    } finally {
      release();
    }
    // Another worker has sent the request. Both workers will use its stored reply.
    await clock.sleep(POLL_MS, signal);
  }
  return {
    kind: 'built_in',
    why: 'held',
    detail: 'another worker sent the request and did not finish',
  };
}

function replyOfClaim(claim: RequestClaim): ReplyResult | null {
  switch (claim.kind) {
    case 'answered': {
      const { id, answer, finish } = claim.request;
      return { kind: 'text', content: answer ?? '', finish, receipt: id, isReused: true };
    }
    case 'failed':
      return { kind: 'built_in', why: 'failed', detail: claim.error };
    case 'held': {
      const retryTime = new Date(claim.until).toISOString();
      const detail = `the reply was lost; no new request before ${retryTime}`;
      return { kind: 'built_in', why: 'held', detail };
    }
    case 'busy':
    case 'claimed':
      return null;
  }
}

/** Delay before a failed request is repeated. */
const FAILURE_RETRY_MS = 300_000;

async function claimRequestRow(
  { db, settings }: ModelClientState,
  { clock, ids }: World,
  { model, task }: ModelAttempt,
  { round, hash }: RequestTarget,
): Promise<readonly [claim: string, RequestClaim]> {
  const { step, prompt, subject = null, turn = 0 } = task;
  const claim = ids.next();
  const row = {
    id: ids.next(),
    question: hash,
    step,
    model,
    prompt: prompt.id,
    prompt_version: prompt.version,
    subject,
    turn,
    round,
  };
  const unknownRetryMs = settings.file.unknownOutcomeRetrySeconds * 1000;
  const claimOptions = {
    claim,
    now: clock.now(),
    unknownRetryMs,
    failureRetryMs: FAILURE_RETRY_MS,
  };
  return [claim, await claimRequest(db, row, claimOptions)];
}

/** Counts the cost of a lost reply as paid. The claim of its request is already released. */
async function countLostReply(
  { db }: ModelClientState,
  { clock, log }: World,
  released: ReleasedRequest,
): Promise<void> {
  const { step, model, held_cost: unknownCost } = released;
  log.warn({ step, model }, 'a model reply was lost; the request is sent again');
  const { day } = shanghaiDay(clock.now());
  await inTransaction(db, (tx) =>
    addToModelDay(tx, { day, step, model }, { unknown: 1, unknownCost }),
  );
}

function buildRequestSpec(
  attempt: ModelAttempt,
  dialect: Parameters<typeof buildBody>[1],
  claimedRequest: RequestSpec['claimedRequest'],
) {
  const { step, signal } = attempt.task;
  const contents = buildMessages(attempt, dialect).map(({ content }) => content);
  const estimate: ModelTokens = {
    prompt: estimateTokens(contents.join('\n')),
    answer: answerTokensOf(attempt),
  };
  const body: RequestSpec['body'] = (currentDialect) => buildBody(attempt, currentDialect);
  const readReply: RequestSpec['read'] = (bytes) => parseReply(bytes, estimate);
  const spec: RequestSpec = {
    claimedRequest,
    step,
    path: '/chat/completions',
    body,
    estimate,
    read: readReply,
    signal,
  };
  return spec;
}

function parseReply(bytes: Uint8Array, estimate: ModelTokens): ParsedCompletion {
  const parsed = parseCompletion(bytes);
  if (parsed.kind === 'malformed') return parsed;
  const { text, finish, refusal, promptTokens, answerTokens } = parsed;
  const replyText = refusal ?? text;
  const tokens: ModelTokens = {
    prompt: promptTokens ?? estimate.prompt,
    answer: answerTokens ?? estimateTokens(replyText),
  };
  // PostgreSQL's limits: bounded length, no split character, no NUL.
  const content = replyText
    .slice(0, maxCharacters + 1)
    .toWellFormed()
    .replaceAll('\0', '');
  return { kind: 'parsed', content, finish: refusal === null ? finish : DECLINED, tokens };
}
