// Renders the relay usage by model and token class as a table, and returns the rows of the CSV
// file.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { type ModelUsage, readModelUsage } from '../../relay/read-model-usage.ts';
import { moneyMessages } from '../messages/money.ts';
import { classNameOf, type RelayMessages, relayMessages } from '../messages/relay.ts';
import { formatCount, formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import type { DayRange } from './day-range.ts';

const readUsage = ({ db, account, livemode }: ConsoleContext, range: DayRange) =>
  readModelUsage(db, { accountId: account.id, livemode, ...range });

export async function renderModelUsage(context: ConsoleContext, range: DayRange): Promise<Html> {
  const { language } = context.site;
  const usage = await readUsage(context, range);
  if (usage.length === 0) {
    return html`<div class="empty"><p>${moneyMessages(language).noUsage}</p></div>`;
  }
  const messages = relayMessages(language);
  const byModel = Map.groupBy(usage, ({ model }) => model);
  const tables = [...byModel].map(([model, rows]) => renderModelTable(model, rows, messages));
  return html`${tables}<p class="meta">${messages.usageAbout}</p>`;
}

function renderModelTable(
  model: string,
  rows: readonly ModelUsage[],
  messages: RelayMessages,
): Html {
  const total = rows.reduce((sum, { amount }) => sum + amount, 0n);
  const columns = [
    { label: messages.tokenClass },
    { label: messages.tokens, isNumber: true },
    { label: messages.cost, isNumber: true },
  ];
  const tableRows = rows.map(({ class: name, tokens, amount }) => [
    rowHeading(classNameOf(messages, name)),
    formatCount(tokens),
    formatYuan(amount),
  ]);
  const footer = [rowHeading(messages.sum), '', formatYuan(total)];
  const options = { isStacked: true, isTight: true, className: 'usage', footer };
  return html`<section class="part"><h2>${model}</h2>\
${renderListTable(columns, tableRows, options)}\
</section>`;
}

/** Returns rows of a CSV file, with the names of the columns first. */
export async function readModelUsageRows(
  context: ConsoleContext,
  range: DayRange,
): Promise<readonly (readonly (string | number)[])[]> {
  const usage = await readUsage(context, range);
  const head = ['model', 'class', 'tokens', 'cost_cny'];
  return [
    head,
    ...usage.map(({ model, class: name, tokens, amount }) => {
      return [model, name, tokens, formatCny(amount)];
    }),
  ];
}
