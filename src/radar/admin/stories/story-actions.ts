// Actions on stories. Each action has an audit row and is refused after a concurrent change. Every
// action except an undo can be undone.
import { unreachable } from '../../../kernel/errors/assert.ts';
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  renderButton,
  renderConflictNotice,
  renderPostForm,
  renderTextField,
  textOf,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { readerTitle } from '../../publication/topic-title.ts';
import { compareStories } from '../../stories/operator/compare-stories.ts';
import { listStories } from '../../stories/operator/list-stories.ts';
import { mergeStories } from '../../stories/operator/merge-stories.ts';
import { type PinRequest, pinItems, unpinItems } from '../../stories/operator/pin-items.ts';
import type { ActionResult, Operator } from '../../stories/operator/run-action.ts';
import { readStoryRecord, type StoryRecord } from '../../stories/operator/show-story.ts';
import { splitByHand } from '../../stories/operator/split-by-hand.ts';
import { undoAction } from '../../stories/operator/undo-action.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { findLastEditor } from '../audit-table.ts';
import { confirmAction } from '../done-notice.ts';
import { editingMessages } from '../messages/editing.ts';
import { adminMessages, type RadarDoneCode } from '../messages/messages.ts';
import { readerTitleOf, renderStory, requireStory } from './story.ts';

type StoryOperation = {
  readonly action: RadarDoneCode & ('merge' | 'split' | 'pin' | 'unpin' | 'undo');
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  readonly run: (tx: Db, operator: Operator) => Promise<ActionResult>;
  /** Renders a page with the notice of a concurrent change; absent: the story's page. */
  readonly showConflict?: (notice: Html) => Promise<RadarAdminResponse>;
};

async function runOperation(
  context: RadarPageContext,
  request: RadarAdminRequest,
  story: StoryRecord,
  operation: StoryOperation,
): Promise<RadarAdminResponse> {
  const { world, db, session } = context;
  const { action, before } = operation;
  const note = textOf(request.form, 'note');
  const result = await withAudit<ActionResult>(world, db, session, async (tx) => {
    const outcome = await operation.run(tx, { actor: session.name, note });
    if (outcome.kind !== 'done') return { outcome, entry: null };
    const after = { ...operation.after, stories: outcome.storyIds, act: outcome.actionId };
    return { outcome, entry: { action, kind: 'story', subject: story.id, before, after, note } };
  });
  const messages = adminMessages(context.site.language);
  const renderRefusal = (text: string) =>
    renderStory(context, story, { errors: { '': text }, status: 422, formInput: request.form });
  switch (result.kind) {
    case 'done': {
      const shownStoryId = result.storyIds.includes(story.id)
        ? story.id
        : (result.storyIds[0] ?? story.id);
      const actionParam = { act: result.actionId };
      return confirmAction(
        context,
        result.seq,
        `/admin/stories/${shownStoryId}`,
        action,
        actionParam,
      );
    }
    case 'conflict':
    case 'merged':
      return renderConflict(context, story.id, request.form, operation.showConflict);
    case 'unknown':
      return renderRefusal(messages.unknownThing(result.id));
    case 'refused':
      return renderRefusal(messages.refusals[result.because]);
    default:
      return unreachable(result);
  }
}

async function renderConflict(
  context: RadarPageContext,
  id: string,
  formInput: URLSearchParams,
  showConflict?: StoryOperation['showConflict'],
): Promise<RadarAdminResponse> {
  const notice = renderConflictNotice(context, [], await findLastEditor(context, 'story', id));
  if (showConflict !== undefined) return showConflict(notice);
  const currentStory = await requireStory(context, id);
  return renderStory(context, currentStory, { notice, status: 409, formInput });
}

export async function splitStory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const story = await requireStory(context, request.params.id ?? '');
  const itemIds = request.form.getAll('item');
  const storyRef = { id: story.id, version: versionOf(request.form) ?? -1 };
  return runOperation(context, request, story, {
    action: 'split',
    before: { story: story.id },
    after: { left: itemIds },
    run: (tx, operator) =>
      splitByHand(context.world, tx, { ...operator, story: storyRef, itemIds }),
  });
}

