// The console with a checkout on loopback, and its first account customer in.

import {
  type CheckoutServer,
  checkoutKey,
  checkoutSecret,
  openCheckoutServer,
} from '../../../demo/upstream/checkout/open-checkout-server.ts';
import { atEnd } from '../../support/at-end.ts';
import type { Browser } from '../../support/form-browser.ts';
import { openTestConsole, type TestConsole } from '../test-console.ts';

export type MoneyConsole = TestConsole & {
  readonly checkout: CheckoutServer;
  readonly customer: Browser;
};

export const CNY = 100_000_000n;

/** Call at the top of a test file. */
export async function openMoneyConsole(): Promise<MoneyConsole> {
  let openConsole: TestConsole | null = null;
  const checkout = await openCheckoutServer({
    webhookUrl: () => (openConsole === null ? null : `${openConsole.origin}/webhooks/stripe`),
    clock: { now: () => openConsole?.clock.now() ?? 0, sleep: async () => {} },
    retryMs: 0,
    slowMs: 0,
  });
  atEnd(() => checkout.close());
  openConsole = await openTestConsole({
    topUps: {
      checkout: { url: checkout.url, key: checkoutKey, webhookSecrets: [checkoutSecret] },
    },
  });
  return { ...openConsole, checkout, customer: await openConsole.signIn() };
}

/** The text of a page's main part, as one line. */
export function mainText(page: string): string {
  const main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  return main
    .replaceAll(/<(option|script|style)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
