// Simulates a hosted checkout on loopback in Stripe's format: sessions, a payment page, refunds,
// disputes and signed webhooks. A webhook fault changes their delivery.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requirePresent } from '../../../src/kernel/errors/assert.ts';
import { type Clock, runningClock } from '../../../src/kernel/time/clock.ts';
import { checkoutAssets, renderPaymentsPage, renderPayPage } from './checkout-pages.ts';
import {
  chargeObject,
  disputeObject,
  newId,
  parseSession,
  type Refund,
  type Refusal,
  refundedOf,
  refundObject,
  type Session,
  sessionObject,
} from './checkout-state.ts';
import { openWebhooks, type WebhookFault, type Webhooks, webhookFaults } from './send-webhooks.ts';
import { type BankAction, bankActions, simulateDispute } from './simulate-dispute.ts';

export const checkoutKey = 'sk_test_demo_checkout';
export const checkoutSecret = 'whsec_demo_checkout';

export type CustomerAction = 'pay' | 'slow' | 'slow-fails' | 'expire';

export type CheckoutServer = {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Method and path of every request of the API so far. */
  readonly requests: string[];
  readonly webhooks: Webhooks;
  /** Performs a customer's action without the page. Resolves when its events are delivered. */
  performAction(
    sessionId: string,
    action: CustomerAction,
    fault?: WebhookFault | null,
  ): Promise<void>;
  /** Refunds an amount in fen, like the provider's own pages. */
  refund(sessionId: string, fen: number, fault?: WebhookFault | null): Promise<void>;
  /** Makes the last successful refund fail: the customer's bank returns it. */
  failRefund(sessionId: string, fault?: WebhookFault | null): Promise<void>;
  /** Performs an action of the customer's bank. `fen`: the amount; null: the whole payment. */
  performBankAction(
    sessionId: string,
    action: BankAction,
    options?: { readonly fen?: number | null; readonly fault?: WebhookFault | null },
  ): Promise<void>;
  /** Sends the current state again as an event of this type. */
  resend(sessionId: string, type: string): Promise<void>;
  /** Sets the fault of the API: `broken` responds with 500, `slow` never responds; null: none. */
  setFault(fault: 'broken' | 'slow' | null): void;
  close(): Promise<void>;
};

export type CheckoutOptions = {
  readonly webhookUrl: () => string | null;
  readonly clock?: Clock;
  readonly retryMs?: number;
  /** Duration of a slow payment. */
  readonly slowMs?: number;
};

type CheckoutState = {
  readonly options: CheckoutOptions;
  readonly clock: Clock;
  readonly sessions: Map<string, Session>;
  /** The parameters and the created session of each Idempotency-Key. */
  readonly sessionsByKey: Map<string, { readonly form: string; readonly id: string }>;
  readonly requests: string[];
  readonly webhooks: Webhooks;
  readonly origin: () => string;
  fault: 'broken' | 'slow' | null;
};

