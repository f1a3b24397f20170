// Finds the top-up of a webhook event. The event only triggers a sync: amounts and states are read
// from the provider. An old, repeated or forged event therefore has no effect on money.
import { z } from 'zod';

/** PostgreSQL cannot store U+0000 in a text. */
const textSchema = z.string().refine((text) => !text.includes('\0'));
const idSchema = textSchema.max(255);

const eventSchema = z.looseObject({
  id: idSchema,
  type: idSchema,
  data: z.looseObject({
    object: z.looseObject({
      id: idSchema,
      metadata: z.record(z.string(), textSchema).nullish(),
      payment_intent: z.union([idSchema, z.looseObject({}), z.null()]).optional(),
    }),
  }),
});

/** The parts of an event that identify the top-up and select the data to read. */
export type Hint = {
  /** Id of the top-up; null: the payment identifies it. */
  readonly topUpId: string | null;
  /** Id of the session, when the event concerns one. */
  readonly sessionId: string | null;
  readonly paymentIntent: string | null;
  /** The payment failed after the session was complete. The session does not show the failure. */
  readonly isFailure: boolean;
  /** The disputes or the refunds must be read, regardless of the payment's state. */
  readonly isDispute: boolean;
  readonly isRefund: boolean;
};

export type ParsedWebhookEvent =
  | { readonly kind: 'hint'; readonly hint: Hint }
  /**
   * The event belongs to another installation on the same provider's account, or to another
   * subject.
   */
  | { readonly kind: 'ignored'; readonly reason: string }
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

/** Refund events; the provider sends an older and a newer name for the same event. */
const refundEvents: readonly string[] = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
];

export function readEvent(json: unknown, installation: string): ParsedWebhookEvent {
  const parsed = eventSchema.safeParse(json);
  if (!parsed.success) return { kind: 'unreadable' };
  const { type, data } = parsed.data;
  const isSession = sessionEvents.includes(type);
  const isDispute = disputeEvents.includes(type);
  const isRefund = refundEvents.includes(type);
  const isHandled = isSession || isDispute || isRefund || type === 'charge.refunded';
  if (!isHandled) return ignoredEvent(`events of type ${type} are not used`);
  const { id, metadata, payment_intent: payment } = data.object;
  const paymentIntent = typeof payment === 'string' ? payment : null;
  const owner = metadata?.installation;
  // A session has this installation's metadata. Disputes, refunds and old charges do not, so their
  // payment identifies the top-up.
  const hasNoMetadata = isDispute || isRefund;
  if (owner !== installation && !hasNoMetadata && (isSession || owner !== undefined)) {
    return ignoredEvent('it belongs to another installation');
  }
  const hint = {
    // Metadata of a dispute or a refund is not trusted, because people enter it at the provider.
    topUpId: hasNoMetadata ? null : (metadata?.top_up ?? null),
    sessionId: isSession ? id : null,
    paymentIntent,
    isDispute,
    isRefund: isRefund || type === 'charge.refunded',
    isFailure: type === 'checkout.session.async_payment_failed',
  };
  return { kind: 'hint', hint };
}

const ignoredEvent = (reason: string) => ({ kind: 'ignored', reason }) as const;
