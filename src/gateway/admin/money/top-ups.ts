// Lists the top-ups of all accounts, searches by state, address or id, and describes each problem.

import { type Html, html } from '../../../kernel/html/html.ts';
import { readSkip } from '../../../kernel/http/whole-number.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { formatDate, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { readEmails } from '../../accounts/find-accounts.ts';
import {
  countTopUpTroubles,
  searchTopUps,
  type TopUpDetails,
  type TopUpState,
} from '../../wallet/top-ups/list-top-ups.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderFilters, renderOlderLink } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { formatYuan } from './format-money.ts';

const PAGE_SIZE = 50;
const PATH = '/admin/top-ups';
const states = [
  'credited',
  'open',
  'processing',
  'expired',
  'failed',
  'refused',
  'closed',
] as const satisfies readonly TopUpState[];
/** The maximum length of an email address (RFC 5321). */
const MAX_SEARCH_LENGTH = 254;

export async function topUpsPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { db, site } = context;
  const messages = adminMessages(site.language);
  const searchText = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH_LENGTH);
  const filterName = query.get('show');
  const isTroubled = filterName === 'troubled';
  const state = states.find((state) => state === filterName);
  const skip = readSkip(query);
  const filter = { searchText, isTroubled, ...(state && { state }) };
  const foundTopUps = await searchTopUps(db, { ...filter, limit: PAGE_SIZE + 1, skip });
  const { count, owed } = await countTopUpTroubles(db);
  const selectedFilter = isTroubled ? 'troubled' : (state ?? null);
  const filterParams = {
    ...(searchText !== '' && { q: searchText }),
    ...(selectedFilter !== null && { show: selectedFilter }),
  };
  const isUnfiltered = searchText === '' && skip === 0;
  const emptyFilterMessage = isTroubled ? messages.noTroubles : messages.noTopUps;
  const emptyMessage = selectedFilter === null ? messages.noTopUpsYet : emptyFilterMessage;
  const summary = count === 0 ? messages.topUpsAbout : messages.topUpsTroubled(count);
  const about = owed > 0n ? `${summary} ${messages.owedInAll(formatYuan(owed))}` : summary;
  return {
    kind: 'page',
    title: messages.sections['top-ups'],
    section: 'top-ups',
    main: html`${renderPageHead(messages.sections['top-ups'], about)}
<form class="bar" method="get" action="${PATH}" role="search"><div class="grows">\
<label class="over" for="f-q">${messages.searchTopUps}</label>
<input id="f-q" name="q" type="search" value="${searchText}"></div>
${selectedFilter !== null && html`<input type="hidden" name="show" value="${selectedFilter}">`}\
<button class="quiet">${messages.search}</button></form>
${renderFilters({ path: PATH, name: 'show', chosen: selectedFilter }, [
  { value: null, label: messages.everything },
  { value: 'troubled', label: messages.topUpTroubled },
  ...states.map((value) => ({ value, label: messages.topUpStates[value] })),
])}
${
  foundTopUps.length === 0
    ? html`<p class="empty">${isUnfiltered ? emptyMessage : messages.noTopUps}</p>`
    : await renderTable(context, foundTopUps.slice(0, PAGE_SIZE))
}
${
  foundTopUps.length > PAGE_SIZE &&
  renderOlderLink(messages.older, PATH, { ...filterParams, skip: skip + PAGE_SIZE })
}`,
  };
}

async function renderTable(
  context: GatewayAdminContext,
  topUps: readonly TopUpDetails[],
): Promise<Html> {
  const { language } = context.site;
  const messages = adminMessages(language);
  const emails = await readEmails(
    context.db,
    topUps.map(({ accountId }) => accountId),
  );
  return renderListTable(
    [
      { label: messages.topUp },
      { label: messages.condition, isSelfExplanatory: true },
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
      { label: messages.begun },
    ],
    topUps.map((topUp) => [
      rowHeading(html`<a href="${PATH}/${topUp.id}">\
${emails.get(topUp.accountId) ?? topUp.accountId}</a>\
<span class="meta below">${topUp.id}</span>`),
      {
        content: html`${renderTopUpState(context, topUp)}${describeTroubles(context, topUp).map(
          (text) => html`<span class="meta below">${text}</span>`,
        )}`,
        className: 'whole',
      },
      formatYuan(topUp.amount),
      singleLineCell(renderDateTime(context, topUp.begunAt)),
    ]),
  );
}

const tones: Readonly<Partial<Record<TopUpState, string>>> = {
  credited: 'positive',
  refused: 'negative',
  failed: 'negative',
};

export function renderTopUpState({ site }: GatewayAdminContext, { state }: TopUpDetails): Html {
  const { topUpStates } = adminMessages(site.language);
  return html`<span class="${tones[state] ?? ''}">${topUpStates[state]}</span>`;
}

/** One sentence for each problem that needs an operator; empty without a problem. */
export function describeTroubles(
  { site, world }: GatewayAdminContext,
  topUp: TopUpDetails,
): readonly string[] {
  const { language } = site;
  const messages = adminMessages(language);
  const { state, problem, unreclaimed, disputes } = topUp;
  const timeText = (at: number | null) =>
    at === null ? null : formatDate(language, at, world.clock.now());
  return [
    ...(state === 'refused'
      ? [messages.refusedBecause(describeProblem(problem ?? '', messages.problems))]
      : []),
    ...disputes.flatMap(({ status, amount, answerBy }) => {
      if (status === 'needs_response')
        return [messages.disputeWaits(formatYuan(amount), timeText(answerBy))];
      const isInquiry = status === 'warning_needs_response';
      return isInquiry ? [messages.inquiryWaits(formatYuan(amount), timeText(answerBy))] : [];
    }),
    ...(unreclaimed > 0n ? [messages.owes(formatYuan(unreclaimed))] : []),
  ];
}

/** Translates the stored English reason of a refusal; another text is returned unchanged. */
function describeProblem(
  problem: string,
  messages: ReturnType<typeof adminMessages>['problems'],
): string {
  const [, amount] = /^it is for ([\d.]+) CNY$/.exec(problem) ?? [];
  if (amount !== undefined) return messages.amount(amount);
  const [, currency] = /^it is paid in (\w{0,10})$/.exec(problem) ?? [];
  if (currency !== undefined) return messages.currency(currency);
  return problem.includes('test mode') ? messages.mode : problem;
}
