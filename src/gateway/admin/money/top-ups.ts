// Top-ups of all accounts, with a search by state or name and a description of each problem.

import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { dateText, dateTime } from '../../../kernel/web/format-time.ts';
import { listTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import { emailsOf } from '../../accounts/find-accounts.ts';
import {
  searchTopUps,
  type TopUpDetails,
  type TopUpState,
  topUpTroubles,
} from '../../wallet/top-ups/list-top-ups.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { filterList, olderLink, skipOf } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { yuan } from './format-money.ts';

const LIMIT = 50;
const PATH = '/admin/top-ups';
const states = [
  ...(['credited', 'open', 'processing', 'expired', 'failed', 'refused', 'closed'] as const),
] as const satisfies readonly TopUpState[];

export async function topUpsPage(
  context: GatewayAdminContext,
  { query }: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { db, site } = context;
  const messages = adminMessages(site.language);
  const formInput = (query.get('q') ?? '').trim().slice(0, 254);
  const filterName = query.get('show');
  const isTroubled = filterName === 'troubled';
  const state = states.find((state) => state === filterName);
  const skip = skipOf(query);
  const filter = { words: formInput, isTroubled, ...(state && { state }) };
  const found = await searchTopUps(db, { ...filter, limit: LIMIT + 1, skip });
  const { count, owed } = await topUpTroubles(db);
  const chosen = isTroubled ? 'troubled' : (state ?? null);
  const filterParams = {
    ...(formInput !== '' && { q: formInput }),
    ...(chosen !== null && { show: chosen }),
  };
  const isUnfiltered = formInput === '' && skip === 0;
  const emptyMessage =
    chosen === null ? messages.noTopUpsYet : isTroubled ? messages.noTroubles : messages.noTopUps;
  const summary = count === 0 ? messages.topUpsAbout : messages.topUpsTroubled(count);
  const about = owed > 0n ? `${summary} ${messages.owedInAll(yuan(owed))}` : summary;
  return {
    kind: 'page',
    title: messages.sections['top-ups'],
    section: 'top-ups',
    main: html`${pageHead(messages.sections['top-ups'], about)}
<form class="bar" method="get" action="${PATH}" role="search"><div class="grows">\
<label class="over" for="f-q">${messages.searchTopUps}</label>
<input id="f-q" name="q" type="search" value="${formInput}"></div>
${chosen !== null && html`<input type="hidden" name="show" value="${chosen}">`}\
<button class="quiet">${messages.search}</button></form>
${filterList({ path: PATH, name: 'show', chosen }, [
  { value: null, label: messages.everything },
  { value: 'troubled', label: messages.topUpTroubled },
  ...states.map((value) => ({ value, label: messages.topUpStates[value] })),
])}
${
  found.length === 0
    ? html`<p class="empty">${isUnfiltered ? emptyMessage : messages.noTopUps}</p>`
    : await table(context, found.slice(0, LIMIT))
}
${
  found.length > LIMIT && olderLink(messages.older, PATH, { ...filterParams, skip: skip + LIMIT })
}`,
  };
}

async function table(context: GatewayAdminContext, topUps: readonly TopUpDetails[]): Promise<Html> {
  const { language } = context.site;
  const messages = adminMessages(language);
  const emails = await emailsOf(
    context.db,
    topUps.map(({ accountId }) => accountId),
  );
  return listTable(
    [
      ...[{ label: messages.topUp }, { label: messages.condition, isSelfExplanatory: true }],
      { label: messages.amount, isNumber: true, isSelfExplanatory: true },
      { label: messages.begun },
    ],
    topUps.map((topUp) => [
      rowHeading(html`<a href="${PATH}/${topUp.id}">\
${emails.get(topUp.accountId) ?? topUp.accountId}</a>\
<span class="meta below">${topUp.id}</span>`),
      {
        content: html`${topUpState(context, topUp)}${troublesOf(context, topUp).map(
          (text) => html`<span class="meta below">${text}</span>`,
        )}`,
        className: 'whole',
      },
      yuan(topUp.amount),
      singleLineCell(dateTime(context, topUp.begunAt)),
    ]),
  );
}

const tones: Readonly<Partial<Record<TopUpState, string>>> = {
  credited: 'positive',
  refused: 'negative',
  failed: 'negative',
};

export function topUpState({ site }: GatewayAdminContext, { state }: TopUpDetails): Html {
  const { topUpStates } = adminMessages(site.language);
  return html`<span class="${tones[state] ?? ''}">${topUpStates[state]}</span>`;
}

/** One sentence for each problem that needs an operator; empty when there is none. */
export function troublesOf(
  { site, world }: GatewayAdminContext,
  topUp: TopUpDetails,
): readonly string[] {
  const { language } = site;
  const messages = adminMessages(language);
  const { state, problem, unreclaimed, disputes } = topUp;
  const timeText = (at: number | null) =>
    at === null ? null : dateText(language, at, world.clock.now());
  return [
    ...(state === 'refused'
      ? [messages.refusedBecause(describeProblem(problem ?? '', messages.problems))]
      : []),
    ...disputes.flatMap(({ status, amount, answerBy }) => {
      if (status === 'needs_response')
        return [messages.disputeWaits(yuan(amount), timeText(answerBy))];
      const isSent = status === 'warning_needs_response';
      return isSent ? [messages.inquiryWaits(yuan(amount), timeText(answerBy))] : [];
    }),
    ...(unreclaimed > 0n ? [messages.owes(yuan(unreclaimed))] : []),
  ];
}

/** The stored code of a refusal as a message of the page. */
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
