// What the story room is given of a model: the prompt that relates reports, the ways of quoting
// strangers' texts, and what was learned of the embedding model.
import type { Config } from '../config.ts';
import type { Db } from '../kernel/db.ts';
import type { World } from '../kernel/world.ts';
import type { Model } from '../radar/model/open-model.ts';
import { calibrationStore } from '../radar/stories/advice/calibration-store.ts';
import {
  type Adviser,
  type AdviserParts,
  openAdviser,
} from '../radar/stories/advice/open-adviser.ts';
import type { AdviserRules } from '../radar/stories/keep/open-story-keeper.ts';
import { capTokens, quoteText } from '../radar/understand/model-desk/quote-text.ts';
import { readPrompts } from '../radar/understand/prompts/read-prompts.ts';

/** Fails as `invalid_request`, naming what is wrong in the folder. */
export async function openStoryAdvice(
  { file }: { readonly file: Pick<Config['file'], 'editorial'> },
  { world, db, model }: { readonly world: World; readonly db: Db; readonly model: Model },
): Promise<(rules: AdviserRules) => Adviser> {
  const { relate: prompt } = await readPrompts(file.editorial);
  const relate: AdviserParts['relate'] = {
    prompt,
    textTokens: prompt.bounds.textTokens,
    quote: quoteText,
    cap: capTokens,
  };
  const { ask, embed } = model;
  return ({ joinFrom, liveDays }) =>
    openAdviser({
      ask,
      embed,
      relate,
      joinFrom,
      liveDays,
      calibration: calibrationStore(world, db),
    });
}
