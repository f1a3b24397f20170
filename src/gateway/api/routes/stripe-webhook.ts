// POST /webhooks/stripe: the hosted checkout tells that something happened to a payment. What it
// says is asked for again; here it is only heard, checked, and answered so that it is sent again
// exactly when that helps (any 2xx ends it: https://docs.stripe.com/webhooks).
import { Fault } from '../../../kernel/errors/fault.ts';
import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, JSON_TYPE, NO_STORE, oneHeader } from '../http-response.ts';

export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';

export async function answerStripeWebhook(
  { topUps }: GatewayContext,
  asked: Asked,
): Promise<Answer> {
  const heard = await topUps.hear(await asked.readBytes(), oneHeader(asked, 'stripe-signature'));
  if (heard.kind === 'refused') {
    throw new Fault('invalid_request', `This webhook is refused: ${heard.why}.`);
  }
  const about =
    heard.kind === 'settled'
      ? { top_up: heard.topUp.id, state: heard.topUp.state }
      : { ignored: heard.why };
  const headers = { 'content-type': JSON_TYPE, 'cache-control': NO_STORE };
  return { status: 200, headers, body: JSON.stringify({ received: true, ...about }) };
}
