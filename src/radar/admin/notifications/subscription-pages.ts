// Adds and edits subscriptions, with a preview of past content.
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
  type AddedSubscription,
  addSubscription,
  type EditedSubscription,
  editSubscription,
  findSubscription,
  removeSubscription,
  switchSubscription,
} from '../../subscriptions/change-subscriptions.ts';
import { previewReadModel } from '../../subscriptions/preview.ts';
import { parseSubscription, type Subscription } from '../../subscriptions/subscription.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { auditTable } from '../audit-table.ts';
import { confirmAction, doneNotice } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { notFound, staleNotice, tabList } from './notification-tabs.ts';
import {
  definitionFrom,
  errorsOf,
  type FormKind,
  formKinds,
  formOf,
  subscriptionFields,
} from './subscription-form.ts';

const ADD = '/admin/subscriptions/add';

type FormView = {
  readonly kind: FormKind;
  readonly form: URLSearchParams;
  /** Null: a new subscription. */
  readonly edited: Subscription | null;
  readonly errors?: FieldErrors;
  readonly notice?: Html;
  readonly preview?: Html;
  readonly status?: number;
};

const kindOf = (name: string | null): FormKind => formKinds.find((kind) => kind === name) ?? 'news';

async function pageOf(context: RadarPageContext, view: FormView): Promise<RadarAdminResponse> {
  const { db, site } = context;
  const { kind, form, edited, errors = {}, notice, preview, status = 200 } = view;
  const messages = notificationMessages(site.language);
  const title = edited === null ? messages.addSubscription : edited.name;
  const action = edited === null ? ADD : `/admin/subscriptions/${edited.id}`;
  const about = html`<p class="meta">${messages.previewAbout}</p>`;
  const channels = await listChannels(db);
  const body = html`${subscriptionFields(context, { kind, form, errors, channels })}
<div class="acts spaced"><button name="intent" value="save">\
${edited === null ? messages.addSubscription : messages.save}</button>
${
  kind === 'news' &&
  html`<button class="quiet" name="intent" value="preview">${messages.preview}</button>`
}
<a href="/admin/subscriptions">${messages.cancel}</a></div>`;
  return {
    kind: 'page',
    status,
    title,
    section: 'channels',
    main: html`\
${renderPageHead(title, null, edited === null ? null : actionButtons(context, edited))}
${tabList(context, 'subscriptions')}
${edited === null && kindList(context, kind, form)}
${notice}${renderErrorSummary(context, errors, labelsOf(context))}
<div class="two preview"><div>
${renderPostForm(context, { action, version: edited?.version }, body)}</div>
<aside>${preview ?? (kind === 'news' ? about : nothing)}
${edited !== null && removal(context, edited)}</aside></div>
${edited !== null && (await auditTable(context, { kind: 'subscription', subject: edited.id }))}`,
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
  };
}

/** Each kind has its own form, without fields of other kinds. */
function kindList({ site }: RadarPageContext, current: FormKind, form: URLSearchParams): Html {
  const messages = notificationMessages(site.language);
  const channel = form.get('channel');
  return html`<div class="filters"><ul>${formKinds.map((kind) => {
    const query = new URLSearchParams({ kind, ...(channel !== null && { channel }) });
    return html`<li><a href="${ADD}?${String(query)}"${
      kind === current && html` aria-current="true"`
    }>${messages.kinds[kind]}</a></li>
`;
  })}</ul></div>`;
}

function actionButtons(context: RadarPageContext, { id, state, version }: Subscription): Html {
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

function removal(context: RadarPageContext, { id, version }: Subscription): Html {
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
  return pageOf(context, { kind, form, edited: null });
}

export async function subscriptionPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const edited = await requireSubscription(context, request);
  const notice = doneNotice(context, request);
  return pageOf(context, {
    kind: edited.kind,
    form: formOf(edited, context.setupSettings.zone),
    edited,
    notice,
  });
}

async function requireSubscription(
  { db }: RadarPageContext,
  { params }: RadarAdminRequest,
): Promise<Subscription> {
  const id = params.id ?? '';
  const found = await findSubscription(db, id);
  if (found === null) throw notFound('noSuchSubscription', id);
  return found;
}

