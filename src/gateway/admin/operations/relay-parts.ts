// Parts of the relay's page: calls without usage from the upstream, usage above the hold, and the
// configured routes.
import { type Html, html } from '../../../kernel/html/html.ts';
import { readUsageQuality } from '../../relay/usage-report.ts';
import type { GatewayAdminContext } from '../admin-context.ts';
import { listTable } from '../list-parts.ts';
import { relayAdminMessages } from '../messages/relay.ts';
import { yuan } from '../money/format-money.ts';

export async function qualityPart({ db, site }: GatewayAdminContext, since: number): Promise<Html> {
  const messages = relayAdminMessages(site.language);
  const { upstreams, shortfall, shortfallCalls } = await readUsageQuality(db, since);
  if (upstreams.length === 0) return html``;
  const percent = new Intl.NumberFormat(site.language, {
    style: 'percent',
    maximumFractionDigits: 2,
  });
  const columns = [
    { label: messages.upstream },
    { label: messages.calls, isNumber: true },
    { label: messages.estimatedShare, isNumber: true },
    { label: messages.contradictoryShare, isNumber: true },
  ];
  const rows = upstreams.map(
    ({ upstream, calls, estimated, contradictory }) => html`<tr><th scope="row">${upstream}</th>\
<td class="number">${calls}</td><td class="number">${percent.format(estimated / calls)}</td>\
<td class="number">${percent.format(contradictory / calls)}</td></tr>
`,
  );
  return html`<section class="part"><h2>${messages.quality}</h2>
<p class="explains">${messages.qualityAbout}</p>
${listTable(columns, rows)}
<p class="meta spaced">${messages.shortfall(yuan(shortfall), shortfallCalls)}</p></section>`;
}

export function routesPart({ routes, site }: GatewayAdminContext): Html {
  const messages = relayAdminMessages(site.language);
  const columns = [
    ...[
      { label: messages.model },
      { label: messages.upstreams },
      { label: messages.fallbacks },
      { label: messages.contextFallbacks },
    ],
    ...[{ label: messages.continues }, { label: messages.limits }],
  ];
  const number = new Intl.NumberFormat(site.language);
  const tokens = (count: number | undefined) => (count === undefined ? '–' : number.format(count));
  const list = (models: readonly string[]) => (models.length === 0 ? '–' : models.join(', '));
  const rows = Object.entries(routes).map(
    ([model, route]) => html`<tr><th scope="row">${model}</th>\
<td>${route.upstreams === undefined ? messages.allUpstreams : list(route.upstreams)}</td>\
<td>${list(route.fallbacks)}</td><td>${list(route.contextFallbacks)}</td>\
<td>${messages.continueKinds[route.continue]}</td>\
<td>${tokens(route.maxInput)} / ${tokens(route.maxOutput)}</td></tr>
`,
  );
  return html`<section class="part"><h2>${messages.routes}</h2>
<p class="explains">${messages.routesAbout}</p>
${rows.length === 0 ? html`<p class="empty">${messages.noRoutes}</p>` : listTable(columns, rows)}
</section>`;
}
