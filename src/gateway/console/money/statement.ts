// The statement of a month as a page to print: balance, money in and out, charges by capability.

import { type Html, html } from '../../../kernel/html/html.ts';
import { periodsAt } from '../../../kernel/time/calendar.ts';
import { pageNotFound } from '../../../kernel/web/form-handler.ts';
import {
  formatDate,
  formatDayName,
  formatMonth,
  renderDateTime,
} from '../../../kernel/web/format-time.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { type MonthStatement, monthAt, readMonth } from '../../wallet/history/read-month.ts';
import { readVoucherNames } from '../../wallet/history/read-statement.ts';
import { moneyMessages } from '../messages/money.ts';
import { statementMessages } from '../messages/statements.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';
import { capabilityName, formatCount, formatSignedYuan, formatYuan } from './money-parts.ts';
import { renderEntryName } from './transactions.ts';

const PATH = '/console/statements';

/** Redirects to the statement of the current month. */
export async function redirectToCurrentMonth({ world }: ConsoleContext): Promise<ConsoleResponse> {
  return { kind: 'moved', to: `${PATH}/${periodsAt(world.clock.now()).month}` };
}

export async function statementPage(
  context: ConsoleContext,
  { params }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const { world, db, account, livemode, site } = context;
  const month = monthAt(params.month ?? '', world.clock.now());
  if (month === null) throw pageNotFound();
  const wallet = { accountId: account.id, livemode };
  const statement = await readMonth(db, wallet, month);
  const messages = statementMessages(site.language);
  const { startsAt, endsAt } = month;
  const days = [startsAt, endsAt - 1].map((at) => formatDayName(site.language, at, null));
  const title = messages.statementOf(formatMonth(site.language, startsAt));
  return {
    kind: 'page',
    title,
    body: html`<article class="paper"><header><h1>${title}</h1>
<p class="explains">${messages.about(days[0] ?? '', days[1] ?? '')}</p>
${endsAt > world.clock.now() && html`<p class="explains">${messages.soFar}</p>`}
${renderPaperHead(context)}</header>
${renderSummary(statement, site.language)}
${await renderEntries(context, statement)}
${renderCalls(statement, site.language)}
<p class="meta spaced">${messages.balanceAbout}</p></article>
${renderOtherMonths(month, world.clock.now(), site.language)}`,
  };
}

/** Renders the issuer, recipient and date of the document. */
export function renderPaperHead(context: ConsoleContext): Html {
  const { site, account, livemode, world } = context;
  const messages = statementMessages(site.language);
  return html`${!livemode && html`<p class="warning">${messages.test}</p>`}
<dl class="facts"><dt>${messages.issuer}</dt><dd>${site.name}, ${new URL(site.url).host}</dd>
<dt>${messages.account}</dt><dd>${account.email}</dd>
<dt>${messages.accountId}</dt><dd><code>${account.id}</code></dd>
<dt>${messages.made}</dt><dd>${formatDate(site.language, world.clock.now(), null)}</dd></dl>
<p class="acts no-print"><button class="quiet" type="button" data-print hidden>\
${messages.print}</button></p>`;
}

function renderSummary(statement: MonthStatement, language: Language): Html {
  const messages = statementMessages(language);
  const renderRow = (name: string, amount: string) =>
    html`<tr><th scope="row">${name}</th><td class="number">${amount}</td></tr>
`;
  return html`<section class="part"><h2>${messages.summary}</h2>
<table class="list"><tbody>
${renderRow(messages.opening, formatYuan(statement.openingBalance))}
${renderRow(messages.added, formatSignedYuan(statement.added))}
${renderRow(messages.charged, formatSignedYuan(-statement.charged))}</tbody>
<tfoot>${renderRow(messages.closing, formatYuan(statement.closingBalance))}</tfoot></table>\
</section>`;
}

async function renderEntries(context: ConsoleContext, statement: MonthStatement): Promise<Html> {
  const { db, account, livemode, site } = context;
  const { language } = site;
  const messages = statementMessages(language);
  const { entries, added } = statement;
  const balances = entries.flatMap(({ entry }) =>
    entry.moves.flatMap(({ source, target }) => [source, target]),
  );
  const vouchers = await readVoucherNames(db, { accountId: account.id, livemode }, balances);
  const pageMessages = moneyMessages(language);
  const view = { context, messages: pageMessages, vouchers };
  const furtherSum = entries.reduce((sum, { net }) => sum - net, added);
  const rows = [
    ...entries.map(({ entry, net }) => [
      renderDateTime(context, entry.at),
      renderEntryName(view, entry, { sum: net, names: '' }),
      formatSignedYuan(net),
    ]),
    ...(furtherSum === 0n ? [] : [['', messages.further, formatSignedYuan(furtherSum)]]),
  ];
  return html`<section class="part"><h2>${messages.added}</h2>
${
  entries.length === 0 && furtherSum === 0n
    ? html`<p class="explains">${messages.noEntries}</p>`
    : renderListTable(
        [
          { label: messages.date },
          { label: messages.entry },
          { label: messages.amount, isNumber: true },
        ],
        rows,
        { footer: [rowHeading(messages.total), '', formatSignedYuan(added)] },
      )
}</section>`;
}

function renderCalls({ usage }: MonthStatement, language: Language): Html {
  const messages = statementMessages(language);
  const pageMessages = moneyMessages(language);
  const sum = (column: 'freeQuota' | 'voucher' | 'cash') =>
    usage.reduce((total, { charge }) => total + charge[column], 0n);
  const calls = usage.reduce((total, row) => total + row.calls, 0);
  const columns = [
    { label: messages.capability },
    { label: messages.number, isNumber: true },
    { label: messages.allowance, isNumber: true },
    { label: messages.vouchers, isNumber: true },
    { label: messages.cash, isNumber: true },
  ];
  const rows = usage.map((row) => [
    rowHeading(capabilityName(pageMessages, row.group)),
    formatCount(row.calls),
    formatYuan(row.charge.freeQuota),
    formatYuan(row.charge.voucher),
    formatYuan(row.charge.cash),
  ]);
  const footer = [
    rowHeading(messages.total),
    formatCount(calls),
    formatYuan(sum('freeQuota')),
    formatYuan(sum('voucher')),
    formatYuan(sum('cash')),
  ];
  return html`<section class="part"><h2>${messages.calls}</h2>
${
  usage.length === 0
    ? html`<p class="explains">${messages.noCalls}</p>`
    : html`${renderListTable(columns, rows, { isTight: true, className: 'usage', footer })}
<p class="meta spaced">${messages.free}</p>`
}</section>`;
}

function renderOtherMonths(
  { startsAt, endsAt }: { readonly startsAt: number; readonly endsAt: number },
  now: number,
  language: Language,
): Html {
  const messages = statementMessages(language);
  const renderLink = (at: number, direction: string) =>
    html`<a href="${PATH}/${periodsAt(at).month}">${direction}: ${formatMonth(language, at)}</a>`;
  return html`<nav class="between more" aria-label="${messages.other}">\
${renderLink(startsAt - 1, messages.earlier)}${endsAt <= now && renderLink(endsAt, messages.later)}
<a href="/console/wallet">${messages.toWallet}</a></nav>`;
}
