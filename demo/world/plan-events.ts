// Plans the events of each day. Days are UTC days around `now`. Weekends have fewer events, but the
// day of `now` and the day before have at least eight. Two days are nearly empty, and one has many
// events. The follow-up events of a day are planned before its other events.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/time/durations.ts';
import { eventTypes, type FollowUp } from './event-kinds.ts';
import { type EventContext, openMemory, type PlanMemory } from './facts/event-context.ts';
import { pick, pickWeighted, randomBetween } from './grammar.ts';
import { plantFor } from './plant-contradictions.ts';
import type { Company, Facts, WorldEvent } from './world-model.ts';

export const daysBefore = 40;
export const daysAfter = 10;

type DueFollowUp = {
  readonly type: string;
  readonly earlier: WorldEvent;
  /** True: another company repeats the earlier event. */
  readonly isEcho: boolean;
};

export type Plan = {
  readonly random: Random;
  readonly now: number;
  readonly companies: readonly Company[];
  /** Factor on the number of events per day; 1 is the normal world. */
  readonly scale: number;
};

type PlanState = {
  readonly plan: Plan;
  readonly memory: PlanMemory;
  readonly events: WorldEvent[];
  readonly followUpsByDay: Map<number, DueFollowUp[]>;
  /** Events per company on the day being planned. */
  eventsByCompany: Map<string, number>;
};

export function planEvents(plan: Plan): readonly WorldEvent[] {
  const events: WorldEvent[] = [];
  const state: PlanState = {
    plan,
    memory: openMemory(),
    events,
    followUpsByDay: new Map(),
    eventsByCompany: new Map(),
  };
  const today = Math.floor(plan.now / DAY_MS);
  for (let offset = -daysBefore; offset <= daysAfter; offset += 1) {
    planDay(state, today + offset, eventsOn(today + offset, offset, plan));
  }
  return events.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The day with many events: the Wednesday one to two weeks before `now`. */
function isBigDay(day: number, offset: number): boolean {
  return offset >= -13 && offset < -6 && weekday(day) === 3;
}

function weekday(day: number): number {
  return new Date(day * DAY_MS).getUTCDay();
}

function eventsOn(day: number, offset: number, plan: Plan): number {
  // The present day and the one before it are working days, so that a visitor sees recent news.
  const minimum = offset === 0 || offset === -1 ? 10 : 0;
  const usual = Math.max(minimum, [5, 12, 15, 14, 14, 12, 6][weekday(day)] ?? 10);
  const isEmpty = offset === -25 || offset === -17;
  const drawCount = () => {
    if (isEmpty) return 2;
    return isBigDay(day, offset) ? 36 : usual + randomBetween(-2, 2, plan.random);
  };
  return Math.max(1, Math.round(drawCount() * plan.scale));
}

function planDay(state: PlanState, day: number, eventCount: number): void {
  state.eventsByCompany = new Map();
  let remaining = eventCount;
  for (const followUp of state.followUpsByDay.get(day) ?? []) {
    if (addEvent(state, day, followUp.type, followUp)) remaining -= 1;
  }
  const names = Object.keys(eventTypes);
  const weights = names.map((name) => eventTypes[name]?.weight ?? 0);
  for (let attempt = 0; remaining > 0 && attempt < eventCount * 30; attempt += 1) {
    if (addEvent(state, day, pickWeighted(names, weights, state.plan.random), null)) remaining -= 1;
  }
}

function addEvent(
  state: PlanState,
  day: number,
  type: string,
  followUp: DueFollowUp | null,
): boolean {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    if (tryEvent(state, day, type, followUp)) return true;
  }
  return false;
}