export async function openCheckoutServer(options: CheckoutOptions): Promise<CheckoutServer> {
  const { clock = runningClock(), retryMs = 1_000 } = options;
  const webhooks = openWebhooks({
    clock,
    secret: checkoutSecret,
    url: options.webhookUrl,
    maxAttempts: 8,
    retryMs,
    lateMs: 30_000,
  });
  let origin = '';
  const state: CheckoutState = {
    options,
    clock,
    webhooks,
    sessions: new Map(),
    sessionsByKey: new Map(),
    requests: [],
    origin: () => origin,
    fault: null,
  };
  const server = createServer((req, res) => {
    handleRequest(state, req, res).catch(() => res.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sessionOf = (id: string) => requirePresent(state.sessions.get(id), `the session ${id}`);
  return {
    url: origin,
    sessions: state.sessions,
    requests: state.requests,
    webhooks,
    performAction: (id, action, fault = null) => performAction(state, sessionOf(id), action, fault),
    refund: (id, fen, fault = null) => refund(state, sessionOf(id), fen, fault),
    failRefund: (id, fault = null) => failRefund(state, sessionOf(id), fault),
    performBankAction: (id, action, { fen = null, fault = null } = {}) => {
      const disputeEvents = simulateDispute(sessionOf(id), action, { now: clock.now(), fen });
      return webhooks.send(disputeEvents, fault);
    },
    resend: (id, type) => {
      const session = sessionOf(id);
      return webhooks.send([{ type, object: objectOf(session, type, origin) }], null);
    },
    setFault: (fault) => {
      state.fault = fault;
    },
    close: async () => {
      await webhooks.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function objectOf(session: Session, type: string, origin: string): object {
  if (!type.startsWith('charge.')) return sessionObject(session, origin, false);
  const lastDispute = session.payment?.disputes.at(-1);
  const lastRefund = session.payment?.refunds.at(-1);
  if (type === 'charge.refund.updated' && lastRefund) return refundObject(session, lastRefund);
  return type.startsWith('charge.dispute.') && lastDispute !== undefined
    ? disputeObject(session, lastDispute)
    : chargeObject(session);
}

async function handleRequest(
  state: CheckoutState,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const url = new URL(req.url ?? '/', state.origin());
  const { method = 'GET', headers } = req;
  const asset = checkoutAssets.find(url.pathname);
  if (asset !== null) {
    res.writeHead(200, { 'content-type': asset.contentType });
    res.end(asset.bytes);
    return;
  }
  const [, id] = /^\/pay\/(\w+)$/.exec(url.pathname) ?? [];
  if (id !== undefined) {
    const result = handlePayPage(state, { method, form, id });
    if (typeof result === 'string') res.writeHead(303, { location: result });
    else res.writeHead(result[0], { 'content-type': 'text/html; charset=utf-8' });
    res.end(typeof result === 'string' ? undefined : result[1]);
    return;
  }
  if (url.pathname === '/') {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    res.end(renderPaymentsPage([...state.sessions.values()]));
    return;
  }
  state.requests.push(`${method} ${url.pathname}`);
  if (state.fault === 'slow') return;
  const [status, body] = handleApi(state, { method, url, form, headers });
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

type CheckoutReply = readonly [status: number, body: object];
type ApiRequest = {
  readonly method: string;
  readonly url: URL;
  readonly form: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
};

function handleApi(
  state: CheckoutState,
  { method, url, form, headers }: ApiRequest,
): CheckoutReply {
  if (state.fault === 'broken') return [500, errorOf('An unknown error occurred.')];
  if (headers.authorization !== `Bearer ${checkoutKey}`) {
    return [401, errorOf('Invalid API Key provided: sk_****', 'invalid_request_error')];
  }
  const operation = `${method} ${url.pathname.replace(/\/cs_\w+$/, '/{id}')}`;
  switch (operation) {
    case 'POST /v1/checkout/sessions':
      return createSession(state, form, String(headers['idempotency-key'] ?? newId('once')));
    case 'GET /v1/checkout/sessions/{id}': {
      const session = state.sessions.get(url.pathname.split('/').at(-1) ?? '');
      if (session === undefined) return [404, errorOf('No such checkout.session')];
      const isExpanded = url.searchParams.get('expand[]') === 'payment_intent.latest_charge';
      return [200, sessionObject(session, state.origin(), isExpanded)];
    }
    case 'GET /v1/checkout/sessions': {
      const session = findPaidSession(state, url.searchParams.get('payment_intent'));
      return [200, listOf(session ? [sessionObject(session, state.origin(), false)] : [])];
    }
    case 'GET /v1/disputes': {
      const session = findPaidSession(state, url.searchParams.get('payment_intent'));
      const disputes = session?.payment?.disputes ?? [];
      return [200, listOf(disputes.map((dispute) => disputeObject(session as Session, dispute)))];
    }
    case 'GET /v1/refunds': {
      const session = findPaidSession(state, url.searchParams.get('payment_intent'));
      const refunds = session?.payment?.refunds ?? [];
      const newestRefunds = refunds.toReversed();
      return [200, listOf(newestRefunds.map((refund) => refundObject(session as Session, refund)))];
    }
    case 'POST /v1/refunds': {
      const session = findPaidSession(state, form.get('payment_intent'));
      if (session === undefined) return [404, errorOf('No such payment_intent')];
      const amount = Number(form.get('amount') ?? session.amount);
      if (amount > session.amount - refundedOf(session)) {
        return [400, errorOf('Refund amount is greater than unrefunded amount on charge.')];
      }
      void refund(state, session, amount, null);
      const latest = requirePresent(session.payment?.refunds.at(-1), 'the refund');
      return [200, refundObject(session, latest)];
    }
    default:
      return [404, errorOf(`Unrecognized request URL (${operation}).`)];
  }
}

const findPaidSession = (state: CheckoutState, paymentIntent: string | null): Session | undefined =>
  [...state.sessions.values()].find(
    ({ payment }) => payment !== null && payment.id === paymentIntent,
  );

const listOf = (data: readonly object[]) => ({ object: 'list', has_more: false, data });

/** A repeated Idempotency-Key returns the same session; with other parameters it is an error. */
function createSession(state: CheckoutState, form: URLSearchParams, key: string): CheckoutReply {
  const storedResult = state.sessionsByKey.get(key);
  if (storedResult !== undefined && storedResult.form !== form.toString()) {
    const message = 'Keys for idempotent requests can only be used with the same parameters.';
    return [400, errorOf(message, 'idempotency_error')];
  }
  const existingSession = storedResult && state.sessions.get(storedResult.id);
  const session: Session | Refusal = existingSession ?? parseSession(form, state.clock.now());
  if ('message' in session) {
    const { status, message, param } = session;
    return [status, errorOf(message, 'invalid_request_error', param)];
  }
  state.sessions.set(session.id, session);
  state.sessionsByKey.set(key, { form: form.toString(), id: session.id });
  return [200, sessionObject(session, state.origin(), false)];
}

type PayPageRequest = {
  readonly method: string;
  readonly form: URLSearchParams;
  readonly id: string;
};

/** A page with its status, or the target of a redirect. */
function handlePayPage(
  state: CheckoutState,
  { method, form, id }: PayPageRequest,
): readonly [number, string] | string {
  const session = state.sessions.get(id);
  if (session === undefined) return [404, '<!doctype html><title>404</title><p>404'];
  const action = form.get('act');
  const fault = webhookFaults.find((name) => name === form.get('fault')) ?? null;
  if (method === 'POST' && session.paid === 'paid') {
    // The action continues in the background. The page shows the current state.
    void applyAfterPayment(state, session, action, fault);
    return [200, renderPayPage(session)];
  }
  if (method !== 'POST' || session.status !== 'open') return [200, renderPayPage(session)];
  if (action === 'decline') return [402, renderPayPage(session, { isDeclined: true })];
  if (action === 'cancel') return session.cancelUrl ?? session.successUrl;
  if (action !== 'pay' && action !== 'slow' && action !== 'slow-fails')
    return [400, renderPayPage(session)];
  void performAction(state, session, action, fault);
  return session.successUrl;
}

async function performAction(
  state: CheckoutState,
  session: Session,
  action: CustomerAction,
  fault: WebhookFault | null,
): Promise<void> {
  const { webhooks } = state;
  const sessionEvent = (type: string) => ({
    type: `checkout.session.${type}`,
    object: sessionObject(session, state.origin(), false),
  });
  if (action === 'expire') {
    session.status = 'expired';
    return webhooks.send([sessionEvent('expired')], fault);
  }
  session.status = 'complete';
  session.payment = { id: newId('pi'), charge: newId('ch'), refunds: [], disputes: [] };
  if (action === 'pay') {
    session.paid = 'paid';
    return webhooks.send([sessionEvent('completed')], fault);
  }
  const completedEvent = sessionEvent('completed');
  const firstDelivery =
    fault === 'backwards' ? Promise.resolve() : webhooks.send([completedEvent], fault);
  const { slowMs = 8_000 } = state.options;
  if (slowMs > 0) await state.clock.sleep(slowMs).catch(() => {});
  await firstDelivery;
  const finalEvent = action === 'slow' ? 'async_payment_succeeded' : 'async_payment_failed';
  if (action === 'slow') session.paid = 'paid';
  await webhooks.send(
    fault === 'backwards' ? [completedEvent, sessionEvent(finalEvent)] : [sessionEvent(finalEvent)],
    fault,
  );
}

async function applyAfterPayment(
  state: CheckoutState,
  session: Session,
  action: string | null,
  fault: WebhookFault | null,
): Promise<void> {
  const bankAction = bankActions.find((bankAction) => bankAction === action);
  if (action === 'refund-half') return refund(state, session, Math.ceil(session.amount / 2), fault);
  if (action === 'refund') return refund(state, session, session.amount, fault);
  if (action === 'refund-fails') return failRefund(state, session, fault);
  if (bankAction === undefined) return;
  const disputeEvents = simulateDispute(session, bankAction, { now: state.clock.now(), fen: null });
  await state.webhooks.send(disputeEvents, fault);
}

async function refund(
  state: CheckoutState,
  session: Session,
  fen: number,
  fault: WebhookFault | null,
): Promise<void> {
  const amount = Math.min(fen, session.amount - refundedOf(session));
  if (session.payment === null || amount <= 0) return;
  const created = Math.floor(state.clock.now() / 1000);
  const refund: Refund = { id: newId('re'), created, amount, status: 'succeeded' };
  session.payment.refunds.push(refund);
  const events = [
    { type: 'refund.created', object: refundObject(session, refund) },
    { type: 'charge.refunded', object: chargeObject(session) },
  ];
  await state.webhooks.send(events, fault);
}

/**
 * https://docs.stripe.com/refunds#failed-refunds: sent under the newer and the older event name.
 */
async function failRefund(state: CheckoutState, session: Session, fault: WebhookFault | null) {
  const lastRefund = session.payment?.refunds.findLast(({ status }) => status !== 'failed');
  if (lastRefund === undefined) return;
  lastRefund.status = 'failed';
  const object = refundObject(session, lastRefund);
  const types = ['refund.updated', 'refund.failed', 'charge.refund.updated'];
  await state.webhooks.send(
    types.map((type) => ({ type, object })),
    fault,
  );
}

const errorOf = (message: string, type = 'api_error', param?: string) => ({
  error: { message, type, ...(param !== undefined && { param }) },
});
