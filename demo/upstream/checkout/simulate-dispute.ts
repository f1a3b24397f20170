// Simulates actions of a customer's bank after a payment: inquiry, dispute and decision. Returns
// the provider's webhook events in their order
// (https://docs.stripe.com/disputes/how-disputes-work).
import {
  type Dispute,
  type DisputeStatus,
  disputeObject,
  newId,
  type Session,
} from './checkout-state.ts';
import type { Event } from './send-webhooks.ts';

/** `inquiry`: a question, during which the merchant keeps the money. */
export type BankAction = 'inquiry' | 'dispute' | 'won' | 'lost';

export const bankActions: readonly BankAction[] = ['inquiry', 'dispute', 'won', 'lost'];

/**
 * The events of an action; empty when it changes nothing, for example when nothing was paid or no
 * dispute is open.
 */
export function simulateDispute(
  session: Session,
  action: BankAction,
  { now, fen }: { readonly now: number; readonly fen: number | null },
): readonly Event[] {
  if (session.payment === null || session.paid !== 'paid') return [];
  const { disputes } = session.payment;
  const pendingDispute = disputes.find(({ status }) => !/^(won|lost)$|closed$/.test(status));
  // Each event contains the dispute at the time of the event, even when it is delivered late.
  const disputeEvent = (name: string, dispute: Dispute): Event => ({
    type: `charge.dispute.${name}`,
    object: disputeObject(session, dispute),
  });
  if (action === 'won' || action === 'lost')
    return pendingDispute === undefined ? [] : decideDispute(pendingDispute, action, disputeEvent);
  if (action === 'inquiry' && pendingDispute !== undefined) return [];
  const dispute = pendingDispute ?? openDispute(session, now, fen);
  const events = pendingDispute === undefined ? [disputeEvent('created', dispute)] : [];
  if (pendingDispute === undefined) disputes.push(dispute);
  if (action === 'inquiry' || dispute.balanceChanges.length > 0) return events;
  dispute.status = 'needs_response';
  const statusEvent = disputeEvent(pendingDispute === undefined ? 'created' : 'updated', dispute);
  dispute.balanceChanges.push(-dispute.amount);
  return [statusEvent, disputeEvent('funds_withdrawn', dispute)];
}

function openDispute({ amount }: Session, now: number, fen: number | null): Dispute {
  return {
    id: newId('du'),
    created: Math.floor(now / 1000),
    balanceChanges: [],
    amount: Math.min(amount, fen ?? amount),
    status: 'warning_needs_response',
  };
}

function decideDispute(
  dispute: Dispute,
  outcome: 'won' | 'lost',
  disputeEvent: (name: string, dispute: Dispute) => Event,
): readonly Event[] {
  const isInquiry = dispute.balanceChanges.length === 0;
  const status: DisputeStatus = isInquiry ? 'warning_closed' : outcome;
  dispute.status = status;
  if (status !== 'won') return [disputeEvent('closed', dispute)];
  dispute.balanceChanges.push(dispute.amount);
  return [disputeEvent('closed', dispute), disputeEvent('funds_reinstated', dispute)];
}
