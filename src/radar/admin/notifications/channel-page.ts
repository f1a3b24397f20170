// The page of one channel: its state, its subscriptions, its last messages, and a test that shows
// the service's response.
import { type Html, html, nothing } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm, versionOf } from '../../../kernel/web/forms.ts';
import {
  type Channel,
  findChannel,
  removeChannel,
  switchChannel,
} from '../../../notifications/channels.ts';
import { listDeliveryLog } from '../../../notifications/delivery-log.ts';
import { type ChannelTest, testChannel } from '../../../notifications/test-channel.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import { listSubscriptions } from '../../subscriptions/change-subscriptions.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderAuditTable } from '../audit-table.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { renderTestNotice, renderTestResult } from './channel-form.ts';
import { renderChannelState } from './channels-page.ts';
import { renderDeliveryTable } from './delivery-table.ts';
import {
  kindTitle,
  notFoundFault,
  renderConflictNotice,
  renderTabList,
} from './notification-tabs.ts';
import { describeQuery } from './query-in-words.ts';

const DELIVERIES_SHOWN = 10;

export function channelPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  return renderChannelPage(context, request.params.id ?? '', renderDoneNotice(context, request));
}

export async function renderChannelPage(
  context: RadarPageContext,
  id: string,
  notice: Html,
  status = 200,
): Promise<RadarAdminResponse> {
  const { db, site } = context;
  const messages = notificationMessages(site.language);
  const channel = await findChannel(db, id);
  if (channel === null) throw notFoundFault('noSuchChannel', id);
  const subscriptions = (await listSubscriptions(db)).filter(
    (subscription) => subscription.channel === id,
  );
  const deliveries = await listDeliveryLog(db, {
    state: null,
    channelId: id,
    limit: DELIVERIES_SHOWN,
  });
  return {
    kind: 'page',
    status,
    title: channel.name,
    section: 'channels',
    main: html`${renderPageHead(channel.name, null, renderActionButtons(context, channel))}
${renderTabList(context, 'channels')}
${notice}
<div class="two wide-side"><div>
<section class="part"><h2 class="side">${messages.tabs.subscriptions}</h2>
${
  subscriptions.length === 0
    ? html`<p class="empty">${messages.noSubscriptionsAbout}</p>`
    : html`<ul class="side-list">${subscriptions.map(
        (
          subscription,
        ) => html`<li><a href="/admin/subscriptions/${subscription.id}">${subscription.name}</a>
<span class="meta">${describeQuery(context, subscription)}</span></li>
`,
      )}</ul>`
}
<p class="more"><a class="link" href="/admin/subscriptions/add?channel=${id}">\
${messages.addSubscription} →</a></p></section>
<section class="part"><h2 class="side">${messages.tabs.deliveries}</h2>
${await renderDeliveryTable(context, deliveries)}</section>
</div><aside>${renderFacts(context, channel)}
<p class="meta">${messages.removeChannelAbout}</p>
${renderPostForm(
  context,
  { action: `/admin/channels/${id}/remove`, version: channel.version },
  renderButton(messages.removeChannel, 'danger'),
)}</aside></div>
${await renderAuditTable(context, { kind: 'channel', subject: id })}`,
  };
}

function renderActionButtons(context: RadarPageContext, { id, state, version }: Channel): Html {
  const messages = notificationMessages(context.site.language);
  const path = `/admin/channels/${id}`;
  const switchLabel = { on: messages.turnOff, off: messages.turnOn, broken: messages.tryAgain }[
    state
  ];
  const action = state === 'on' ? 'off' : 'on';
  return html`<div class="acts">${renderPostForm(
    context,
    { action: `${path}/test` },
    renderButton(messages.test, state === 'broken' ? 'quiet' : 'main'),
  )}${renderPostForm(
    context,
    { action: `${path}/${action}`, version },
    renderButton(switchLabel, state === 'broken' ? 'main' : 'quiet'),
  )}</div>`;
}

function renderFacts(context: RadarPageContext, channel: Channel): Html {
  const { site, world } = context;
  const messages = notificationMessages(site.language);
  const rows: readonly (readonly [string, Html | string])[] = [
    [messages.state, renderChannelState(site.language, channel)],
    [messages.kind, kindTitle(context, channel.kind)],
    [messages.address, channel.label],
    [messages.whenUnsure, messages.unsure[channel.whenUnsure]],
    [messages.created, renderDateTime({ site, world }, channel.createdAt)],
  ];
  return html`<dl class="facts stacked">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>`;
}

/** Sends one test message without the queue. The page shows the service's response. */
export async function testStoredChannel(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { world, db, notifications, session } = context;
  const id = request.params.id ?? '';
  const test = await testChannel(world, db, notifications, id);
  if (test.kind === 'not_found') throw notFoundFault('noSuchChannel', id);
  const outcome = test.kind === 'tested' ? test.result.kind : test.kind;
  // The test sends a message to others, so it has an audit row although no setting changes.
  await withAudit(world, db, session, async () => ({
    outcome: null,
    entry: {
      action: 'test',
      kind: 'channel',
      subject: id,
      before: {},
      after: { outcome },
      note: null,
    },
  }));
  return renderChannelPage(context, id, renderChannelTest(context, test));
}

function renderChannelTest({ site }: RadarPageContext, test: ChannelTest): Html {
  const { tested: messages } = notificationMessages(site.language);
  if (test.kind === 'not_found') return nothing;
  if (test.kind === 'unreadable') return renderTestNotice(false, messages.unreadable);
  return renderTestResult(site.language, test.result);
}

export async function changeChannel(
  context: RadarPageContext,
  request: RadarAdminRequest,
  change: 'on' | 'off' | 'remove',
): Promise<RadarAdminResponse> {
  const { world, db, session } = context;
  const id = request.params.id ?? '';
  const isChannelChanged = await withAudit<boolean>(world, db, session, async (tx) => {
    const channel = await findChannel(tx, id);
    if (channel === null) throw notFoundFault('noSuchChannel', id);
    if (channel.version !== versionOf(request.form)) return { outcome: false, entry: null };
    const isChanged =
      change === 'remove'
        ? await removeChannel(tx, id)
        : await switchChannel(world, tx, channel, change);
    const states =
      change === 'remove'
        ? { before: { name: channel.name, kind: channel.kind }, after: {} }
        : { before: { state: channel.state }, after: { state: change } };
    const action = { remove: 'remove', on: 'resume', off: 'pause' }[change];
    const entry = { action, kind: 'channel', subject: id, ...states, note: null };
    return { outcome: isChanged, entry: isChanged ? entry : null };
  });
  if (!isChannelChanged) return renderChannelPage(context, id, renderConflictNotice(context), 409);
  return change === 'remove'
    ? confirmAction(context, null, '/admin/channels', 'removeChannel')
    : confirmAction(context, null, `/admin/channels/${id}`, 'edit');
}