export const mergePage = (
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> =>
  renderMergeForm(context, request, { withId: request.query.get('with') ?? '', note: '' });

type MergeView = {
  readonly withId: string;
  readonly note: string;
  /** Shown after a concurrent change. */
  readonly notice?: Html;
};

/** Shows both stories side by side before a merge. */
async function renderMergeForm(
  context: RadarPageContext,
  request: RadarAdminRequest,
  { note, notice, ...view }: MergeView,
): Promise<RadarAdminResponse> {
  const messages = adminMessages(context.site.language);
  const story = await requireStory(context, request.params.id ?? '');
  // The input is an id, or an address with the id as its last segment.
  const withId = view.withId.trim().split('/').at(-1) ?? '';
  const otherStory =
    withId === story.id ? null : await readStoryRecord(context.db, withId, context.site.language);
  if (otherStory === null && withId !== story.id && view.withId.trim() !== '') {
    const results = await renderMergeResults(context, story, view.withId.trim());
    if (results !== null) return results;
  }
  if (otherStory === null) {
    const error =
      withId === story.id ? messages.notItself : describeNoResults(context, view.withId.trim());
    return renderStory(context, story, {
      errors: { with: error },
      status: 422,
      formInput: request.query,
    });
  }
  // The page of a merged story states into which story it was merged.
  const mergedStory = [story, otherStory].find(({ mergedInto }) => mergedInto !== null);
  if (mergedStory !== undefined && notice !== undefined) {
    return renderStory(context, mergedStory, { notice, status: 409 });
  }
  const survivor = story.foundedAt <= otherStory.foundedAt ? story : otherStory;
  const body = html`<input type="hidden" name="with" value="${otherStory.id}">\
<input type="hidden" name="withVersion" value="${otherStory.version}">
${renderTextField({ name: 'note', label: messages.note, value: note, help: messages.noteHelp })}
<div class="acts">${renderButton(messages.merge)}\
<a href="/admin/stories/${story.id}">${messages.cancel}\
</a>\
</div>`;
  const action = `/admin/stories/${story.id}/merge`;
  return {
    kind: 'page',
    status: notice === undefined ? 200 : 409,
    title: messages.merge,
    section: 'stories',
    main: html`${renderPageHead(
      messages.mergeTitle,
      messages.mergeAbout(readerTitleOf(context, survivor)),
    )}
${notice}${renderDissimilarNotice(context, story, otherStory)}\
<div class="facing">${renderStoryColumn(context, story)}\
${renderStoryColumn(context, otherStory)}</div>
${renderPostForm(context, { action, version: story.version }, body)}`,
  };
}

function describeNoResults({ site }: RadarPageContext, formInput: string): string {
  const messages = editingMessages(site.language);
  return formInput === '' ? messages.mergeEmpty : messages.mergeNone(formInput);
}

const RESULTS_SHOWN = 10;

/** The page of the stories with these words in a title; null: no story has them. */
async function renderMergeResults(
  context: RadarPageContext,
  story: StoryRecord,
  q: string,
): Promise<RadarAdminResponse | null> {
  const { language } = context.site;
  const readModel = context.publication.readModel();
  const pageMessages = adminMessages(language);
  const messages = editingMessages(language);
  const search = { q, minReports: 1, limit: RESULTS_SHOWN + 1, skip: 0 };
  const foundStories = (await listStories(context.db, search)).filter(({ id }) => id !== story.id);
  if (foundStories.length === 0) return null;
  const path = `/admin/stories/${story.id}`;
  return {
    kind: 'page',
    title: pageMessages.merge,
    section: 'stories',
    main: html`${renderPageHead(messages.mergeResults(q), readerTitleOf(context, story))}
<ul class="side-list">${foundStories.slice(0, RESULTS_SHOWN).map(
      (foundStory) => html`<li>\
<a href="${path}/merge?with=${foundStory.id}">\
${markLanguage(readerTitle(readModel, foundStory, language), language)}</a>
<span class="meta"><span>${pageMessages.reportCount(foundStory.reportCount)}</span>\
<span>${renderDateTime(context, foundStory.latestAt)}</span></span></li>
`,
    )}</ul>
<form action="${path}/merge" class="merge spaced">${renderTextField({
      name: 'with',
      label: messages.mergeSearch,
      value: q,
      help: messages.mergeSearchHelp,
    })}<div class="acts">${renderButton(pageMessages.search, 'quiet')}<a href="${path}">\
${pageMessages.cancel}</a></div>
</form>`,
  };
}

/** A warning before a merge of stories without a common word or days apart. */
function renderDissimilarNotice(
  context: RadarPageContext,
  story: StoryRecord,
  other: StoryRecord,
): Html {
  const messages = editingMessages(context.site.language);
  const { isDissimilar, daysApart } = compareStories(story, other);
  if (!isDissimilar && daysApart < UNUSUAL_DAYS_APART) return nothing;
  return html`<div class="notice negative" role="status">\
<p>${isDissimilar && messages.mergeDissimilar} \
${daysApart >= UNUSUAL_DAYS_APART && messages.mergeDaysApart(daysApart)}</p></div>`;
}

/** Reports of one event are rarely this many days apart. */
const UNUSUAL_DAYS_APART = 4;

function renderStoryColumn(context: RadarPageContext, story: StoryRecord): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  return html`<div class="column"><p class="value">\
<a href="/admin/stories/${story.id}">\
${markLanguage(readerTitleOf(context, story), language)}</a></p>
<p class="meta"><span>${messages.reportCount(story.members.length)}</span>\
<span>${renderDateTime(context, story.foundedAt)}</span></p>
<ul class="side-list">${story.members.slice(0, 12).map(
    ({
      title,
      sourceName,
    }) => html`<li>${markLanguage(title, language)} <span class="meta">${sourceName}</span></li>
`,
  )}</ul></div>`;
}

