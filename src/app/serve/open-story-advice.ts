// Opens the model services of the story engine: the prompt that relates reports, quotation of
// third-party text, and the calibration of the embedding model.
import type { Config } from '../../config.ts';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Db } from '../../kernel/ports/db.ts';
import type { World } from '../../kernel/world.ts';
import { capTokens, quoteText } from '../../radar/enrichment/model/quote-text.ts';
import { readPrompts } from '../../radar/enrichment/prompts/read-prompts.ts';
import { type ModelClient, openModel } from '../../radar/model/open-model.ts';
import {
  type Adviser,
  type AdviserDeps,
  openAdviser,
} from '../../radar/stories/advice/open-adviser.ts';
import { readStoryRules } from '../../radar/stories/rules/read-story-rules.ts';
import type { AdviserRules } from '../../radar/stories/sync/story-service.ts';
import { findCalibration, saveCalibration } from '../../store/model/embedding-models.ts';

/** Rejects with a Fault `invalid_request` that names the problem in the folder. */
export async function openStoryAdvice(
  { file }: { readonly file: Pick<Config['file'], 'editorial'> },
  { world, db, model }: { readonly world: World; readonly db: Db; readonly model: ModelClient },
): Promise<(rules: AdviserRules) => Adviser> {
  const { relate: prompt } = await readPrompts(file.editorial);
  const relate: AdviserDeps['relate'] = {
    prompt,
    textTokens: prompt.bounds.textTokens,
    quote: quoteText,
    cap: capTokens,
  };
  const { requestModel, embed } = model;
  return ({ joinFrom, liveDays }) =>
    openAdviser({
      requestModel,
      embed,
      relate,
      joinFrom,
      liveDays,
      // Stored, so that a restarted worker does not calibrate again.
      calibration: {
        find: (name) => findCalibration(db, name),
        save: (name, calibration) =>
          saveCalibration(db, name, { calibration, now: world.clock.now() }),
      },
    });
}

type AdviceRequest = {
  readonly world: World;
  readonly db: Db;
  /** Null: the configured model. */
  readonly name: string | null;
};

/** An adviser for evaluation. Its requests are recorded and counted like all others. */
export async function adviseStories(
  config: Config,
  { world, db, name }: AdviceRequest,
  work: (adviser: Adviser) => Promise<void>,
): Promise<void> {
  if (config.model === null) {
    throw new Fault(
      'invalid_request',
      'No model is configured: set MODEL_URL, or choose a model on the setup page. ' +
        'See docs/operations.md.',
    );
  }
  const file = name === null ? config.model.file : { ...config.model.file, steps: {} };
  const settings = { ...config.model, name: name ?? config.model.name, file };
  const model = openModel(world, db, { settings });
  try {
    const rules = await readStoryRules(config.file.editorial);
    await work((await openStoryAdvice(config, { world, db, model }))(rules.settings));
  } finally {
    await model.close();
  }
}
