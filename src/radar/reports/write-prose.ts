// A model writes the headline, the overview and the introductions of a week or month. A sentence is
// dropped unless it cites entries and names only what these entries name. The model is called
// before any lock is held, and its text is used only while the cited entries are unchanged.
import { z } from 'zod';
import type { ModelRequester, ModelTask, Prompt } from '../../kernel/ports/model.ts';
import type { World } from '../../kernel/world.ts';
import {
  type ContentEntry,
  type ContentSentence,
  entriesOf,
  type ReportContent,
} from '../../store/radar/publication/report-content.ts';

/** Maximum number of characters of a text in Latin letters, and of a text in wide characters. */
type Bounds = { readonly latin: number; readonly wide: number };

/** The checks and prompts of all model-written text, passed in by the composition root. */
export type ProseDeps = {
  readonly requestModel: ModelRequester;
  readonly prompt: Prompt & {
    readonly bounds: {
      readonly textTokens: number;
      readonly headlineLatin: number;
      readonly headlineWide: number;
      readonly overview: number;
      readonly introduction: number;
      readonly sentenceLatin: number;
      readonly sentenceWide: number;
    };
  };
  /** The line of the prompt that names the language: `Write in: …`. */
  readonly writeIn: string;
  readonly quoteText: (name: string, text: string) => string;
  readonly capTokens: (text: string, tokens: number) => string;
  /** Faults of a text that is based on these entries; empty: none. */
  readonly faultsOf: (
    text: { readonly text: string; readonly field: string; readonly bounds: Bounds },
    ground: { readonly parts: readonly string[]; readonly at: number },
  ) => readonly string[];
};

export type ReportProse = {
  readonly headline: ContentSentence | null;
  readonly overview: readonly ContentSentence[];
  /** By category. */
  readonly introductions: ReadonlyMap<string, readonly ContentSentence[]>;
  /** The text of each entry at the time of writing, by item. */
  readonly entryTexts: ReadonlyMap<string, string>;
};

const citedText = z.strictObject({ text: z.string(), entries: z.array(z.string()) });
const shape = z.strictObject({
  headline: citedText,
  overview: z.array(citedText),
  sections: z.array(z.strictObject({ section: z.string(), sentences: z.array(citedText) })),
});
type ReplyBody = z.infer<typeof shape>;

const ENTRIES_MAX = 30;

/**
 * Null: the model sent no reply, or no usable headline, or no usable overview. The report keeps its
 * rule-based text.
 */
export async function writeProse(
  world: World,
  deps: ProseDeps,
  { key, content }: { readonly key: string; readonly content: ReportContent },
): Promise<ReportProse | null> {
  const byItem = new Map(entriesOf(content).map((entry) => [entry.itemId, entry]));
  const leadingEntries = content.leads.flatMap((id) => byItem.get(id) ?? []).slice(0, ENTRIES_MAX);
  if (leadingEntries.length === 0) return null;
  const entriesByRef = new Map(
    leadingEntries.map((entry, index) => [`E${index + 1}`, entry] as const),
  );
  const acceptReply = (reply: ReplyBody) => acceptProse(deps, content, entriesByRef, reply);
  const task: ModelTask<ReplyBody> = {
    step: 'report',
    prompt: deps.prompt,
    input: buildInput(deps, content, entriesByRef),
    shape,
    subject: key,
    check: (reply) => {
      const { prose, dropped } = acceptReply(reply);
      if (prose.headline !== null && prose.overview.length > 0) return null;
      return `no headline or no overview can be used: ${dropped.slice(0, 4).join('; ')}`;
    },
  };
  const modelResult = await deps.requestModel(world, task);
  if (modelResult.kind === 'built_in') {
    const { why, detail } = modelResult;
    world.log.info({ report: key, why, detail }, 'a report keeps its rule-based text');
    return null;
  }
  return acceptReply(modelResult.value).prose;
}

