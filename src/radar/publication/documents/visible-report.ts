// Projects a stored report to its public form. Withdrawn items and dependent sentences are removed,
// and corrections are applied. Pure.
import { guessLanguage } from '../../../kernel/html/text-language.ts';
import type {
  ContentEntry,
  ContentLanguage,
  ContentSentence,
  ReportContent,
  SentencePart,
} from '../../../store/radar/publication/report-content.ts';
import { entriesOf } from '../../../store/radar/publication/report-content.ts';
import type { SourceTitle } from '../../../store/radar/publication/report-material.ts';
import { sentenceFaults, titleFaults } from '../../language/text-faults.ts';
import { textWidth } from '../../language/text-width.ts';
import type { ReportEntry, ReportFlash } from './report-body.ts';
import { reportMessages } from './report-messages.ts';

export type ItemTexts = { readonly title: string | null; readonly summary: string | null };

/** The current public state of a report's items. */
export type PublicTexts = {
  /** Public items by id. */
  readonly publicItems: ReadonlyMap<string, SourceTitle>;
  /** Operators' corrections of items. */
  readonly itemTexts: ReadonlyMap<string, ItemTexts>;
  /** Operators' titles of the items' stories, by item. */
  readonly storyTitles: ReadonlyMap<string, string>;
};

export type ReportProjection = {
  /** The first public entry with a clear title, otherwise the first public entry. */
  readonly lead: { readonly title: string; readonly leadParagraph: string } | null;
  readonly headline: string | null;
  readonly overview: string | null;
  readonly sections: readonly {
    readonly category: string;
    readonly label: string;
    readonly summary: string | null;
    readonly items: readonly ReportEntry[];
  }[];
  readonly flashes: readonly ReportFlash[];
};

/** A report stores more sentences than it shows. Spare sentences replace withdrawn ones. */
const OVERVIEW_SENTENCES = 5;
const SECTION_SENTENCES = 2;
/** An entry names this many other publishers of its event, and counts further publishers. */
const NAMED_SOURCES = 2;

export function showReport(content: ReportContent, visible: PublicTexts): ReportProjection {
  const view = openView(content, visible);
  const shownLeadEntries = content.leads.flatMap((id) => view.visibleEntries.get(id) ?? []);
  const isClearTitle = ({ title }: ReportEntry) =>
    titleFaults(title, content.language).length === 0;
  const first = shownLeadEntries.find(isClearTitle) ?? shownLeadEntries[0];
  const headline = showHeadline(view, content) ?? first?.title ?? null;
  // A sentence by rules repeats its entry, so the overview omits the sentence of the first entry.
  const isOverview = ({ by, itemIds }: ContentSentence) =>
    by === 'model' || first === undefined || !itemIds.includes(first.itemId);
  const overview = selectSentences(view, content.overview.filter(isOverview), OVERVIEW_SENTENCES);
  const overviewSentences = new Set(overview);
  return {
    lead: first ? { title: first.title, leadParagraph: first.summary } : null,
    headline,
    overview: overview.length === 0 ? null : joinSentences(overview),
    sections: content.sections
      .map(({ category, label, summary, entries }) => ({
        category,
        label,
        summary: showSentences(
          view,
          summary.filter(({ by }) => by === 'model'),
          SECTION_SENTENCES,
        ),
        items: entries.flatMap(({ itemId }) => {
          const entry = view.visibleEntries.get(itemId);
          return entry === undefined ? [] : [removeRepeatedText(entry, overviewSentences)];
        }),
      }))
      .filter((section) => section.items.length > 0),
    flashes: content.flashes.flatMap(({ itemId, discoveredAt }) => {
      const entry = view.visibleEntries.get(itemId);
      if (!entry) return [];
      const { summary: _summary, ...flash } = entry;
      return [{ ...flash, publishedAt: entry.publishedAt ?? discoveredAt }];
    }),
  };
}

/** Removes a sentence of the overview from the beginning of an entry. */
function removeRepeatedText(entry: ReportEntry, usedTexts: ReadonlySet<string>): ReportEntry {
  const repeatedText = [...usedTexts].find((text) => text !== '' && entry.summary.startsWith(text));
  if (repeatedText === undefined) return entry;
  const withoutRepeated = (text: string) => text.slice(repeatedText.length).trim();
  const { ownText } = entry;
  const summary = withoutRepeated(entry.summary);
  return ownText === undefined
    ? { ...entry, summary }
    : { ...entry, summary, ownText: withoutRepeated(ownText) };
}

type VisibleTexts = {
  readonly language: ContentLanguage;
  /** Public entries by item id. */
  readonly visibleEntries: ReadonlyMap<string, ReportEntry>;
  /** Summaries of the items themselves, without the sentence about other publishers. */
  readonly summaries: ReadonlyMap<string, string>;
  /** Items whose text an operator changed after the report was written. */
  readonly rewordedIds: ReadonlySet<string>;
};

function openView(content: ReportContent, visible: PublicTexts): VisibleTexts {
  const visibleEntries = new Map<string, ReportEntry>();
  const summaries = new Map<string, string>();
  const rewordedIds = new Set<string>();
  for (const entry of entriesOf(content)) {
    if (!isShown(entry, visible)) continue;
    const entryView = showEntry(entry, visible);
    summaries.set(entry.itemId, entryView.summary);
    const isSame = entryView.title === entry.title && entryView.summary === (entry.summary ?? '');
    if (!isSame) rewordedIds.add(entry.itemId);
    visibleEntries.set(entry.itemId, addOtherSources(entry, entryView, visible));
  }
  return { language: content.language, visibleEntries, summaries, rewordedIds };
}

