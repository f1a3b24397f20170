// Formats the price of a capability for the price page and the catalog, and returns it as a number.
import type { Language } from '../../../kernel/web/language.ts';
import { type capabilityLabels, isRelayed } from '../../calls/catalog.ts';
import { type PriceList, priceOf } from '../../calls/prices.ts';
import { moneyMessages } from '../messages/money.ts';
import { spendingMessages } from '../messages/spending.ts';
import { formatYuan } from '../money/money-parts.ts';

export type CapabilityLabel = (typeof capabilityLabels)[number];

const MINUTE_SECONDS = 60;

/** Whether the price of the capability is per minute. */
export const isTimed = ([id]: CapabilityLabel): boolean => id === 'transcribe';

/** Returns the price per call or per minute; 0 for a free capability. */
export function unitPriceOf(list: PriceList, label: CapabilityLabel): bigint {
  const [, , , , , sku] = label;
  if (sku === null) return 0n;
  return priceOf(list, { sku, quantity: isTimed(label) ? MINUTE_SECONDS : 1 });
}

export function formatPrice(language: Language, list: PriceList, label: CapabilityLabel): string {
  if (isRelayed(label)) return spendingMessages(language).byModel;
  const { priceOf: texts } = moneyMessages(language);
  const unitPrice = unitPriceOf(list, label);
  if (unitPrice === 0n) return texts.free;
  return isTimed(label)
    ? texts.transcribe(formatYuan(unitPrice))
    : texts.social(formatYuan(unitPrice));
}
