// From a claimed question to its paid answer: its turn, its budget, written down as asked, sent,
// and what came of it written down before anybody uses it. What was refused is tried again for a
// while; what was lost is left to its hold.

import { Fault, messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { BuiltInWhy } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import { type Dialect, slowDown, speedUp, takeTurn } from '../../store/model/model-rate-states.ts';
import {
  awaitTurn,
  type Held,
  markAnswered,
  markAsked,
  markFailed,
  markUnasked,
  markUnknown,
} from '../../store/model/model-requests.ts';
import { countDay } from '../../store/model/model-spending.ts';
import { inTransaction } from '../../store/platform/db.ts';
import { correctBudget, holdBudget } from './budget.ts';
import { lowerDialect } from './chat-request.ts';
import type { House, Peer } from './client-state.ts';
import { costOf, type Tokens } from './request-cost.ts';
import { type Sent, sendRequest } from './send-request.ts';

export type Bill = {
  readonly receipt: { readonly id: string; readonly claim: string };
  readonly step: string;
  readonly path: '/chat/completions' | '/embeddings';
  readonly body: (dialect: Dialect) => string;
  /** What it will cost at most, or nearly. */
  readonly estimate: Tokens;
  readonly read: (body: Uint8Array) => Taken;
  readonly signal?: AbortSignal | undefined;
  /** Of each budget no more may be spent by then; all of it when absent. */
  readonly budgetShare?: number | undefined;
};

export type Taken =
  | {
      readonly kind: 'taken';
      /** What is kept of it. */
      readonly answer: string;
      readonly finish: string | null;
      /** Null: the server did not say. */
      readonly tokens: Tokens | null;
      /** Part of the transaction that keeps it. */
      readonly keep?: (tx: Db) => Promise<void>;
    }
  | { readonly kind: 'malformed'; readonly what: string };

export type Paid =
  | { readonly kind: 'paid'; readonly answer: string; readonly finish: string | null }
  /** Another worker has taken the question over. */
  | { readonly kind: 'taken_over' }
  | {
      readonly kind: 'built_in';
      readonly why: BuiltInWhy;
      readonly detail: string;
      /** Nothing was done there, so nothing can be billed. */
      readonly isFree: boolean;
    };

const TRIES = 3;
/** Fields a server may refuse, one after another. */
const LOWERINGS = 6;
const BACKOFF_MS = 1_000;
/** Answers without a refusal after which a model is asked a little faster again. */
const STREAK = 10;
const LEAST_PACE_MS = 250;

/** The caller is inside the model's gate. */
export async function pay(house: House, world: World, peer: Peer, bill: Bill): Promise<Paid> {
  const { clock } = world;
  const until = clock.now() + house.settings.file.patienceSeconds * 1000;
  let detail = '';
  for (let tries = 0, lowerings = 0; tries < TRIES; ) {
    const refusal = peer.breaker.refusal(clock.now());
    if (refusal !== null) return fail(house, world, bill, `left alone for a while: ${refusal}`);
    const turn = await waitForTurn(house, world, peer, { bill, until });
    if (!turn) return fail(house, world, bill, 'its turn is too far away');
    const step = await trySend(house, world, peer, bill);
    if (step.kind !== 'again') return step.paid;
    detail = step.detail;
    if (step.isLowered && lowerings < LOWERINGS) lowerings += 1;
    else tries += 1;
    if (step.isLowered || tries >= TRIES) continue;
    const pauseMs = step.retryAfterMs ?? BACKOFF_MS * 4 ** (tries - 1);
    if (clock.now() + pauseMs > until) break;
    await awaitTurn(house.db, bill.receipt, clock.now() + pauseMs);
    await clock.sleep(pauseMs, bill.signal);
  }
  return fail(house, world, bill, detail);
}

async function fail({ db }: House, world: World, bill: Bill, detail: string): Promise<Paid> {
  await markFailed(db, bill.receipt, { now: world.clock.now(), error: detail });
  return { kind: 'built_in', why: 'failed', detail, isFree: true };
}

async function waitForTurn(
  { db }: House,
  { clock }: World,
  { name, terms, standing }: Peer,
  { bill, until }: { readonly bill: Bill; readonly until: number },
): Promise<boolean> {
  const { requestsPerMinute, tokensPerMinute } = terms;
  const tokens = bill.estimate.prompt + bill.estimate.answer;
  const gapMs = Math.max(
    requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute,
    tokensPerMinute === undefined ? 0 : (tokens * 60_000) / tokensPerMinute,
  );
  const now = clock.now();
  if (gapMs === 0 && standing.paceMs === 0 && standing.nextAt <= now) return true;
  const patienceMs = Math.max(0, until - now);
  const at = await takeTurn(db, name, { now, gapMs, patienceMs });
  if (at === null) return false;
  if (at <= now) return true;
  await awaitTurn(db, bill.receipt, at);
  await clock.sleep(at - now, bill.signal);
  return true;
}

type Tried =
  | { readonly kind: 'done'; readonly paid: Paid }
  | {
      readonly kind: 'again';
      readonly detail: string;
      readonly isLowered: boolean;
      readonly retryAfterMs: number | null;
    };

const done = (paid: Paid): Tried => ({ kind: 'done', paid });

async function trySend(house: House, world: World, peer: Peer, bill: Bill): Promise<Tried> {
  bill.signal?.throwIfAborted();
  const askedAt = world.clock.now();
  const held = heldFor(peer, bill.estimate);
  const begun = await begin(house, peer, { bill, held, askedAt });
  if (begun.kind === 'taken_over') return done(begun);
  if (begun.kind === 'exhausted') return done(exhausted(house, world, peer, begun.span));
  const { dialect } = peer.standing;
  const { path, receipt } = bill;
  const asked = { path, body: bill.body(dialect), receipt: receipt.id };
  const sent = await sendRequest(world, house.settings, asked);
  return settle(house, world, peer, { bill, held, askedAt, dialect, sent });
}

const heldFor = ({ terms }: Peer, tokens: Tokens): Held => ({
  tokens: tokens.prompt + tokens.answer,
  cost: costOf(terms, tokens),
});

type Begun =
  | { readonly kind: 'begun' }
  | { readonly kind: 'taken_over' }
  | { readonly kind: 'exhausted'; readonly span: string };

type Moment = { readonly bill: Bill; readonly held: Held; readonly askedAt: number };

/** Counted and written down as asked, or neither. */
async function begin(
  { db, settings }: House,
  peer: Peer,
  { bill, held, askedAt: now }: Moment,
): Promise<Begun> {
  // The network's own deadline, and time to write down what came of it.
  const until = now + settings.file.timeoutSeconds * 1000 + 5_000;
  const found: { begun: Begun } = { begun: { kind: 'begun' } };
  const undo = (begun: Begun) => {
    found.begun = begun;
    throw new Fault('quota_exceeded', 'Nothing is sent.');
  };
  try {
    await inTransaction(db, async (tx) => {
      const over = await holdBudget(tx, peer, held, { now, share: bill.budgetShare });
      if (over !== null) undo({ kind: 'exhausted', span: over.span });
      const isOurs = await markAsked(tx, bill.receipt, { now, until, held });
      if (!isOurs) undo({ kind: 'taken_over' });
      await countDay(tx, dayKey(peer, bill, now), { requests: 1 });
    });
  } catch (error) {
    if (found.begun.kind === 'begun') throw error;
  }
  return found.begun;
}

const dayKey = ({ name }: Peer, { step }: Bill, now: number) => {
  return { day: shanghaiDay(now).day, step, model: name };
};

function exhausted(house: House, world: World, { name }: Peer, span: string): Paid {
  const detail = `the budget of ${name} for this ${span} is spent`;
  const at = shanghaiDay(world.clock.now()).day;
  if (house.isNews(`${at} ${detail}`)) {
    world.log.warn({ model: name, span }, 'a budget is spent: the built-in desk takes over');
  }
  return { kind: 'built_in', why: 'budget', detail, isFree: true };
}

const spoilt = (detail: string): Paid => {
  return { kind: 'built_in', why: 'failed', detail, isFree: false };
};

type Settling = Moment & { readonly dialect: Dialect; readonly sent: Sent };

async function settle(house: House, world: World, peer: Peer, at: Settling): Promise<Tried> {
  const { sent } = at;
  const now = world.clock.now();
  switch (sent.kind) {
    case 'answer':
      return done(await take(house, world, peer, { ...at, body: sent.body }));
    case 'flood': {
      await close(house, world, peer, { ...at, taken: null, error: sent.detail });
      peer.breaker.failed(now, sent.detail);
      return done(spoilt(sent.detail));
    }
    case 'lost': {
      peer.breaker.failed(now, sent.detail);
      await inTransaction(house.db, async (tx) => {
        await markUnknown(tx, at.bill.receipt, { now, error: sent.detail });
        await countDay(tx, dayKey(peer, at.bill, now), { failures: 1 });
      });
      return done(spoilt(sent.detail));
    }
    case 'unsent':
    case 'no':
      return refused(house, world, peer, { ...at, sent });
  }
}

/** Nothing was done there: what was held is given back, and it may be asked again. */
async function refused(
  house: House,
  world: World,
  peer: Peer,
  at: Moment & {
    readonly dialect: Dialect;
    readonly sent: Extract<Sent, { kind: 'no' | 'unsent' }>;
  },
): Promise<Tried> {
  const { sent, held, askedAt, bill } = at;
  const now = world.clock.now();
  await inTransaction(house.db, async (tx) => {
    await markUnasked(tx, bill.receipt, now);
    await correctBudget(tx, peer.name, { held, paid: { tokens: 0, cost: 0n }, askedAt });
    await countDay(tx, dayKey(peer, bill, now), { failures: 1 });
  });
  const again = { kind: 'again', detail: sent.detail, isLowered: false } as const;
  if (sent.kind === 'unsent') {
    peer.breaker.failed(now, sent.detail);
    return { ...again, retryAfterMs: null };
  }
  const { status, detail } = sent;
  if (status === 429) {
    await makeWay(house, world, peer, sent.retryAfterMs);
    return { ...again, retryAfterMs: sent.retryAfterMs };
  }
  if (status === 400 || status === 422) {
    const lower = lowerDialect(peer.standing.dialect, detail);
    if (lower !== null) {
      await house.learn(peer, lower);
      return { ...again, isLowered: true, retryAfterMs: null };
    }
  }
  // Not the server's day: it may be another one soon. What else it says no to stays a no.
  if (status >= 500) {
    peer.breaker.failed(now, detail);
    return { ...again, retryAfterMs: sent.retryAfterMs };
  }
  const isFinal = [401, 402, 403, 404].includes(status);
  if (isFinal) peer.breaker.failed(now, detail, true);
  if (isFinal && house.isNews(detail)) {
    world.log.error({ model: peer.name, detail }, 'the model’s server refuses the radar');
  }
  return done(await fail(house, world, bill, detail));
}

/** All workers leave the model alone until then, and ask more slowly afterwards. */
async function makeWay({ db }: House, { clock }: World, peer: Peer, waitMs: number | null) {
  const now = clock.now();
  const until = now + (waitMs ?? BACKOFF_MS);
  await slowDown(db, peer.name, { until, factor: 1.5, leastPaceMs: LEAST_PACE_MS });
  const paceMs = Math.min(60_000, Math.max(peer.standing.paceMs, LEAST_PACE_MS) * 1.5);
  peer.standing = { ...peer.standing, paceMs, nextAt: Math.max(peer.standing.nextAt, until) };
  peer.streak = 0;
}

async function take(
  house: House,
  world: World,
  peer: Peer,
  at: Settling & { readonly body: Uint8Array },
): Promise<Paid> {
  const { bill, sent } = at;
  const taken = bill.read(at.body);
  if (taken.kind === 'malformed') {
    await close(house, world, peer, { ...at, taken: null, error: taken.what });
    peer.breaker.failed(world.clock.now(), taken.what);
    return spoilt(taken.what);
  }
  await close(house, world, peer, { ...at, taken, error: null });
  peer.breaker.succeeded();
  await adapt(house, world, peer, sent);
  return { kind: 'paid', answer: taken.answer, finish: taken.finish };
}

/** What came back and what it cost, in one transaction. */
async function close(
  { db }: House,
  { clock }: World,
  peer: Peer,
  at: Moment & {
    readonly taken: Extract<Taken, { kind: 'taken' }> | null;
    readonly error: string | null;
  },
): Promise<void> {
  const { bill, taken, error, held, askedAt } = at;
  const now = clock.now();
  const tokens = taken?.tokens ?? bill.estimate;
  const cost = costOf(peer.terms, tokens);
  await patiently(clock, db, async (tx) => {
    await taken?.keep?.(tx);
    await markAnswered(tx, bill.receipt.id, {
      answer: taken?.answer ?? null,
      finish: taken?.finish ?? null,
      error,
      now,
      cost,
      promptTokens: tokens.prompt,
      answerTokens: tokens.answer,
    });
    const paid = { tokens: tokens.prompt + tokens.answer, cost };
    await correctBudget(tx, peer.name, { held, paid, askedAt });
    await countDay(tx, dayKey(peer, bill, now), {
      ...(taken === null ? { failures: 1 } : { answers: 1 }),
      promptTokens: tokens.prompt,
      answerTokens: tokens.answer,
      cost,
    });
  });
}

const WRITINGS = 6;

/** The database may be away just now: what was paid for is not lost for that. */
async function patiently(clock: World['clock'], db: Db, work: (tx: Db) => Promise<void>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(db, work);
    } catch (error) {
      // What it does not take now (22, 23), it takes never.
      const isFinal = /^2[23]/u.test(String((error as { code?: unknown }).code ?? ''));
      if (isFinal || tries >= WRITINGS) throw error;
    }
    await clock.sleep(tries * 1_000);
  }
}

async function adapt({ db, ...house }: House, world: World, peer: Peer, sent: Sent) {
  try {
    if (sent.kind === 'answer' && sent.exhaustedMs > 0) {
      const until = world.clock.now() + sent.exhaustedMs;
      await slowDown(db, peer.name, { until, factor: 1, leastPaceMs: 0 });
      peer.standing = { ...peer.standing, nextAt: until };
      return;
    }
    peer.streak += 1;
    if (peer.standing.paceMs === 0 || peer.streak < STREAK) return;
    peer.streak = 0;
    await speedUp(db, peer.name, 0.8);
    const paceMs = peer.standing.paceMs * 0.8;
    peer.standing = { ...peer.standing, paceMs: paceMs < 20 ? 0 : paceMs };
  } catch (error) {
    // The answer is kept; how fast the next one is asked for can wait.
    if (house.isNews(messageOf(error))) {
      world.log.warn({ model: peer.name, error: messageOf(error) }, 'a pace was not kept');
    }
  }
}
