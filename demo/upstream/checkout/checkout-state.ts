// Defines the state of a hosted checkout: sessions, payments, refunds and disputes. Writes them as
// objects of Stripe's API (https://docs.stripe.com/api/checkout/sessions/object).
import { systemRandom } from '../../../src/kernel/crypto/random.ts';

export type Session = {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly product: string;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentMetadata: Readonly<Record<string, string>>;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
  readonly locale: string;
  status: 'open' | 'complete' | 'expired';
  paid: 'paid' | 'unpaid';
  payment: {
    readonly id: string;
    readonly charge: string;
    readonly refunds: Refund[];
    readonly disputes: Dispute[];
  } | null;
};

export type Refund = {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  status: 'pending' | 'succeeded' | 'failed';
};

/** The refunded amount, without failed refunds. */
export const refundedOf = ({ payment }: Session): number =>
  (payment?.refunds ?? [])
    .filter(({ status }) => status !== 'failed')
    .reduce((sum, { amount }) => sum + amount, 0);

export type DisputeStatus =
  | ('warning_needs_response' | 'warning_under_review' | 'warning_closed')
  | ('needs_response' | 'under_review' | 'won' | 'lost');

export type Dispute = {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  status: DisputeStatus;
  /** Balance changes of the merchant by a dispute: -100, 100. */
  readonly balanceChanges: number[];
};

const random = systemRandom();
export const newId = (start: string) => `${start}_${Buffer.from(random.bytes(12)).toString('hex')}`;

export type Refusal = {
  readonly status: number;
  readonly message: string;
  readonly param?: string;
};

/** Parses a form into a session, or returns the error that the real API gives. */
export function parseSession(form: URLSearchParams, now: number): Session | Refusal {
  const missing = (param: string) => ({
    status: 400,
    message: `Missing required param: ${param}.`,
    param,
  });
  if (form.get('mode') !== 'payment') return missing('mode');
  const lineItemField = (name: string) => form.get(`line_items[0]${name}`);
  const amount = Number(lineItemField('[price_data][unit_amount]') ?? Number.NaN);
  if (!Number.isInteger(amount) || amount < 1)
    return missing('line_items[0][price_data][unit_amount]');
  const currency = lineItemField('[price_data][currency]');
  if (currency === null) return missing('line_items[0][price_data][currency]');
  const successUrl = form.get('success_url');
  if (successUrl === null) return missing('success_url');
  const id = newId('cs_test');
  return {
    id,
    created: Math.floor(now / 1000),
    currency,
    successUrl,
    amount: amount * Number(lineItemField('[quantity]') ?? 1),
    product: lineItemField('[price_data][product_data][name]') ?? '',
    reference: form.get('client_reference_id'),
    metadata: fieldsWithPrefix(form, 'metadata'),
    paymentMetadata: fieldsWithPrefix(form, 'payment_intent_data[metadata]'),
    cancelUrl: form.get('cancel_url'),
    locale: form.get('locale') ?? 'auto',
    status: 'open',
    paid: 'unpaid',
    payment: null,
  };
}

function fieldsWithPrefix(form: URLSearchParams, start: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of form) {
    if (name.startsWith(`${start}[`)) values[name.slice(start.length + 1, -1)] = value;
  }
  return values;
}

export function sessionObject(session: Session, origin: string, isExpanded: boolean): object {
  const { id, created, amount, currency, status, payment } = session;
  return {
    id,
    object: 'checkout.session',
    created,
    livemode: false,
    mode: 'payment',
    amount_subtotal: amount,
    amount_total: amount,
    currency,
    status,
    payment_status: session.paid,
    client_reference_id: session.reference,
    metadata: session.metadata,
    expires_at: created + 86_400,
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    url: status === 'open' ? `${origin}/pay/${id}` : null,
    payment_intent:
      payment !== null && isExpanded
        ? { id: payment.id, object: 'payment_intent', latest_charge: chargeObject(session) }
        : (payment?.id ?? null),
  };
}

export function chargeObject(session: Session): object {
  const { payment, amount, currency, created } = session;
  return {
    id: payment?.charge,
    object: 'charge',
    created,
    livemode: false,
    amount,
    currency,
    amount_refunded: refundedOf(session),
    refunded: refundedOf(session) === amount,
    disputed: (payment?.disputes.length ?? 0) > 0,
    paid: session.paid === 'paid',
    payment_intent: payment?.id ?? null,
    metadata: session.paymentMetadata,
  };
}

/** https://docs.stripe.com/api/refunds/object; `metadata` is of the refund, not of the payment. */
export function refundObject({ payment, currency }: Session, refund: Refund): object {
  const { id, created, amount, status } = refund;
  const hasFailed = status === 'failed';
  return {
    id,
    object: 'refund',
    amount,
    created,
    currency,
    status,
    reason: null,
    metadata: {},
    charge: payment?.charge ?? null,
    payment_intent: payment?.id ?? null,
    balance_transaction: `txn_${id}`,
    // Absent until it has a value, as in the real API.
    ...(hasFailed && {
      failure_balance_transaction: `txn_${id}_back`,
      failure_reason: 'expired_or_canceled_card',
    }),
    receipt_number: null,
    source_transfer_reversal: null,
    transfer_reversal: null,
  };
}

/** https://docs.stripe.com/api/disputes/object; `metadata` is of the dispute. */
export function disputeObject(session: Session, dispute: Dispute): object {
  const { currency, payment } = session;
  const { id, created, amount, status, balanceChanges } = dispute;
  return {
    id,
    object: 'dispute',
    amount,
    created,
    currency,
    status,
    livemode: false,
    charge: payment?.charge ?? null,
    payment_intent: payment?.id ?? null,
    balance_transactions: balanceChanges.map((gross, index) => ({
      id: `txn_${id}_${index}`,
      object: 'balance_transaction',
      amount: gross,
      currency,
      type: 'adjustment',
      fee: gross < 0 ? 1_500 : 0,
      source: id,
      reporting_category: gross < 0 ? 'dispute' : 'dispute_reversal',
    })),
    evidence_details: {
      due_by: created + 9 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: status.startsWith('warning_'),
    metadata: {},
    reason: 'fraudulent',
  };
}
