// The form for the title and the place in the ranking that an operator gives to a story.
import { type Html, html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import {
  renderButton,
  renderChoiceField,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { RANKING_KEY } from '../../publication/documents/bodies.ts';
import {
  findStoryEdit,
  readDigestTitle,
  type StoryPlacement,
} from '../../publication/edit-story.ts';
import { documentOf } from '../../publication/read-model/documents.ts';
import type { StoryRecord } from '../../stories/operator/show-story.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { editingMessages } from '../messages/editing.ts';
import type { RejectedForm } from './story-parts.ts';

export const placements = ['lead', 'promoted', 'sunk'] as const satisfies readonly StoryPlacement[];

export async function renderPlacementForm(
  context: RadarPageContext,
  story: StoryRecord,
  { errors, formInput }: RejectedForm,
): Promise<Html> {
  const { language } = context.site;
  const messages = editingMessages(language);
  const edit = await findStoryEdit(context.db, story.id);
  const hasInput = formInput.has('placement');
  const fieldValue = (name: string, saved: string) =>
    hasInput ? (formInput.get(name) ?? '') : saved;
  const choices = (['none', ...placements] as const).map((value) => ({
    value,
    label: messages.placements[value],
  }));
  const body = html`${renderChoiceField({
    name: 'placement',
    label: messages.place,
    value: fieldValue('placement', edit.placement ?? 'none'),
    help: messages.placementAbout,
    choices,
  })}${renderTextField({
    name: 'storyTitle',
    label: messages.storyTitle,
    value: fieldValue('storyTitle', story.title),
    rows: 2,
    help: html`${messages.storyTitleHelp} \
${markLanguage(await readTitleWithoutEdit(context, story), language)}`,
    error: errors.storyTitle,
  })}${renderButton(messages.savePlacement, 'quiet')}`;
  const action = `/admin/stories/${story.id}/placement`;
  const isMovedUp = edit.placement === 'lead' || edit.placement === 'promoted';
  return html`<h2 class="side">${messages.placement}</h2>
${
  isMovedUp && !isRanked(context, story.id) && html`<p class="warning">${messages.notRanked}</p>`
}${renderPostForm(context, { action, version: edit.version }, body)}`;
}

function isRanked({ publication }: RadarPageContext, storyId: string): boolean {
  const ranking = documentOf(publication.readModel(), 'ranking', RANKING_KEY)?.body;
  return ranking?.topics.some((topic) => topic.storyId === storyId) ?? false;
}

/** The title that the story has without an operator's edit. */
export async function readTitleWithoutEdit(
  { db }: RadarPageContext,
  story: StoryRecord,
): Promise<string> {
  return (await readDigestTitle(db, story.id)) ?? story.members[0]?.title ?? story.title;
}
