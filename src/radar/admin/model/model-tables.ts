// Tables of the page about models: cost per day, remaining budgets, unknown outcomes.

import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import type { ModelStep } from '../../../kernel/ports/model.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading, singleLineCell } from '../../../kernel/web/list-table.ts';
import type { ModelSettings } from '../../model/model-config.ts';
import {
  type DailySpending,
  dayBefore,
  listBudgets,
  listUnknownOutcomes,
  readSpendingSince,
} from '../../model/model-report.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { modelMessages } from '../messages/model.ts';

const DAYS = 14;

/** Lists the steps of `requestedDay`, or those of the newest day if `requestedDay` has no data. */
export async function renderCostTable(
  { world, db, site }: RadarPageContext,
  requestedDay: string | null,
): Promise<Html> {
  const messages = modelMessages(site.language);
  const rows = await readSpendingSince(db, dayBefore(world, DAYS - 1));
  const days = Map.groupBy(rows, ({ day }) => day);
  const openDay = requestedDay !== null && days.has(requestedDay) ? requestedDay : rows[0]?.day;
  const { columns } = messages;
  return html`<section class="part"><h2 class="side">${messages.costOf(DAYS)}</h2>
${
  rows.length === 0
    ? html`<p class="empty">${messages.noCost}</p>`
    : html`<div class="scroll"><table class="list stacks"><thead><tr>\
<th scope="col">${columns.step}</th>\
<th scope="col" class="number">${columns.cost}</th>\
<th scope="col" class="number">${columns.requests}</th>\
<th scope="col" class="number">${columns.tokens}</th>\
<th scope="col" class="number">${columns.failures}</th>\
<th scope="col" class="number">${columns.builtIn}</th></tr></thead>
${[...days].map(([day, dayRows]) =>
  renderDay(site.language, { day, rows: dayRows, isOpen: day === openDay }),
)}\
</table></div>`
}</section>`;
}

type DaySpending = {
  readonly day: string;
  readonly rows: readonly DailySpending[];
  /** True: the table has a row for each step of the day. */
  readonly isOpen: boolean;
};

function renderDay(language: 'en' | 'zh-CN', { day, rows: dayRows, isOpen }: DaySpending): Html {
  const messages = modelMessages(language);
  const { columns } = messages;
  const wholeFormat = new Intl.NumberFormat(language);
  const compactFormat = new Intl.NumberFormat(language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  });
  const tokens = (row: DailySpending) => row.promptTokens + row.answerTokens;
  const cost = dayRows.reduce((total, row) => total + row.cost, 0n);
  const replacedByRules = (row: DailySpending) => row.overBudget + row.refused;
  const countOrDash = (value: number) => (value === 0 ? '–' : wholeFormat.format(value));
  const renderCells = (rows: readonly DailySpending[], money: bigint) => {
    const sum = (amountOf: (row: DailySpending) => number) =>
      rows.reduce((all, row) => all + amountOf(row), 0);
    const unknownOutcomes = sum(({ unknown }) => unknown);
    return html`<td class="number" data-label="${columns.cost}">${formatShortCny(money)}</td>\
<td class="number" data-label="${columns.requests}">${wholeFormat.format(
      sum(({ requests }) => requests),
    )}</td>\
<td class="number" data-label="${columns.tokens}">${compactFormat.format(sum(tokens))}</td>\
<td class="number" data-label="${columns.failures}">${countOrDash(
      sum(({ failures }) => failures),
    )}${
      unknownOutcomes > 0 &&
      html`<span class="meta below">${messages.lostRequests(
        wholeFormat.format(unknownOutcomes),
      )}</span>`
    }</td>\
<td class="number" data-label="${columns.builtIn}">${countOrDash(sum(replacedByRules))}${
      sum(({ overBudget }) => overBudget) > 0 &&
      html`<span class="meta below">${messages.overBudget(
        wholeFormat.format(sum(({ overBudget }) => overBudget)),
      )}</span>`
    }</td>`;
  };
  return html`<tbody>
<tr><th scope="rowgroup">${
    isOpen ? html`<strong>${day}</strong>` : html`<a href="/admin/model?day=${day}">${day}</a>`
  }</th>${renderCells(dayRows, cost)}</tr>
${(isOpen ? dayRows : []).map(
  (row) => html`<tr><th scope="row">${messages.steps[row.step as ModelStep] ?? row.step}
