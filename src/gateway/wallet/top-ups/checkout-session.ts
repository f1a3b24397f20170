// Parses a session of the hosted checkout: its payment state, paid amount, top-up, installation and
// refunded amount.
import { z } from 'zod';

/** Amounts on the wire are in the smallest unit of the currency: fen. */
const fenSchema = z.int().min(0);

const chargeSchema = z.looseObject({ amount_refunded: fenSchema, disputed: z.boolean().nullish() });
const intentSchema = z.looseObject({
  id: z.string().max(255),
  latest_charge: z.union([chargeSchema, z.string(), z.null()]).optional(),
});

/** Checks only the fields that are used, because other fields may change. */
export const sessionSchema = z.looseObject({
  id: z.string().min(1).max(255),
  url: z.string().max(4_000).nullish(),
  livemode: z.boolean(),
  /** https://docs.stripe.com/api/checkout/sessions/object */
  status: z.enum(['open', 'complete', 'expired']).nullable(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: fenSchema.nullable(),
  currency: z.string().max(10).nullable(),
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: z.union([intentSchema, z.string().max(255), z.null()]).optional(),
});

/** https://docs.stripe.com/api/checkout/sessions/list */
export const sessionsSchema = z.looseObject({ data: z.array(sessionSchema).max(100) });

type CheckoutSession = z.output<typeof sessionSchema>;

/** A session in this project's terms. */
export type ProviderSession = {
  readonly sessionId: string;
  /** The payment page; null when the session has ended. */
  readonly url: string | null;
  readonly isLive: boolean;
  readonly status: 'open' | 'processing' | 'paid' | 'expired';
  readonly amountFen: number;
  /** Lower case: `cny`. */
  readonly currency: string;
  readonly installation: string | null;
  readonly topUpId: string | null;
  readonly paymentIntent: string | null;
  readonly refundedFen: number;
  readonly isDisputed: boolean;
};

export function parseSession(session: CheckoutSession): ProviderSession {
  const { metadata, payment_intent: payment } = session;
  const paymentIntent = typeof payment === 'object' && payment !== null ? payment : null;
  const latestCharge =
    typeof paymentIntent?.latest_charge === 'object' ? paymentIntent.latest_charge : null;
  return {
    sessionId: session.id,
    url: session.url ?? null,
    isLive: session.livemode,
    status: statusOf(session),
    amountFen: session.amount_total ?? 0,
    currency: session.currency ?? '',
    installation: metadata?.installation ?? null,
    topUpId: metadata?.top_up ?? null,
    paymentIntent: paymentIntent?.id ?? (typeof payment === 'string' ? payment : null),
    refundedFen: latestCharge?.amount_refunded ?? 0,
    isDisputed: latestCharge?.disputed === true,
  };
}

function statusOf({ status, payment_status: paid }: CheckoutSession): ProviderSession['status'] {
  if (paid === 'paid') return 'paid';
  if (status === 'expired') return 'expired';
  // "complete" without payment means that the payment is processing (bank debits, some wallets) or
  // failed. Only an event distinguishes these two cases.
  return status === 'complete' ? 'processing' : 'open';
}
