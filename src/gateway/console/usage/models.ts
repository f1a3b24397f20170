// Prices of the relay's models by token, and a calculator for one call.
import { type Html, html } from '../../../kernel/html/html.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { choiceField, textField } from '../../../kernel/web/forms.ts';
import {
  amountOfLines,
  linesOf,
  type ModelPrice,
  type ModelPriceList,
} from '../../relay/prices/model-prices.ts';
import { tokenUsage } from '../../relay/token-usage.ts';
import { type RelayWords, relayWords } from '../messages/relay.ts';
import { grouped, yuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleRequest, ConsoleResponse } from '../shell/console-context.ts';

const PATH = '/console/models';

export async function modelsPage(
  { calls, site }: ConsoleContext,
  { query }: ConsoleRequest,
): Promise<ConsoleResponse> {
  const words = relayWords(site.language);
  const list = await calls.prices.models();
  return {
    kind: 'page',
    title: words.models,
    body:
      list === null
        ? html`${pageHead(words.models, words.noModels)}`
        : html`${pageHead(words.models, words.modelsAbout(list.version))}
${[...list.models].map(([model, prices]) => modelPart(model, prices, words))}
<p class="meta">${words.perMillion}</p>
${calculator(list, query, words)}`,
  };
}

function modelPart(model: string, prices: readonly ModelPrice[], words: RelayWords): Html {
  return html`<section class="part"><h2>${model}</h2><div class="scroll"><table class="list">\
<thead><tr><th scope="col">${words.tokenClass}</th>\
<th scope="col" class="number">${words.price}</th></tr></thead><tbody>
${prices.map(
  ({ class: name, from, variant, microFen }) => html`<tr><th scope="row">\
${words.classes[name] ?? name}${
  from > 0 && html`<span class="meta below">${words.fromTokens(grouped(from))}</span>`
}${variant !== '' && html`<span class="meta below">${words.variantOf(variant)}</span>`}</th>\
<td class="number">${yuan(microFen)}</td></tr>
`,
)}</tbody></table></div></section>`;
}

const TOKENS_MAX = 100_000_000;

/** Null: not a whole number of tokens. */
function tokensIn(query: URLSearchParams, name: string): number | null {
  const text = (query.get(name) ?? '').trim() || '0';
  return /^\d{1,9}$/.test(text) && Number(text) <= TOKENS_MAX ? Number(text) : null;
}

function calculator({ models }: ModelPriceList, query: URLSearchParams, words: RelayWords): Html {
  const ids = [...models.keys()];
  const chosen = query.get('model') ?? ids[0] ?? '';
  const field = (name: 'input' | 'cached' | 'output') => {
    const isWrong = tokensIn(query, name) === null;
    const error = isWrong ? words.wrongNumber : undefined;
    const value = query.get(name) ?? '';
    return textField({ name, label: words[name], value, inputMode: 'numeric', error });
  };
  return html`<section class="part" id="calculator"><h2>${words.calculator}</h2>
<form class="bar filter" method="get" action="${PATH}#calculator">
${choiceField({
  name: 'model',
  label: words.model,
  value: chosen,
  choices: ids.map((value) => ({ value, label: value })),
})}${field('input')}${field('cached')}${field('output')}
<button class="quiet">${words.calculate}</button></form>
${costOf(chosen, models.get(chosen), { query, words })}
<p class="meta">${words.holdAbout}</p></section>`;
}

function costOf(
  model: string,
  prices: readonly ModelPrice[] | undefined,
  { query, words }: { readonly query: URLSearchParams; readonly words: RelayWords },
): Html | null {
  const prompt = tokensIn(query, 'input');
  const cacheRead = tokensIn(query, 'cached');
  const completion = tokensIn(query, 'output');
  if (!query.has('model') || prices === undefined) return null;
  if (prompt === null || cacheRead === null || completion === null) return null;
  const usage = tokenUsage({ prompt: Math.max(prompt, cacheRead), cacheRead, completion });
  const amount = amountOfLines(linesOf(prices, usage));
  return html`<p class="explains" role="status">${words.wouldCost(model, yuan(amount))}</p>`;
}
