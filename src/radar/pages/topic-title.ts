// Under which title a topic stands on a page: in the site's language where any of its reports is.
// Exits for machines name the report that stands for the topic, with its own source and original;
// people are led to the story, so they are told in words that they read.
import { textLanguage } from '../../kernel/html/text-language.ts';
import type { RankedTopic, StoryBody } from '../publication/documents/bodies.ts';
import type { PageSite } from './page-context.ts';

/** `story`: the topic's, where it is at hand. */
export function topicTitle(
  { title }: Pick<RankedTopic, 'title'>,
  story: Pick<StoryBody, 'title' | 'language' | 'reports'> | null,
  { language }: Pick<PageSite, 'language'>,
): string {
  const wanted = language.slice(0, 2);
  if (story === null || textLanguage(title) === wanted) return title;
  if (story.language.startsWith(wanted)) return story.title;
  const read = story.reports.filter((report) => report.language.startsWith(wanted));
  // Reports are the newest first; the first one told it as news.
  const best = read.find(({ firstParty }) => firstParty) ?? read.at(-1);
  return best?.title ?? title;
}
