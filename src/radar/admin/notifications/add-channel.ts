// Adds a channel: the fields of its kind, an error beside each invalid field, and a secret that is
// shown once.
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import {
  choiceField,
  errorSummary,
  type FieldErrors,
  postForm,
  textField,
  textOf,
} from '../../../kernel/web/forms.ts';
import type { ChannelField, ChannelKind } from '../../../notifications/channel-kind.ts';
import { channelKindOf } from '../../../notifications/channel-kinds.ts';
import { type AddedChannel, addChannel, listChannels } from '../../../notifications/channels.ts';
import { audited } from '../../../operators/audit-log.ts';
import { addSubscription } from '../../subscriptions/change-subscriptions.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { confirmAction } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { channelPageOf } from './channel-page.ts';
import { kindsPage } from './channels-page.ts';
import { kindTitle } from './notification-tabs.ts';

const PATH = '/admin/channels/add';
/** Fields that a rotation sets; a new channel has none. */
const rotation = new Set(['oldSecret', 'oldSecretUntil']);

export async function addChannelPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const kind = channelKindOf(query.get('kind') ?? '');
  if (kind === null) return kindsPage(context);
  const values = new URLSearchParams({ name: kindTitle(context, kind.name) });
  // The first channel is preset to receive everything.
  if ((await listChannels(context.db)).length === 0) values.set('report', 'on');
  return pageOf(context, kind, values, {});
}

export async function saveChannel(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, session, site, notifications } = context;
  const messages = notificationMessages(site.language);
  const kind = channelKindOf(form.get('kind') ?? '');
  if (kind === null) return kindsPage(context);
  const names = kind.fields.map(({ name }) => name);
  const fields = Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(form, `field-${name}`);
      return value === null ? [] : [[name, value] as const];
    }),
  );
  const whenUnsure = form.get('whenUnsure') === 'drop' ? 'drop' : 'send';
  const name = textOf(form, 'name') ?? '';
  const added = await audited<AddedChannel>(world, db, session, async (tx) => {
    const input = { kind: kind.name, name, whenUnsure, fields } as const;
    const hasSmtp = notifications.smtp !== null;
    const outcome = await addChannel(world, tx, input, { hasSmtp });
    if (outcome.kind !== 'added') return { outcome, entry: null };
    await addPreselected(context, tx, { channel: outcome.id, name, form });
    const after = { name, kind: kind.title, whenUnsure };
    const entry = {
      action: 'add',
      kind: 'channel',
      subject: outcome.id,
      before: {},
      after,
      note: null,
    };
    return { outcome, entry };
  });
  if (added.kind === 'invalid') {
    const errors = Object.fromEntries(
      added.problems.map(({ field, problem }) => [
        names.includes(field) ? `field-${field}` : field === 'name' ? 'name' : '',
        messages.problems[problem],
      ]),
    );
    return pageOf(context, kind, form, errors);
  }
  if (added.secret === null)
    return confirmAction(context, null, `/admin/channels/${added.id}`, 'edit');
  const notice = html`<div class="notice positive" role="status" tabindex="-1" data-focus>
<p>${messages.newSecret}</p><p><code>${added.secret}</code></p></div>`;
  return channelPageOf(context, added.id, notice);
}

/** The checkboxes of the form: each is a subscription of the new channel. */
async function addPreselected(
  { world, site, categories, setupSettings }: RadarPageContext,
  tx: RadarPageContext['db'],
  {
    channel,
    name,
    form,
  }: { readonly channel: string; readonly name: string; readonly form: URLSearchParams },
): Promise<void> {
  const messages = notificationMessages(site.language);
  const common = { channel, language: site.language };
  const named = (what: string) => `${what} · ${name}`.slice(0, 80);
  const chosen = [
    { kind: 'alerts', name: named(messages.kinds.alerts), match: {}, ...common },
    {
      kind: 'report',
      name: named(messages.reports.daily),
      match: { reports: ['daily'] },
      schedule: { daily: ['08:00'], zone: setupSettings.zone },
      ...common,
    },
  ].filter(({ kind }) => form.has(kind));
  for (const input of chosen) await addSubscription(world, tx, input, { categories });
}

function pageOf(
  context: RadarPageContext,
  kind: ChannelKind,
  values: URLSearchParams,
  errors: FieldErrors,
): RadarAdminResponse {
  const { language } = context.site;
  const messages = notificationMessages(language);
  const title = `${messages.addChannel}${messages.colon}${kindTitle(context, kind.name)}`;
  const isFirst = Object.keys(errors).length === 0 && !values.has('kind');
  const body = html`<input type="hidden" name="kind" value="${kind.name}">
${textField({
  name: 'name',
  label: messages.name,
  value: values.get('name') ?? '',
  help: messages.nameHelp,
  error: errors.name,
})}${kind.fields
  .filter(({ name }) => !rotation.has(name))
  .map((field) => channelField(context, kind, field, values, errors))}
${
  !kind.hasIds &&
  choiceField({
    name: 'whenUnsure',
    label: messages.whenUnsure,
    value: values.get('whenUnsure') ?? 'send',
    choices: (['send', 'drop'] as const).map((value) => ({
      value,
      label: messages.unsure[value],
    })),
  })
}${checkbox('alerts', messages.alertsToo, isFirst || values.has('alerts'))}\
${checkbox('report', messages.dailyToo(context.setupSettings.zone), values.has('report'))}
<div class="acts spaced"><button>${messages.addChannel}</button>
<a href="/admin/channels/add">${messages.chooseKind}</a>
<a href="/admin/channels">${messages.cancel}</a></div>`;
  const labels = Object.fromEntries(
    kind.fields.map(({ name }) => [`field-${name}`, messages.fields[name] ?? name]),
  );
  return {
    kind: 'page',
    status: Object.keys(errors).length === 0 ? 200 : 422,
    title,
    section: 'channels',
    main: html`${pageHead(title, null)}
${errorSummary(context, errors, { ...labels, name: messages.name })}
${postForm(context, { action: PATH }, body)}`,
  };
}

const checkbox = (name: string, label: string, isChecked: boolean): Html =>
  html`<div class="field"><label><input type="checkbox" name="${name}" value="on"\
${isChecked && html` checked`}> ${label}</label></div>
`;

function channelField(
  { site }: RadarPageContext,
  kind: ChannelKind,
  { name, type, isRequired, preset }: ChannelField,
  values: URLSearchParams,
  errors: FieldErrors,
): Html {
  const messages = notificationMessages(site.language);
  const label = messages.fields[name] ?? name;
  const help = messages.fieldHelp[`${kind.name} ${name}`];
  return textField({
    name: `field-${name}`,
    label: isRequired ? label : `${label} (${messages.optional})`,
    value: values.get(`field-${name}`) ?? preset ?? '',
    type: type === 'url' ? 'url' : 'text',
    autocomplete: 'off',
    isRequired,
    ...(help !== undefined && { help }),
    error: errors[`field-${name}`],
  });
}
