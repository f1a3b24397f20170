// The public page `/console/status`: the state of each capability, and the share of its calls that
// succeeded.
import { html } from '../../../kernel/html/html.ts';
import { renderShortTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { capabilityLabels, readStatuses } from '../../calls/catalog.ts';
import { type CallTotals, RELIABILITY_DAYS } from '../../wallet/history/read-reliability.ts';
import { moneyMessages } from '../messages/money.ts';
import { spendingMessages } from '../messages/spending.ts';
import { statusMessages } from '../messages/status.ts';
import { capabilityName } from '../money/money-parts.ts';
import type { VisitorRoute } from '../shell/console-context.ts';

/** A share of fewer calls has no meaning, and would reveal the calls of a single customer. */
const MIN_CALLS = 20;

export const statusRoute: VisitorRoute = {
  path: '/console/status',
  show: async (context, { accountId }) => {
    const { calls, capabilities, chat, reliability, site } = context;
    const messages = statusMessages(site.language);
    const moneyTexts = moneyMessages(site.language);
    const statuses = await readStatuses(capabilities, calls.switches, chat);
    const { at, today, days } = await reliability.get();
    const configuredCapabilities = capabilityLabels.flatMap(([id]) => {
      const status = statuses.get(id);
      return status?.configured === true ? [{ id, isHealthy: status.healthy }] : [];
    });
    const failingCapabilities = configuredCapabilities.filter(({ isHealthy }) => !isHealthy);
    const failingNames = failingCapabilities
      .map(({ id }) => capabilityName(moneyTexts, id))
      .join(messages.comma);
    const renderShare = (counts: CallTotals | undefined) =>
      counts === undefined || counts.calls < MIN_CALLS
        ? html`<span class="meta">${messages.few}</span>`
        : html`${formatShare(counts)}`;
    return {
      kind: 'page',
      title: messages.status,
      body: html`<p class="explains">${messages.about}</p>
<p class="notice ${failingCapabilities.length === 0 ? 'positive' : 'negative'}" role="status">\
${failingCapabilities.length === 0 ? messages.allWork : messages.someFail(failingNames)}</p>
${renderListTable(
  [
    { label: spendingMessages(site.language).capability },
    { label: messages.now },
    { label: messages.today, isNumber: true },
    { label: messages.days(RELIABILITY_DAYS), isNumber: true },
  ],
  configuredCapabilities.map(({ id, isHealthy }) => [
    rowHeading(capabilityName(moneyTexts, id)),
    html`<span class="${isHealthy ? 'positive' : 'negative'}">\
${isHealthy ? moneyTexts.works : moneyTexts.notWorking}</span>`,
    renderShare(today.get(id)),
    renderShare(days.get(id)),
  ]),
)}
<p class="meta"><span>${messages.asOf} ${renderShortTime(context, at)}</span>\
<span>${messages.countedAs}</span></p>
<ul class="beside"><li><a class="link" href="/console/prices">\
${spendingMessages(site.language).prices}</a></li>${
        accountId === null &&
        html`<li><a class="link" href="/console/sign-up">\
${spendingMessages(site.language).signUp}</a></li>`
      }</ul>`,
    };
  },
};

/** Formats a share with one decimal, rounded down, so that a failure never shows as 100 %. */
const formatShare = ({ calls, succeeded }: CallTotals) =>
  `${(Math.floor((succeeded / calls) * 1000) / 10).toFixed(1)} %`;
