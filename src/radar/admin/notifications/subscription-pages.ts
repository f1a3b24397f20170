// The pages that add and edit subscriptions. A preview shows what a subscription would have sent.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderButton,
  renderErrorSummary,
  renderPostForm,
  versionOf,
} from '../../../kernel/web/forms.ts';
import { listChannels } from '../../../notifications/channels.ts';
import { changedFields, withAudit } from '../../../operators/audit-log.ts';
import {
  type AddSubscriptionResult,
  addSubscription,
  type EditSubscriptionResult,
  editSubscription,
  findSubscription,
  removeSubscription,
  switchSubscription,
} from '../../subscriptions/change-subscriptions.ts';
import { previewFromReadModel } from '../../subscriptions/preview.ts';
import { parseSubscription, type Subscription } from '../../subscriptions/subscription.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderAuditTable } from '../audit-table.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { notFoundFault, renderConflictNotice, renderTabList } from './notification-tabs.ts';
import {
  type FormKind,
  fieldErrorsOf,
  fieldsOfSubscription,
  formKinds,
  readDefinition,
  renderSubscriptionFields,
} from './subscription-form.ts';

const ADD_PATH = '/admin/subscriptions/add';

type FormView = {
  readonly kind: FormKind;
  readonly form: URLSearchParams;
  /** Null: a new subscription. */
  readonly editedSubscription: Subscription | null;
  readonly errors?: FieldErrors;
  readonly notice?: Html;
  readonly preview?: Html;
  readonly status?: number;
};

const kindOf = (name: string | null): FormKind => formKinds.find((kind) => kind === name) ?? 'news';

async function renderSubscriptionPage(
  context: RadarPageContext,
  view: FormView,
): Promise<RadarAdminResponse> {
  const { db, site } = context;
  const { kind, form, editedSubscription, errors = {}, notice, preview, status = 200 } = view;
  const messages = notificationMessages(site.language);
  const title = editedSubscription === null ? messages.addSubscription : editedSubscription.name;
  const action =
    editedSubscription === null ? ADD_PATH : `/admin/subscriptions/${editedSubscription.id}`;
  const description = html`<p class="meta">${messages.previewAbout}</p>`;
  const channels = await listChannels(db);
  const body = html`${renderSubscriptionFields(context, { kind, form, errors, channels })}
<div class="acts spaced"><button name="intent" value="save">\
${editedSubscription === null ? messages.addSubscription : messages.save}</button>
${
  kind === 'news' &&
  html`<button class="quiet" name="intent" value="preview">${messages.preview}</button>`
}
<a href="/admin/subscriptions">${messages.cancel}</a></div>`;
  const buttons =
    editedSubscription === null ? null : renderActionButtons(context, editedSubscription);
  const audit =
    editedSubscription !== null &&
    (await renderAuditTable(context, { kind: 'subscription', subject: editedSubscription.id }));
  return {
    kind: 'page',
    status,
    title,
    section: 'channels',
    main: html`${renderPageHead(title, null, buttons)}
${renderTabList(context, 'subscriptions')}
${editedSubscription === null && renderKindList(context, kind, form)}
${notice}${renderErrorSummary(context, errors, labelsOf(context))}
<div class="two preview"><div>
${renderPostForm(context, { action, version: editedSubscription?.version }, body)}</div>
<aside>${preview ?? (kind === 'news' ? description : nothing)}
${editedSubscription !== null && renderRemoval(context, editedSubscription)}</aside></div>
${audit}`,
  };
}

function labelsOf({ site }: RadarPageContext): Readonly<Record<string, string>> {
  const messages = notificationMessages(site.language);
  return {
    name: messages.name,
    channel: messages.channel,
    any: messages.any,
    none: messages.none,
    story: messages.story,
    reports: messages.reportsLabel,
    minScore: messages.minScore,
    schedule: messages.schedule,
    daily: messages.daily,
    quietFrom: messages.quietFrom,
    quietTo: messages.quietTo,
    zone: messages.zone,
  };
}

/** Each kind has its own form, without fields of other kinds. */
function renderKindList(
  { site }: RadarPageContext,
  current: FormKind,
  form: URLSearchParams,
): Html {
  const messages = notificationMessages(site.language);
  const channel = form.get('channel');
  return html`<div class="filters"><ul>${formKinds.map((kind) => {
    const query = new URLSearchParams({ kind, ...(channel !== null && { channel }) });
    return html`<li><a href="${ADD_PATH}?${String(query)}"${
      kind === current && html` aria-current="true"`
    }>${messages.kinds[kind]}</a></li>
`;
  })}</ul></div>`;
}