/** The submitted values with their preview, or with all invalid fields. */
function previewDefinition(context: RadarPageContext, definition: object): Partial<FormView> {
  const parsed = parseSubscription(definition, context.setupSettings.zone);
  if (parsed.kind === 'invalid') return { errors: errorsOf(parsed.problems), status: 422 };
  const { input } = parsed;
  const messages = notificationMessages(context.site.language);
  if (input.kind !== 'news') return { preview: html`<p>${messages.previewOther}</p>` };
  const preview = previewReadModel(context.world, context.publication.readModel(), input);
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
  const definition = definitionFrom(form, kind);
  if (form.get('intent') === 'preview') {
    return pageOf(context, { kind, form, edited: null, ...previewDefinition(context, definition) });
  }
  const added = await withAudit<AddedSubscription>(world, db, session, async (tx) => {
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
  if (added.kind === 'added') {
    return confirmAction(context, null, `/admin/subscriptions/${added.id}`, 'edit');
  }
  return pageOf(context, { kind, form, edited: null, ...refusal(context, added) });
}

function refusal(
  context: RadarPageContext,
  result: Exclude<AddedSubscription, { readonly kind: 'added' }>,
): Partial<FormView> {
  const messages = notificationMessages(context.site.language);
  switch (result.kind) {
    case 'invalid':
      return { errors: errorsOf(result.problems), status: 422 };
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
  const edited = await requireSubscription(context, request);
  const { kind } = edited;
  const definition = definitionFrom(form, kind);
  if (form.get('intent') === 'preview') {
    return pageOf(context, { kind, form, edited, ...previewDefinition(context, definition) });
  }
  const target = { id: edited.id, version: versionOf(form) ?? 0 };
  const saved = await withAudit<EditedSubscription>(world, db, session, async (tx) => {
    const outcome = await editSubscription(world, tx, target, definition, {
      categories,
      zone: context.setupSettings.zone,
    });
    if (outcome.kind !== 'saved') return { outcome, entry: null };
    const before = definitionFrom(formOf(edited, context.setupSettings.zone), kind) as Readonly<
      Record<string, unknown>
    >;
    const changed = changedFields(before, definition as Readonly<Record<string, unknown>>);
    const entry = { action: 'edit', kind: 'subscription', subject: edited.id, ...changed };
    const isSame = Object.keys(changed.after).length === 0;
    return { outcome, entry: isSame ? null : { ...entry, note: null } };
  });
  switch (saved.kind) {
    case 'saved':
      return confirmAction(context, null, `/admin/subscriptions/${edited.id}`, 'edit');
    case 'stale':
      return pageOf(context, { kind, form, edited, notice: staleNotice(context), status: 409 });
    default:
      return pageOf(context, { kind, form, edited, ...refusal(context, saved) });
  }
}

export async function changeSubscription(
  context: RadarPageContext,
  request: RadarAdminRequest,
  change: 'pause' | 'resume' | 'remove',
): Promise<RadarAdminResponse> {
  const { world, db, session } = context;
  const found = await requireSubscription(context, request);
  const { id } = found;
  const version = versionOf(request.form) ?? 0;
  const state = change === 'pause' ? 'paused' : 'on';
  const isDone = await withAudit<boolean>(world, db, session, async (tx) => {
    const isChanged =
      change === 'remove'
        ? found.version === version && (await removeSubscription(tx, id))
        : await switchSubscription(world, tx, { id, version }, state);
    const states =
      change === 'remove'
        ? { before: { name: found.name }, after: {} }
        : { before: { state: found.state }, after: { state } };
    const entry = { action: change, kind: 'subscription', subject: id, ...states, note: null };
    return { outcome: isChanged, entry: isChanged ? entry : null };
  });
  if (!isDone) {
    const notice = staleNotice(context);
    return pageOf(context, {
      kind: found.kind,
      form: formOf(found, context.setupSettings.zone),
      edited: found,
      notice,
      status: 409,
    });
  }
  const to = change === 'remove' ? '/admin/subscriptions' : `/admin/subscriptions/${id}`;
  return confirmAction(context, null, to, 'edit');
}