<span class="meta below">${row.model}</span></th>${renderCells([row], row.cost)}</tr>
`,
)}</tbody>
`;
}

/** A notice on a day when rules replaced requests because a budget was used up. */
export async function renderBudgetNotice({
  world,
  db,
  site,
}: RadarPageContext): Promise<Html | null> {
  const rows = await readSpendingSince(db, dayBefore(world, 0));
  const count = rows.reduce((all, { overBudget }) => all + overBudget, 0);
  if (count === 0) return null;
  const models = [...new Set(rows.flatMap((row) => (row.overBudget > 0 ? [row.model] : [])))];
  const notice = modelMessages(site.language).replacedByRules(count, models.join(', '));
  return html`<p class="notice">${notice}</p>`;
}

/** At most four decimals, which is enough to compare costs. */
function formatShortCny(amount: bigint): string {
  if (amount === 0n) return '–';
  const value = Number(formatCny(amount));
  return value < 0.0001 ? '< 0.0001' : value.toFixed(4).replace(/0{1,2}$/, '');
}

export async function renderBudgetTable(
  { world, db, site }: RadarPageContext,
  settings: ModelSettings,
): Promise<Html> {
  const messages = modelMessages(site.language);
  const count = new Intl.NumberFormat(site.language, { maximumFractionDigits: 4 });
  const renderRemaining = (remaining: number) =>
    remaining === 0
      ? html`<span class="negative">${messages.exhausted}</span>`
      : count.format(remaining);
  const limitedBudgets = (await listBudgets(world, db, settings)).filter(
    ({ limit }) => limit !== null,
  );
  return html`<section class="part"><h2 class="side">${messages.budgets}</h2>
<p class="meta">${limitedBudgets.length === 0 ? messages.noBudget : messages.budgetsAbout}</p>
${
  limitedBudgets.length > 0 &&
  renderListTable(
    [
      { label: messages.columns.model },
      { label: messages.period, isSelfExplanatory: true },
      { label: messages.remaining, isNumber: true },
    ],
    limitedBudgets.map(({ model, span, unit, limit, remaining }) => [
      rowHeading(html`<code>${model}</code>`),
      singleLineCell(messages.periods[span]),
      html`${renderRemaining(remaining ?? 0)}
<span class="meta below nowrap">/ ${count.format(limit ?? 0)} ${messages.units[unit]}</span>`,
    ]),
    { isStacked: true, isTight: true },
  )
}</section>`;
}

export async function renderUnknownTable(
  { world, db, site }: RadarPageContext,
  { file }: ModelSettings,
): Promise<Html> {
  const messages = modelMessages(site.language);
  const rows = await listUnknownOutcomes(world, db);
  return html`<section class="part"><h2 class="side">${messages.unknown}</h2>
<p class="meta">${messages.unknownAbout(Math.round(file.unknownOutcomeRetrySeconds / 60))}</p>
${
  rows.length === 0
    ? html`<p class="empty">${messages.noUnknown}</p>`
    : renderListTable(
        [
          { label: messages.columns.step },
          { label: messages.columns.model, isSelfExplanatory: true },
          { label: messages.sentAt },
          { label: messages.mayCost, isNumber: true },
        ],
        rows.map(({ step, model, subject, asked_at: requestedAt, heldCost }) => [
          rowHeading(html`${messages.steps[step as ModelStep] ?? step}
${subject !== null && html`<span class="meta below">${subject}</span>`}`),
          html`<code>${model}</code>`,
          singleLineCell(requestedAt === null ? '–' : renderDateTime({ site, world }, requestedAt)),
          formatShortCny(heldCost),
        ]),
      )
}</section>`;
}
