// Shows the current price list, future and past lists, and the cap on the free allowances of a day.

import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderDateTime } from '../../../kernel/web/format-time.ts';
import {
  renderListTable,
  rowHeading,
  singleLineCell,
  type TableRow,
} from '../../../kernel/web/list-table.ts';
import { capabilityLabels, isRelayed } from '../../calls/catalog.ts';
import { displayUnits, listPrices, type PriceVersion } from '../../calls/plan-prices.ts';
import { toPriceList } from '../../calls/price-lists.ts';
import { type PriceList, type Sku, shippedPrices, skus } from '../../calls/prices.ts';
import { type CapToday, readCap } from '../../wallet/credits/allowance-cap.ts';
import { renderDoneNotice } from '../action-page.ts';
import type {
  GatewayAdminContext,
  GatewayAdminRequest,
  GatewayAdminResponse,
} from '../admin-context.ts';
import { renderAuditPart } from '../audit.ts';
import { capabilityName } from '../capability-name.ts';
import { type Fact, renderFacts } from '../list-parts.ts';
import { adminMessages } from '../messages/admin.ts';
import { recordMessages } from '../messages/record.ts';
import { relayAdminMessages } from '../messages/relay.ts';
import { formatYuan } from './format-money.ts';

export async function pricesPage(
  context: GatewayAdminContext,
  request: GatewayAdminRequest,
): Promise<GatewayAdminResponse> {
  const { world, db, site, calls } = context;
  const messages = adminMessages(site.language);
  const now = world.clock.now();
  const currentList = await calls.prices.current();
  const versions = await listPrices(db);
  const plannedVersions = versions.filter(
    (version) => version.withdrawnAt === null && version.startsAt > now,
  );
  const pastVersions = versions.filter((version) => !plannedVersions.includes(version));
  const cap = await readCap(world, db);
  const changeLink = html`<a class="button"\
 href="/admin/prices/change">${messages.changePrices}</a>`;
  return {
    kind: 'page',
    title: messages.sections.prices,
    section: 'prices',
    main: html`${renderPageHead(messages.sections.prices, messages.pricesAbout, changeLink)}
${renderDoneNotice(context, request)}
<div class="two wide-side"><div>
<section><h2 class="side">${messages.pricesNow(currentList.version)}</h2>
${renderFigures(context, currentList)}</section>
<section class="part"><h2 class="side">${recordMessages(site.language).everyCapability}</h2>
${renderCapabilityPrices(context, currentList)}</section>
<section class="part"><h2 class="side">${messages.pricesPlanned}</h2>
${
  plannedVersions.length === 0
    ? html`<p class="empty">${messages.nothingPlanned}</p>`
    : [...plannedVersions].reverse().map((version) => renderPlanned(context, version))
}</section>
<section class="part"><h2 class="side">${messages.pricesPast}</h2>\
${renderHistory(context, pastVersions)}</section>
</div><aside><h2 class="side">${messages.allowance}</h2>${renderAllowance(context, cap)}</aside>\
</div>
<p class="more"><a class="link" href="/admin/prices/models">\
${relayAdminMessages(site.language).modelPrices} →</a></p>
${await renderAuditPart(context, { kind: 'prices', subject: 'prices' })}`,
  };
}

/** Price in its displayed unit: per 1,000 calls, per minute or per call. */
export const displayedPriceOf = ({ prices }: PriceList, sku: Sku): bigint =>
  prices[sku] * BigInt(displayUnits[sku]);

function renderFigures({ site }: GatewayAdminContext, list: PriceList): Html {
  const messages = adminMessages(site.language);
  return renderListTable(
    [{ label: messages.sku }, { label: messages.unit }, { label: messages.price, isNumber: true }],
    skus.map((sku) => [
      rowHeading(messages.skus[sku]),
      messages.units[sku],
      list.prices[sku] === 0n ? messages.free : formatYuan(displayedPriceOf(list, sku)),
    ]),
  );
}

/** The list includes capabilities without a price of their own. */
function renderCapabilityPrices({ site }: GatewayAdminContext, list: PriceList): Html {
  const messages = recordMessages(site.language);
  const formatPrice = (label: (typeof capabilityLabels)[number]) => {
    if (isRelayed(label)) return messages.byModel;
    const [id, , , , , sku] = label;
    const isTimed = id === 'transcribe';
    const unitPrice = sku === null ? 0n : list.prices[sku] * (isTimed ? 60n : 1n);
    if (unitPrice === 0n) return messages.free;
    return isTimed
      ? messages.aMinute(formatYuan(unitPrice))
      : messages.aCall(formatYuan(unitPrice));
  };
  return renderListTable(
    [{ label: messages.capability }, { label: messages.price, isNumber: true }],
    capabilityLabels.map((label) => [
      rowHeading(capabilityName(site, label[0])),
      formatPrice(label),
    ]),
  );
}

function renderPlanned(context: GatewayAdminContext, version: PriceVersion): Html {
  const { language } = context.site;
  const messages = adminMessages(language);
  return html`<div class="planned"><p><b>${messages.version(version.version)}</b> · \
${messages.from} \
${renderDateTime(context, version.startsAt)}
<span class="meta below">${version.actor}: “${version.reason}”</span></p>
${renderFigures(context, toPriceList(version))}
<p class="more"><a class="link" href="/admin/prices/${version.version}/withdraw">\
${messages.callOff} →</a></p></div>`;
}

function renderHistory(
  { site, world }: GatewayAdminContext,
  pastVersions: readonly PriceVersion[],
): Html {
  const { language } = site;
  const messages = adminMessages(language);
  const shippedRow: TableRow = [
    rowHeading(messages.version(shippedPrices.version)),
    messages.fromTheStart,
    messages.shipped,
    renderPriceList(messages, shippedPrices),
  ];
  const rows = pastVersions.map((version) => [
    rowHeading(messages.version(version.version)),
    singleLineCell(
      version.withdrawnAt === null
        ? renderDateTime({ site, world }, version.startsAt)
        : html`<span class="warning">${messages.planCanceled}</span>`,
    ),
    html`${version.actor}<span class="meta below">${version.reason}</span>`,
    renderPriceList(messages, toPriceList(version)),
  ]);
  return renderListTable(
    [
      { label: messages.list },
      { label: messages.starts },
      { label: messages.madeBy },
      { label: messages.price },
    ],
    [...rows, shippedRow],
  );
}

function renderPriceList(messages: ReturnType<typeof adminMessages>, list: PriceList): Html {
  const priceOf = (sku: Sku) =>
    list.prices[sku] === 0n
      ? messages.free
      : messages.per(formatYuan(displayedPriceOf(list, sku)), messages.units[sku]);
  return html`<ul class="changes">${skus.map(
    (sku) => html`<li><span class="label">${messages.skus[sku]}</span> \
${priceOf(sku)}</li>
`,
  )}</ul>`;
}

function renderAllowance({ site }: GatewayAdminContext, cap: CapToday): Html {
  const messages = adminMessages(site.language);
  const rows: readonly Fact[] = [
    [messages.perAccount, messages.perAccountFree],
    [messages.capOfAll, cap.amount === null ? messages.noCap : formatYuan(cap.amount)],
    [messages.givenToday, formatYuan(cap.grantedToday)],
  ];
  return html`${cap.isReached && html`<p class="warning">${messages.capReached}</p>`}
${renderFacts(rows)}
<p class="more"><a class="link" href="/admin/prices/allowance">${messages.setCap} →</a></p>`;
}
