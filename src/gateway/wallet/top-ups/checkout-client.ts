// Calls the hosted checkout: payment sessions, their state, disputes and refunds. Requests are
// forms, responses are JSON (https://docs.stripe.com/api). The key is not sent to a redirect
// target.
import type { z } from 'zod';
import { Fault, messageOf } from '../../../kernel/errors/fault.ts';
import { MICRO_FEN_PER_FEN, type MicroFen } from '../../../kernel/money.ts';
import type { NetOutcome } from '../../../kernel/net/net.ts';
import type { World } from '../../../kernel/world.ts';
import {
  type ProviderSession,
  parseSession,
  sessionSchema,
  sessionsSchema,
} from './checkout-session.ts';
import { disputesSchema, type ProviderDispute, parseDispute } from './dispute.ts';
import { type ProviderRefund, parseRefund, refundsSchema } from './refund.ts';
import type { CheckoutConfig } from './top-ups-config.ts';

export type NewSession = {
  readonly topUpId: string;
  readonly installation: string;
  readonly amount: MicroFen;
  /** Name of the product on the checkout page. */
  readonly product: string;
  readonly email: string | null;
  readonly language: 'en' | 'zh-CN';
  readonly successUrl: string;
  readonly cancelUrl: string;
};

export type Checkout = {
  /**
   * A repeated call for a top-up returns the same session, because the Idempotency-Key is the id of
   * the top-up.
   */
  createSession(session: NewSession): Promise<ProviderSession>;
  readSession(sessionId: string): Promise<ProviderSession>;
  /** The session of a payment; null: the provider has none. */
  findSessionOfPayment(paymentIntent: string): Promise<ProviderSession | null>;
  listDisputes(paymentIntent: string): Promise<readonly ProviderDispute[]>;
  listRefunds(paymentIntent: string): Promise<readonly ProviderRefund[]>;
};

/** The first version that supports all sent fields; responses are parsed in its shapes. */
const API_VERSION = '2024-11-20.acacia';
const MAX_BYTES = 1024 * 1024;

/** All methods throw the Fault `temporarily_unavailable` when the checkout fails. */
export function openCheckout(world: World, config: CheckoutConfig): Checkout {
  const sendRequest = async <T>(
    path: string,
    schema: z.ZodType<T>,
    { form = null, idempotencyKey }: CheckoutRequest = {},
  ): Promise<T> => {
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
        // The checkout may have a private address, because the operator configured it.
        privateHosts: [new URL(config.url).host],
      });
    let outcome = await send();
    // A retry is safe: reading changes nothing, and a session is created once per Idempotency-Key.
    if (isRetryable(outcome)) outcome = await send();
    return parseResponse(outcome, schema);
  };
  return {
    createSession: async (session) => {
      const request = { form: formOf(session), idempotencyKey: session.topUpId };
      return parseSession(await sendRequest(SESSIONS, sessionSchema, request));
    },
    readSession: async (sessionId) => {
      const expand = new URLSearchParams({ 'expand[]': 'payment_intent.latest_charge' });
      const path = `${SESSIONS}/${encodeURIComponent(sessionId)}?${expand}`;
      return parseSession(await sendRequest(path, sessionSchema));
    },
    findSessionOfPayment: async (payment_intent) => {
      const query = new URLSearchParams({ payment_intent, limit: '1' });
      const [session] = (await sendRequest(`${SESSIONS}?${query}`, sessionsSchema)).data;
      return session === undefined ? null : parseSession(session);
    },
    listDisputes: async (payment_intent) => {
      const query = new URLSearchParams({ payment_intent, limit: '100' });
      return (await sendRequest(`/v1/disputes?${query}`, disputesSchema)).data.map(parseDispute);
    },
    listRefunds: async (payment_intent) => {
      const query = new URLSearchParams({ payment_intent, limit: '100' });
      return (await sendRequest(`/v1/refunds?${query}`, refundsSchema)).data.map(parseRefund);
    },
  };
}

const SESSIONS = '/v1/checkout/sessions';

type CheckoutRequest = { readonly form?: URLSearchParams | null; readonly idempotencyKey?: string };

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
    // The charge has the same metadata, so a refund event identifies its top-up.
    'payment_intent_data[metadata][top_up]': topUpId,
    'payment_intent_data[metadata][installation]': installation,
    // The payment must equal the requested amount in the requested currency.
    'adaptive_pricing[enabled]': 'false',
    locale: language === 'zh-CN' ? 'zh' : 'en',
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    ...(email !== null && { customer_email: email }),
  });
}

function isRetryable(outcome: NetOutcome): boolean {
  if (outcome.kind === 'failed')
    return outcome.reason === 'connect' || outcome.reason === 'protocol';
  return outcome.status >= 500;
}

function parseResponse<T>(outcome: NetOutcome, schema: z.ZodType<T>): T {
  if (outcome.kind === 'failed') throw checkoutFault(outcome.message);
  const text = new TextDecoder().decode(outcome.body);
  if (outcome.status !== 200)
    throw checkoutFault(`answered ${outcome.status}: ${formatError(text)}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw checkoutFault(`answered no JSON: ${messageOf(error)}`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw checkoutFault(`answered another shape: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** The error `{ error: { type, code, message } }` as one line for an operator. */
function formatError(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { type?: string; message?: string } };
    return `${error?.type ?? 'error'}: ${error?.message ?? ''}`.slice(0, 300);
  } catch {
    return text.slice(0, 100);
  }
}

const checkoutFault = (internal: string) =>
  new Fault('temporarily_unavailable', 'The checkout does not respond correctly. Try again soon.', {
    internal: `checkout: ${internal}`,
    retryAfterSeconds: 10,
  });
