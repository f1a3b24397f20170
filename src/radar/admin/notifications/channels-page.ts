// The page of all channels with their states, and the page of the kinds that can be added.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { channelKinds } from '../../../notifications/channel-kinds.ts';
import { type Channel, listChannels } from '../../../notifications/channels.ts';
import { translateReason } from '../../../notifications/reason-texts.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderDoneNotice } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import { kindTitle, renderTabList } from './notification-tabs.ts';

export async function channelsPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const messages = notificationMessages(context.site.language);
  const channels = await listChannels(context.db);
  const addLink = html`<div class="acts"><a class="button" href="/admin/channels/add">\
${messages.addChannel}</a></div>`;
  return {
    kind: 'page',
    title: messages.tabs.channels,
    section: 'channels',
    main: html`${renderPageHead(messages.tabs.channels, messages.channelsAbout, addLink)}
${renderTabList(context, 'channels')}
${renderDoneNotice(context, request)}
${
  channels.length === 0
    ? html`<div class="empty"><h2>${messages.noChannels}</h2>\
<p>${messages.noChannelsAbout}</p></div>`
    : renderChannelTable(context, channels)
}`,
  };
}

function renderChannelTable(context: RadarPageContext, channels: readonly Channel[]): Html {
  const { site } = context;
  const messages = notificationMessages(site.language);
  const labels = [messages.channel, messages.kind, messages.address, messages.state];
  return renderListTable(
    labels.map((label) => ({ label })),
    channels.map((channel) => [
      rowHeading(html`<a href="/admin/channels/${channel.id}">${channel.name}</a>`),
      kindTitle(context, channel.kind),
      channel.label,
      renderChannelState(site.language, channel),
    ]),
  );
}

export function renderChannelState(language: 'en' | 'zh-CN', { state, reason }: Channel): Html {
  const text = notificationMessages(language).channelStates[state];
  const tone = { on: 'positive', off: 'warning', broken: 'negative' }[state];
  return html`<span class="${tone}">${text}</span>\
${reason !== null && html`<span class="meta below">${translateReason(language, reason)}</span>`}`;
}

/** The first page when an operator adds a channel: one link for each kind. */
export function renderKindsPage(context: RadarPageContext): RadarAdminResponse {
  const messages = notificationMessages(context.site.language);
  return {
    kind: 'page',
    title: messages.addChannel,
    section: 'channels',
    main: html`${renderPageHead(messages.addChannel, messages.chooseKindAbout)}
<section class="part"><h2 class="side">${messages.chooseKind}</h2>
<ul class="side-list">${Object.values(channelKinds).map(
      ({ name }) =>
        html`<li><a href="/admin/channels/add?kind=${name}">${kindTitle(context, name)}</a></li>
`,
    )}</ul></section>
<p class="more"><a href="/admin/channels">${messages.cancel}</a></p>`,
  };
}
