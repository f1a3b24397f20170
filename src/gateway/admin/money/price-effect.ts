// Renders the effect of a price list before the list is stored: old and new prices, the start, and
// the cost of a typical call.
import { type Html, html } from '../../../kernel/html/html.ts';
import { formatDuration, renderDateTime } from '../../../kernel/web/format-time.ts';
import { renderListTable, rowHeading } from '../../../kernel/web/list-table.ts';
import { changedSkus } from '../../calls/plan-prices.ts';
import { type PriceList, priceOf, type Sku } from '../../calls/prices.ts';
import type { GatewayAdminContext } from '../admin-context.ts';
import { adminMessages } from '../messages/admin.ts';
import { priceEffectMessages } from '../messages/price-effect.ts';
import { formatYuan } from './format-money.ts';
import { displayedPriceOf } from './prices.ts';

/** Units of a typical call: seconds of a video, otherwise one call. */
const typicalQuantity: Readonly<Record<Sku, number>> = {
  social_data: 1,
  transcribe: 180,
  svc_image: 1,
  ocr: 1,
};

export type PriceEffect = {
  readonly before: PriceList;
  readonly prices: PriceList['prices'];
  readonly startsAt: number;
};

export function renderPriceEffect(
  context: GatewayAdminContext,
  { before, prices, startsAt }: PriceEffect,
): Html {
  const { site, world } = context;
  const messages = priceEffectMessages(site.language);
  const skusWithChange = changedSkus(before, { ...before, prices });
  const wait = formatDuration(site.language, startsAt - world.clock.now());
  const effect = { before, prices, startsAt };
  const effectTable =
    skusWithChange.length > 0 && renderEffectTable(context, effect, skusWithChange);
  return html`<section class="notice" role="status" tabindex="-1" data-focus>
<h2 class="side">${messages.title}</h2>
<p>${messages.starts} <b>${renderDateTime(context, startsAt)}</b> (${messages.until(wait)}). \
${skusWithChange.length === 0 && messages.noChange}</p>
${effectTable}
<p class="meta">${messages.notYet}</p>
</section>`;
}

function renderEffectTable(
  { site }: GatewayAdminContext,
  { before, prices }: PriceEffect,
  skusWithChange: readonly Sku[],
): Html {
  const names = adminMessages(site.language);
  const messages = priceEffectMessages(site.language);
  const after = { ...before, prices };
  const formatPrice = (amount: bigint) => (amount === 0n ? names.free : formatYuan(amount));
  const toNumberColumn = (label: string) => ({ label, isNumber: true });
  const columns = [
    { label: names.sku },
    toNumberColumn(messages.now),
    toNumberColumn(messages.later),
    toNumberColumn(messages.change),
    { label: messages.typical },
  ];
  return renderListTable(
    columns,
    skusWithChange.map((sku) => {
      const call = { sku, quantity: typicalQuantity[sku] };
      return [
        rowHeading(html`${names.skus[sku]}<span class="meta below">${names.units[sku]}</span>`),
        formatPrice(displayedPriceOf(before, sku)),
        html`<b>${formatPrice(displayedPriceOf(after, sku))}</b>`,
        formatChange(site.language, before.prices[sku], prices[sku]),
        html`${messages.typicalCalls[sku]}: <span class="nowrap">\
${formatPrice(priceOf(before, call))} → ${formatPrice(priceOf(after, call))}</span>`,
      ];
    }),
  );
}

/** `+16.7 %`, or words where the old or the new price is free. */
function formatChange(
  language: GatewayAdminContext['site']['language'],
  before: bigint,
  after: bigint,
): string {
  const messages = priceEffectMessages(language);
  if (before === 0n) return messages.fromFree;
  if (after === 0n) return messages.toFree;
  const percent = (Number(after - before) / Number(before)) * 100;
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`;
}
