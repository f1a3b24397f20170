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

export function readEvent(json: unknown, installation: string): Heard {
  const read = eventSchema.safeParse(json);
  if (!read.success) return { kind: 'unreadable' };
  const { type, data } = read.data;
  const isSession = sessionEvents.includes(type);
  if (!isSession && type !== 'charge.refunded') return ignored(`nothing is done about ${type}`);
  const { id, metadata, payment_intent: payment } = data.object;
  const paymentIntent = typeof payment === 'string' ? payment : null;
  const owner = metadata?.installation;
  // A charge made before it carried our mark is found by its payment; a session always has it.
  if (owner !== installation && (isSession || owner !== undefined)) {
    return ignored('it is of another installation');
  }
  const hint = {
    topUpId: metadata?.top_up ?? null,
    sessionId: isSession ? id : null,
    paymentIntent,
    isFailure: type === 'checkout.session.async_payment_failed',
  };
  return { kind: 'hint', hint };
}

const ignored = (why: string) => ({ kind: 'ignored', why }) as const;
