// The page of available capabilities, with price and state.

import { type Html, html } from '../../../kernel/html/html.ts';
import { MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import type { Language } from '../../../kernel/web/language.ts';
import { labels, statusOf } from '../../calls/catalog.ts';
import type { PriceList } from '../../calls/prices.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { relayMessages } from '../messages/relay.ts';
import { statusMessages } from '../messages/status.ts';
import { capabilityName, yuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleResponse } from '../shell/console-context.ts';
import { type CapabilityLabel, priceText } from './price-text.ts';

const PATH = '/console/catalog';
const FREE_A_DAY = 200n * MICRO_FEN_PER_FEN;

export async function catalogPage(context: ConsoleContext): Promise<ConsoleResponse> {
  const { calls, capabilities, chat, site } = context;
  const messages = moneyMessages(site.language);
  const list = await calls.prices.current();
  const statuses = await statusOf(capabilities, calls.switches, chat);
  const entry = { list, statuses, messages, language: site.language };
  return {
    kind: 'page',
    title: messages.catalog,
    body: html`${pageHead(messages.catalog, messages.catalogAbout)}
<p class="explains">${messages.catalogFree(yuan(FREE_A_DAY))}</p>
<p class="more"><a class="link" href="/console/models">${relayMessages(site.language).models} →</a>
<a class="link" href="/console/status">${statusMessages(site.language).status} →</a>\
</p>
<div class="offer">${labels.map((label) => offered(label, entry))}</div>`,
  };
}

type CatalogEntry = {
  readonly list: PriceList;
  readonly statuses: Awaited<ReturnType<typeof statusOf>>;
  readonly messages: MoneyMessages;
  readonly language: Language;
};

function offered(label: CapabilityLabel, entry: CatalogEntry): Html {
  const [id, , endpoint, availability, kind] = label;
  const { list, language, statuses: capabilityStatuses, messages } = entry;
  const { configured, healthy } = capabilityStatuses.get(id) ?? {
    configured: false,
    healthy: false,
  };
  const isSoon = availability === 'coming_soon';
  const [tone, status] = isSoon
    ? ['', messages.comingSoon]
    : !configured
      ? ['warning', messages.notSetUp]
      : healthy
        ? ['positive', messages.works]
        : ['negative', messages.worksNot];
  return html`<article class="entry"><div>
<h2>${capabilityName(messages, id)}</h2>
<p class="says">${messages.does[id] ?? ''}</p>
<p class="meta"><span><code>${endpoint}</code></span>\
<span class="name-of">${messages.keyKinds[kind]}</span>\
<span class="${tone}">${status}</span></p></div>
<div class="price"><p>${isSoon ? '' : priceText(language, list, label)}</p>
${!isSoon && html`<a class="button quiet" href="${PATH}/${id}">${messages.tryIt}</a>`}</div>
</article>
`;
}
