// The page of available capabilities, with price and state.

import { type Html, html } from '../../../kernel/html/html.ts';
import { MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { labels, statusOf } from '../../calls/catalog.ts';
import { type PriceList, priceOf } from '../../calls/prices.ts';
import { type MoneyMessages, moneyMessages } from '../messages/money.ts';
import { relayMessages } from '../messages/relay.ts';
import { capabilityName, yuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleResponse } from '../shell/console-context.ts';

const PATH = '/console/catalog';
const FREE_A_DAY = 200n * MICRO_FEN_PER_FEN;

type Label = (typeof labels)[number];

export async function catalogPage(context: ConsoleContext): Promise<ConsoleResponse> {
  const { calls, capabilities, chat, site } = context;
  const messages = moneyMessages(site.language);
  const list = await calls.prices.current();
  const statuses = await statusOf(capabilities, calls.switches, chat);
  return {
    kind: 'page',
    title: messages.catalog,
    body: html`${pageHead(messages.catalog, messages.catalogAbout)}
<p class="explains">${messages.catalogFree(yuan(FREE_A_DAY))}</p>
<p class="more"><a class="link" href="/console/models">${relayMessages(site.language).models} →</a>\
</p>
<div class="offer">${labels.map((label) => offered(label, { list, statuses, messages }))}</div>`,
  };
}

type CatalogEntry = {
  readonly list: PriceList;
  readonly statuses: Awaited<ReturnType<typeof statusOf>>;
  readonly messages: MoneyMessages;
};

function offered([id, , endpoint, availability, kind, sku]: Label, entry: CatalogEntry): Html {
  const { list, statuses: standing, messages } = entry;
  const { configured, healthy } = standing.get(id) ?? { configured: false, healthy: false };
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
<div class="price"><p>${isSoon ? '' : priceText(id, sku, list, messages)}</p>
${!isSoon && html`<a class="button quiet" href="${PATH}/${id}">${messages.tryIt}</a>`}</div>
</article>
`;
}

function priceText(id: string, sku: Label[5], list: PriceList, messages: MoneyMessages): string {
  const each = sku === null ? 0n : priceOf(list, { sku, quantity: 1 });
  if (each === 0n) return messages.priceOf.free;
  return id === 'transcribe'
    ? messages.priceOf.transcribe(yuan(each * 60n))
    : messages.priceOf.social(yuan(each));
}
