// Saves the title and the place in the ranking that an operator gives to a story.
import { renderConflictNotice, versionOf } from '../../../kernel/web/forms.ts';
import { changedFields, withAudit } from '../../../operators/audit-log.ts';
import { cleanCorrection } from '../../publication/check-correction.ts';
import {
  type EditStoryResult,
  editStory,
  findStoryEdit,
  STORY_TITLE_MAX,
  type StoryEdit,
} from '../../publication/edit-story.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { findLastEditor } from '../audit-table.ts';
import { confirmAction } from '../done-notice.ts';
import { editingMessages } from '../messages/editing.ts';
import { placements, readTitleWithoutEdit } from './placement-part.ts';
import { renderStory, requireStory } from './story.ts';

export async function placeStory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, site } = context;
  const { form } = request;
  const messages = editingMessages(site.language);
  const story = await requireStory(context, request.params.id ?? '');
  const submittedTitle = cleanCorrection(form.get('storyTitle') ?? '');
  if ((submittedTitle?.length ?? 0) > STORY_TITLE_MAX) {
    const errors = { storyTitle: messages.titleTooLong(STORY_TITLE_MAX) };
    return renderStory(context, story, { errors, status: 422, formInput: form });
  }
  const before = await findStoryEdit(db, story.id);
  const edits: StoryEdit = {
    storyId: story.id,
    title: submittedTitle === (await readTitleWithoutEdit(context, story)) ? null : submittedTitle,
    placement: placements.find((candidate) => candidate === form.get('placement')) ?? null,
    version: versionOf(form) ?? 0,
  };
  const stateOf = ({ title, placement }: StoryEdit) => ({ title, placement });
  const saveResult = await withAudit<EditStoryResult>(world, db, session, async (tx) => {
    const outcome = await editStory(world, tx, edits);
    if (outcome.kind === 'conflict') return { outcome, entry: null };
    const states = changedFields(stateOf(before), stateOf(edits));
    const entry = { action: 'place', kind: 'story', subject: story.id, ...states, note: null };
    return { outcome, entry };
  });
  if (saveResult.kind === 'conflict') {
    const editor = await findLastEditor(context, 'story', story.id);
    const notice = renderConflictNotice(context, [], editor);
    return renderStory(context, story, { notice, status: 409, formInput: form });
  }
  return confirmAction(context, saveResult.seq, `/admin/stories/${story.id}`, 'place');
}
