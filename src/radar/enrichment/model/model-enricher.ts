// The model's desk: is it of the field, then in one go what it is worth (twice), what it is, what
// it states, and how to say it. Each step that is not answered, or whose answer breaks a guard
// rail, is the built-in desk's, with a mark that says which and why.
import { hash } from 'node:crypto';
import type { Answered, Ask, Question } from '../../../kernel/ports/model.ts';
import type { World } from '../../../kernel/world.ts';
import type { CategoryEntry, ScoringRules } from '../editorial-files.ts';
import type { Desk, Judgement, SiteLanguage } from '../enricher.ts';
import { type Guard, type GuardFault, sayFaults } from '../guardrails/check-text.ts';
import { type Ground, openGround } from '../guardrails/source-text.ts';
import { withoutApart, withoutStray } from '../injection/meta-text.ts';
import type { PromptName } from '../prompts/prompt-files.ts';
import type { Prompts } from '../prompts/read-prompts.ts';
import { weighScores } from './combine-scores.ts';
import type { Fact, Judged, JudgedStep, ModelRecord } from './enrichment-steps.ts';
import { categoryLines, type ItemInput, itemQuestion, writeIn } from './item-prompt.ts';
import {
  aboutShape,
  factsShape,
  scoreShape,
  sortedShape,
  type Written,
  writtenShape,
} from './reply-schemas.ts';
import { keepFacts, keepTags } from './verify-facts.ts';

export type ModelDeskParts = {
  readonly ask: Ask;
  readonly prompts: Prompts;
  readonly guard: Guard;
  /** The built-in one. */
  readonly desk: Desk;
  readonly categories: readonly CategoryEntry[];
  readonly scoring: Pick<ScoringRules, 'thresholds'>;
  readonly siteLanguage: SiteLanguage;
};

export type ModelDesk = {
  /** Rejects only when `signal` is aborted. */
  judge(world: World, item: ItemInput, signal?: AbortSignal): Promise<Judged>;
};

export function openModelDesk(parts: ModelDeskParts): ModelDesk {
  const version = `model-${versionOf(parts.prompts)}+${parts.desk.version}`;
  return {
    judge: async (world, whole, signal) => {
      const builtIn = parts.desk.judge(whole);
      const item = { ...whole, ...aboutItsTitle(whole) };
      const isBare = !/\p{L}/u.test(`${item.title}${item.text}${item.summary}`);
      // Signals count, they are not read: nobody pays for words that nobody sees.
      if (isBare || item.source.participation === 'signal') return plain(parts.desk, builtIn);
      const asked = openItem(parts, world, item, signal);
      if ((await asked.about()) === false) {
        return { judgement: offField(parts, item, builtIn), version, record: asked.record({}) };
      }
      const judged = await judgeWhole(parts, asked, item, builtIn);
      return asked.areAllUnconfigured() ? plain(parts.desk, builtIn) : { ...judged, version };
    },
  };
}

/** What is about texts instead of the matter is put to no model. */
function aboutItsTitle({ title, text, summary }: ItemInput) {
  const [own, said] = [text, summary].map((one) => withoutApart(withoutStray(one, title), title));
  return { text: own ?? '', summary: said ?? '' };
}

const plain = (desk: Desk, judgement: Judgement): Judged => ({
  judgement,
  version: desk.version,
  record: null,
});

/** Hash of all prompts: another one is another desk. */
function versionOf(prompts: Prompts): string {
  const all = Object.values(prompts).map(({ id, version }) => `${id} ${version}`);
  return hash('sha256', all.sort().join('\n'), 'hex').slice(0, 12);
}

/** Listed with the built-in words, and never chosen; its score says no more than that. */
function offField({ scoring }: ModelDeskParts, item: ItemInput, builtIn: Judgement): Judgement {
  const score = Math.min(builtIn.score, Math.max(0, scoring.thresholds[item.source.tier] - 1));
  return { ...builtIn, score, isWorthy: false, reason: null };
}

async function judgeWhole(
  parts: ModelDeskParts,
  asked: AskedItem,
  item: ItemInput,
  builtIn: Judgement,
): Promise<Pick<Judged, 'judgement' | 'record'>> {
  const isEditorial = item.source.participation === 'editorial';
  const [first, second, sorted, written, stated] = await Promise.all([
    isEditorial ? asked.score('score', 0) : null,
    isEditorial ? asked.score('score-again', 1) : null,
    asked.sort(),
    asked.write(),
    isEditorial ? asked.facts() : null,
  ]);
  const scores = [first, second];
  const { bounds } = parts.prompts.score;
  const { score, isApart } = weighScores(builtIn.score, scores, bounds);
  const category = sorted === null ? builtIn.category : (sorted.category ?? builtIn.category);
  const threshold = parts.scoring.thresholds[item.source.tier];
  const isWorthy = isEditorial && category !== null && score >= threshold;
  const judgement: Judgement = {
    ...builtIn,
    ...(written !== null && wordsOf(written, item)),
    category,
    score,
    isWorthy,
    reason: isWorthy ? (written?.reason.trim() ?? builtIn.reason) : null,
  };
  const tags = keepTags(sorted?.tags ?? [], parts.prompts.sort.bounds.tags, asked.ground);
  const facts = keepFacts(
    stated ?? [],
    parts.prompts.facts.bounds.facts,
    asked.ground,
    asked.faultsOfFact,
  );
  const dropped = [...tags.dropped, ...facts.dropped];
  const kept = { scores, isApart, tags: tags.kept, facts: facts.kept, dropped };
  return { judgement, record: asked.record(kept) };
}

