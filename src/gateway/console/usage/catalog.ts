// The page of available capabilities, with price and state.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { capabilityLabels, readStatuses } from '../../calls/catalog.ts';
import type { PriceList } from '../../calls/prices.ts';
import { DAILY_ALLOWANCE } from '../../wallet/ledger/batch-time.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { relayMessages } from '../messages/relay.ts';
import { statusMessages } from '../messages/status.ts';
import { capabilityName, formatYuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleResponse } from '../shell/console-context.ts';
import { type CapabilityLabel, formatPrice } from './price-text.ts';

const PATH = '/console/catalog';

export async function catalogPage(context: ConsoleContext): Promise<ConsoleResponse> {
  const { calls, capabilities, chat, site } = context;
  const messages = moneyMessages(site.language);
  const list = await calls.prices.current();
  const statuses = await readStatuses(capabilities, calls.switches, chat);
  const view = { list, statuses, messages, language: site.language };
  return {
    kind: 'page',
    title: messages.catalog,
    body: html`${renderPageHead(messages.catalog, messages.catalogAbout)}
<p class="explains">${messages.catalogFree(formatYuan(DAILY_ALLOWANCE))}</p>
<p class="more"><a class="link" href="/console/models">${relayMessages(site.language).models} →</a>
<a class="link" href="/console/status">${statusMessages(site.language).status} →</a>\
</p>
<div class="offer">${capabilityLabels.map((label) => renderCapability(label, view))}</div>`,
  };
}

type CatalogView = {
  readonly list: PriceList;
  readonly statuses: Awaited<ReturnType<typeof readStatuses>>;
  readonly messages: MoneyMessages;
  readonly language: Language;
};

function renderCapability(label: CapabilityLabel, view: CatalogView): Html {
  const [id, , endpoint, availability, kind] = label;
  const { list, language, statuses: capabilityStatuses, messages } = view;
  const { configured, healthy } = capabilityStatuses.get(id) ?? {
    configured: false,
    healthy: false,
  };
  const isComingSoon = availability === 'coming_soon';
  const configuredState = healthy
    ? { tone: 'positive', text: messages.works }
    : { tone: 'negative', text: messages.notWorking };
  const offeredState = configured ? configuredState : { tone: 'warning', text: messages.notSetUp };
  const state = isComingSoon ? { tone: '', text: messages.comingSoon } : offeredState;
  return html`<article class="entry"><div>
<h2>${capabilityName(messages, id)}</h2>
<p class="says">${messages.does[id] ?? ''}</p>
<p class="meta"><span><code>${endpoint}</code></span>\
<span class="name-of">${messages.keyKinds[kind]}</span>\
<span class="${state.tone}">${state.text}</span></p></div>
<div class="price"><p>${isComingSoon ? '' : formatPrice(language, list, label)}</p>
${!isComingSoon && html`<a class="button quiet" href="${PATH}/${id}">${messages.tryIt}</a>`}</div>
</article>
`;
}
