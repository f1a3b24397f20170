// Deliveries as a table: content, channel, state with the service's response, number of tries, and
// the time of the next.
import { type Html, html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import type { ListedDelivery } from '../../../notifications/delivery-log.ts';
import { translateReason } from '../../../notifications/reason-texts.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { notificationMessages } from '../messages/notifications.ts';

export async function renderDeliveryTable(
  context: RadarPageContext,
  deliveries: readonly ListedDelivery[],
): Promise<Html> {
  const { language } = context.site;
  const messages = notificationMessages(language);
  if (deliveries.length === 0) return html`<p class="empty">${messages.noDeliveries}</p>`;
  const titles = await Promise.all(
    deliveries.map((delivery) => readCurrentTitle(context, delivery)),
  );
  return renderListTable(
    [
      { label: messages.delivery },
      { label: messages.channel },
      { label: messages.state },
      { label: messages.attempts, isNumber: true },
      { label: messages.nextAttempt },
    ],
    deliveries.map((delivery, index) => [
      rowHeading(html`<a href="/admin/deliveries/${delivery.id}">\
${markLanguage(titles[index] ?? messages.withdrawnNow, language)}</a>
<span class="meta below"><span>${formatDeliveryReason(language, delivery.reason)}</span>\
<span>${delivery.subscriptionName}</span><span>${renderDateTime(context, delivery.createdAt)}\
</span>\
</span>`),
      html`<a href="/admin/channels/${delivery.channelId}">${delivery.channelName}</a>`,
      renderDeliveryState(language, delivery),
      delivery.tries,
      singleLineCell(delivery.state === 'waiting' ? renderDateTime(context, delivery.dueAt) : '–'),
    ]),
  );
}

/** The title that the message would have now; null: none of its content is public. */
async function readCurrentTitle(
  { notifications }: RadarPageContext,
  delivery: ListedDelivery,
): Promise<string | null> {
  return (await notifications.render(delivery))?.title ?? null;
}

export function formatDeliveryReason(language: 'en' | 'zh-CN', reason: string): string {
  const { reasons } = notificationMessages(language);
  return reasons[reason.split(':', 1)[0] ?? ''] ?? reason;
}

const tones: Partial<Record<ListedDelivery['state'], string>> = {
  delivered: 'positive',
  failed: 'negative',
  expired: 'negative',
};

export function renderDeliveryState(language: 'en' | 'zh-CN', delivery: ListedDelivery): Html {
  const messages = notificationMessages(language);
  const { state, isUnsure, lastStatus, lastError } = delivery;
  const tone = tones[state] ?? 'plain';
  const statusText = lastStatus === null ? null : messages.status(lastStatus);
  const hasError = lastError !== null && state !== 'delivered';
  const details = [
    isUnsure ? messages.unsureNote : null,
    hasError ? translateReason(language, lastError) : statusText,
  ].filter((text) => text !== null);
  return html`<span class="${tone}">${messages.deliveryStates[state]}</span>\
${
  details.length > 0 &&
  html`<span class="meta below">${details.map(
    (text) => html`<span>${text}\
</span>`,
  )}</span>`
}`;
}
