// Opens the services for which a model writes texts: enrichment, digests and reports. They use the
// prompts of the editorial folder and one text guard. Every step has a rule-based alternative.
import type { Config } from '../../config.ts';
import type { ModelRequester } from '../../kernel/ports/model.ts';
import type { Editorial } from '../../radar/enrichment/editorial-files.ts';
import type { Enricher } from '../../radar/enrichment/enricher.ts';
import { openTextGuard } from '../../radar/enrichment/guardrails/check-text.ts';
import { readKnownNames } from '../../radar/enrichment/guardrails/known-names.ts';
import { openSourceText } from '../../radar/enrichment/guardrails/source-text.ts';
import { languageInstruction } from '../../radar/enrichment/model/item-prompt.ts';
import {
  type ModelEnricher,
  openModelEnricher,
} from '../../radar/enrichment/model/model-enricher.ts';
import { capTokens, quoteText } from '../../radar/enrichment/model/quote-text.ts';
import { readPrompts } from '../../radar/enrichment/prompts/read-prompts.ts';
import { checkModelProse } from '../../radar/language/model-text-faults.ts';
import type { RewriteDigestDeps } from '../../radar/publication/digest/rewrite-digest.ts';
import type { ProseDeps } from '../../radar/reports/write-prose.ts';

export type ModelServiceDeps = {
  readonly editorial: Editorial;
  readonly enricher: Enricher;
  readonly requestModel: ModelRequester;
};

export type ModelServices = {
  readonly enricher: ModelEnricher;
  readonly digests: RewriteDigestDeps;
  readonly prose: ProseDeps;
};

/** Rejects with a Fault `invalid_request` that names the problem in the folder. */
export async function openModelServices(
  { file, language }: Pick<Config, 'language'> & { readonly file: { readonly editorial: string } },
  { editorial, enricher: ruleBasedEnricher, requestModel }: ModelServiceDeps,
): Promise<ModelServices> {
  const [prompts, capabilities] = await Promise.all([
    readPrompts(file.editorial),
    readKnownNames(file.editorial),
  ]);
  const { categories, scoring } = editorial;
  const guard = openTextGuard(capabilities);
  const systemMessage = prompts.report.system;
  return {
    enricher: openModelEnricher({
      requestModel,
      prompts,
      guard,
      rules: ruleBasedEnricher,
      categories,
      scoring,
      siteLanguage: language,
    }),
    digests: { requestModel, prompt: prompts.digest, guard, siteLanguage: language },
    prose: {
      requestModel,
      prompt: prompts.report,
      writeIn: languageInstruction(language),
      quoteText,
      capTokens,
      faultsOf: (draft, { parts, at }) => [
        ...guard({ ...draft, language, systemMessage, source: openSourceText(parts, at) }).map(
          ({ what }) => what,
        ),
        ...checkModelProse(draft, language),
      ],
    },
  };
}
