// Renders parts of the page about the relay: calls without usage from the upstream, usage above the
// hold, and the configured routes.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { readUsageQuality } from '../../relay/usage-report.ts';
import type { GatewayAdminContext } from '../admin-context.ts';
import { relayAdminMessages } from '../messages/relay.ts';
import { formatYuan } from '../money/format-money.ts';

export async function renderQuality(
  { db, site }: GatewayAdminContext,
  since: number,
): Promise<Html> {
  const messages = relayAdminMessages(site.language);
  const { upstreams, shortfall, shortfallCalls } = await readUsageQuality(db, since);
  if (upstreams.length === 0) return html``;
  const percentFormat = new Intl.NumberFormat(site.language, {
    style: 'percent',
    maximumFractionDigits: 2,
  });
  const columns = [
    { label: messages.upstream },
    { label: messages.calls, isNumber: true },
    { label: messages.estimatedShare, isNumber: true },
    { label: messages.contradictoryShare, isNumber: true },
  ];
  const rows = upstreams.map(({ upstream, calls, estimated, contradictory }) => [
    rowHeading(upstream),
    calls,
    percentFormat.format(estimated / calls),
    percentFormat.format(contradictory / calls),
  ]);
  return html`<section class="part"><h2>${messages.quality}</h2>
<p class="explains">${messages.qualityAbout}</p>
${renderListTable(columns, rows)}
<p class="meta spaced">${messages.shortfall(formatYuan(shortfall), shortfallCalls)}</p></section>`;
}

export function renderRoutes({ routes, site }: GatewayAdminContext): Html {
  const messages = relayAdminMessages(site.language);
  const columns = [
    { label: messages.model },
    { label: messages.upstreams },
    { label: messages.fallbacks },
    { label: messages.contextFallbacks },
    { label: messages.continues },
    { label: messages.limits },
  ];
  const numberFormat = new Intl.NumberFormat(site.language);
  const formatTokens = (count: number | undefined) =>
    count === undefined ? '–' : numberFormat.format(count);
  const formatList = (models: readonly string[]) => (models.length === 0 ? '–' : models.join(', '));
  const rows = Object.entries(routes).map(([model, route]) => [
    rowHeading(model),
    route.upstreams === undefined ? messages.allUpstreams : formatList(route.upstreams),
    formatList(route.fallbacks),
    formatList(route.contextFallbacks),
    messages.continueKinds[route.continue],
    `${formatTokens(route.maxInput)} / ${formatTokens(route.maxOutput)}`,
  ]);
  return html`<section class="part"><h2>${messages.routes}</h2>
<p class="explains">${messages.routesAbout}</p>
${
  rows.length === 0
    ? html`<p class="empty">${messages.noRoutes}\
</p>`
    : renderListTable(columns, rows)
}
</section>`;
}
