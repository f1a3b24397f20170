// The page of one story: its reports with the reasons of their assignment, its actions, its log.

import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { storySummary } from '../../publication/documents/story-summary.ts';
import { readerTitle } from '../../publication/topic-title.ts';
import { readStoryRecord, type StoryRecord } from '../../stories/operator/show-story.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderAuditTable } from '../audit-table.ts';
import { renderDoneNotice } from '../done-notice.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages } from '../messages/messages.ts';
import { renderPlacementForm } from './placement-part.ts';
import { readLinkedTitles, renderLogLine, renderStoryLink } from './story-log.ts';
import { type RejectedForm, renderActions, renderPins, renderUndoForm } from './story-parts.ts';

export async function requireStory(
  { db, site }: RadarPageContext,
  id: string,
): Promise<StoryRecord> {
  const story = await readStoryRecord(db, id, site.language);
  if (story === null) throw noStoryFault(id);
  return story;
}

const noStoryFault = (id: string) =>
  new Fault('not_found', `There is no story ${id}.`, { inChinese: `没有事件 ${id}。` });

/** The title that readers see. */
export const readerTitleOf = (
  { publication, site }: RadarPageContext,
  story: StoryRecord,
): string => readerTitle(publication.readModel(), story, site.language);

export async function storyPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const story = await requireStory(context, request.params.id ?? '');
  const actionId = request.query.get('act') ?? '';
  const isUndoable = story.actions.some(
    (candidate) => candidate.id === actionId && candidate.undone_by === null,
  );
  const undo = isUndoable ? renderUndoForm(context, story, actionId) : nothing;
  return renderStory(context, story, { notice: renderDoneNotice(context, request, undo) });
}

export type StoryPageView = {
  readonly notice?: Html;
  readonly errors?: FieldErrors;
  readonly status?: number;
  /** Submitted values of a refused form. */
  readonly formInput?: URLSearchParams;
};

export async function renderStory(
  context: RadarPageContext,
  story: StoryRecord,
  { notice, errors = {}, status = 200, formInput = new URLSearchParams() }: StoryPageView,
): Promise<RadarAdminResponse> {
  const { language } = context.site;
  const messages = adminMessages(language);
  const title = readerTitleOf(context, story);
  const titles = await readLinkedTitles(context, story);
  return {
    kind: 'page',
    status,
    title,
    section: 'stories',
    main: html`${renderPageHead(
      markLanguage(title, language),
      describeState(context, story),
      renderReaderLink(context, story),
    )}
${notice}${renderErrorSummary(context, errors)}
<div class="two wide-side"><div>
${
  story.mergedInto === null
    ? renderReports(context, story, formInput)
    : renderMergedNotice(context, renderStoryLink(context, titles, story.mergedInto))
}
${await renderPins(context, story, { errors, formInput })}
${renderActions(context, story)}
<section class="part"><h2 class="side">${messages.log}</h2>
<ol class="log">${story.log.toReversed().map(
      (line) => html`<li><span class="meta">${renderDateTime(context, line.at)}</span>\
<span>${renderLogLine(context, titles, line)}</span></li>
`,
    )}</ol></section>
</div><aside>${
      story.mergedInto === null &&
      html`${await renderPlacementForm(context, story, { errors, formInput })}\
${renderMergeSearch(context, story, { errors, formInput })}`
    }\
${renderNeighbours(context, story, titles)}</aside></div>
${await renderAuditTable(context, { kind: 'story', subject: story.id })}`,
  };
}

/** A link to the public page, if the story has one. */
function renderReaderLink({ publication, site }: RadarPageContext, { id }: StoryRecord): Html {
  if (storySummary(publication.readModel(), id) === null) return nothing;
  const { publicPage } = adminMessages(site.language);
  return html`<a class="link" href="/stories/${id}">${publicPage} →</a>`;
}

function describeState({ site }: RadarPageContext, story: StoryRecord): string {
  const messages = adminMessages(site.language);
  const reportCount = messages.reportCount(story.members.length);
  return story.isClosed ? `${reportCount} · ${messages.closed}` : reportCount;
}

const renderMergedNotice = ({ site }: RadarPageContext, into: Html) =>
  html`<div class="notice"><p>${adminMessages(site.language).mergedInto} ${into}</p></div>`;

function renderReports(
  context: RadarPageContext,
  story: StoryRecord,
  formInput: URLSearchParams,
): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  const canSplit = story.members.length > 1;
  const isPinForm = formInput.has('kind');
  const chosenItems = isPinForm ? [] : formInput.getAll('item');
  const note = isPinForm ? '' : (formInput.get('note') ?? '');
  const list = html`<ol class="reports" data-stay>${story.members.map(
    (member) => html`<li>${
      canSplit &&
      html`<label><input type="checkbox" id="m-${member.itemId}" name="item" \
value="${member.itemId}"${
        chosenItems.includes(member.itemId) && html` checked`
      } aria-labelledby="choose t-${member.itemId}"></label>`
    }<div><a id="t-${member.itemId}" href="/admin/items/${member.itemId}">\
${markLanguage(member.title, language)}</a>
<p class="meta"><span>${member.sourceName}</span><span>${renderDateTime(context, member.at)}</span>\
${member.isWithdrawn && html`<span class="negative">${messages.itemStates.withdrawn}</span>`}</p>
<p class="why-here">${member.why}</p></div></li>
`,
  )}</ol>`;
  if (!canSplit) return html`<section><h2 class="side">${messages.reports}</h2>${list}</section>`;
  const body = html`<span id="choose" hidden>${messages.chooseReport}</span>${list}
<div class="leaving" data-leave><h3>${messages.newStory}</h3><p class="meta">${messages.dropHere}\
</p>\
<ol class="reports"></ol></div>
<p class="explains">${messages.splitAbout}</p>
<div class="acts">\
<input type="text" name="note" value="${note}" placeholder="${messages.note}" \
aria-label="${messages.note}">\
${renderButton(messages.split, 'quiet')}</div>`;
  const action = `/admin/stories/${story.id}/split`;
  return html`<section><h2 class="side">${messages.reports}</h2>
${renderPostForm(context, { action, version: story.version, className: 'split' }, body)}</section>`;
}

function renderMergeSearch(
  { site }: RadarPageContext,
  story: StoryRecord,
  { errors, formInput }: RejectedForm,
): Html {
  const pageMessages = adminMessages(site.language);
  const messages = editingMessages(site.language);
  return html`<h2 class="side spaced">${pageMessages.merge}</h2>
<form action="/admin/stories/${story.id}/merge" class="merge">
${renderTextField({
  name: 'with',
  label: messages.mergeSearch,
  value: formInput.get('with') ?? '',
  isRequired: true,
  help: messages.mergeSearchHelp,
  error: errors.with,
})}${renderButton(pageMessages.compare, 'quiet')}</form>`;
}

function renderNeighbours(
  context: RadarPageContext,
  { id, links, mergedInto }: StoryRecord,
  titles: ReadonlyMap<string, string>,
): Html {
  const messages = adminMessages(context.site.language);
  if (links.length === 0) return nothing;
  return html`<h2 class="side spaced">${messages.near}</h2><ul class="side-list">${links.map(
    ({ storyId, relation }) => html`<li>${renderStoryLink(context, titles, storyId)}
<span class="meta"><span>${messages.relations[relation]}</span>${
      mergedInto === null &&
      html`<span><a href="/admin/stories/${id}/merge?with=${storyId}">${messages.compare}</a>\
</span>`
    }</span></li>
`,
  )}</ul>`;
}