function tryEvent(
  state: PlanState,
  day: number,
  type: string,
  followUp: DueFollowUp | null,
): boolean {
  const { plan, memory } = state;
  const kind = requirePresent(eventTypes[type], `event type ${type}`);
  const isContinuation = followUp !== null && !followUp.isEcho;
  const company = isContinuation ? followUp.earlier.company : chooseCompany(state, followUp, type);
  const isBusy = (state.eventsByCompany.get(company.id) ?? 0) >= 2;
  if (isBusy && !isContinuation) return false;
  const at = day * DAY_MS + timeOfDay(company, plan.random);
  const earlier = isContinuation ? addPastDate(followUp.earlier) : null;
  const eventContext: EventContext = {
    random: plan.random,
    at,
    company,
    companies: plan.companies,
    memory,
    earlier,
    earlierProduct: isContinuation ? followUp.earlier.product : null,
  };
  const draft = kind.make(eventContext);
  if (draft === null) return false;
  const id = `e${String(state.events.length + 1).padStart(5, '0')}`;
  const reports = reportCountOf(company, kind.interest, plan.random);
  const facts = followUp?.isEcho ? reuseFigures(draft.facts, followUp.earlier.facts) : draft.facts;
  const event: WorldEvent = {
    id,
    type,
    category: kind.category,
    at,
    company,
    product: draft.product,
    facts,
    reports,
    storylineId: isContinuation ? followUp.earlier.storylineId : `s${id.slice(1)}`,
    plantedContradiction: plantFor(facts, kind.disputable, reports, plan.random),
    confusableWith:
      followUp !== null && (followUp.isEcho || followUp.type === followUp.earlier.type)
        ? followUp.earlier.id
        : null,
  };
  state.events.push(event);
  state.eventsByCompany.set(company.id, (state.eventsByCompany.get(company.id) ?? 0) + 1);
  scheduleFollowUps(state, day, event, kind.followUps ?? []);
  return true;
}

function addPastDate(event: WorldEvent): Facts {
  return { ...event.facts, ago: { kind: 'day', value: event.at } };
}

/** Plans follow-up events: consequences, the next version, or the same action by a rival. */
function scheduleFollowUps(
  state: PlanState,
  day: number,
  event: WorldEvent,
  followUps: readonly FollowUp[],
): void {
  const { random } = state.plan;
  const addFollowUp = (day: number, followUp: DueFollowUp) =>
    state.followUpsByDay.set(day, [...(state.followUpsByDay.get(day) ?? []), followUp]);
  for (const { type, after, chance } of followUps) {
    if (random.next() >= chance) continue;
    addFollowUp(day + randomBetween(after[0], after[1], random), {
      type,
      earlier: event,
      isEcho: false,
    });
    break;
  }
  if (event.type.startsWith('launch-') && random.next() < 0.16) {
    addFollowUp(day + randomBetween(5, 8, random), {
      type: event.type,
      earlier: event,
      isEcho: false,
    });
  }
  const repeatedTypes = ['price-cut', 'outage', 'funding', 'layoffs', 'launch-app', 'partnership'];
  if (repeatedTypes.includes(event.type) && random.next() < 0.14) {
    const followUp = { type: event.type, earlier: event, isEcho: true };
    addFollowUp(day + randomBetween(1, 2, random), followUp);
  }
}

/** A rival's event reuses the figures, so that only the names distinguish the two events. */
function reuseFigures(facts: Facts, earlierFacts: Facts): Facts {
  const sharedSlots = ['duration', 'users', 'jobs', 'purpose', 'cause'].filter(
    (slot) => facts[slot] !== undefined && earlierFacts[slot] !== undefined,
  );
  return {
    ...facts,
    ...Object.fromEntries(
      sharedSlots.map((slot) => [slot, requirePresent(earlierFacts[slot], slot)]),
    ),
  };
}

function chooseCompany(state: PlanState, followUp: DueFollowUp | null, type: string): Company {
  const { companies, random } = state.plan;
  const candidates =
    followUp === null
      ? companies
      : companies.filter(({ id }) => id !== followUp.earlier.company.id);
  if (state.plan.scale > 2 || type === 'funding') return pick(candidates, random);
  return pickWeighted(
    candidates,
    candidates.map((company) => company.size ** 1.05),
    random,
  );
}

/** Milliseconds since the start of the UTC day, within the office hours of the company's region. */
function timeOfDay(company: Company, random: Random): number {
  const [from, to] = company.region === 'east' ? [0, 12] : [7, 20];
  const spread = (random.next() + random.next()) / 2;
  return Math.floor((from + (to - from) * spread) * 60) * MINUTE_MS;
}

function reportCountOf(company: Company, interest: number, random: Random): number {
  const drawnCount = -Math.log(1 - random.next()) * 1.7 + company.size * 0.42 + interest;
  return Math.min(9, Math.max(1, Math.round(drawnCount + 0.4)));
}
