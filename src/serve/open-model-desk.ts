// The model's desk from an editorial folder: its prompts, its guard rails, and the built-in desk that
// stands behind every step.
import type { Config } from '../config.ts';
import type { Ask } from '../kernel/model.ts';
import type { Desk } from '../radar/understand/desk.ts';
import type { Editorial } from '../radar/understand/editorial.ts';
import { openGuard } from '../radar/understand/guard/guard.ts';
import { readKnownNames } from '../radar/understand/guard/known-names.ts';
import {
  type ModelDesk,
  openModelDesk as openDesk,
} from '../radar/understand/model-desk/open-model-desk.ts';
import { readPrompts } from '../radar/understand/prompts/read-prompts.ts';

export type BuiltIn = { readonly editorial: Editorial; readonly desk: Desk; readonly ask: Ask };

/** Fails as `invalid_request`, naming what is wrong in the folder. */
export async function openModelDesk(
  { file, language }: Pick<Config, 'language'> & { readonly file: { readonly editorial: string } },
  { editorial, desk, ask }: BuiltIn,
): Promise<ModelDesk> {
  const [prompts, known] = await Promise.all([
    readPrompts(file.editorial),
    readKnownNames(file.editorial),
  ]);
  const { categories, scoring } = editorial;
  const guard = openGuard(known);
  return openDesk({ ask, prompts, guard, desk, categories, scoring, siteLanguage: language });
}
