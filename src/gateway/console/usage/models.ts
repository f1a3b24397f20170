// The page of the relay models' prices per token, with a calculator for one call.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderChoiceField, renderTextField } from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import {
  amountOfLines,
  linesOf,
  type ModelPrice,
  type ModelPriceList,
} from '../../relay/prices/model-prices.ts';
import { tokenUsage } from '../../relay/token-usage.ts';
import { classNameOf, type RelayMessages, relayMessages } from '../messages/relay.ts';
import { formatCount, formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';

const PATH = '/console/models';

export async function modelsPage(
  { calls, site }: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const messages = relayMessages(site.language);
  const list = await calls.prices.models();
  return {
    kind: 'page',
    title: messages.models,
    body:
      list === null
        ? html`${renderPageHead(messages.models, messages.noModels)}`
        : html`${renderPageHead(messages.models, messages.modelsAbout(list.version))}
${[...list.models].map(([model, prices]) => renderModel(model, prices, messages))}
<p class="meta spaced">${messages.perMillion}</p>
${renderCalculator(list, query, messages)}`,
  };
}

export function renderModel(
  model: string,
  prices: readonly ModelPrice[],
  messages: RelayMessages,
): Html {
  return html`<section class="part"><h2>${model}</h2>${renderListTable(
    [{ label: messages.tokenClass }, { label: messages.price, isNumber: true }],
    prices.map(({ class: name, from, variant, microFen }) => [
      rowHeading(
        html`${classNameOf(messages, name)}${
          from > 0 &&
          html`<span class="meta below">${messages.fromTokens(formatCount(from))}</span>`
        }${variant !== '' && html`<span class="meta below">${messages.variantOf(variant)}</span>`}`,
      ),
      formatYuan(microFen),
    ]),
  )}</section>`;
}

const TOKENS_MAX = 100_000_000;

/** Null: not a whole number of tokens. */
function readTokens(query: URLSearchParams, name: string): number | null {
  const text = (query.get(name) ?? '').trim() || '0';
  return /^\d{1,9}$/.test(text) && Number(text) <= TOKENS_MAX ? Number(text) : null;
}

function renderCalculator(
  { models }: ModelPriceList,
  query: URLSearchParams,
  messages: RelayMessages,
): Html {
  const ids = [...models.keys()];
  const chosenModel = query.get('model') ?? ids[0] ?? '';
  const renderField = (name: 'input' | 'cached' | 'output') => {
    const isWrong = readTokens(query, name) === null;
    const error = isWrong ? messages.wrongNumber : undefined;
    const value = query.get(name) ?? '';
    return renderTextField({ name, label: messages[name], value, inputMode: 'numeric', error });
  };
  return html`<section class="part" id="calculator"><h2>${messages.calculator}</h2>
<form class="bar filter" method="get" action="${PATH}#calculator">
${renderChoiceField({
  name: 'model',
  label: messages.model,
  value: chosenModel,
  choices: ids.map((value) => ({ value, label: value })),
})}${renderField('input')}${renderField('cached')}${renderField('output')}
<button class="quiet">${messages.calculate}</button></form>
${renderCost(chosenModel, models.get(chosenModel), { query, messages })}
<p class="meta">${messages.holdAbout}</p></section>`;
}

function renderCost(
  model: string,
  prices: readonly ModelPrice[] | undefined,
  { query, messages }: { readonly query: URLSearchParams; readonly messages: RelayMessages },
): Html | null {
  const prompt = readTokens(query, 'input');
  const cacheRead = readTokens(query, 'cached');
  const completion = readTokens(query, 'output');
  if (!query.has('model') || prices === undefined) return null;
  if (prompt === null || cacheRead === null || completion === null) return null;
  const usage = tokenUsage({ prompt: Math.max(prompt, cacheRead), cacheRead, completion });
  const amount = amountOfLines(linesOf(prices, usage));
  return html`<p class="explains" role="status">${messages.wouldCost(model, formatYuan(amount))}\
</p>`;
}
