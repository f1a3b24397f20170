// Answers one question: choose the model, reuse a stored reply or request one, validate it, repair
// it once. Otherwise the rules are used, with the reason.

import { messageOf } from '../../kernel/errors/fault.ts';
import type { AskModel, ModelResult, ModelTask } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  claimRequest,
  type ReleasedRequest,
  type RequestClaim,
} from '../../store/model/model-requests.ts';
import { countDay } from '../../store/model/model-spending.ts';
import { inTransaction } from '../../store/platform/db.ts';
import {
  answerTokensOf,
  bodyOf,
  type ModelAttempt,
  messagesOf,
  questionHash,
  schemaOf,
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
  /** Questions that this process is requesting now. */
  readonly pendingReplies: Map<string, Promise<ReplyResult>>;
};

export function openModelRequests(deps: ModelRequestDeps): AskModel {
  return async <T>(world: World, question: ModelTask<T>): Promise<ModelResult<T>> => {
    const { client, routing } = deps;
    const { step, signal } = question;
    let model = '';
    const emit = (outcome: string) => client.emit(world, { step, model, outcome });
    try {
      const routed = await routing.modelFor(world, step);
      if (routed === null) return { kind: 'built_in', why: 'unconfigured' };
      model = routed;
      const reply = await requestReply(deps, world, model, question);
      if (reply.kind === 'built_in') await emit(reply.why);
      else await emit(reply.isReused ? 'reused' : 'answered');
      if (reply.kind === 'built_in') return reply;
      return { kind: 'answered', value: reply.value, receipt: reply.receipt, model };
    } catch (error) {
      signal?.throwIfAborted();
      const detail = messageOf(error);
      await emit('failed');
      world.log.error({ step, model, error: detail }, 'a model request was not sent');
      return { kind: 'built_in', why: 'failed', detail };
    }
  };
}

type ValidatedReply<T> =
  | {
      readonly kind: 'valued';
      readonly value: T;
      readonly receipt: string;
      readonly isReused: boolean;
    }
  | RuleFallback;

async function requestReply<T>(
  deps: ModelRequestDeps,
  world: World,
  model: string,
  question: ModelTask<T>,
): Promise<ValidatedReply<T>> {
  const schema = schemaOf(question);
  const attempt: ModelAttempt = { model, question, schema, repair: null };
  const first = await resolveReply(deps, world, attempt, 0);
  if (first.kind === 'built_in') return first;
  const validated = validateReply(question, first);
  const { receipt, isReused } = first;
  if (validated.kind === 'value')
    return { kind: 'valued', value: validated.value, receipt, isReused };
  const refusal = (detail: string): RuleFallback => ({ kind: 'built_in', why: 'refused', detail });
  if (validated.kind === 'declined') return refusal(validated.problem);
  const repair = { reply: first.content, problem: validated.problem };
  const second = await resolveReply(deps, world, { ...attempt, repair }, 1);
  if (second.kind === 'built_in') return second;
  const secondCheck = validateReply(question, second);
  if (secondCheck.kind !== 'value') return refusal(secondCheck.problem);
  return { ...second, kind: 'valued', value: secondCheck.value };
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
  const { signal } = attempt.question;
  const hash = questionHash(attempt, round);
  for (;;) {
    const shared = pendingReplies.get(hash);
    if (shared !== undefined) {
      // When the first caller aborts, this one sends the request.
      const settled = await shared.catch(() => null);
      signal?.throwIfAborted();
      if (settled !== null)
        return settled.kind === 'text' ? { ...settled, isReused: true } : settled;
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
  const { signal } = attempt.question;
  const peer = await client.peer(world, attempt.model);
  const { timeoutSeconds, queueTimeoutSeconds } = client.settings.file;
  const until = clock.now() + (timeoutSeconds + queueTimeoutSeconds) * 1000 + 30_000;
  while (clock.now() <= until) {
    const release = await peer.semaphore.acquire(signal);
    try {
      const [claim, claimed] = await requestRow(client, world, attempt, target);
      const storedResult = storedReply(claimed);
      if (storedResult !== null) return storedResult;
      if (claimed.kind === 'claimed') {
        if (claimed.released !== null) await releaseRequest(client, world, claimed.released);
        const receipt = { id: claimed.id, claim };
        const paid = await executeRequest(
          client,
          world,
          peer,
          requestSpec(attempt, peer.rateState.dialect, receipt),
        );
        if (paid.kind === 'built_in') return ruleFallback(paid);
        if (paid.kind === 'paid') {
          return { ...paid, kind: 'text', receipt: claimed.id, isReused: false };
        }
      }
    } finally {
      release();
    }
    // Another worker has sent it; its reply will be stored for both.
    await clock.sleep(POLL_MS, signal);
  }
  return { kind: 'built_in', why: 'held', detail: 'another worker sends it and does not finish' };
}

function storedReply(claimed: RequestClaim): ReplyResult | null {
  switch (claimed.kind) {
    case 'answered': {
      const { id, answer, finish } = claimed.receipt;
      return { kind: 'text', content: answer ?? '', finish, receipt: id, isReused: true };
    }
    case 'failed':
      return { kind: 'built_in', why: 'failed', detail: claimed.error };
    case 'held': {
      const detail = `its answer was lost: held until ${new Date(claimed.until).toISOString()}`;
      return { kind: 'built_in', why: 'held', detail };
    }
    case 'busy':
    case 'claimed':
      return null;
  }
}

/** A failed question is not requested again for this long. */
const UNKNOWN_RETRY_MS = 300_000;

async function requestRow(
  { db, settings }: ModelClientState,
  { clock, ids }: World,
  { model, question }: ModelAttempt,
  { round, hash }: RequestTarget,
): Promise<readonly [claim: string, RequestClaim]> {
  const { step, prompt, subject = null, turn = 0 } = question;
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
  const holdMs = settings.file.unknownOutcomeRetrySeconds * 1000;
  const by = { claim, now: clock.now(), holdMs, restMs: UNKNOWN_RETRY_MS };
  return [claim, await claimRequest(db, row, by)];
}

/** A lost reply counts as paid. */
async function releaseRequest(
  { db }: ModelClientState,
  { clock, log }: World,
  released: ReleasedRequest,
): Promise<void> {
  const { step, model, held_cost: unknownCost } = released;
  log.warn({ step, model }, 'a model reply was lost; the request is sent again');
  const { day } = shanghaiDay(clock.now());
  await inTransaction(db, (tx) => countDay(tx, { day, step, model }, { unknown: 1, unknownCost }));
}

function requestSpec(
  attempt: ModelAttempt,
  dialect: Parameters<typeof bodyOf>[1],
  receipt: RequestSpec['receipt'],
) {
  const { step, signal } = attempt.question;
  const words = messagesOf(attempt, dialect).map(({ content }) => content);
  const estimate: ModelTokens = {
    prompt: estimateTokens(words.join('\n')),
    answer: answerTokensOf(attempt),
  };
  const body: RequestSpec['body'] = (now) => bodyOf(attempt, now);
  const readReply: RequestSpec['read'] = (bytes) => parseReply(bytes, estimate);
  const spec: RequestSpec = {
    receipt,
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
  return { kind: 'taken', content, finish: refusal === null ? finish : DECLINED, tokens };
}
