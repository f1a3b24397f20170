// Which top-up a webhook speaks of. An event is a hint to look: what it says of amounts and payment
// is not believed but asked for again, so an old, doubled or forged one can do no harm.
import { z } from 'zod';

const eventSchema = z.looseObject({
  id: z.string().max(255),
  type: z.string().max(255),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().max(255),
      metadata: z.record(z.string(), z.string()).nullish(),
      payment_intent: z.union([z.string().max(255), z.looseObject({}), z.null()]).optional(),
    }),
  }),
});

export type Hint = {
  /** Of the top-up; null: to be found by its payment. */
  readonly topUpId: string | null;
  /** Of the session, when the event is about one. */
  readonly sessionId: string | null;
  readonly paymentIntent: string | null;
  /** The one thing that the session itself does not tell: its payment failed afterwards. */
  readonly isFailure: boolean;
  /** So that disputes or refunds are read too, whatever the payment says of itself. */
  readonly isDispute: boolean;
  readonly isRefund: boolean;
};

export type Heard =
  | { readonly kind: 'hint'; readonly hint: Hint }
  /** Of another installation on the same provider's account, or about something else. */
  | { readonly kind: 'ignored'; readonly why: string }
  | { readonly kind: 'unreadable' };

const sessionEvents: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
];

const disputeEvents: readonly string[] = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
];

/** About one refund; the same is told under an older and a newer name. */
const refundEvents: readonly string[] = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
];

export function readEvent(json: unknown, installation: string): Heard {
  const read = eventSchema.safeParse(json);
  if (!read.success) return { kind: 'unreadable' };
  const { type, data } = read.data;
  const isSession = sessionEvents.includes(type);
  const isDispute = disputeEvents.includes(type);
  const isRefund = refundEvents.includes(type);
  const isOurs = isSession || isDispute || isRefund || type === 'charge.refunded';
  if (!isOurs) return ignored(`nothing is done about ${type}`);
  const { id, metadata, payment_intent: payment } = data.object;
  const paymentIntent = typeof payment === 'string' ? payment : null;
  const owner = metadata?.installation;
  // A session always has our mark. Disputes and refunds never have, nor had old charges: their
  // payment tells.
  const isBare = isDispute || isRefund;
  if (owner !== installation && !isBare && (isSession || owner !== undefined)) {
    return ignored('it is of another installation');
  }
  const hint = {
    // What a dispute or a refund carries is typed in by hand at the provider.
    topUpId: isBare ? null : (metadata?.top_up ?? null),
    sessionId: isSession ? id : null,
    ...{ paymentIntent, isDispute, isRefund: isRefund || type === 'charge.refunded' },
    isFailure: type === 'checkout.session.async_payment_failed',
  };
  return { kind: 'hint', hint };
}

const ignored = (why: string) => ({ kind: 'ignored', why }) as const;
