// Enriches items with a model: one prefilter request, then concurrent requests for two scores, the
// category, facts and texts. A step that fails or violates a guardrail uses the rule-based result,
// and the reason is recorded.
import { hash } from 'node:crypto';
import type { ModelRequester, ModelResult, ModelTask } from '../../../kernel/ports/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { CategoryEntry, ScoringRules } from '../editorial-files.ts';
import type { Enricher, Enrichment, SiteLanguage } from '../enricher.ts';
import { formatFaults, type GuardrailFault, type TextGuard } from '../guardrails/check-text.ts';
import { openSourceText, type SourceText } from '../guardrails/source-text.ts';
import { removeMetaSentences, removeUnrelatedParagraphs } from '../injection/meta-text.ts';
import type { PromptName } from '../prompts/prompt-files.ts';
import type { Prompts } from '../prompts/read-prompts.ts';
import { combineScores } from './combine-scores.ts';
import type {
  EnrichmentRecord,
  EnrichmentStep,
  ModelRecord,
  ReportedFact,
} from './enrichment-steps.ts';
import { categoryLines, type ItemInput, itemPrompt, languageInstruction } from './item-prompt.ts';
import {
  aboutShape,
  categoryShape,
  factsShape,
  scoreShape,
  type WrittenTexts,
  writtenShape,
} from './reply-schemas.ts';
import { verifyFacts, verifyTags } from './verify-facts.ts';

export type ModelEnricherDeps = {
  readonly requestModel: ModelRequester;
  readonly prompts: Prompts;
  readonly guard: TextGuard;
  /** The rule-based fallback. */
  readonly rules: Enricher;
  readonly categories: readonly CategoryEntry[];
  readonly scoring: Pick<ScoringRules, 'thresholds'>;
  readonly siteLanguage: SiteLanguage;
};

export type ModelEnricher = {
  /** Rejects only when `signal` is aborted. */
  enrich(world: World, item: ItemInput, signal?: AbortSignal): Promise<EnrichmentRecord>;
};

export function openModelEnricher(deps: ModelEnricherDeps): ModelEnricher {
  const version = `model-${versionOf(deps.prompts)}+${deps.rules.version}`;
  return {
    enrich: async (world, fullInput, signal) => {
      const ruleBased = deps.rules.enrich(fullInput);
      const item = { ...fullInput, ...withoutMetaText(fullInput) };
      const isWithoutText = !/\p{L}/u.test(`${item.title}${item.text}${item.summary}`);
      // Signal items only count for heat, so no model is paid for their texts.
      if (isWithoutText || item.source.participation === 'signal')
        return ruleBasedRecord(deps.rules, ruleBased);
      const requests = openItemRequests(deps, world, item, signal);
      if ((await requests.isAboutField()) === false) {
        return {
          enrichment: offTopicEnrichment(deps, item, ruleBased),
          version,
          record: requests.buildRecord({}),
        };
      }
      const result = await enrichFully(deps, requests, item, ruleBased);
      return requests.areAllUnconfigured()
        ? ruleBasedRecord(deps.rules, ruleBased)
        : { ...result, version };
    },
  };
}

/** Removes text about the text itself and unrelated text, which the model must not receive. */
function withoutMetaText({ title, text, summary }: ItemInput) {
  const [body, abstract] = [text, summary].map((part) =>
    removeUnrelatedParagraphs(removeMetaSentences(part, title), title),
  );
  return { text: body ?? '', summary: abstract ?? '' };
}

const ruleBasedRecord = (rules: Enricher, enrichment: Enrichment): EnrichmentRecord => ({
  enrichment,
  version: rules.version,
  record: null,
});

/** A hash of all prompts, so that a changed prompt gives a new version. */
function versionOf(prompts: Prompts): string {
  const promptVersions = Object.values(prompts).map(({ id, version }) => `${id} ${version}`);
  return hash('sha256', promptVersions.sort().join('\n'), 'hex').slice(0, 12);
}

/** The item is listed with rule-based texts. Its score is below the threshold of selection. */
function offTopicEnrichment(
  { scoring }: ModelEnricherDeps,
  item: ItemInput,
  ruleBased: Enrichment,
): Enrichment {
  const score = Math.min(ruleBased.score, Math.max(0, scoring.thresholds[item.source.tier] - 1));
  return { ...ruleBased, score, isWorthy: false, reason: null };
}

async function enrichFully(
  deps: ModelEnricherDeps,
  requests: ItemRequests,
  item: ItemInput,
  ruleBased: Enrichment,
): Promise<Pick<EnrichmentRecord, 'enrichment' | 'record'>> {
  const isEditorial = item.source.participation === 'editorial';
  const [firstScore, secondScore, categoryReply, writtenTexts, reportedFacts] = await Promise.all([
    isEditorial ? requests.requestScore('score', 0) : null,
    isEditorial ? requests.requestScore('score-again', 1) : null,
    requests.requestCategory(),
    requests.requestTexts(),
    isEditorial ? requests.requestFacts() : null,
  ]);
  const scores = [firstScore, secondScore];
  const { bounds } = deps.prompts.score;
  const { score, isUncertain } = combineScores(ruleBased.score, scores, bounds);
  const category =
    categoryReply === null ? ruleBased.category : (categoryReply.category ?? ruleBased.category);
  const threshold = deps.scoring.thresholds[item.source.tier];
  const isWorthy = isEditorial && category !== null && score >= threshold;
  const enrichment: Enrichment = {
    ...ruleBased,
    ...(writtenTexts !== null && enrichmentFieldsOf(writtenTexts, item)),
    category,
    score,
    isWorthy,
    reason: isWorthy ? (writtenTexts?.reason.trim() ?? ruleBased.reason) : null,
  };
  const tags = verifyTags(
    categoryReply?.tags ?? [],
    deps.prompts.sort.bounds.tags,
    requests.source,
  );
  const facts = verifyFacts(
    reportedFacts ?? [],
    deps.prompts.facts.bounds.facts,
    requests.source,
    requests.faultsOfFact,
  );
  const dropped = [...tags.dropped, ...facts.dropped];
  const verifiedRecord = {
    scores,
    isApart: isUncertain,
    tags: tags.verified,
    facts: facts.verified,
    dropped,
  };
  return { enrichment, record: requests.buildRecord(verifiedRecord) };
}

