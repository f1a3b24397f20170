// Opens the model client once per process. Workers share requests, budgets and routing through the
// store.
import type { Db } from '../../kernel/ports/db.ts';
import type { Embed, ModelRequester } from '../../kernel/ports/model.ts';
import { DAY_MS } from '../../kernel/time/durations.ts';
import type { World } from '../../kernel/world.ts';
import { deleteRequests } from '../../store/model/model-requests.ts';
import { deleteOldVectors } from '../../store/model/model-vectors.ts';
import { type ModelEvent, openClientState } from './client-state.ts';
import { openEmbed } from './embed-texts.ts';
import type { ModelSettings } from './model-config.ts';
import { type ModelRequestDeps, openModelRequests } from './model-requests.ts';
import { openRouting } from './routing.ts';

export type ModelClient = {
  readonly requestModel: ModelRequester;
  /** Null without an embedding model. */
  readonly embed: Embed | null;
  readonly embeddingModel: string | null;
  /** Waits for running requests, so that their replies are stored. */
  close(): Promise<void>;
};

export type ModelOptions = {
  readonly settings: ModelSettings;
  /** Receives the result of each task for metrics. */
  readonly onEvent?: (event: ModelEvent) => void;
};

export function openModel(world: World, db: Db, options: ModelOptions): ModelClient {
  const { settings, onEvent = () => {} } = options;
  const client = openClientState(db, { settings, onEvent });
  const routing = openRouting(db, settings);
  const pendingReplies: ModelRequestDeps['pendingReplies'] = new Map();
  const runningRequests = new Set<Promise<unknown>>();
  const trackRequest = <T>(work: Promise<T>): Promise<T> => {
    const workEnd = work.then(
      () => {},
      () => {},
    );
    runningRequests.add(workEnd);
    workEnd.then(() => runningRequests.delete(workEnd));
    return work;
  };
  const requestModel = openModelRequests({ client, routing, pendingReplies });
  const { embeddingModel } = settings;
  const embed = embeddingModel === null ? null : openEmbed(client, embeddingModel);
  return {
    requestModel: (requestWorld, task) => trackRequest(requestModel(requestWorld, task)),
    embed: embed === null ? null : (...input) => trackRequest(embed(...input)),
    embeddingModel,
    close: async () => {
      const stop = new AbortController();
      const closeTimeout = world.clock.sleep(CLOSING_MS, stop.signal).catch(() => {});
      await Promise.race([Promise.all(runningRequests), closeTimeout]);
      stop.abort();
    },
  };
}

/** Limit of the wait for running requests; a process shuts down within ten seconds. */
const CLOSING_MS = 3_000;

/** Deletes requests and vectors after their retention time. */
export async function cleanUpModel(
  { clock }: World,
  db: Db,
  { file }: Pick<ModelSettings, 'file'>,
): Promise<void> {
  const before = clock.now() - file.keepDays * DAY_MS;
  await deleteRequests(db, before);
  await deleteOldVectors(db, before);
}
