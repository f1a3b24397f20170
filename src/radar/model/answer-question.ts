// One question, top to bottom: whose model, what it has answered before, else its answer paid for;
// the shape and the guard rail; one repair; else the built-in way, and why.

import { messageOf } from '../../kernel/errors/fault.ts';
import type { Answered, Ask, Question } from '../../kernel/ports/model.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import { type Claimed, claimReceipt, type Released } from '../../store/model/model-requests.ts';
import { countDay } from '../../store/model/model-spending.ts';
import { inTransaction } from '../../store/platform/db.ts';
import {
  type Asking,
  answerTokensOf,
  bodyOf,
  messagesOf,
  questionHash,
  schemaOf,
} from './chat-request.ts';
import type { House } from './client-state.ts';
import { type Bill, type Paid, pay, type Taken } from './execute-request.ts';
import { readAnswer } from './parse-completion.ts';
import { mostCharacters } from './parse-json-reply.ts';
import { estimateTokens, type Tokens } from './request-cost.ts';
import type { Routing } from './routing.ts';
import { DECLINED, readValue } from './validate-reply.ts';

type BuiltIn = Extract<Answered<never>, { kind: 'built_in' }>;

type Settled =
  | {
      readonly kind: 'words';
      readonly answer: string;
      readonly finish: string | null;
      readonly receipt: string;
      /** Paid for earlier, or by another worker. */
      readonly isReused: boolean;
    }
  | BuiltIn;

export type AskParts = {
  readonly house: House;
  readonly routing: Routing;
  /** Questions that this process asks right now. */
  readonly underWay: Map<string, Promise<Settled>>;
};

export function openAsk(parts: AskParts): Ask {
  return async <T>(world: World, question: Question<T>): Promise<Answered<T>> => {
    const { house, routing } = parts;
    const { step, signal } = question;
    let model = '';
    const tell = (outcome: string) => house.tell(world, { step, model, outcome });
    try {
      const routed = await routing.modelFor(world, step);
      if (routed === null) return { kind: 'built_in', why: 'unconfigured' };
      model = routed;
      const answered = await askModel(parts, world, model, question);
      if (answered.kind === 'built_in') await tell(answered.why);
      else await tell(answered.isReused ? 'reused' : 'answered');
      if (answered.kind === 'built_in') return answered;
      return { kind: 'answered', value: answered.value, receipt: answered.receipt, model };
    } catch (error) {
      signal?.throwIfAborted();
      const detail = messageOf(error);
      await tell('failed');
      world.log.error({ step, model, error: detail }, 'a question was not asked');
      return { kind: 'built_in', why: 'failed', detail };
    }
  };
}

type Valued<T> =
  | {
      readonly kind: 'valued';
      readonly value: T;
      readonly receipt: string;
      readonly isReused: boolean;
    }
  | BuiltIn;

async function askModel<T>(
  parts: AskParts,
  world: World,
  model: string,
  question: Question<T>,
): Promise<Valued<T>> {
  const schema = schemaOf(question);
  const asking: Asking = { model, question, schema, repair: null };
  const first = await settle(parts, world, asking, 0);
  if (first.kind === 'built_in') return first;
  const read = readValue(question, first);
  const { receipt, isReused } = first;
  if (read.kind === 'value') return { kind: 'valued', value: read.value, receipt, isReused };
  const refused = (detail: string): BuiltIn => ({ kind: 'built_in', why: 'refused', detail });
  if (read.kind === 'declined') return refused(read.problem);
  const repair = { answer: first.answer, problem: read.problem };
  const second = await settle(parts, world, { ...asking, repair }, 1);
  if (second.kind === 'built_in') return second;
  const again = readValue(question, second);
  if (again.kind !== 'value') return refused(again.problem);
  return { ...second, kind: 'valued', value: again.value };
}

const builtIn = ({ why, detail }: Extract<Paid, { kind: 'built_in' }>): BuiltIn => {
  return { kind: 'built_in', why, detail };
};

const POLL_MS = 300;

/** The words that a question was answered with, asked for now if they never were. */
async function settle(
  parts: AskParts,
  world: World,
  asking: Asking,
  round: number,
): Promise<Settled> {
  const { underWay } = parts;
  const { signal } = asking.question;
  const hash = questionHash(asking, round);
  for (;;) {
    const shared = underWay.get(hash);
    if (shared !== undefined) {
      // Should whoever asks give up, it is this one's to ask.
      const settled = await shared.catch(() => null);
      signal?.throwIfAborted();
      if (settled !== null)
        return settled.kind === 'words' ? { ...settled, isReused: true } : settled;
      continue;
    }
    const own = settleHere(parts, world, asking, { round, hash });
    underWay.set(hash, own);
    try {
      return await own;
    } finally {
      underWay.delete(hash);
    }
  }
}

