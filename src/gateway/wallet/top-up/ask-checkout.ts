// What is asked of the hosted checkout: a session to pay in, and how a session stands. Forms go
// out, JSON comes back (https://docs.stripe.com/api); the key never follows a redirect.
import { Fault, messageOf } from '../../../kernel/fault.ts';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import type { NetOutcome } from '../../../kernel/net/net.ts';
import type { World } from '../../../kernel/world.ts';
import { type SeenSession, seenSession, sessionSchema } from './checkout-session.ts';
import type { CheckoutConfig } from './top-ups-config.ts';

export type NewSession = {
  readonly topUpId: string;
  readonly installation: string;
  readonly amount: MicroFen;
  /** What is bought, as the checkout shows it. */
  readonly product: string;
  readonly email: string | null;
  readonly language: 'en' | 'zh-CN';
  readonly successUrl: string;
  readonly cancelUrl: string;
};

export type Checkout = {
  /** The same top-up twice is one session: its id is the Idempotency-Key. */
  create(session: NewSession): Promise<SeenSession>;
  read(sessionId: string): Promise<SeenSession>;
};

/** The first that knows all that is sent; answers are read in its shapes. */
const API_VERSION = '2024-11-20.acacia';
const MAX_BYTES = 1024 * 1024;

/** Both throw the Fault `temporarily_unavailable` when the checkout does not do its part. */
export function openCheckout(world: World, config: CheckoutConfig): Checkout {
  const ask = async (path: string, form: URLSearchParams | null, idempotencyKey?: string) => {
    const send = () =>
      world.net.request({
        url: `${config.url}${path}`,
        method: form === null ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${config.key}`,
          'stripe-version': API_VERSION,
          ...(form !== null && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(form !== null && { body: form.toString() }),
        timeoutMs: config.timeoutMs,
        maxBytes: MAX_BYTES,
        maxRedirects: 0,
        isPolite: false,
        // The operator wrote this address down: that is what allows it.
        privateHosts: [new URL(config.url).host],
      });
    let outcome = await send();
    // Reading changes nothing, and a session is made once per Idempotency-Key.
    if (isWorthASecondTry(outcome)) outcome = await send();
    return sessionIn(outcome);
  };
  return {
    create: (session) => ask('/v1/checkout/sessions', formOf(session), session.topUpId),
    read: (sessionId) => {
      const expand = new URLSearchParams({ 'expand[]': 'payment_intent.latest_charge' });
      return ask(`/v1/checkout/sessions/${encodeURIComponent(sessionId)}?${expand}`, null);
    },
  };
}

/** https://docs.stripe.com/api/checkout/sessions/create */
function formOf(session: NewSession): URLSearchParams {
  const { topUpId, installation, amount, email, language } = session;
  return new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'cny',
    'line_items[0][price_data][unit_amount]': String(amount / MICRO_FEN_PER_FEN),
    'line_items[0][price_data][product_data][name]': session.product,
    client_reference_id: topUpId,
    'metadata[top_up]': topUpId,
    'metadata[installation]': installation,
    // The charge carries them too, so that a refund says by itself what it is of.
    'payment_intent_data[metadata][top_up]': topUpId,
    'payment_intent_data[metadata][installation]': installation,
    // What is paid must be what was asked for, in the currency it was asked in.
    'adaptive_pricing[enabled]': 'false',
    locale: language === 'zh-CN' ? 'zh' : 'en',
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    ...(email !== null && { customer_email: email }),
  });
}

function isWorthASecondTry(outcome: NetOutcome): boolean {
  if (outcome.kind === 'failed')
    return outcome.reason === 'connect' || outcome.reason === 'protocol';
  return outcome.status >= 500;
}

function sessionIn(outcome: NetOutcome): SeenSession {
  if (outcome.kind === 'failed') throw away(outcome.message);
  const text = new TextDecoder().decode(outcome.body);
  if (outcome.status !== 200) throw away(`answered ${outcome.status}: ${errorIn(text)}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw away(`answered no JSON: ${messageOf(error)}`);
  }
  const read = sessionSchema.safeParse(json);
  if (read.success) return seenSession(read.data);
  const [issue] = read.error.issues;
  throw away(`answered another shape: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** `{ error: { type, code, message } }`: what the operator wants to read, in one line. */
function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { type?: string; message?: string } };
    return `${error?.type ?? 'error'}: ${error?.message ?? ''}`.slice(0, 300);
  } catch {
    return text.slice(0, 100);
  }
}

const away = (internal: string) =>
  new Fault(
    'temporarily_unavailable',
    'The checkout does not answer as it should. Try again soon.',
    {
      internal: `checkout: ${internal}`,
      retryAfterSeconds: 10,
    },
  );
