// The page that adds a channel. It shows an error beside each invalid field, and it shows a
// generated secret once.
import { html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import {
  type FieldErrors,
  renderErrorSummary,
  renderPostForm,
  renderTextField,
  textOf,
} from '../../../kernel/web/forms.ts';
import type { ChannelKind } from '../../../notifications/channel-kind.ts';
import { channelKindOf } from '../../../notifications/channel-kinds.ts';
import { checkChannel, listChannels } from '../../../notifications/channels.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { confirmAction } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import {
  channelErrors,
  channelFieldLabels,
  readChannelFields,
  renderChannelFields,
  renderSubscriptionChoices,
  storeNewChannel,
} from './channel-form.ts';
import { renderChannelPage } from './channel-page.ts';
import { renderKindsPage } from './channels-page.ts';
import { kindTitle } from './notification-tabs.ts';

const ADD_PATH = '/admin/channels/add';
/** Prefix of the form fields that depend on the kind of the channel. */
const PREFIX = 'field-';

export async function addChannelPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const kind = channelKindOf(query.get('kind') ?? '');
  if (kind === null) return renderKindsPage(context);
  const values = new URLSearchParams({ name: kindTitle(context, kind.name) });
  // The form of the first channel also preselects the daily report.
  if ((await listChannels(context.db)).length === 0) values.set('report', 'on');
  return renderAddPage(context, kind, values, {});
}

export async function saveChannel(
  context: RadarPageContext,
  { form }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, site, notifications, setupSettings } = context;
  const { language } = site;
  const kind = channelKindOf(form.get('kind') ?? '');
  if (kind === null) return renderKindsPage(context);
  const input = {
    kind: kind.name,
    name: textOf(form, 'name') ?? '',
    ...readChannelFields(form, kind, PREFIX),
  };
  const checkResult = await checkChannel(world, input, { hasSmtp: notifications.smtp !== null });
  if (checkResult.kind === 'invalid') {
    return renderAddPage(
      context,
      kind,
      form,
      channelErrors(language, kind, checkResult.problems, PREFIX),
    );
  }
  const { channel } = checkResult;
  const addedChannel = await storeNewChannel(context, db, {
    channel,
    form,
    language,
    zone: setupSettings.zone,
  });
  if (addedChannel.secret === null)
    return confirmAction(context, null, `/admin/channels/${addedChannel.id}`, 'edit');
  const notice = html`<div class="notice positive" role="status" tabindex="-1" data-focus>
<p>${notificationMessages(language).newSecret}</p><p><code>${addedChannel.secret}</code></p></div>`;
  return renderChannelPage(context, addedChannel.id, notice);
}

function renderAddPage(
  context: RadarPageContext,
  kind: ChannelKind,
  values: URLSearchParams,
  errors: FieldErrors,
): RadarAdminResponse {
  const { language } = context.site;
  const messages = notificationMessages(language);
  const title = `${messages.addChannel}${messages.colon}${kindTitle(context, kind.name)}`;
  const isNewForm = Object.keys(errors).length === 0 && !values.has('kind');
  const body = html`<input type="hidden" name="kind" value="${kind.name}">
${renderTextField({
  name: 'name',
  label: messages.name,
  value: values.get('name') ?? '',
  help: messages.nameHelp,
  error: errors.name,
})}${renderChannelFields(context, kind, { values, errors, prefix: PREFIX, isRequired: true })}
${renderSubscriptionChoices(context.site.language, {
  hasAlerts: isNewForm || values.has('alerts'),
  hasReport: values.has('report'),
  zone: context.setupSettings.zone,
})}
<div class="acts spaced"><button>${messages.addChannel}</button>
<a href="/admin/channels/add">${messages.chooseKind}</a>
<a href="/admin/channels">${messages.cancel}</a></div>`;
  const labels = channelFieldLabels(language, kind, PREFIX);
  return {
    kind: 'page',
    status: Object.keys(errors).length === 0 ? 200 : 422,
    title,
    section: 'channels',
    main: html`${renderPageHead(title, null)}
${renderErrorSummary(context, errors, { ...labels, name: messages.name })}
${renderPostForm(context, { action: ADD_PATH }, body)}`,
  };
}