type Place = { readonly round: number; readonly hash: string };

async function settleHere(
  { house }: AskParts,
  world: World,
  asking: Asking,
  place: Place,
): Promise<Settled> {
  const { clock } = world;
  const { signal } = asking.question;
  const peer = await house.peer(world, asking.model);
  const { timeoutSeconds, patienceSeconds } = house.settings.file;
  const until = clock.now() + (timeoutSeconds + patienceSeconds) * 1000 + 30_000;
  while (clock.now() <= until) {
    const leave = await peer.gate.enter(signal);
    try {
      const [claim, claimed] = await claimOf(house, world, asking, place);
      const known = settledBefore(claimed);
      if (known !== null) return known;
      if (claimed.kind === 'mine') {
        if (claimed.released !== null) await letGo(house, world, claimed.released);
        const receipt = { id: claimed.id, claim };
        const paid = await pay(house, world, peer, billOf(asking, peer.standing.dialect, receipt));
        if (paid.kind === 'built_in') return builtIn(paid);
        if (paid.kind === 'paid') {
          return { ...paid, kind: 'words', receipt: claimed.id, isReused: false };
        }
      }
    } finally {
      leave();
    }
    // Another worker asks it: its answer will be there for both.
    await clock.sleep(POLL_MS, signal);
  }
  return { kind: 'built_in', why: 'held', detail: 'another worker asks it and does not end' };
}

function settledBefore(claimed: Claimed): Settled | null {
  switch (claimed.kind) {
    case 'answered': {
      const { id, answer, finish } = claimed.receipt;
      return { kind: 'words', answer: answer ?? '', finish, receipt: id, isReused: true };
    }
    case 'failed':
      return { kind: 'built_in', why: 'failed', detail: claimed.error };
    case 'held': {
      const detail = `its answer was lost: held until ${new Date(claimed.until).toISOString()}`;
      return { kind: 'built_in', why: 'held', detail };
    }
    case 'busy':
    case 'mine':
      return null;
  }
}

/** A question that failed is left alone for a while. */
const REST_MS = 300_000;

async function claimOf(
  { db, settings }: House,
  { clock, ids }: World,
  { model, question }: Asking,
  { round, hash }: Place,
): Promise<readonly [claim: string, Claimed]> {
  const { step, prompt, subject = null, turn = 0 } = question;
  const claim = ids.next();
  const asked = {
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
  const holdMs = settings.file.holdSeconds * 1000;
  const by = { claim, now: clock.now(), holdMs, restMs: REST_MS };
  return [claim, await claimReceipt(db, asked, by)];
}

/** An answer that never came counts as paid for. */
async function letGo({ db }: House, { clock, log }: World, released: Released): Promise<void> {
  const { step, model, held_cost: unknownCost } = released;
  log.warn({ step, model }, 'an answer was lost and its hold is over: the question is asked again');
  const { day } = shanghaiDay(clock.now());
  await inTransaction(db, (tx) => countDay(tx, { day, step, model }, { unknown: 1, unknownCost }));
}

function billOf(asking: Asking, dialect: Parameters<typeof bodyOf>[1], receipt: Bill['receipt']) {
  const { step, signal } = asking.question;
  const words = messagesOf(asking, dialect).map(({ content }) => content);
  const estimate: Tokens = {
    prompt: estimateTokens(words.join('\n')),
    answer: answerTokensOf(asking),
  };
  const body: Bill['body'] = (now) => bodyOf(asking, now);
  const read: Bill['read'] = (bytes) => takenOf(bytes, estimate);
  const bill: Bill = { receipt, step, path: '/chat/completions', body, estimate, read, signal };
  return bill;
}

function takenOf(bytes: Uint8Array, estimate: Tokens): Taken {
  const read = readAnswer(bytes);
  if (read.kind === 'malformed') return read;
  const { text, finish, refusal, promptTokens, answerTokens } = read;
  const said = refusal ?? text;
  const tokens: Tokens = {
    prompt: promptTokens ?? estimate.prompt,
    answer: answerTokens ?? estimateTokens(said),
  };
  // What the store can hold: bounded, whole characters, no NUL.
  const answer = said
    .slice(0, mostCharacters + 1)
    .toWellFormed()
    .replaceAll('\0', '');
  return { kind: 'taken', answer, finish: refusal === null ? finish : DECLINED, tokens };
}
