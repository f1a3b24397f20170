// State of the model client in one process: settings, semaphores, circuit breakers, server
// capabilities, counters. State shared by workers is in the store.

import {
  type CircuitBreaker,
  openCircuitBreaker,
} from '../../kernel/concurrency/circuit-breaker.ts';
import { openSemaphore, type Semaphore } from '../../kernel/concurrency/semaphore.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  findRateState,
  insertRateState,
  type ModelRateState,
  saveDialect,
} from '../../store/model/model-rate-states.ts';
import { addToModelDay } from '../../store/model/model-spending.ts';
import { firstDialect } from './chat-request.ts';
import { type ModelSettings, type ModelTerms, termsOf } from './model-config.ts';

export type ModelEvent = {
  readonly step: string;
  readonly model: string;
  /** `answered`, `reused`, or the reason for using the rules. */
  readonly outcome: string;
};

/** The state of a model in this process. */
export type ModelEndpoint = {
  readonly name: string;
  readonly terms: ModelTerms;
  readonly semaphore: Semaphore;
  readonly breaker: CircuitBreaker;
  /** The latest failure that the circuit breaker counted. */
  lastFailure: string;
  /** Successful replies since the last rate-limit response. */
  successesInSequence: number;
  rateState: ModelRateState;
  /** Time at which the rate state was read, epoch milliseconds. */
  readAt: number;
};

export type ModelClientState = {
  readonly db: Db;
  readonly settings: ModelSettings;
  readonly onEvent: (event: ModelEvent) => void;
  endpointOf(world: World, model: string): Promise<ModelEndpoint>;
  saveDialect(endpoint: ModelEndpoint, dialect: ModelRateState['dialect']): Promise<void>;
  /** Emits an event and records it when operators must see it. Never rejects. */
  emit(world: World, event: ModelEvent): Promise<void>;
  /** Returns true on the first call for a key, so a lasting condition is logged once. */
  recordOccurrence(eventKey: string): boolean;
};

/** Maximum age of the rate state, after which it is read again. */
const RATE_STATE_MAX_AGE_MS = 5_000;

const BREAKER_PAUSES = { firstMs: 30_000, longestMs: 600_000 };

export function openClientState(
  db: Db,
  options: Pick<ModelClientState, 'settings' | 'onEvent'>,
): ModelClientState {
  const { file } = options.settings;
  const endpoints = new Map<string, Promise<ModelEndpoint>>();
  const loggedEvents = new Set<string>();
  const openEndpoint = async (name: string, clock: World['clock']): Promise<ModelEndpoint> => {
    const initialState: ModelRateState = {
      nextAt: clock.now(),
      intervalMs: 0,
      dialect: firstDialect,
    };
    await insertRateState(db, name, initialState);
    const terms = termsOf(file, name);
    const rateState = (await findRateState(db, name)) ?? initialState;
    return {
      name,
      terms,
      semaphore: openSemaphore(terms.concurrency),
      breaker: openCircuitBreaker(clock, BREAKER_PAUSES),
      lastFailure: '',
      successesInSequence: 0,
      rateState,
      readAt: clock.now(),
    };
  };
  return {
    ...options,
    db,
    endpointOf: async ({ clock }, model) => {
      const now = clock.now();
      const openedEndpoint = endpoints.get(model) ?? openEndpoint(model, clock);
      endpoints.set(model, openedEndpoint);
      openedEndpoint.catch(() => endpoints.delete(model));
      const endpoint = await openedEndpoint;
      if (Math.abs(now - endpoint.readAt) > RATE_STATE_MAX_AGE_MS) {
        endpoint.readAt = now;
        endpoint.rateState = (await findRateState(db, model)) ?? endpoint.rateState;
      }
      return endpoint;
    },
    emit: async ({ clock, log }, event) => {
      options.onEvent(event);
      const { step, model, outcome } = event;
      if (outcome !== 'budget' && outcome !== 'refused') return;
      const { day } = shanghaiDay(clock.now());
      const counter = outcome === 'budget' ? { overBudget: 1 } : { refused: 1 };
      await addToModelDay(db, { day, step, model }, counter).catch((error) =>
        log.warn(
          { step, model, error: messageOf(error) },
          'the daily totals lack the outcome of a model request',
        ),
      );
    },
    saveDialect: async (endpoint, dialect) => {
      endpoint.rateState = { ...endpoint.rateState, dialect };
      await saveDialect(db, endpoint.name, dialect);
    },
    recordOccurrence: (eventKey) => {
      if (loggedEvents.has(eventKey)) return false;
      if (loggedEvents.size > 1_000) loggedEvents.clear();
      loggedEvents.add(eventKey);
      return true;
    },
  };
}
