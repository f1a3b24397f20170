// Lists the calls of the account, newest first, with filters for capability, outcome, key and days.

import { type Html, html } from '../../../kernel/html/html.ts';
import { DAY_MS } from '../../../kernel/time/durations.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderChoiceField, renderTextField } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { listKeys } from '../../keys/change-keys.ts';
import type { Key } from '../../keys/key.ts';
import {
  type CallFilter,
  type ExplainedCall,
  listExplainedCalls,
} from '../../wallet/history/read-statement.ts';
import { readWalletUsage } from '../../wallet/history/read-usage.ts';
import { readField } from '../keys/form-input.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { capabilityName, formatYuan, renderPager } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { lastDays, parseDayBounds } from './day-range.ts';

const PATH = '/console/calls';
const PAGE_SIZE = 50;
/** The days that a filter without a start day searches. An unlimited search could read years. */
const LOOK_BACK_DAYS = 90;

type CallListQuery = {
  readonly capability: string;
  readonly outcome: string;
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly request: string;
};

const readQuery = (query: URLSearchParams): CallListQuery => {
  const readParameter = (name: string) => readField(query, name, 100);
  return {
    capability: readParameter('capability'),
    outcome: readParameter('outcome'),
    key: readParameter('key'),
    from: readParameter('from'),
    to: readParameter('to'),
    request: readParameter('request'),
  };
};

export async function callsPage(
  context: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db, account, livemode, site } = context;
  const messages = moneyMessages(site.language);
  const listQuery = readQuery(query);
  if (listQuery.request !== '') {
    return { kind: 'moved', to: `${PATH}/${encodeURIComponent(listQuery.request)}` };
  }
  const wallet = { accountId: account.id, livemode };
  const now = world.clock.now();
  const keys = (await listKeys(db, account.id)).filter((key) => key.livemode === livemode);
  const recentRange = { ...lastDays(now, LOOK_BACK_DAYS), groupBy: 'capability' } as const;
  const calledCapabilities = (await readWalletUsage(db, { ...wallet, ...recentRange })).map(
    ({ group }) => group,
  );
  const { filter, isBounded, hasInvalidDays } = toFilter(listQuery, now);
  const cursor = query.get('cursor');
  const listOptions = { filter, limit: PAGE_SIZE };
  const page =
    (await listExplainedCalls(db, wallet, { ...listOptions, cursor })) ??
    (await listExplainedCalls(db, wallet, { ...listOptions, cursor: null }));
  const { lines, nextCursor } = page ?? { lines: [], nextCursor: null };
  const isFiltered = Object.values(listQuery).some((value) => value !== '');
  return {
    kind: 'page',
    ...(hasInvalidDays && { status: 400 }),
    title: messages.calls,
    body: html`${renderPageHead(messages.calls, messages.callsAbout)}
${hasInvalidDays && html`<p class="notice negative" role="alert">${messages.invalidDays}</p>`}
${
  (isFiltered || lines.length > 0) &&
  renderFilterForm(listQuery, { keys, calledCapabilities }, messages)
}
${isBounded && html`<p class="meta form-help">${messages.searchedDays(LOOK_BACK_DAYS)}</p>`}
${
  lines.length === 0
    ? html`<div class="empty">${
        isFiltered
          ? html`<p>${messages.noMatches}</p>`
          : html`<h2>${messages.noCalls}</h2><p>${messages.noCallsAbout}</p>
<p class="more"><a href="/console/catalog">${messages.catalog}</a></p>`
      }</div>`
    : renderCallTable(context, lines, keys)
}
${renderPager(messages, { path: PATH, query, nextCursor })}`,
  };
}

const outcomes = ['succeeded', 'failed', 'running'] as const;

function toFilter(listQuery: CallListQuery, now: number) {
  const outcome = outcomes.find((candidate) => candidate === listQuery.outcome);
  const bounds = parseDayBounds(listQuery.from, listQuery.to);
  const hasFilter = listQuery.capability !== '' || outcome !== undefined || listQuery.key !== '';
  const isBounded = hasFilter && bounds?.since === undefined;
  const filter: CallFilter = {
    ...(listQuery.capability !== '' && { capability: listQuery.capability }),
    ...(listQuery.key !== '' && { keyId: listQuery.key }),
    ...(outcome && { outcome }),
    ...(isBounded && { since: now - LOOK_BACK_DAYS * DAY_MS }),
    ...bounds,
  };
  return { filter, isBounded, hasInvalidDays: bounds === null };
}

