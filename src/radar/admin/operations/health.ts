// The health page: raised alerts with their start and the required action, channels, and the
// deliveries that failed last. With no raised alert, one line states this.
import { listAlerts } from '../../../alerts/list-alerts.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateTime } from '../../../kernel/web/format-time.ts';
import { listChannels } from '../../../notifications/channels.ts';
import { listDeliveryLog } from '../../../notifications/delivery-log.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { healthMessages } from '../messages/health.ts';
import { adminWords } from '../messages/messages.ts';
import { kindTitle } from '../notifications/notification-tabs.ts';

const FAILED_MAX = 10;

export async function healthPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { language } = context.site;
  const texts = healthMessages(language);
  const title = adminWords(language).sections.health;
  return {
    kind: 'page',
    title,
    section: 'health',
    main: html`${pageHead(title, texts.about)}
${await alertsPart(context)}
${await channelsPart(context)}
${await failedPart(context)}`,
  };
}

async function alertsPart({ db, site }: RadarPageContext): Promise<Html> {
  const { language } = site;
  const texts = healthMessages(language);
  const alerts = await listAlerts(db, language);
  if (alerts.length === 0) return html`<p class="empty">${texts.none}</p>`;
  return html`<section class="part"><h2 class="side">${texts.alerts}</h2>
<div class="scroll"><table class="list stacks"><thead><tr><th scope="col">${texts.alert}</th>\
<th scope="col">${texts.action}</th><th scope="col">${texts.since}</th></tr></thead><tbody>
${alerts.map(
  (alert) => html`<tr><th scope="row">${alert.title}
<span class="meta below">${texts.severities[alert.severity]}</span></th>\
<td class="whole">${alert.action}</td>\
<td class="nowrap" data-label="${texts.since}">${dateTime(language, alert.raisedAt)}</td></tr>
`,
)}</tbody></table></div></section>`;
}

async function channelsPart(context: RadarPageContext): Promise<Html> {
  const { db, site } = context;
  const texts = healthMessages(site.language);
  const channels = await listChannels(db);
  return html`<section class="part"><h2 class="side">${texts.channels}</h2>
${
  channels.length === 0
    ? html`<p class="empty">${texts.noChannels}
<a class="link" href="/admin/channels/add">${texts.addChannel} →</a></p>`
    : html`<ul class="side-list">${channels.map(
        ({
          id,
          name,
          kind,
          label,
          state,
          reason,
        }) => html`<li><a href="/admin/channels/${id}">${name}</a>
<span class="meta"><span>${kindTitle(context, kind)} · ${label}</span>\
<span>${texts.states[state]}</span>\
${reason !== null && html`<span>${reason}</span>`}</span></li>
`,
      )}</ul>`
}</section>`;
}

async function failedPart({ db, site }: RadarPageContext): Promise<Html> {
  const { language } = site;
  const texts = healthMessages(language);
  const failed = await listDeliveryLog(db, { state: 'failed', limit: FAILED_MAX });
  return html`<section class="part"><h2 class="side">${texts.failed}</h2>
${
  failed.length === 0
    ? html`<p class="meta">${texts.noFailed}</p>`
    : html`<ul class="side-list">${failed.map(
        (one) => html`<li><a href="/admin/deliveries/${one.id}">\
${one.subscriptionName} → ${one.channelName}</a>
<span class="meta"><span>${dateTime(language, one.createdAt)}</span>\
<span>${one.lastError}</span></span></li>
`,
      )}</ul>`
}</section>`;
}