function buildInput(
  { prompt, writeIn, quoteText, capTokens }: ProseDeps,
  content: ReportContent,
  entriesByRef: ReadonlyMap<string, ContentEntry>,
): string {
  const tokensPerEntry = Math.max(50, Math.floor(prompt.bounds.textTokens / entriesByRef.size));
  const idOf = new Map([...entriesByRef].map(([id, entry]) => [entry.itemId, id]));
  const sections = content.sections.map(({ category, entries }) => {
    const ids = entries.flatMap(({ itemId }) => idOf.get(itemId) ?? []);
    return `- ${category}: ${ids.join(', ')}`;
  });
  return [
    writeIn,
    `Period: ${content.firstDay} to ${content.lastDay}`,
    'Sections and their entries:',
    ...sections,
    'Entries, the most important first:',
    ...[...entriesByRef].map(([id, entry]) =>
      quoteText(id, capTokens(entryText(entry), tokensPerEntry)),
    ),
  ].join('\n');
}

const entryText = ({ title, summary }: ContentEntry) =>
  summary === null || summary === '' ? title : `${title}\n${summary}`;

type AcceptedProse = { readonly prose: ReportProse; readonly dropped: readonly string[] };

function acceptProse(
  { prompt, faultsOf }: ProseDeps,
  content: ReportContent,
  entriesByRef: ReadonlyMap<string, ContentEntry>,
  reply: ReplyBody,
): AcceptedProse {
  const { bounds } = prompt;
  const dropped: string[] = [];
  const keepSentence = (
    field: string,
    sentence: ReplyBody['headline'],
    max: Bounds,
  ): ContentSentence[] => {
    const text = sentence.text.trim();
    const cited = sentence.entries.flatMap((id) => entriesByRef.get(id) ?? []);
    if (cited.length === 0 || cited.length < sentence.entries.length) {
      dropped.push(`${field}: it cites no entry, or an unknown entry`);
      return [];
    }
    const ground = {
      parts: cited.flatMap((entry) => [entryText(entry), entry.sourceName, entry.owner]),
      at: Math.max(...cited.map(({ at }) => at)),
    };
    const [fault] = faultsOf({ text, field, bounds: max }, ground);
    if (fault !== undefined) dropped.push(fault);
    const itemIds = [...new Set(cited.map(({ itemId }) => itemId))];
    return fault === undefined ? [{ itemIds, parts: [text], by: 'model' }] : [];
  };
  const sentenceBounds = { latin: bounds.sentenceLatin, wide: bounds.sentenceWide };
  const headlineBounds = { latin: bounds.headlineLatin, wide: bounds.headlineWide };
  const sectionIds = new Set(content.sections.map(({ category }) => category));
  const prose: ReportProse = {
    headline: keepSentence('headline', reply.headline, headlineBounds)[0] ?? null,
    overview: reply.overview
      .slice(0, bounds.overview)
      .flatMap((sentence) => keepSentence('overview', sentence, sentenceBounds)),
    introductions: new Map(
      reply.sections
        .filter(({ section }) => sectionIds.has(section))
        .map(({ section, sentences }) => [
          section,
          sentences
            .slice(0, bounds.introduction)
            .flatMap((sentence) => keepSentence(`section ${section}`, sentence, sentenceBounds)),
        ]),
    ),
    entryTexts: new Map(
      [...entriesByRef.values()].map((entry) => [entry.itemId, entryText(entry)]),
    ),
  };
  return { prose, dropped };
}

/**
 * Puts a model's sentences first. Rule-based sentences are shown when no model's sentence remains.
 */
export function applyProse(content: ReportContent, prose: ReportProse | null): ReportContent {
  if (prose === null) return content;
  const currentTexts = new Map(entriesOf(content).map((entry) => [entry.itemId, entryText(entry)]));
  const isSupported = ({ itemIds }: ContentSentence) =>
    itemIds.every(
      (id) => currentTexts.has(id) && currentTexts.get(id) === prose.entryTexts.get(id),
    );
  const { headline } = prose;
  return {
    ...content,
    ...(headline !== null && isSupported(headline) && { headline }),
    overview: [...prose.overview.filter(isSupported), ...content.overview],
    sections: content.sections.map((section) => ({
      ...section,
      summary: [
        ...(prose.introductions.get(section.category) ?? []).filter(isSupported),
        ...section.summary,
      ],
    })),
  };
}
