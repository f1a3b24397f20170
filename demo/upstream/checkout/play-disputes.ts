// What a customer's bank does after a payment: it asks, disputes, and decides; and what the
// provider then tells, in the order in which it happens
// (https://docs.stripe.com/disputes/how-disputes-work).
import {
  type Dispute,
  type DisputeStatus,
  disputeObject,
  newId,
  type Session,
} from './checkout-books.ts';
import type { Event } from './send-webhooks.ts';

/** `inquiry`: a question, for which no money is held back. */
export type BankAct = 'inquiry' | 'dispute' | 'won' | 'lost';

export const bankActs: readonly BankAct[] = ['inquiry', 'dispute', 'won', 'lost'];

/** What is told of it; nothing where the act has no sense: nothing was paid, or all is decided. */
export function playBank(
  session: Session,
  act: BankAct,
  { now, fen }: { readonly now: number; readonly fen: number | null },
): readonly Event[] {
  if (session.payment === null || session.paid !== 'paid') return [];
  const { disputes } = session.payment;
  const open = disputes.find(({ status }) => !/^(won|lost)$|closed$/.test(status));
  // Each event shows the dispute as it was at that moment, however late it arrives.
  const told = (name: string, dispute: Dispute): Event => ({
    type: `charge.dispute.${name}`,
    object: disputeObject(session, dispute),
  });
  if (act === 'won' || act === 'lost') return open === undefined ? [] : decide(open, act, told);
  if (act === 'inquiry' && open !== undefined) return [];
  const dispute = open ?? opened(session, now, fen);
  const events = open === undefined ? [told('created', dispute)] : [];
  if (open === undefined) disputes.push(dispute);
  if (act === 'inquiry' || dispute.moved.length > 0) return events;
  dispute.status = 'needs_response';
  const first = told(open === undefined ? 'created' : 'updated', dispute);
  dispute.moved.push(-dispute.amount);
  return [first, told('funds_withdrawn', dispute)];
}

function opened({ amount }: Session, now: number, fen: number | null): Dispute {
  return {
    id: newId('du'),
    created: Math.floor(now / 1000),
    moved: [],
    amount: Math.min(amount, fen ?? amount),
    status: 'warning_needs_response',
  };
}

function decide(
  dispute: Dispute,
  outcome: 'won' | 'lost',
  told: (name: string, dispute: Dispute) => Event,
): readonly Event[] {
  const isInquiry = dispute.moved.length === 0;
  const status: DisputeStatus = isInquiry ? 'warning_closed' : outcome;
  dispute.status = status;
  if (status !== 'won') return [told('closed', dispute)];
  dispute.moved.push(dispute.amount);
  return [told('closed', dispute), told('funds_reinstated', dispute)];
}