export async function mergeStory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { form, params } = request;
  const story = await requireStory(context, params.id ?? '');
  const withVersion = Number(form.get('withVersion') ?? -1);
  const stories = [
    { id: story.id, version: versionOf(form) ?? -1 },
    { id: form.get('with') ?? '', version: withVersion },
  ] as const;
  return runOperation(context, request, story, {
    action: 'merge',
    before: { stories: stories.map(({ id }) => id) },
    after: {},
    showConflict: (notice) => {
      const [withId, note] = [form.get('with') ?? '', form.get('note') ?? ''];
      return renderMergeForm(context, request, { withId, note, notice });
    },
    run: (tx, operator) => mergeStories(context.world, tx, { ...operator, stories }),
  });
}

export async function pinStory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { form, params } = request;
  const messages = adminMessages(context.site.language);
  const story = await requireStory(context, params.id ?? '');
  if (story.version !== versionOf(form)) return renderConflict(context, story.id, form);
  const pin = readPin(form);
  if (pin === null) {
    const errors = { other: messages.pinNeedsTwo };
    return renderStory(context, story, { errors, status: 422, formInput: form });
  }
  return runOperation(context, request, story, {
    action: 'pin',
    before: {},
    after: { pin: pin.kind, items: pin.items },
    run: (tx, operator) => pinItems(context.world, tx, { ...operator, pin }),
  });
}

/** Null: the form names too few reports, or no kind of pin. */
function readPin(form: URLSearchParams): PinRequest | null {
  const [kind, item] = [form.get('kind'), textOf(form, 'item')];
  const otherItem = textOf(form, 'other')?.split('/').at(-1) ?? null;
  if (item === null) return null;
  if (kind === 'stand-alone') return { kind, items: [item] };
  if (otherItem === null || (kind !== 'must-link' && kind !== 'cannot-link')) return null;
  return { kind, items: [item, otherItem] };
}

export async function unpinStory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { form, params } = request;
  const story = await requireStory(context, params.id ?? '');
  if (story.version !== versionOf(form))
    return renderConflict(context, story.id, new URLSearchParams());
  const pinId = form.get('pin') ?? '';
  const pin = story.pins.find(({ id }) => id === pinId);
  if (pin === undefined) throw noActivePinFault();
  const items = [pin.item_id, ...(pin.other_item_id === null ? [] : [pin.other_item_id])];
  return runOperation(context, request, story, {
    action: 'unpin',
    before: { pin: pin.kind, items },
    after: {},
    run: (tx, operator) => unpinItems(context.world, tx, { ...operator, pinId }),
  });
}

const noActivePinFault = () =>
  new Fault('not_found', 'This pin was already removed.', { inChinese: '这个固定已经取消。' });

/** An action can be undone only once, so this form needs no version. */
export async function undoStory(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { form, params } = request;
  const story = await requireStory(context, params.id ?? '');
  const actionId = form.get('act') ?? '';
  return runOperation(context, request, story, {
    action: 'undo',
    before: { act: actionId },
    after: {},
    run: (tx, operator) => undoAction(context.world, tx, { ...operator, actionId }),
  });
}