function enrichmentFieldsOf(texts: WrittenTexts, item: ItemInput): Partial<Enrichment> {
  const title = texts.title.trim();
  const originalTitle = item.title.trim();
  return {
    title,
    originalTitle: originalTitle === '' || originalTitle === title ? null : originalTitle,
    summary: texts.summary?.trim() || null,
    summaryBy: 'model',
  };
}

type ItemRequests = ReturnType<typeof openItemRequests>;

/** Opens the requests about one item, which also record their results. */
function openItemRequests(
  deps: ModelEnricherDeps,
  world: World,
  item: ItemInput,
  signal?: AbortSignal,
) {
  const { requestModel, prompts, guard, siteLanguage } = deps;
  const source: SourceText = openSourceText(
    [item.title, item.summary, item.text, item.source.name],
    item.at,
  );
  const steps: EnrichmentStep[] = [];
  const buildTask = <T>(
    name: PromptName,
    options: Pick<ModelTask<T>, 'shape' | 'check' | 'turn'>,
    head: readonly string[] = [],
  ): ModelTask<T> => {
    const prompt = prompts[name];
    const input = itemPrompt(item, prompt.bounds.textTokens, head);
    const task = { step: prompt.step, prompt, input, subject: item.id };
    return { ...task, ...options, ...(signal !== undefined && { signal }) };
  };
  const runStep = async <T>(name: PromptName, task: ModelTask<T>): Promise<T | null> => {
    const result = await requestModel(world, task);
    steps.push(recordStep(name, prompts[name].version, result));
    return result.kind === 'answered' ? result.value : null;
  };
  const faultsOf = (name: 'write' | 'facts', field: string, text: string, bounds: TextBounds) =>
    guard({
      text,
      field,
      bounds,
      source,
      language: siteLanguage,
      systemMessage: prompts[name].system,
    });
  return {
    source,
    /** Null: the model did not reply. */
    isAboutField: async () => {
      const reply = await runStep('prefilter', buildTask('prefilter', { shape: aboutShape }));
      return reply?.about ?? null;
    },
    requestScore: async (name: 'score' | 'score-again', turn: number) => {
      const reply = await runStep(name, buildTask(name, { shape: scoreShape, turn }));
      return reply?.score ?? null;
    },
    requestCategory: () => {
      const ids = deps.categories.map(({ id }) => id);
      const head = categoryLines(deps.categories);
      return runStep('sort', buildTask('sort', { shape: categoryShape(ids) }, head));
    },
    requestTexts: () => {
      const check = (texts: WrittenTexts) => checkTexts(prompts.write.bounds, texts, faultsOf);
      const head = [languageInstruction(siteLanguage)];
      return runStep('write', buildTask('write', { shape: writtenShape, check }, head));
    },
    requestFacts: async (): Promise<readonly ReportedFact[] | null> => {
      const request = buildTask('facts', { shape: factsShape }, [
        languageInstruction(siteLanguage),
      ]);
      return (await runStep('facts', request))?.facts ?? null;
    },
    faultsOfFact: (text: string) => faultsOf('facts', 'fact', text, { latin: 240, wide: 120 }),
    areAllUnconfigured: () =>
      steps.every((step) => step.by === 'rules' && step.why === 'unconfigured'),
    buildRecord: (fields: Partial<ModelRecord>): ModelRecord => ({
      scores: [],
      isApart: false,
      tags: [],
      facts: [],
      dropped: [],
      ...fields,
      steps: steps.toSorted((a, b) => stepOrder.indexOf(a.prompt) - stepOrder.indexOf(b.prompt)),
    }),
  };
}

/** The order of steps on the operators' pages. */
const stepOrder: readonly PromptName[] = [
  'prefilter',
  'score',
  'score-again',
  'sort',
  'write',
  'facts',
];

function recordStep(
  prompt: PromptName,
  version: string,
  result: ModelResult<unknown>,
): EnrichmentStep {
  if (result.kind === 'answered') {
    const { model, receipt } = result;
    return { prompt, version, by: 'model', model, receipt };
  }
  const { why, detail = null } = result;
  return { prompt, version, by: 'rules', why, detail: detail?.slice(0, 300) ?? null };
}

type TextBounds = { readonly latin: number; readonly wide: number };
type WriteBounds = Prompts['write']['bounds'];

function checkTexts(
  bounds: WriteBounds,
  { title, summary, reason }: WrittenTexts,
  faultsOf: (
    name: 'write',
    field: string,
    text: string,
    bounds: TextBounds,
  ) => readonly GuardrailFault[],
): string | null {
  const check = (field: string, text: string, latin: number, wide: number) =>
    faultsOf('write', field, text.trim(), { latin, wide });
  return formatFaults([
    ...check('title', title, bounds.titleLatin, bounds.titleWide),
    ...(summary === null ? [] : check('summary', summary, bounds.summaryLatin, bounds.summaryWide)),
    ...check('reason', reason, bounds.reasonLatin, bounds.reasonWide),
  ]);
}
