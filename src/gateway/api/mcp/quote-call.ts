// Computes the price of a call without running the call. The input is validated as in a call.
import { formatCny } from '../../../kernel/money.ts';
import { priceOf } from '../../calls/prices.ts';
import { validate } from '../../calls/read-request.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { Key } from '../../keys/key.ts';
import { readAccountMoney } from '../../wallet/history/read-account.ts';
import type { GatewayContext } from '../context.ts';

type QuoteRequest = { readonly key: Key; readonly rawInput: Readonly<Record<string, unknown>> };

/** Throws a Fault that names invalid fields. */
export async function quoteCall(
  { world, db, calls }: GatewayContext,
  capability: Capability,
  { key, rawInput }: QuoteRequest,
): Promise<object> {
  const input = validate(
    capability.input,
    capability.method === 'GET' ? asTexts(rawInput) : rawInput,
  );
  capability.check?.(input);
  const quote = capability.quote(input);
  const list = await calls.prices.current();
  const price = priceOf(list, quote);
  const { accountId, livemode } = key;
  const { allowance, balance } = await readAccountMoney(world, db, { accountId, livemode });
  const available = allowance.remaining + balance.total;
  const { sku, unit, quantity, increment } = quote;
  return {
    capability: capability.id,
    sku,
    unit,
    quantity,
    increment,
    currency: 'CNY',
    price: formatCny(price),
    price_version: list.version,
    // For measured capabilities this is the hold until the quantity is known.
    is_final: increment === 'call',
    available: formatCny(available),
    is_covered: available >= price,
  };
}

/** The values as strings, like a query string. */
const asTexts = (values: QuoteRequest['rawInput']) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