function wordsOf(written: Written, item: ItemInput): Partial<Judgement> {
  const title = written.title.trim();
  const own = item.title.trim();
  return {
    title,
    originalTitle: own === '' || own === title ? null : own,
    summary: written.summary?.trim() || null,
    summaryBy: 'model',
  };
}

type AskedItem = ReturnType<typeof openItem>;

/** One item's questions, and the record of how each ended. */
function openItem(parts: ModelDeskParts, world: World, item: ItemInput, signal?: AbortSignal) {
  const { ask, prompts, guard, siteLanguage } = parts;
  const ground: Ground = openGround(
    [item.title, item.summary, item.text, item.source.name],
    item.at,
  );
  const steps: JudgedStep[] = [];
  const question = <T>(
    name: PromptName,
    more: Pick<Question<T>, 'shape' | 'check' | 'turn'>,
    head: readonly string[] = [],
  ): Question<T> => {
    const prompt = prompts[name];
    const input = itemQuestion(item, prompt.bounds.textTokens, head);
    const own = { step: prompt.step, prompt, input, subject: item.id };
    return { ...own, ...more, ...(signal !== undefined && { signal }) };
  };
  const told = async <T>(name: PromptName, asked: Question<T>): Promise<T | null> => {
    const answered = await ask(world, asked);
    steps.push(stepOf(name, prompts[name].version, answered));
    return answered.kind === 'answered' ? answered.value : null;
  };
  const faultsOf = (name: 'write' | 'facts', field: string, text: string, bounds: Bounds) =>
    guard({ text, field, bounds, ground, language: siteLanguage, told: prompts[name].system });
  return {
    ground,
    about: async () => {
      const answer = await told('prefilter', question('prefilter', { shape: aboutShape }));
      return answer?.about ?? null;
    },
    score: async (name: 'score' | 'score-again', turn: number) => {
      const answer = await told(name, question(name, { shape: scoreShape, turn }));
      return answer?.score ?? null;
    },
    sort: () => {
      const ids = parts.categories.map(({ id }) => id);
      const head = categoryLines(parts.categories);
      return told('sort', question('sort', { shape: sortedShape(ids) }, head));
    },
    write: () => {
      const check = (written: Written) => checkWritten(prompts.write.bounds, written, faultsOf);
      const head = [writeIn(siteLanguage)];
      return told('write', question('write', { shape: writtenShape, check }, head));
    },
    facts: async (): Promise<readonly Fact[] | null> => {
      const asked = question('facts', { shape: factsShape }, [writeIn(siteLanguage)]);
      return (await told('facts', asked))?.facts ?? null;
    },
    faultsOfFact: (text: string) => faultsOf('facts', 'fact', text, { latin: 240, wide: 120 }),
    areAllUnconfigured: () =>
      steps.every((step) => step.by === 'rules' && step.why === 'unconfigured'),
    record: (kept: Partial<ModelRecord>): ModelRecord => ({
      scores: [],
      isApart: false,
      tags: [],
      facts: [],
      dropped: [],
      ...kept,
      steps: steps.toSorted((a, b) => order.indexOf(a.prompt) - order.indexOf(b.prompt)),
    }),
  };
}

/** As operators read them. */
const order: readonly PromptName[] = [
  'prefilter',
  'score',
  'score-again',
  'sort',
  'write',
  'facts',
];

function stepOf(prompt: PromptName, version: string, answered: Answered<unknown>): JudgedStep {
  if (answered.kind === 'answered') {
    const { model, receipt } = answered;
    return { prompt, version, by: 'model', model, receipt };
  }
  const { why, detail = null } = answered;
  return { prompt, version, by: 'rules', why, detail: detail?.slice(0, 300) ?? null };
}

type Bounds = { readonly latin: number; readonly wide: number };
type WriteBounds = Prompts['write']['bounds'];

function checkWritten(
  bounds: WriteBounds,
  { title, summary, reason }: Written,
  faultsOf: (name: 'write', field: string, text: string, bounds: Bounds) => readonly GuardFault[],
): string | null {
  const check = (field: string, text: string, latin: number, wide: number) =>
    faultsOf('write', field, text.trim(), { latin, wide });
  return sayFaults([
    ...check('title', title, bounds.titleLatin, bounds.titleWide),
    ...(summary === null ? [] : check('summary', summary, bounds.summaryLatin, bounds.summaryWide)),
    ...check('reason', reason, bounds.reasonLatin, bounds.reasonWide),
  ]);
}
