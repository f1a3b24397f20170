// Builds the response body of a successful call: the result, its quantity, its charge and the
// balances that paid. Source: the capability contract, "Success".
import { formatCny } from '../../kernel/money.ts';
import type { Quote } from '../capabilities/capability.ts';
import type { ChargeSplit } from '../wallet/ledger/allocate-capture.ts';

export type CallUsage = {
  readonly unit: Quote['unit'];
  readonly quantity: number;
  readonly increment: Quote['increment'];
};

export function envelopeOf(call: {
  readonly requestId: string;
  readonly livemode: boolean;
  readonly data: object;
  readonly usage: CallUsage;
  readonly split: ChargeSplit;
}): Buffer {
  const { requestId, livemode, data, usage } = call;
  return Buffer.from(
    JSON.stringify({ request_id: requestId, livemode, data, usage, charge: chargeOf(call.split) }),
  );
}

/** The charge in a response. */
export function chargeOf({ total, freeQuota, voucher, cash }: ChargeSplit) {
  return {
    currency: 'CNY',
    total: formatCny(total),
    free_quota: formatCny(freeQuota),
    voucher: formatCny(voucher),
    cash: formatCny(cash),
  };
}
