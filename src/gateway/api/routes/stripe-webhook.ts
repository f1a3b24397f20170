// Handles POST /webhooks/stripe, the payment events of the hosted checkout. The handler reads the
// payment data from the provider again, not from the event.
//
// After a failure status the provider sends the event again; after any 2xx it does not:
// https://docs.stripe.com/webhooks.
import { Fault } from '../../../kernel/errors/fault.ts';
import type { GatewayContext } from '../context.ts';
import {
  type ApiRequest,
  type GatewayResponse,
  JSON_TYPE,
  NO_STORE,
  oneHeader,
} from '../http-response.ts';

export const STRIPE_WEBHOOK_PATH = '/webhooks/stripe';

export async function handleStripeWebhook(
  { topUps }: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  const result = await topUps.receiveEvent(
    await request.readBytes(),
    oneHeader(request, 'stripe-signature'),
  );
  if (result.kind === 'refused') {
    throw new Fault('invalid_request', `This webhook is refused: ${result.reason}.`);
  }
  const outcome =
    result.kind === 'synced'
      ? { top_up: result.topUp.id, state: result.topUp.state }
      : { ignored: result.reason };
  const headers = { 'content-type': JSON_TYPE, 'cache-control': NO_STORE };
  return { status: 200, headers, body: JSON.stringify({ received: true, ...outcome }) };
}
