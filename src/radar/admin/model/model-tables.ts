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
  listUnknown,
  readSpendingSince,
} from '../../model/model-report.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { modelMessages } from '../messages/model.ts';

const DAYS = 14;

/** `wanted`: the selected day; the newest one when it has no data. */
export async function costTable(
  { world, db, site }: RadarPageContext,
  requestedPeriod: string | null,
): Promise<Html> {
  const messages = modelMessages(site.language);
  const rows = await readSpendingSince(db, dayBefore(world, DAYS - 1));
  const days = Map.groupBy(rows, ({ day }) => day);
  const open =
    requestedPeriod !== null && days.has(requestedPeriod) ? requestedPeriod : rows[0]?.day;
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
${[...days].map(([day, spent]) => dayRows(site.language, { day, spent, isOpen: day === open }))}\
</table></div>`
}</section>`;
}

type Day = {
  readonly day: string;
  readonly spent: readonly DailySpending[];
  /** The selected day. */
  readonly isOpen: boolean;
};

function dayRows(language: 'en' | 'zh-CN', { day, spent, isOpen }: Day): Html {
  const messages = modelMessages(language);
  const { columns } = messages;
  const count = new Intl.NumberFormat(language);
  const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const tokens = (row: DailySpending) => row.promptTokens + row.answerTokens;
  const cost = spent.reduce((total, row) => total + row.cost, 0n);
  const builtIn = (row: DailySpending) => row.overBudget + row.refused;
  const countOrDash = (value: number) => (value === 0 ? '–' : count.format(value));
  const cells = (rows: readonly DailySpending[], money: bigint) => {
    const sum = (amountOf: (row: DailySpending) => number) =>
      rows.reduce((all, row) => all + amountOf(row), 0);
    const lost = sum(({ unknown }) => unknown);
    return html`<td class="number" data-label="${columns.cost}">${shortCny(money)}</td>\
<td class="number" data-label="${columns.requests}">${count.format(
      sum(({ requests }) => requests),
    )}</td>\
<td class="number" data-label="${columns.tokens}">${short.format(sum(tokens))}</td>\
<td class="number" data-label="${columns.failures}">${countOrDash(
      sum(({ failures }) => failures),
    )}${
      lost > 0 && html`<span class="meta below">${messages.lostRequests(count.format(lost))}</span>`
    }</td>\
<td class="number" data-label="${columns.builtIn}">${countOrDash(sum(builtIn))}${
      sum(({ overBudget }) => overBudget) > 0 &&
      html`<span class="meta below">${messages.overBudget(
        count.format(sum(({ overBudget }) => overBudget)),
      )}</span>`
    }</td>`;
  };
  return html`<tbody>
<tr><th scope="rowgroup">${
    isOpen ? html`<strong>${day}</strong>` : html`<a href="/admin/model?day=${day}">${day}</a>`
  }</th>${cells(spent, cost)}</tr>
${(isOpen ? spent : []).map(
  (row) => html`<tr><th scope="row">${messages.steps[row.step as ModelStep] ?? row.step}
<span class="meta below">${row.model}</span></th>${cells([row], row.cost)}</tr>
`,
)}</tbody>
`;
}

/** A notice while a budget prevents model requests. */
export async function budgetNotice({ world, db, site }: RadarPageContext): Promise<Html | null> {
  const rows = await readSpendingSince(db, dayBefore(world, 0));
  const count = rows.reduce((all, { overBudget }) => all + overBudget, 0);
  if (count === 0) return null;
  const models = [...new Set(rows.flatMap((row) => (row.overBudget > 0 ? [row.model] : [])))];
  const notice = modelMessages(site.language).replacedByRules(count, models.join(', '));
  return html`<p class="notice">${notice}</p>`;
}

/** Four decimals are enough to compare. */
function shortCny(amount: bigint): string {
  if (amount === 0n) return '–';
  const value = Number(formatCny(amount));
  return value < 0.0001 ? '< 0.0001' : value.toFixed(4).replace(/0{1,2}$/, '');
}

export async function budgetTable(
  { world, db, site }: RadarPageContext,
  settings: ModelSettings,
): Promise<Html> {
  const messages = modelMessages(site.language);
  const count = new Intl.NumberFormat(site.language, { maximumFractionDigits: 4 });
  const leftOf = (remaining: number) =>
    remaining === 0
      ? html`<span class="negative">${messages.exhausted}</span>`
      : count.format(remaining);
  const limited = (await listBudgets(world, db, settings)).filter(({ limit }) => limit !== null);
  return html`<section class="part"><h2 class="side">${messages.budgets}</h2>
<p class="meta">${limited.length === 0 ? messages.noBudget : messages.budgetsAbout}</p>
${
  limited.length > 0 &&
  renderListTable(
    [
      { label: messages.columns.model },
      { label: messages.period, isSelfExplanatory: true },
      { label: messages.remaining, isNumber: true },
    ],
    limited.map(({ model, span, of, limit, left: remaining }) => [
      rowHeading(html`<code>${model}</code>`),
      singleLineCell(messages.periods[span]),
      html`${leftOf(remaining ?? 0)}
<span class="meta below nowrap">/ ${count.format(limit ?? 0)} ${messages.units[of]}</span>`,
    ]),
    { stacks: true, isTight: true },
  )
}</section>`;
}

export async function unknownTable(
  { world, db, site }: RadarPageContext,
  { file }: ModelSettings,
): Promise<Html> {
  const messages = modelMessages(site.language);
  const rows = await listUnknown(world, db);
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
          shortCny(heldCost),
        ]),
      )
}</section>`;
}
