// The page of all subscriptions, each with its query in words, channel, schedule and next run.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { type Channel, listChannels } from '../../../notifications/channels.ts';
import { listSubscriptions } from '../../subscriptions/change-subscriptions.ts';
import type { Subscription } from '../../subscriptions/subscription.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderDoneNotice } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { renderTabList } from './notification-tabs.ts';
import { describeQuery, describeSchedule, renderNextRun } from './query-in-words.ts';

export async function subscriptionsPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const { db, site } = context;
  const messages = notificationMessages(site.language);
  const subscriptions = await listSubscriptions(db);
  const channels = new Map((await listChannels(db)).map((channel) => [channel.id, channel]));
  const [to, label] =
    channels.size === 0
      ? ['/admin/channels/add', messages.addChannel]
      : ['/admin/subscriptions/add', messages.addSubscription];
  const about = channels.size === 0 ? messages.needsChannel : messages.noSubscriptionsAbout;
  return {
    kind: 'page',
    title: messages.tabs.subscriptions,
    section: 'channels',
    main: html`${renderPageHead(
      messages.tabs.subscriptions,
      messages.subscriptionsAbout,
      html`<div class="acts"><a class="button" href="${to}">${label}</a></div>`,
    )}
${renderTabList(context, 'subscriptions')}
${renderDoneNotice(context, request)}
${
  subscriptions.length === 0
    ? html`<div class="empty"><h2>${messages.noSubscriptions}</h2><p>${about}</p></div>`
    : renderSubscriptionTable(context, subscriptions, channels)
}`,
  };
}

function renderSubscriptionTable(
  context: RadarPageContext,
  subscriptions: readonly Subscription[],
  channels: ReadonlyMap<string, Channel>,
): Html {
  const messages = notificationMessages(context.site.language);
  const labels = [
    messages.subscription,
    messages.channel,
    messages.schedule,
    messages.next,
    messages.state,
  ];
  return renderListTable(
    labels.map((label) => ({ label })),
    subscriptions.map((subscription) => [
      rowHeading(html`<a href="/admin/subscriptions/${subscription.id}">${subscription.name}</a>
<span class="meta below"><span>${messages.kinds[subscription.kind]}</span>\
<span>${describeQuery(context, subscription)}</span></span>`),
      html`<a href="/admin/channels/${subscription.channel}">\
${channels.get(subscription.channel)?.name ?? subscription.channel}</a>`,
      describeSchedule(context, subscription.schedule),
      singleLineCell(renderNextRun(context, subscription)),
      html`<span class="${subscription.state === 'on' ? 'positive' : 'warning'}">\
${messages.subscriptionStates[subscription.state]}</span>`,
    ]),
  );
}
