// What asking works with in one process: settings, the models' gates and breakers, what is known of
// their servers, and what is counted. What several workers must agree about is in the store.

import { type Gate, openGate } from '../../kernel/concurrency/semaphore.ts';
import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { shanghaiDay } from '../../kernel/time/calendar.ts';
import type { World } from '../../kernel/world.ts';
import {
  findStanding,
  makeStanding,
  type Standing,
  saveDialect,
} from '../../store/model/model-rate-states.ts';
import { countDay } from '../../store/model/model-spending.ts';
import { firstDialect } from './chat-request.ts';
import { type Breaker, openBreaker } from './circuit-breaker.ts';
import { type ModelSettings, type ModelTerms, termsOf } from './model-config.ts';

export type Told = {
  readonly step: string;
  readonly model: string;
  /** `answered`, `reused`, or why the built-in way was taken. */
  readonly outcome: string;
};

/** A model as this process knows it. */
export type Peer = {
  readonly name: string;
  readonly terms: ModelTerms;
  readonly gate: Gate;
  readonly breaker: Breaker;
  /** Answers since it was last asked to slow down. */
  streak: number;
  standing: Standing;
  /** When the standing was read, epoch milliseconds. */
  readAt: number;
};

export type House = {
  readonly db: Db;
  readonly settings: ModelSettings;
  readonly onTold: (told: Told) => void;
  peer(world: World, model: string): Promise<Peer>;
  learn(peer: Peer, dialect: Standing['dialect']): Promise<void>;
  /** Part of the record where it is what operators must see. Never rejects. */
  tell(world: World, told: Told): Promise<void>;
  /** True the first time for that text: what lasts is logged once. */
  isNews(what: string): boolean;
};

/** What other workers have found out is heard within this time. */
const FRESH_MS = 5_000;

export function openHouse(db: Db, parts: Pick<House, 'settings' | 'onTold'>): House {
  const { file } = parts.settings;
  const peers = new Map<string, Promise<Peer>>();
  const told = new Set<string>();
  const open = async (name: string, now: number): Promise<Peer> => {
    const unknown: Standing = { nextAt: now, paceMs: 0, dialect: firstDialect };
    await makeStanding(db, name, unknown);
    const terms = termsOf(file, name);
    const [gate, breaker] = [openGate(terms.concurrency), openBreaker()];
    const standing = (await findStanding(db, name)) ?? unknown;
    return { name, terms, gate, breaker, streak: 0, standing, readAt: now };
  };
  return {
    ...parts,
    db,
    peer: async ({ clock }, model) => {
      const now = clock.now();
      const opened = peers.get(model) ?? open(model, now);
      peers.set(model, opened);
      opened.catch(() => peers.delete(model));
      const peer = await opened;
      if (Math.abs(now - peer.readAt) > FRESH_MS) {
        peer.readAt = now;
        peer.standing = (await findStanding(db, model)) ?? peer.standing;
      }
      return peer;
    },
    tell: async ({ clock, log }, each) => {
      parts.onTold(each);
      const { step, model, outcome } = each;
      if (outcome !== 'budget' && outcome !== 'refused') return;
      const { day } = shanghaiDay(clock.now());
      const more = outcome === 'budget' ? { overBudget: 1 } : { refused: 1 };
      await countDay(db, { day, step, model }, more).catch((error) =>
        log.warn({ step, model, error: messageOf(error) }, 'an outcome was not counted'),
      );
    },
    learn: async (peer, dialect) => {
      peer.standing = { ...peer.standing, dialect };
      await saveDialect(db, peer.name, dialect);
    },
    isNews: (what) => {
      if (told.has(what)) return false;
      if (told.size > 1_000) told.clear();
      told.add(what);
      return true;
    },
  };
}
