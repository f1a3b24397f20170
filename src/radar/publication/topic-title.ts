// Chooses the title and the lead of a topic for pages and feeds that link to its story. They are in
// the site's language when a report in this language exists. The API returns the title of the
// topic's leading report with its source.
import { guessLanguage } from '../../kernel/html/text-language.ts';
import type { RankedTopic, StoryReport } from './documents/bodies.ts';
import { type StorySummary, storySummary } from './documents/story-summary.ts';
import type { ReadModelDocuments } from './read-model/documents.ts';
import { itemOf, type ReadModel } from './read-model/read-model.ts';

export type TitledStory = {
  readonly title: string;
  readonly language: string;
  /** Newest first. */
  readonly reports: readonly Pick<StoryReport, 'id' | 'title' | 'language' | 'firstParty'>[];
  /** Reports with a figure that a later report replaced. Their titles are the last choice. */
  readonly outdatedIds: readonly string[];
};

/** `story`: the topic's story, when the caller has it. */
export function topicTitle(
  { title }: Pick<RankedTopic, 'title'>,
  story: TitledStory | null,
  { language }: { readonly language: string },
): string {
  const wantedLanguage = language.slice(0, 2);
  if (story === null || guessLanguage(title) === wantedLanguage) return title;
  if (story.language.startsWith(wantedLanguage)) return story.title;
  const inLanguage = story.reports.filter((report) => report.language.startsWith(wantedLanguage));
  const currentReports = inLanguage.filter(({ id }) => !story.outdatedIds.includes(id));
  const candidates = currentReports.length > 0 ? currentReports : inLanguage;
  // Reports are sorted newest first. The title of the earliest report states the news.
  const bestReport = candidates.find(({ firstParty }) => firstParty) ?? candidates.at(-1);
  return bestReport?.title ?? title;
}

/** The title that readers see. `title` is used when the read model lacks the story. */
export function readerTitle(
  readModel: ReadModelDocuments,
  { id, title }: { readonly id: string; readonly title: string },
  language: string,
): string {
  const story = storySummary(readModel, id);
  return story === null ? title : topicTitle(story, story, { language });
}

/**
 * The lead of a story, in the wanted language when a report has a summary in this language. Null
 * beside a title in the wanted language: title and lead are never in two languages.
 */
export function topicLead(
  readModel: ReadModel,
  story: StorySummary,
  { language }: { readonly language: string },
): string | null {
  const wantedLanguage = language.slice(0, 2);
  if (story.lead !== null && guessLanguage(story.lead) === wantedLanguage) return story.lead;
  const inLanguage = story.reports.filter((report) => report.language.startsWith(wantedLanguage));
  const summaries = inLanguage.flatMap(({ id }) =>
    story.outdatedIds.includes(id) ? [] : (itemOf(readModel, id)?.summary ?? []),
  );
  return summaries[0] ?? (inLanguage.length > 0 ? null : story.lead);
}