function renderActionButtons(
  context: RadarPageContext,
  { id, state, version }: Subscription,
): Html {
  const messages = notificationMessages(context.site.language);
  const [action, label] =
    state === 'on' ? (['pause', messages.pause] as const) : (['resume', messages.resume] as const);
  return html`<div class="acts"><a class="button quiet" \
href="/admin/deliveries?subscription=${id}">${messages.tabs.deliveries}</a>
${renderPostForm(
  context,
  { action: `/admin/subscriptions/${id}/${action}`, version },
  renderButton(label, 'quiet'),
)}</div>`;
}

function renderRemoval(context: RadarPageContext, { id, version }: Subscription): Html {
  const messages = notificationMessages(context.site.language);
  return html`<p class="meta spaced">${messages.removeSubscriptionAbout}</p>
${renderPostForm(
  context,
  { action: `/admin/subscriptions/${id}/remove`, version },
  renderButton(messages.removeSubscription, 'danger'),
)}`;
}

/** `?q=` and `?channel=` fill the form, so that other pages can link to it. */
export async function addSubscriptionPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const text = query.get('q') ?? '';
  const form = new URLSearchParams({
    name: text,
    any: text,
    channel: query.get('channel') ?? '',
    language: context.site.language,
    zone: context.setupSettings.zone,
    updates: 'on',
  });
  const kind = kindOf(query.get('kind'));
  if (kind === 'report') form.set('reports', 'daily');
  const story = query.get('story');
  if (story !== null) form.set('story', story);
  return renderSubscriptionPage(context, { kind, form, editedSubscription: null });
}

export async function subscriptionPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const editedSubscription = await requireSubscription(context, request);
  const notice = renderDoneNotice(context, request);
  return renderSubscriptionPage(context, {
    kind: editedSubscription.kind,
    form: fieldsOfSubscription(editedSubscription, context.setupSettings.zone),
    editedSubscription,
    notice,
  });
}

async function requireSubscription(
  { db }: RadarPageContext,
  { params }: RadarAdminRequest,
): Promise<Subscription> {
  const id = params.id ?? '';
  const foundSubscription = await findSubscription(db, id);
  if (foundSubscription === null) throw notFoundFault('noSuchSubscription', id);
  return foundSubscription;
}

/** The preview of a valid definition, or the errors of an invalid one. */
function previewDefinition(context: RadarPageContext, definition: object): Partial<FormView> {
  const parseResult = parseSubscription(definition, context.setupSettings.zone);
  if (parseResult.kind === 'invalid')
    return { errors: fieldErrorsOf(context.site.language, parseResult.problems), status: 422 };
  const { input } = parseResult;
  const messages = notificationMessages(context.site.language);
  if (input.kind !== 'news') return { preview: html`<p>${messages.previewOther}</p>` };
  const preview = previewFromReadModel(context.world, context.publication.readModel(), input);
  return {
    preview: html`<div role="status" tabindex="-1" data-focus>
<h2 class="side">${messages.previewed(preview.notifications)}</h2>
<ol class="side-list">${preview.newest.map(
      ({ id, title, sourceName }) => html`<li><a href="/items/${id}">\
${markLanguage(title, context.site.language)}</a>
<span class="meta">${sourceName}</span></li>
`,
    )}</ol></div>`,
  };
}

export async function saveNewSubscription(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, categories } = context;
  const kind = kindOf(form.get('kind'));
  const definition = readDefinition(form, kind);
  if (form.get('intent') === 'preview') {
    return renderSubscriptionPage(context, {
      kind,
      form,
      editedSubscription: null,
      ...previewDefinition(context, definition),
    });
  }
  const addResult = await withAudit<AddSubscriptionResult>(world, db, session, async (tx) => {
    const outcome = await addSubscription(world, tx, definition, {
      categories,
      zone: context.setupSettings.zone,
    });
    if (outcome.kind !== 'added') return { outcome, entry: null };
    const after = { ...definition };
    const entry = {
      action: 'add',
      kind: 'subscription',
      subject: outcome.id,
      before: {},
      after,
      note: null,
    };
    return { outcome, entry };
  });
  if (addResult.kind === 'added') {
    return confirmAction(context, null, `/admin/subscriptions/${addResult.id}`, 'edit');
  }
  return renderSubscriptionPage(context, {
    kind,
    form,
    editedSubscription: null,
    ...viewOfRefusal(context, addResult),
  });
}

