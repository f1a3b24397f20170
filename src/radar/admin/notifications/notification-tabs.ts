// The pages about notifications: one section of the area with three tabs, and their shared parts.
import { Fault } from '../../../kernel/errors/fault.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { channelKindOf } from '../../../notifications/channel-kinds.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { notificationMessages } from '../messages/notifications.ts';

export type NotificationTab = 'channels' | 'subscriptions' | 'deliveries';

const tabs: readonly NotificationTab[] = ['channels', 'subscriptions', 'deliveries'];

export function renderTabList({ site }: RadarPageContext, current: NotificationTab): Html {
  const messages = notificationMessages(site.language);
  return html`<nav class="filters" aria-label="${messages.tabsLabel}"><ul>
${tabs.map(
  (tab) => html`<li><a href="/admin/${tab}"${tab === current && html` aria-current="page"`}>\
${messages.tabs[tab]}</a></li>
`,
)}</ul></nav>`;
}

/** The title of a kind of channel. A kind that this version lacks keeps its name. */
export const kindTitle = ({ site }: RadarPageContext, kind: string): string =>
  notificationMessages(site.language).kindTitles[kind] ?? channelKindOf(kind)?.title ?? kind;

/** The fault for an object that does not exist. */
export function notFoundFault(
  kind: 'noSuchChannel' | 'noSuchSubscription' | 'noSuchDelivery',
  id: string,
): Fault {
  const inChinese = notificationMessages('zh-CN')[kind](id);
  return new Fault('not_found', notificationMessages('en')[kind](id), { inChinese });
}

/** The notice about a concurrent change. */
export const renderConflictNotice = ({ site }: RadarPageContext): Html =>
  html`<div class="notice negative" role="alert" tabindex="-1" data-focus>\
<p>${notificationMessages(site.language).conflict}</p></div>`;
