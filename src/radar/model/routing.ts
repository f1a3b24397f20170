// Chooses the model of a step: the operators' setting, then the configuration, then `MODEL_NAME`.
// Changes by other workers apply within seconds.

import { messageOf } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import { type ModelStep, modelSteps } from '../../kernel/ports/model.ts';
import type { World } from '../../kernel/world.ts';
import { findRouting, type StoredRouting } from '../../store/model/model-routing.ts';
import { BUILT_IN, type ModelSettings } from './model-config.ts';

export type Routing = {
  /** Null: the step uses the rules. */
  modelFor(world: World, step: ModelStep): Promise<string | null>;
};

const ROUTING_MAX_AGE_MS = 5_000;

export function openRouting(db: Db, settings: ModelSettings): Routing {
  let routing: StoredRouting = { version: 0, steps: {} };
  let readAt = Number.NEGATIVE_INFINITY;
  const readCurrent = async ({ clock, log }: World): Promise<StoredRouting> => {
    const now = clock.now();
    if (Math.abs(now - readAt) <= ROUTING_MAX_AGE_MS) return routing;
    readAt = now;
    try {
      routing = await findRouting(db);
    } catch (error) {
      log.warn(
        { error: messageOf(error) },
        'the model routing could not be read; the last known routing stays in use',
      );
    }
    return routing;
  };
  return {
    modelFor: async (world, step) => routeOf(settings, await readCurrent(world), step).model,
  };
}

export type ModelRoute = {
  readonly step: ModelStep;
  /** Null: the step uses the rules. */
  readonly model: string | null;
  readonly from: 'operator' | 'configuration';
};

function routeOf(settings: ModelSettings, routing: StoredRouting, step: ModelStep): ModelRoute {
  const operatorSetting = routing.steps[step];
  const model = operatorSetting ?? settings.file.steps[step] ?? settings.name ?? BUILT_IN;
  const from = operatorSetting === undefined ? 'configuration' : 'operator';
  return { step, model: model === BUILT_IN ? null : model, from };
}

export const routesOf = (settings: ModelSettings, routing: StoredRouting): readonly ModelRoute[] =>
  modelSteps.map((step) => routeOf(settings, routing, step));

/** Every model that a step can use. */
export function knownModels({ name, embeddingModel, file }: ModelSettings): readonly string[] {
  const modelNames = [...Object.keys(file.models), ...Object.values(file.steps)];
  const all = new Set([...(name === null ? [] : [name]), ...modelNames]);
  all.delete(BUILT_IN);
  // Steps do not use the embedding model unless the model file names it for a step.
  if (embeddingModel !== null && embeddingModel !== name) {
    if (!Object.values(file.steps).includes(embeddingModel)) all.delete(embeddingModel);
  }
  return [...all];
}
