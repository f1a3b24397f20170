// Authorize requests and capture requests for a wallet.
import type { AuthorizeRequest, CaptureRequest } from '../../src/gateway/wallet/ledger/wallet.ts';
import { formatCny } from '../../src/kernel/money.ts';
import type { World } from '../../src/kernel/world.ts';

/** 0.036 CNY, the shipped price of a call of social data. */
export const PRICE = 3_600_000n;
export const CNY = 100_000_000n;

export function authorizeRequestOf(
  world: World,
  overrides: Partial<AuthorizeRequest> = {},
): AuthorizeRequest {
  return {
    requestId: `req_${world.ids.next()}`,
    accountId: 'acct_one',
    livemode: true,
    keyId: 'key_one',
    capability: 'ocr',
    sku: 'ocr',
    priceVersion: 1,
    unit: 'per_call',
    quantity: 1,
    amount: PRICE,
    maxCharge: null,
    budget: null,
    idempotency: null,
    quotas: { day: 100_000, month: 2_000_000 },
    deadlineAt: world.clock.now() + 60_000,
    ...overrides,
  };
}

/** A request for a call of several units, so its amount is price × quantity. */
export function authorizeRequestFor(
  world: World,
  units: number,
  overrides: Partial<AuthorizeRequest> = {},
): AuthorizeRequest {
  const amount = BigInt(units) * PRICE;
  return authorizeRequestOf(world, { quantity: units, amount, unit: 'per_minute', ...overrides });
}

/** A capture request with a cost of `units` times the price. */
export function captureRequestOf(requestId: string, units: number): CaptureRequest {
  const captured = BigInt(units) * PRICE;
  const body = { request_id: requestId, charge: { total: formatCny(captured) } };
  return {
    requestId,
    captured,
    usage: { unit: 'per_minute', quantity: units, increment: 'second' },
    status: 200,
    contentType: 'application/json; charset=utf-8',
    body: Buffer.from(JSON.stringify(body)),
  };
}
