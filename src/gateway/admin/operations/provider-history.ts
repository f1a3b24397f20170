// Shows the error rate and the latency of each provider over a day or a week, as charts and tables.
import { renderTimelineBars, type TimelinePoint } from '../../../kernel/html/charts.ts';
import { type Html, html } from '../../../kernel/html/html.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDate, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, type TableCell } from '../../../kernel/web/list-table.ts';
import { listProviderHours, type ProviderHour } from '../../capabilities/provider-reports.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { adminMessages } from '../messages/admin.ts';
import { providerHistoryMessages } from '../messages/provider-history.ts';

const PATH = '/admin/providers/history';

/** The length of each selectable range, and of the steps into which it is divided. */
const ranges = {
  '24h': { ms: DAY_MS, stepMs: HOUR_MS },
  '7d': { ms: 7 * DAY_MS, stepMs: 6 * HOUR_MS },
} as const;
type RangeName = keyof typeof ranges;

type Sums = { readonly calls: number; readonly failures: number; readonly latencyMs: number };

/** One provider of a capability, with its sums for each step of the range. */
type ProviderHistory = {
  readonly capability: string;
  readonly provider: string;
  readonly steps: readonly (Sums & { readonly at: number })[];
};

export async function providerHistoryPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = providerHistoryMessages(site.language);
  const range: RangeName = query.get('range') === '7d' ? '7d' : '24h';
  const { ms, stepMs } = ranges[range];
  const now = world.clock.now();
  // Steps begin at multiples of their length. The last step contains the present.
  const firstStepAt = now - (now % stepMs) - ms + stepMs;
  const hours = await listProviderHours(db, firstStepAt);
  const histories = groupByProvider(hours, { firstStepAt, stepMs, count: ms / stepMs });
  const renderLink = (name: RangeName) =>
    html`<li><a href="${PATH}?range=${name}"${
      name === range && html` aria-current="page"`
    }>${messages.ranges[name]}</a></li>`;
  return {
    kind: 'page',
    title: messages.title,
    section: 'providers',
    main: html`${renderPageHead(messages.title, messages.about)}
<p class="more"><a class="link" href="/admin/providers">← ${messages.back}</a></p>
<div class="filters"><ul>${renderLink('24h')}${renderLink('7d')}</ul></div>
${
  histories.length === 0
    ? html`<div class="empty"><h2>${messages.none}</h2><p>${messages.noneAbout}</p></div>`
    : html`${renderSummary(context, histories)}\
${histories.map((history) => renderDetails(context, history))}`
}`,
  };
}

function groupByProvider(
  hours: readonly ProviderHour[],
  { firstStepAt, stepMs, count }: { firstStepAt: number; stepMs: number; count: number },
): readonly ProviderHistory[] {
  const byProvider = Map.groupBy(hours, ({ capability, provider }) => `${capability} ${provider}`);
  return [...byProvider.values()].flatMap((rows) => {
    const [firstRow] = rows;
    if (firstRow === undefined) return [];
    const steps = Array.from({ length: count }, (_, index) => {
      const at = firstStepAt + index * stepMs;
      const rowsOfStep = rows.filter((row) => row.at >= at && row.at < at + stepMs);
      return { at, ...sumRows(rowsOfStep) };
    });
    return [{ capability: firstRow.capability, provider: firstRow.provider, steps }];
  });
}

function sumRows(rows: readonly Sums[]): Sums {
  const sumField = (pick: (row: Sums) => number) => rows.reduce((sum, row) => sum + pick(row), 0);
  return {
    calls: sumField(({ calls }) => calls),
    failures: sumField(({ failures }) => failures),
    latencyMs: sumField(({ latencyMs }) => latencyMs),
  };
}

const meanLatencyOf = ({ calls, latencyMs }: Sums) =>
  calls === 0 ? 0 : Math.round(latencyMs / calls);

const formatErrorRate = ({ calls, failures }: Sums) =>
  calls === 0 ? '–' : `${((failures / calls) * 100).toFixed(1)} %`;

function toCells(sums: Sums): readonly TableCell[] {
  const mean = sums.calls === 0 ? '–' : `${meanLatencyOf(sums)} ms`;
  return [sums.calls, sums.failures, formatErrorRate(sums), mean];
}

type Messages = ReturnType<typeof providerHistoryMessages>;

const toColumns = (first: string, messages: Messages) => [
  { label: first },
  { label: messages.requests, isNumber: true },
  { label: messages.failed, isNumber: true },
  { label: messages.errorRate, isNumber: true },
  { label: messages.latency, isNumber: true },
];

function formatName(
  { site, capabilities }: GatewayAdminContext,
  { capability, provider }: ProviderHistory,
): string {
  const messages = adminMessages(site.language);
  const capabilityName = capabilities.find(({ id }) => id === capability)?.name ?? capability;
  const name =
    messages.capabilityNames[capability] ??
    (capability === 'chat' ? messages.chatRelay : capabilityName);
  return `${name} · ${provider}`;
}

function renderSummary(context: GatewayAdminContext, histories: readonly ProviderHistory[]): Html {
  const messages = providerHistoryMessages(context.site.language);
  return renderListTable(
    toColumns(messages.provider, messages),
    histories.map((history) => [
      rowHeading(formatName(context, history)),
      ...toCells(sumRows(history.steps)),
    ]),
  );
}

function renderDetails(context: GatewayAdminContext, history: ProviderHistory): Html {
  const { language } = context.site;
  const messages = providerHistoryMessages(language);
  const name = formatName(context, history);
  const toPoints = (pick: (sums: Sums) => number): readonly TimelinePoint[] =>
    history.steps.map((step) => ({
      label: formatDate(language, step.at, context.world.clock.now()),
      count: pick(step),
    }));
  const rows = history.steps.filter(({ calls }) => calls > 0).toReversed();
  const hasFailed = rows.some(({ failures }) => failures > 0);
  return html`<section class="part"><h2>${name}</h2>
<div class="pair"><figure><figcaption class="meta">${messages.failed}${
    !hasFailed && html`: 0`
  }</figcaption>\
${
  hasFailed &&
  renderTimelineBars(
    toPoints(({ failures }) => failures),
    messages.errorsOf(name),
  )
}</figure><figure><figcaption class="meta">${messages.latency}, ms</figcaption>\
${renderTimelineBars(toPoints(meanLatencyOf), messages.latencyOf(name))}</figure></div>
<details><summary>${messages.showTable}</summary>${renderListTable(
    toColumns(messages.hour, messages),
    rows.map((step) => [rowHeading(renderDateTime(context, step.at)), ...toCells(step)]),
  )}</details></section>`;
}
