// The public page `/console/prices`: the price of each capability, and a calculator.
import { type Html, html } from '../../../kernel/html/html.ts';
import {
  type FieldErrors,
  renderErrorSummary,
  renderTextField,
} from '../../../kernel/web/forms.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { capabilityLabels } from '../../calls/catalog.ts';
import type { PriceList } from '../../calls/prices.ts';
import type { ModelPriceList } from '../../relay/prices/model-prices.ts';
import { readField } from '../keys/form-input.ts';
import { moneyMessages } from '../messages/money.ts';
import { relayMessages } from '../messages/relay.ts';
import { spendingMessages } from '../messages/spending.ts';
import { statusMessages } from '../messages/status.ts';
import { capabilityName, formatYuan } from '../money/money-parts.ts';
import type { VisitorContext, VisitorRequest, VisitorRoute } from '../shell/console-context.ts';
import { renderModel } from './models.ts';
import { type CapabilityLabel, formatPrice, isTimed, unitPriceOf } from './price-text.ts';

const PATH = '/console/prices';
const QUANTITY_MAX = 1_000_000;

export const pricesRoute: VisitorRoute = {
  path: PATH,
  show: async (context, request) => {
    const messages = spendingMessages(context.site.language);
    const list = await context.calls.prices.current();
    const pricedLabels = offeredLabels.filter((label) => unitPriceOf(list, label) > 0n);
    const models = await context.calls.prices.models();
    const { quantities, errors } = readQuantities(context, request, pricedLabels);
    return {
      kind: 'page',
      status: Object.keys(errors).length > 0 ? 400 : 200,
      title: messages.prices,
      body: html`<p class="explains">${messages.pricesAbout}</p>
<p class="meta">${messages.priceList(list.version)}</p>
${renderPriceTable(context, list)}
${
  pricedLabels.length > 0 &&
  html`<section class="part"><h2>${messages.calculator}</h2>
${renderErrorSummary(context, errors)}\
${renderCalculator(context, { list, pricedLabels, quantities, errors })}</section>
`
}${models !== null && renderModelPrices(context, models)}
<ul class="beside"><li><a class="link" href="/console/status">${
        statusMessages(context.site.language).status
      }</a></li>
<li><a class="link" href="/console/sign-up">${messages.signUp}</a></li>
<li><a class="link" href="/console/sign-in">${messages.signIn}</a></li></ul>`,
    };
  },
};

const offeredLabels = capabilityLabels.filter(([, , , availability]) => availability === 'live');
function renderPriceTable({ site }: VisitorContext, list: PriceList): Html {
  const pageMessages = moneyMessages(site.language);
  const messages = spendingMessages(site.language);
  return renderListTable(
    [
      { label: messages.capability },
      { label: messages.price, isNumber: true, isSelfExplanatory: true },
    ],
    offeredLabels.map((label) => [
      rowHeading(html`${capabilityName(pageMessages, label[0])}\
<span class="meta below">${pageMessages.does[label[0]] ?? ''}</span>`),
      formatPrice(site.language, list, label),
    ]),
    { isStacked: true },
  );
}

function renderModelPrices({ site }: VisitorContext, { models }: ModelPriceList): Html {
  const messages = relayMessages(site.language);
  return html`<details class="part"><summary>${messages.models}</summary>
<p class="meta spaced">${messages.perMillion}</p>
${[...models].map(([model, prices]) => renderModel(model, prices, messages))}</details>
`;
}

type Quantities = Readonly<Record<string, string>>;

function readQuantities(
  { site }: VisitorContext,
  { query }: VisitorRequest,
  pricedLabels: readonly CapabilityLabel[],
): { readonly quantities: Quantities; readonly errors: FieldErrors } {
  const entries = pricedLabels.map(([id]) => [id, readField(query, id, 20)] as const);
  const invalidEntries = entries.filter(
    ([, text]) => text !== '' && (!/^\d{1,7}$/.test(text) || Number(text) > QUANTITY_MAX),
  );
  const { notNumber } = spendingMessages(site.language);
  return {
    quantities: Object.fromEntries(entries),
    errors: Object.fromEntries(invalidEntries.map(([id]) => [id, notNumber])),
  };
}

type Calculation = {
  readonly list: PriceList;
  /** The capabilities that have a price. */
  readonly pricedLabels: readonly CapabilityLabel[];
  readonly quantities: Quantities;
  readonly errors: FieldErrors;
};

function renderCalculator({ site }: VisitorContext, calculation: Calculation): Html {
  const { list, pricedLabels, quantities, errors } = calculation;
  const pageMessages = moneyMessages(site.language);
  const messages = spendingMessages(site.language);
  const costs = pricedLabels.map((label) => {
    const text = quantities[label[0]] ?? '';
    const isCounted = text !== '' && !errors[label[0]];
    return {
      name: capabilityName(pageMessages, label[0]),
      cost: isCounted ? unitPriceOf(list, label) * BigInt(text) : 0n,
    };
  });
  const positiveCosts = costs.filter(({ cost }) => cost > 0n);
  const total = positiveCosts.reduce((sum, { cost }) => sum + cost, 0n);
  return html`<form class="bar filter" method="get" action="${PATH}">${pricedLabels.map((label) =>
    renderTextField({
      name: label[0],
      label: `${capabilityName(pageMessages, label[0])} (${
        isTimed(label) ? messages.units.minute : messages.units.call
      })`,
      value: quantities[label[0]] ?? '',
      error: errors[label[0]],
      inputMode: 'numeric',
      autocomplete: 'off',
    }),
  )}<button class="quiet">${messages.calculate}</button></form>
${
  total > 0n &&
  html`<p class="meta">${positiveCosts.map(
    ({ name, cost }) => html`<span>${name}: ${formatYuan(cost)}</span>`,
  )}</p>
<p role="status">${messages.total}: <b>${formatYuan(total)}</b></p>`
}`;
}
