// The available capabilities, with price and state.

import { type Html, html } from '../../../kernel/html/html.ts';
import { MICRO_FEN_PER_FEN } from '../../../kernel/money.ts';
import { pageHead } from '../../../kernel/web/form-page.ts';
import { labels, statusOf } from '../../calls/catalog.ts';
import { type PriceList, priceOf } from '../../calls/prices.ts';
import { type MoneyWords, moneyWords } from '../messages/money.ts';
import { relayWords } from '../messages/relay.ts';
import { capabilityName, yuan } from '../money/money-parts.ts';
import type { ConsoleContext, ConsoleResponse } from '../shell/console-context.ts';

const PATH = '/console/catalog';
const FREE_A_DAY = 200n * MICRO_FEN_PER_FEN;

type Label = (typeof labels)[number];

export async function catalogPage(context: ConsoleContext): Promise<ConsoleResponse> {
  const { calls, capabilities, chat, site } = context;
  const words = moneyWords(site.language);
  const list = await calls.prices.current();
  const statuses = await statusOf(capabilities, calls.switches, chat);
  return {
    kind: 'page',
    title: words.catalog,
    body: html`${pageHead(words.catalog, words.catalogAbout)}
<p class="explains">${words.catalogFree(yuan(FREE_A_DAY))}</p>
<p class="more"><a class="link" href="/console/models">${relayWords(site.language).models} →</a></p>
<div class="offer">${labels.map((label) => offered(label, { list, statuses, words }))}</div>`,
  };
}

type CatalogEntry = {
  readonly list: PriceList;
  readonly statuses: Awaited<ReturnType<typeof statusOf>>;
  readonly words: MoneyWords;
};

function offered([id, , endpoint, availability, kind, sku]: Label, entry: CatalogEntry): Html {
  const { list, statuses: standing, words } = entry;
  const { configured, healthy } = standing.get(id) ?? { configured: false, healthy: false };
  const isSoon = availability === 'coming_soon';
  const [tone, status] = isSoon
    ? ['', words.comingSoon]
    : !configured
      ? ['warning', words.notSetUp]
      : healthy
        ? ['positive', words.works]
        : ['negative', words.worksNot];
  return html`<article class="entry"><div>
<h2>${capabilityName(words, id)}</h2>
<p class="says">${words.does[id] ?? ''}</p>
<p class="meta"><span><code>${endpoint}</code></span>\
<span class="name-of">${words.keyKinds[kind]}</span>\
<span class="${tone}">${status}</span></p></div>
<div class="price"><p>${isSoon ? '' : priceText(id, sku, list, words)}</p>
${!isSoon && html`<a class="button quiet" href="${PATH}/${id}">${words.tryIt}</a>`}</div>
</article>
`;
}

function priceText(id: string, sku: Label[5], list: PriceList, words: MoneyWords): string {
  const each = sku === null ? 0n : priceOf(list, { sku, quantity: 1 });
  if (each === 0n) return words.priceOf.free;
  return id === 'transcribe'
    ? words.priceOf.transcribe(yuan(each * 60n))
    : words.priceOf.social(yuan(each));
}
