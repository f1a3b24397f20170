// The health page: raised alerts with their start and the required action, channels, and the
// latest failed deliveries. When no alert is raised, one line states this.
import { listAlerts } from '../../../alerts/list-alerts.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDate, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { listChannels } from '../../../notifications/channels.ts';
import { listDeliveryLog } from '../../../notifications/delivery-log.ts';
import { translateReason } from '../../../notifications/reason-texts.ts';
import { listSources } from '../../sources/list-sources.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { healthMessages } from '../messages/health.ts';
import { adminMessages } from '../messages/messages.ts';
import { kindTitle } from '../notifications/notification-tabs.ts';

const FAILED_MAX = 10;

export async function healthPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { language } = context.site;
  const texts = healthMessages(language);
  const title = adminMessages(language).sections.health;
  return {
    kind: 'page',
    title,
    section: 'health',
    main: html`${renderPageHead(title, texts.about)}
${await renderAlerts(context)}
${await renderInstallation(context)}
${await renderChannels(context)}
${await renderFailedDeliveries(context)}`,
  };
}

async function renderAlerts({ db, site, world }: RadarPageContext): Promise<Html> {
  const { language } = site;
  const texts = healthMessages(language);
  const alerts = await listAlerts(db, language);
  if (alerts.length === 0) return html`<p class="empty">${texts.none}</p>`;
  return html`<section class="part"><h2 class="side">${texts.alerts}</h2>
${renderListTable(
  [
    { label: texts.alert },
    { label: texts.action, isSelfExplanatory: true },
    { label: texts.since },
  ],
  alerts.map((alert) => [
    rowHeading(html`${alert.title}
<span class="meta below">${texts.severities[alert.severity]}</span>`),
    { content: alert.action, className: 'whole' },
    singleLineCell(renderDateTime({ site, world }, alert.raisedAt)),
  ]),
  { isStacked: true },
)}</section>`;
}

async function renderInstallation(context: RadarPageContext): Promise<Html> {
  const { language } = context.site;
  const texts = healthMessages(language);
  const facts = await context.readInstallation();
  const renderTime = (at: number) => renderDateTime(context, at);
  const formatTime = (at: number) => formatDate(language, at, context.world.clock.now());
  const depths = await context.jobs.depths();
  const countJobs = (name: 'queued' | 'active') =>
    depths.reduce((sum, queue) => sum + queue[name], 0);
  const processes = facts.nodes.map(({ host, parts, startedAt }) =>
    texts.process(parts.join(adminMessages(language).comma), host, formatTime(startedAt)),
  );
  const { backup, ledgerCheck: check, freeDisk } = facts;
  const renderBackup = () => {
    if (backup === null) return texts.noBackup;
    if (backup.error === null) return renderTime(backup.at);
    return texts.backupFailed(formatTime(backup.at), backup.error);
  };
  const renderCheck = () => {
    if (check === null) return texts.never;
    if (check.broken === 0) return renderTime(check.at);
    return texts.checkBroken(formatTime(check.at), check.broken);
  };
  const rows: readonly (readonly [string, string | Html])[] = [
    [texts.processes, processes.join(' · ') || texts.noProcess],
    [texts.tick, facts.workerTickAt === null ? texts.never : renderTime(facts.workerTickAt)],
    [texts.sources, await countSourcesByState(context)],
    [texts.queue, texts.waitingJobs(countJobs('queued'), countJobs('active'))],
    [texts.backup, renderBackup()],
    [texts.check, renderCheck()],
    [texts.disk, freeDisk === null ? texts.elsewhere : `${Math.round(freeDisk * 100)} %`],
    [texts.version, facts.program],
  ];
  return html`<section class="part"><h2 class="side">${texts.installation}</h2>
<dl class="facts">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl></section>`;
}

/** The number of sources in each state, such as `12 fetched, 1 failing`. */
async function countSourcesByState({ db, site }: RadarPageContext): Promise<string> {
  const { sourceStates } = healthMessages(site.language);
  const states = (await listSources(db)).map(({ status, failures, lastOutcome, kind }) => {
    if (status !== 'active') return status;
    if (failures > 0) return 'failing';
    return lastOutcome === null && kind !== 'push' ? 'waiting' : 'fetched';
  });
  return [...Map.groupBy(states, (state) => state)]
    .map(([state, sources]) => `${sources.length} ${sourceStates[state]}`)
    .join(site.language === 'zh-CN' ? '、' : ', ');
}

async function renderChannels(context: RadarPageContext): Promise<Html> {
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
${reason !== null && html`<span>${translateReason(site.language, reason)}</span>`}</span></li>
`,
      )}</ul>`
}</section>`;
}

async function renderFailedDeliveries({ db, site, world }: RadarPageContext): Promise<Html> {
  const { language } = site;
  const texts = healthMessages(language);
  const failedDeliveries = await listDeliveryLog(db, { state: 'failed', limit: FAILED_MAX });
  return html`<section class="part"><h2 class="side">${texts.failed}</h2>
${
  failedDeliveries.length === 0
    ? html`<p class="meta">${texts.noFailed}</p>`
    : html`<ul class="side-list">${failedDeliveries.map(
        (delivery) => html`<li><a href="/admin/deliveries/${delivery.id}">\
${delivery.subscriptionName} → ${delivery.channelName}</a>
<span class="meta"><span>${renderDateTime({ site, world }, delivery.createdAt)}</span>\
<span>${delivery.lastError === null ? '' : translateReason(language, delivery.lastError)}</span>\
</span></li>
`,
      )}</ul>`
}</section>`;
}