type Choices = { readonly keys: readonly Key[]; readonly calledCapabilities: readonly string[] };

function renderFilterForm(
  listQuery: CallListQuery,
  { keys, calledCapabilities }: Choices,
  messages: MoneyMessages,
): Html {
  const anyChoice = { value: '', label: messages.anything };
  return html`<form class="bar filter" method="get" action="${PATH}">
${renderChoiceField({
  name: 'capability',
  label: messages.capability,
  value: listQuery.capability,
  choices: [
    anyChoice,
    ...calledCapabilities.map((value) => ({ value, label: capabilityName(messages, value) })),
  ],
})}${renderChoiceField({
  name: 'outcome',
  label: messages.outcome,
  value: listQuery.outcome,
  choices: [anyChoice, ...outcomes.map((value) => ({ value, label: messages.outcomes[value] }))],
})}${renderChoiceField({
  name: 'key',
  label: messages.key,
  value: listQuery.key,
  choices: [
    anyChoice,
    ...keys.map(({ id, name, last4 }) => ({ value: id, label: `${name} …${last4}` })),
  ],
})}\
${renderTextField({ name: 'from', label: messages.fromDay, value: listQuery.from, type: 'date' })}\
${renderTextField({ name: 'to', label: messages.toDay, value: listQuery.to, type: 'date' })}\
${renderTextField({ name: 'request', label: messages.requestId, value: '', autocomplete: 'off' })}
<p class="acts"><button class="quiet">${messages.filter}</button>
<a href="${PATH}">${messages.clear}</a></p>
</form>`;
}

function renderCallTable(
  context: ConsoleContext,
  calls: readonly ExplainedCall[],
  keys: readonly Key[],
): Html {
  const { language } = context.site;
  const messages = moneyMessages(language);
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const columns = [
    { label: messages.capability },
    { label: messages.time, isSelfExplanatory: true },
    { label: messages.outcome, isSelfExplanatory: true },
    { label: messages.key },
    { label: messages.took, isNumber: true },
    { label: messages.charge, isNumber: true },
    { label: messages.requestId, isSelfExplanatory: true },
  ];
  const rows = calls.map((call) => [
    rowHeading(capabilityName(messages, call.capability)),
    renderDateTime(context, call.openedAt),
    renderOutcome(call, messages),
    names.get(call.keyId) ?? call.keyId,
    formatDuration(call),
    renderCharge(call, messages),
    {
      content: html`<a class="id" href="${PATH}/${call.requestId}">${call.requestId}</a>`,
      className: 'whole',
    },
  ]);
  return renderListTable(columns, rows, { className: 'calls' });
}

const tones = { succeeded: 'positive', failed: 'negative', running: 'warning' } as const;

/** Renders the outcome as one word, with the HTTP status. */
export function renderOutcome(
  { outcome, status, code }: ExplainedCall,
  messages: MoneyMessages,
): Html {
  const failure = outcome === 'failed' ? ` ${status ?? ''} ${code ?? ''}`.trimEnd() : '';
  return html`<span class="${tones[outcome]}">${messages.outcomes[outcome]}</span>${
    failure !== '' && html`<span class="meta">${failure}</span>`
  }`;
}

/** Formats a duration: `1.2 s`, `340 ms`; empty while the call runs. */
export function formatDuration({ openedAt, completedAt }: ExplainedCall): string {
  if (completedAt === null) return '';
  const ms = Math.max(0, completedAt - openedAt);
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function renderCharge({ charge, price, outcome }: ExplainedCall, messages: MoneyMessages): Html {
  if (outcome === 'running') return html`${price.held > 0n ? `(${formatYuan(price.held)})` : ''}`;
  if (charge === null) return html`<span class="meta">–</span>`;
  return charge.total === 0n && price.held === 0n
    ? html`<span class="meta">${messages.free}</span>`
    : html`${formatYuan(charge.total)}`;
}
