// The relay's usage by model and token class, as a table and as rows of a file.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatCny } from '../../../kernel/money.ts';
import { type ModelUsage, readModelUsage } from '../../relay/read-model-usage.ts';
import { moneyMessages } from '../messages/money.ts';
import { classNameOf, type RelayMessages, relayMessages } from '../messages/relay.ts';
import { grouped, yuan } from '../money/money-parts.ts';
import type { ConsoleContext } from '../shell/console-context.ts';
import type { DayRange } from './day-range.ts';

const readUsage = ({ db, account, livemode }: ConsoleContext, range: DayRange) =>
  readModelUsage(db, { accountId: account.id, livemode, ...range });

export async function modelUsagePart(context: ConsoleContext, range: DayRange): Promise<Html> {
  const { language } = context.site;
  const usage = await readUsage(context, range);
  if (usage.length === 0) {
    return html`<div class="empty"><p>${moneyMessages(language).noUsage}</p></div>`;
  }
  const messages = relayMessages(language);
  const byModel = Map.groupBy(usage, ({ model }) => model);
  const tables = [...byModel].map(([model, rows]) => modelTable(model, rows, messages));
  return html`${tables}<p class="meta">${messages.usageAbout}</p>`;
}

function modelTable(model: string, rows: readonly ModelUsage[], messages: RelayMessages): Html {
  const total = rows.reduce((sum, { amount }) => sum + amount, 0n);
  const labels = [messages.tokens, messages.cost];
  return html`<section class="part"><h2>${model}</h2><div class="scroll">\
<table class="list tight usage stacks"><thead><tr><th scope="col">${messages.tokenClass}</th>\
${labels.map((label) => html`<th scope="col" class="number">${label}</th>`)}</tr></thead><tbody>
${rows.map(
  ({ class: name, tokens, amount }) => html`<tr>\
<th scope="row">${classNameOf(messages, name)}</th>\
<td class="number" data-label="${messages.tokens}">${grouped(tokens)}</td>\
<td class="number" data-label="${messages.cost}">${yuan(amount)}</td></tr>
`,
)}</tbody><tfoot><tr><th scope="row">${messages.sum}</th><td></td>\
<td class="number" data-label="${messages.cost}">${yuan(total)}</td></tr></tfoot></table></div>\
</section>`;
}

export async function modelUsageRows(
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