function viewOfRefusal(
  context: RadarPageContext,
  result: Exclude<AddSubscriptionResult, { readonly kind: 'added' }>,
): Partial<FormView> {
  const messages = notificationMessages(context.site.language);
  switch (result.kind) {
    case 'invalid':
      return { errors: fieldErrorsOf(context.site.language, result.problems), status: 422 };
    case 'too_many':
      return { errors: { '': messages.tooMany(result.max) }, status: 422 };
    case 'known':
      return {
        status: 409,
        notice: html`<div class="notice negative" role="alert" tabindex="-1" data-focus>\
<p>${messages.known} <a href="/admin/subscriptions/${result.id}">${result.id}</a></p></div>`,
      };
  }
}

export async function saveSubscription(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, categories } = context;
  const { form } = request;
  const editedSubscription = await requireSubscription(context, request);
  const { kind } = editedSubscription;
  const definition = readDefinition(form, kind);
  if (form.get('intent') === 'preview') {
    return renderSubscriptionPage(context, {
      kind,
      form,
      editedSubscription,
      ...previewDefinition(context, definition),
    });
  }
  const target = { id: editedSubscription.id, version: versionOf(form) ?? 0 };
  const saveResult = await withAudit<EditSubscriptionResult>(world, db, session, async (tx) => {
    const outcome = await editSubscription(world, tx, target, definition, {
      categories,
      zone: context.setupSettings.zone,
    });
    if (outcome.kind !== 'saved') return { outcome, entry: null };
    const before = readDefinition(
      fieldsOfSubscription(editedSubscription, context.setupSettings.zone),
      kind,
    ) as Readonly<Record<string, unknown>>;
    const changedStates = changedFields(before, definition as Readonly<Record<string, unknown>>);
    const entry = {
      action: 'edit',
      kind: 'subscription',
      subject: editedSubscription.id,
      ...changedStates,
    };
    const isSame = Object.keys(changedStates.after).length === 0;
    return { outcome, entry: isSame ? null : { ...entry, note: null } };
  });
  switch (saveResult.kind) {
    case 'saved':
      return confirmAction(context, null, `/admin/subscriptions/${editedSubscription.id}`, 'edit');
    case 'conflict':
      return renderSubscriptionPage(context, {
        kind,
        form,
        editedSubscription,
        notice: renderConflictNotice(context),
        status: 409,
      });
    default:
      return renderSubscriptionPage(context, {
        kind,
        form,
        editedSubscription,
        ...viewOfRefusal(context, saveResult),
      });
  }
}

export async function changeSubscription(
  context: RadarPageContext,
  request: RadarAdminRequest,
  change: 'pause' | 'resume' | 'remove',
): Promise<RadarAdminResponse> {
  const { world, db, session } = context;
  const subscription = await requireSubscription(context, request);
  const { id } = subscription;
  const version = versionOf(request.form) ?? 0;
  const state = change === 'pause' ? 'paused' : 'on';
  const isSubscriptionChanged = await withAudit<boolean>(world, db, session, async (tx) => {
    const isChanged =
      change === 'remove'
        ? subscription.version === version && (await removeSubscription(tx, id))
        : await switchSubscription(world, tx, { id, version }, state);
    const states =
      change === 'remove'
        ? { before: { name: subscription.name }, after: {} }
        : { before: { state: subscription.state }, after: { state } };
    const entry = { action: change, kind: 'subscription', subject: id, ...states, note: null };
    return { outcome: isChanged, entry: isChanged ? entry : null };
  });
  if (!isSubscriptionChanged) {
    const notice = renderConflictNotice(context);
    return renderSubscriptionPage(context, {
      kind: subscription.kind,
      form: fieldsOfSubscription(subscription, context.setupSettings.zone),
      editedSubscription: subscription,
      notice,
      status: 409,
    });
  }
  const path = change === 'remove' ? '/admin/subscriptions' : `/admin/subscriptions/${id}`;
  return confirmAction(context, null, path, 'edit');
}
