// Asking models: opened once in a process, with receipts, budgets and routing shared by all workers
// through the store. What is asked is the rooms' business.
import type { Db } from '../../kernel/ports/db.ts';
import type { Ask, Embed } from '../../kernel/ports/model.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { forgetReceipts } from '../../store/model/model-requests.ts';
import { forgetVectors } from '../../store/model/model-vectors.ts';
import { type AskParts, openAsk } from './answer-question.ts';
import { openHouse, type Told } from './client-state.ts';
import { openEmbed } from './embed-texts.ts';
import type { ModelSettings } from './model-config.ts';
import { openRouting } from './routing.ts';

export type Model = {
  readonly ask: Ask;
  /** Null: no embedding model is configured. */
  readonly embed: Embed | null;
  readonly embeddingModel: string | null;
  /** Waits for questions that are under way, so that their answers are kept. */
  close(): Promise<void>;
};

export type ModelParts = {
  readonly settings: ModelSettings;
  /** Told how each question ended, for the metrics. */
  readonly onTold?: (told: Told) => void;
};

export function openModel(world: World, db: Db, parts: ModelParts): Model {
  const { settings, onTold = () => {} } = parts;
  const house = openHouse(db, { settings, onTold });
  const routing = openRouting(db, settings);
  const underWay: AskParts['underWay'] = new Map();
  const running = new Set<Promise<unknown>>();
  const kept = <T>(work: Promise<T>): Promise<T> => {
    const ended = work.then(
      () => {},
      () => {},
    );
    running.add(ended);
    ended.then(() => running.delete(ended));
    return work;
  };
  const ask = openAsk({ house, routing, underWay });
  const { embeddingModel } = settings;
  const embed = embeddingModel === null ? null : openEmbed(house, embeddingModel);
  return {
    ask: (asker, question) => kept(ask(asker, question)),
    embed: embed === null ? null : (...asked) => kept(embed(...asked)),
    embeddingModel,
    close: async () => {
      const stop = new AbortController();
      const tooLong = world.clock.sleep(CLOSING_MS, stop.signal).catch(() => {});
      await Promise.race([Promise.all(running), tooLong]);
      stop.abort();
    },
  };
}

/** Of the ten seconds that a process has to end. */
const CLOSING_MS = 3_000;

/** Lets go of receipts and vectors that were kept for long enough. */
export async function tidyModel(
  { clock }: World,
  db: Db,
  { file }: Pick<ModelSettings, 'file'>,
): Promise<void> {
  const before = clock.now() - file.keepDays * DAY_MS;
  await forgetReceipts(db, before);
  await forgetVectors(db, before);
}
