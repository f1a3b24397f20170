// The page of the delivery log with its filters, and the page of one delivery. The page of one
// delivery shows the message as it would be sent now.

import { type Html, html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { readSkip } from '../../../kernel/http/whole-number.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import {
  deliveryStates,
  dropQueued,
  findDelivery,
  type ListedDelivery,
  listDeliveryLog,
  sendAgain,
} from '../../../notifications/delivery-log.ts';
import type { NotificationMessage } from '../../../notifications/message.ts';
import { withAudit } from '../../../operators/audit-log.ts';
import type { RadarAdminRequest, RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { renderAuditTable } from '../audit-table.ts';
import { confirmAction, renderDoneNotice } from '../done-notice.ts';
import { notificationMessages } from '../messages/notifications.ts';
import {
  formatDeliveryReason,
  renderDeliveryState,
  renderDeliveryTable,
} from './delivery-table.ts';
import { notFoundFault, renderConflictNotice, renderTabList } from './notification-tabs.ts';

const PAGE_SIZE = 50;

export async function deliveriesPage(
  context: RadarPageContext,
  { query }: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  const messages = notificationMessages(context.site.language);
  const state = deliveryStates.find((candidate) => candidate === query.get('state')) ?? null;
  const skip = readSkip(query);
  const channelId = query.get('channel') || null;
  const subscriptionId = query.get('subscription') || null;
  const foundDeliveries = await listDeliveryLog(context.db, {
    state,
    channelId,
    subscriptionId,
    limit: PAGE_SIZE + 1,
    skip,
  });
  const olderPageQuery = new URLSearchParams(query);
  olderPageQuery.set('skip', String(skip + PAGE_SIZE));
  return {
    kind: 'page',
    title: messages.tabs.deliveries,
    section: 'channels',
    main: html`${renderPageHead(messages.tabs.deliveries, messages.deliveriesAbout)}
${renderTabList(context, 'deliveries')}
${renderStateFilter(context, query, state)}
${await renderDeliveryTable(context, foundDeliveries.slice(0, PAGE_SIZE))}
${
  foundDeliveries.length > PAGE_SIZE &&
  html`<p class="more">\
<a class="link" rel="next" href="/admin/deliveries?${String(olderPageQuery)}">\
${messages.older} →</a></p>`
}`,
  };
}

function renderStateFilter(
  { site }: RadarPageContext,
  query: URLSearchParams,
  current: ListedDelivery['state'] | null,
): Html {
  const messages = notificationMessages(site.language);
  const renderLink = (state: ListedDelivery['state'] | null, label: string) => {
    const linkQuery = new URLSearchParams(query);
    linkQuery.delete('skip');
    if (state === null) linkQuery.delete('state');
    else linkQuery.set('state', state);
    return html`<li><a href="/admin/deliveries?${String(linkQuery)}"${
      state === current && html` aria-current="true"`
    }>${label}</a></li>
`;
  };
  return html`<div class="filters"><ul>${renderLink(null, messages.all)}\
${deliveryStates.map((state) => renderLink(state, messages.deliveryStates[state]))}</ul></div>`;
}

export function deliveryPage(
  context: RadarPageContext,
  request: RadarAdminRequest,
): Promise<RadarAdminResponse> {
  return renderDeliveryPage(context, request.params.id ?? '', renderDoneNotice(context, request));
}

async function renderDeliveryPage(
  context: RadarPageContext,
  id: string,
  notice: Html,
  status = 200,
): Promise<RadarAdminResponse> {
  const { db, site, notifications } = context;
  const messages = notificationMessages(site.language);
  const foundDelivery = await findDelivery(db, id);
  if (foundDelivery === null) throw notFoundFault('noSuchDelivery', id);
  const message = await notifications.render(foundDelivery);
  const title = message?.title ?? messages.withdrawnNow;
  return {
    kind: 'page',
    status,
    title,
    section: 'channels',
    main: html`${renderPageHead(title, null, renderActionButtons(context, foundDelivery))}
${renderTabList(context, 'deliveries')}
${notice}
<div class="two wide-side"><div>
<section class="part"><h2 class="side">${messages.textNow}</h2>
${
  message === null
    ? html`<p class="empty">${messages.withdrawnNow}</p>`
    : renderCurrentText(site.language, message)
}
</section></div><aside>${renderFacts(context, foundDelivery)}</aside></div>
${await renderAuditTable(context, { kind: 'delivery', subject: id })}`,
  };
}

const renderCurrentText = (
  language: 'en' | 'zh-CN',
  { entries, link }: NotificationMessage,
): Html =>
  html`<ul class="side-list">${entries.map(
    ({ title, summary, lines }) => html`<li>${title !== null && markLanguage(title, language)}
${summary !== null && html`<p>${markLanguage(summary, language)}</p>`}\
<span class="meta">${lines.map(
      (line) => html`<span>${markLanguage(line, language)}</span>`,
    )}</span></li>
`,
  )}</ul>
<p class="more"><a class="link" href="${link.url}">${link.label} →</a></p>`;

function renderActionButtons(context: RadarPageContext, { id, state }: ListedDelivery): Html {
  const messages = notificationMessages(context.site.language);
  const path = `/admin/deliveries/${id}`;
  if (state === 'sending') return html``;
  return html`<div class="acts">${
    state === 'waiting'
      ? renderPostForm(context, { action: `${path}/drop` }, renderButton(messages.giveUp, 'quiet'))
      : renderPostForm(
          context,
          { action: `${path}/send` },
          renderButton(messages.sendAgain, 'quiet'),
        )
  }</div>`;
}

function renderFacts({ site, world }: RadarPageContext, delivery: ListedDelivery): Html {
  const { language } = site;
  const messages = notificationMessages(language);
  const renderTime = (at: number | null) =>
    at === null ? '–' : renderDateTime({ site, world }, at);
  const rows: readonly (readonly [string, Html | string])[] = [
    [messages.state, renderDeliveryState(language, delivery)],
    [messages.delivery, formatDeliveryReason(language, delivery.reason)],
    [
      messages.subscription,
      html`<a href="/admin/subscriptions/${delivery.subscriptionId}">\
${delivery.subscriptionName}</a>`,
    ],
    [
      messages.channel,
      html`<a href="/admin/channels/${delivery.channelId}">${delivery.channelName}</a>`,
    ],
    [messages.attempts, String(delivery.tries)],
    [messages.created, renderTime(delivery.createdAt)],
    [messages.lastResult, renderTime(delivery.lastAt)],
    [messages.nextAttempt, delivery.state === 'waiting' ? renderTime(delivery.dueAt) : '–'],
  ];
  return html`<dl class="facts stacked">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>`;
}

export async function changeDelivery(
  context: RadarPageContext,
  request: RadarAdminRequest,
  action: 'send' | 'drop',
): Promise<RadarAdminResponse> {
  const { world, db, session } = context;
  const id = request.params.id ?? '';
  const isDeliveryChanged = await withAudit<boolean>(world, db, session, async (tx) => {
    const before = await findDelivery(tx, id);
    if (before === null) throw notFoundFault('noSuchDelivery', id);
    const isChanged = await (action === 'send' ? sendAgain : dropQueued)(world, tx, id);
    const entry = {
      action,
      kind: 'delivery',
      subject: id,
      before: { state: before.state },
      after: { state: action === 'send' ? 'waiting' : 'dropped' },
      note: null,
    };
    return { outcome: isChanged, entry: isChanged ? entry : null };
  });
  if (!isDeliveryChanged)
    return renderDeliveryPage(context, id, renderConflictNotice(context), 409);
  return confirmAction(context, null, `/admin/deliveries/${id}`, 'edit');
}
