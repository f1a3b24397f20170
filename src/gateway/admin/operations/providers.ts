// Shows the capabilities and their providers: configuration, health of each provider per process,
// and kill switches.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDuration, renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  renderListTable,
  singleLineCell,
  type TableCell,
  type TableRow,
} from '../../../kernel/web/list-table.ts';
import type { Capability, ProviderHealth } from '../../capabilities/capability.ts';
import { listProviderReports, type ProviderReport } from '../../capabilities/provider-reports.ts';
import { listSwitches, type Switch } from '../../capabilities/switches.ts';
import { renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { capabilityName } from '../capability-name.ts';
import { adminMessages } from '../messages/admin.ts';
import { providerHistoryMessages } from '../messages/provider-history.ts';

/** A capability in the list. The chat relay is listed as a capability too. */
export type ProviderEntry = {
  readonly id: string;
  readonly name: string;
  /** The missing setting; null: the capability is configured. */
  readonly missing: string | null;
  readonly providers: readonly string[];
};

export async function listCapabilities(
  context: GatewayAdminContext,
): Promise<readonly ProviderEntry[]> {
  const messages = adminMessages(context.site.language);
  const { capabilities, chat, upstreams } = context;
  const entryPromises = capabilities.map(async (capability: Capability) => ({
    id: capability.id,
    name: capabilityName(context.site, capability.id),
    missing: await capability.missing(),
    providers: [...new Set(capability.health().providers.map(({ name }) => name))],
  }));
  const missing = chat?.configured === true ? null : messages.noUpstreams;
  const relay = { id: 'chat', name: messages.chatRelay, missing, providers: upstreams };
  return [...(await Promise.all(entryPromises)), relay];
}

export async function providersPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site } = context;
  const messages = adminMessages(site.language);
  const capabilities = await listCapabilities(context);
  const reports = await listProviderReports(world, db);
  const switches = await listSwitches(db);
  const refresh = html`<a class="button quiet" href="/admin/providers" data-refresh>\
${messages.refresh}</a>`;
  return {
    kind: 'page',
    title: messages.sections.providers,
    section: 'providers',
    main: html`${renderPageHead(messages.sections.providers, messages.providersAbout, refresh)}
${renderDoneNotice(context, request)}
<p class="more"><a class="link" href="/admin/providers/history">\
${providerHistoryMessages(site.language).title} →</a></p>
<p class="meta">${messages.asOf} ${renderDateTime({ site, world }, world.clock.now())}</p>
<div data-live>\
${capabilities.map((entry) => renderCapability(context, entry, { reports, switches }))}</div>`,
  };
}

type ProviderFigures = {
  readonly reports: readonly ProviderReport[];
  readonly switches: readonly Switch[];
};

function renderCapability(
  context: GatewayAdminContext,
  capability: ProviderEntry,
  figures: ProviderFigures,
): Html {
  const messages = adminMessages(context.site.language);
  const { id, name, missing, providers } = capability;
  const killSwitch = findSwitch(figures, 'capability', id);
  return html`<section class="part provider"><div class="head-row"><div>
<h2>${name}</h2><p class="meta"><span><code>${id}</code></span>${
    missing !== null && html`<span>${formatMissing(messages, missing)}</span>`
  }</p></div>
<div class="acts">${renderSwitchLink(messages, 'capability', id, killSwitch)}</div></div>
${killSwitch?.isOff && renderOffNotice(context, killSwitch)}
${providers.length > 0 && renderProviders(context, capability, figures)}</section>`;
}

/**
 * A capability describes a missing setting in English. When the setting is an entry of the
 * configuration, the page shows a translated text with the key of the setting.
 */
function formatMissing(messages: ProviderMessages, missing: string): string {
  const [, setting] = /needs an entry in ([a-z]+\.[a-z]+)\.$/i.exec(missing) ?? [];
  return setting === undefined ? missing : messages.needsEntry(setting);
}

const findSwitch = ({ switches }: ProviderFigures, kind: Switch['kind'], name: string) =>
  switches.find((killSwitch) => killSwitch.kind === kind && killSwitch.name === name) ?? null;

type ProviderMessages = ReturnType<typeof adminMessages>;

function renderSwitchLink(
  messages: ProviderMessages,
  kind: Switch['kind'],
  name: string,
  killSwitch: Switch | null,
) {
  const query = new URLSearchParams({ kind, name });
  const label = killSwitch?.isOff === true ? messages.switchOn : messages.switchOff;
  return html`<a class="${kind === 'capability' ? 'button quiet' : 'link'}" \
href="/admin/providers/switch?${String(query)}">${label} ${name}</a>`;
}

function renderOffNotice(
  { site, world }: GatewayAdminContext,
  { actor, reason, at }: Switch,
): Html {
  const messages = adminMessages(site.language);
  return html`<p class="negative">${messages.isOff} · ${actor}, \
${renderDateTime({ site, world }, at)}: \
“${reason}”</p>`;
}

function renderProviders(
  context: GatewayAdminContext,
  { id, providers }: ProviderEntry,
  figures: ProviderFigures,
): Html {
  const messages = adminMessages(context.site.language);
  const rows = providers.flatMap((provider): TableRow[] => {
    const killSwitch = findSwitch(figures, 'provider', provider);
    const matchingReports = figures.reports.filter(
      ({ capability, health }) => capability === id && health.name === provider,
    );
    const link = renderSwitchLink(messages, 'provider', provider, killSwitch);
    const providerCell: TableCell = {
      content: html`${provider}<span class="below">${link}</span>`,
      isHeading: true,
      rowspan: Math.max(1, matchingReports.length),
    };
    if (matchingReports.length === 0) {
      const state = killSwitch?.isOff === true ? messages.circuits.off : messages.notReported;
      return [[providerCell, { content: state, colspan: 6 }]];
    }
    return matchingReports.map(({ node, health }, index) => [
      ...(index === 0 ? [providerCell] : []),
      ...toHealthCells(context, node, {
        ...health,
        // A new switch is shown here before the next health report contains it.
        ...(killSwitch?.isOff === true && { circuit: 'off' as const }),
      }),
    ]);
  });
  const columns = [
    { label: messages.provider },
    { label: messages.condition, isSelfExplanatory: true },
    { label: messages.node },
    { label: messages.lastSuccess },
    { label: messages.lastFailure },
    { label: messages.requests, isNumber: true },
    { label: messages.latency, isNumber: true },
  ];
  return renderListTable(columns, rows);
}

const circuitClass = {
  closed: 'positive',
  open: 'negative',
  half_open: 'warning',
  off: 'negative',
} as const;

function toHealthCells(
  { site, world }: GatewayAdminContext,
  node: string,
  health: ProviderHealth,
): readonly TableCell[] {
  const { language } = site;
  const messages = adminMessages(language);
  const formatAge = (at: number | null) =>
    at === null ? '–' : messages.ago(formatDuration(language, world.clock.now() - at));
  return [
    html`<span class="${circuitClass[health.circuit]}">${messages.circuits[health.circuit]}</span>`,
    node,
    singleLineCell(formatAge(health.lastSuccessAt)),
    singleLineCell(formatAge(health.lastFailureAt)),
    html`${health.calls}${
      health.failures > 0 &&
      html`<span class="meta below">${messages.failed(health.failures)}</span>`
    }`,
    singleLineCell(health.latencyMs === null ? '–' : `${health.latencyMs} ms`),
  ];
}
