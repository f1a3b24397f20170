// Renders the lines of a story's log. The title of the line's item links to the item, and each
// story's id is replaced by a link with the story's title.
import { type Html, html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { readItemTitles, readStoryTitles } from '../../publication/operator-titles.ts';
import { readerTitle } from '../../publication/topic-title.ts';
import type { StoryRecord } from '../../stories/operator/show-story.ts';
import type { RadarPageContext } from '../admin-context.ts';

type SiteContext = Pick<RadarPageContext, 'site'>;

const storyIdPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

type Titles = ReadonlyMap<string, string>;

/** The titles of all stories and items that a story's page links to, by id. */
export async function readLinkedTitles(
  { db, publication, site }: RadarPageContext,
  story: StoryRecord,
): Promise<Titles> {
  const mentionedIds = story.log.flatMap(({ text }) => text.match(storyIdPattern) ?? []);
  const linkedIds = story.links.map((link) => link.storyId);
  const targetIds = story.mergedInto === null ? [] : [story.mergedInto];
  const stories = await readStoryTitles(db, [
    ...new Set([...mentionedIds, ...linkedIds, ...targetIds]),
  ]);
  const readModel = publication.readModel();
  const entries = [...stories].map(
    ([id, title]) => [id, readerTitle(readModel, { id, title }, site.language)] as const,
  );
  const items = await readItemTitles(db, [...new Set(story.log.map(({ itemId }) => itemId))]);
  return new Map([...entries, ...items]);
}

export function renderStoryLink({ site }: SiteContext, titles: Titles, id: string): Html {
  const title = titles.get(id) ?? id;
  return html`<a href="/admin/stories/${id}">${markLanguage(title, site.language)}</a>`;
}

export function renderLogLine(
  context: SiteContext,
  titles: Titles,
  { text, itemId }: Pick<StoryRecord['log'][number], 'text' | 'itemId'>,
): Html {
  const { language } = context.site;
  const title = titles.get(itemId) ?? '';
  const startsWithTitle = text.startsWith(`“${title}”`);
  const remainingText = startsWithTitle ? text.slice(title.length + 2) : text;
  const ids = remainingText.match(storyIdPattern) ?? [];
  const parts = remainingText.split(storyIdPattern);
  const item = html`“<a href="/admin/items/${itemId}">${markLanguage(title, language)}</a>”`;
  return html`${startsWithTitle && item}${parts.map((part, index) => {
    const id = ids[index];
    return html`${part}${id !== undefined && html`“${renderStoryLink(context, titles, id)}”`}`;
  })}`;
}