function isShown(entry: ContentEntry, { publicItems }: PublicTexts): boolean {
  return publicItems.has(entry.itemId) && entry.edit?.isRemoved !== true;
}

function showEntry(entry: ContentEntry, { itemTexts, storyTitles }: PublicTexts): ReportEntry {
  const override = itemTexts.get(entry.itemId);
  const title = override?.title ?? storyTitles.get(entry.itemId);
  return {
    itemId: entry.itemId,
    title: entry.edit?.title ?? title ?? entry.title,
    summary: entry.edit?.summary ?? override?.summary ?? entry.summary ?? '',
    sourceName: entry.sourceName,
    originalUrl: entry.originalUrl,
    publishedAt: entry.publishedAt,
  };
}

/**
 * Adds other publishers and the date of the first coverage to the summary. A publisher is named
 * while one of its items is public. The date is shown while all items of that day are public.
 */
function addOtherSources(
  entry: ContentEntry,
  view: ReportEntry,
  { publicItems }: PublicTexts,
): ReportEntry {
  const language = languageOf(view.title, publicItems.get(entry.itemId));
  const texts = reportMessages[language.startsWith('zh') ? 'zh-CN' : 'en'];
  const names = new Map<string, string>();
  for (const other of entry.others) {
    const isCountedOwner = publicItems.has(other.itemId) && other.owner !== entry.owner;
    if (isCountedOwner && !names.has(other.owner)) names.set(other.owner, other.sourceName);
  }
  const shownNames = [...names.values()].slice(0, NAMED_SOURCES);
  const isSincePublic = entry.since?.itemIds.every((id) => publicItems.has(id)) === true;
  const since = entry.since !== null && isSincePublic ? texts.since(entry.since.date) : '';
  const ownText = joinSentences([view.summary, since]);
  if (shownNames.length === 0) return { ...view, summary: ownText };
  const otherSourcesText = texts.alsoReported(shownNames, names.size - shownNames.length);
  return { ...view, summary: joinSentences([view.summary, otherSourcesText, since]), ownText };
}

/** The item's language, unless a model or an operator wrote the title in another one. */
function languageOf(title: string, item: SourceTitle | undefined): string {
  const language = guessLanguage(title);
  return item === undefined || language !== guessLanguage(item.title) ? language : item.language;
}

function showSentences(
  view: VisibleTexts,
  sentences: readonly ContentSentence[],
  max: number,
): string | null {
  const sentenceTexts = selectSentences(view, sentences, max);
  return sentenceTexts.length === 0 ? null : joinSentences(sentenceTexts);
}

function selectSentences(
  view: VisibleTexts,
  sentences: readonly ContentSentence[],
  max: number,
): readonly string[] {
  const publicSentences = sentences.filter((sentence) => isSentencePublic(view, sentence));
  const byModel = publicSentences.filter(({ by }) => by === 'model');
  const sentenceTexts = (byModel.length > 0 ? byModel : publicSentences)
    .map(({ parts }) => parts.map((part) => showPart(view, part)).join(''))
    .filter((text) => text !== '');
  return [...new Set(sentenceTexts)].slice(0, max);
}

/** A model's sentence repeats its entries, so it is removed when an entry's text changes. */
function isSentencePublic(view: VisibleTexts, { itemIds, by }: ContentSentence): boolean {
  const isShown = itemIds.every((id) => view.visibleEntries.has(id));
  return isShown && (by !== 'model' || itemIds.every((id) => !view.rewordedIds.has(id)));
}

function showHeadline(view: VisibleTexts, { headline }: ReportContent): string | null {
  return headline === undefined ? null : showSentences(view, [headline], 1);
}

function showPart(
  { language, visibleEntries, summaries }: VisibleTexts,
  part: SentencePart,
): string {
  if (typeof part === 'string') return part;
  const { title = '' } = visibleEntries.get(part.itemId) ?? {};
  if (part.say === 'title') return title;
  return shortenSummary({ title, summary: summaries.get(part.itemId) ?? '' }, language);
}

/** A shorter segment may end at an abbreviation, and a shorter title may be only a name. */
const SUMMARY_MIN = 30;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Shortens an entry to one sentence that can stand alone: the beginning of its summary, or else
 * its title. The result is empty when neither is suitable.
 */
export function shortenSummary(
  { title, summary }: { readonly title: string; readonly summary: string },
  language: ContentLanguage,
): string {
  let summaryText = '';
  for (const { segment } of segmenter.segment(summary)) {
    summaryText += segment;
    if (textWidth(summaryText) >= SUMMARY_MIN) break;
  }
  const sentence = summaryText.trim();
  if (sentence !== '' && sentenceFaults(sentence, language).length === 0) return sentence;
  if (textWidth(title) < SUMMARY_MIN || titleFaults(title, language).length > 0) return '';
  return /[.!?。！？…]$/u.test(title) ? title : `${title}${reportMessages[language].fullStop}`;
}

/** Joins with a space, except after Chinese or Japanese punctuation. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, next) => {
      if (text === '') return next;
      return /[。！？；”」』）]$/u.test(text) ? text + next : `${text} ${next}`;
    }, '');
}
