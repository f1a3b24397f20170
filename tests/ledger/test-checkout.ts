// Opens a gateway and a hosted checkout on loopback. A test performs customers' actions at the
// checkout and reads their effects on the wallet.

import {
  type CheckoutServer,
  checkoutKey,
  checkoutSecret,
  openCheckoutServer,
} from '../../demo/upstream/checkout/open-checkout-server.ts';
import { openTopUps, type TopUps } from '../../src/gateway/wallet/top-ups/open-top-ups.ts';
import { topUpsSchema } from '../../src/gateway/wallet/top-ups/top-ups-config.ts';
import type { MicroFen } from '../../src/kernel/money.ts';
import { atEnd } from '../support/at-end.ts';
import { openTestGateway, type TestGateway } from '../support/test-gateway.ts';
import { testWorld } from '../support/test-world.ts';

export const CNY = 100_000_000n;

export type TestCheckout = {
  readonly gateway: TestGateway;
  readonly checkout: CheckoutServer;
  /** The service for top-ups, configured for this checkout. */
  readonly topUps: TopUps;
  /** Begins a top-up, and returns its id and its session at the provider. */
  beginTopUp(accountId: string, amount?: MicroFen): Promise<{ id: string; session: string }>;
};

/**
 * Call at the top of a test file. The checkout sends a webhook up to eight times, without pauses.
 */
export async function openTestCheckout(): Promise<TestCheckout> {
  const { clock } = testWorld();
  let origin: string | null = null;
  const checkout = await openCheckoutServer({
    webhookUrl: () => (origin === null ? null : `${origin}/webhooks/stripe`),
    clock: { now: () => gateway?.clock.now() ?? clock.now(), sleep: async () => {} },
    retryMs: 0,
    slowMs: 0,
  });
  atEnd(() => checkout.close());
  const topUpsConfig = {
    checkout: { url: checkout.url, key: checkoutKey, webhookSecrets: [checkoutSecret] },
  };
  let gateway: TestGateway | null = null;
  gateway = await openTestGateway({ topUps: topUpsConfig });
  origin = gateway.origin;
  const topUps = await openTopUps(gateway.world, gateway.db, {
    siteUrl: () => 'https://gateway.example',
    siteName: 'Content Radar',
    config: topUpsSchema.parse(topUpsConfig),
  });
  return {
    gateway,
    checkout,
    topUps,
    beginTopUp: async (accountId, amount = 100n * CNY) => {
      const topUp = await topUps.begin({ accountId, amount, email: null, language: 'en' });
      return { id: topUp.id, session: topUp.sessionId ?? '' };
    },
  };
}
