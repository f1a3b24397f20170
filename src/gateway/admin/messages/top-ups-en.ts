// English messages of the admin pages about top-ups.
export const topUpsEn = {
  topUpsAbout: 'Payments of accounts at the checkout. No payment needs an operator.',
  topUpsTroubled: (count: number) =>
    'Payments of accounts at the checkout. ' +
    `${count === 1 ? 'One needs' : `${count} need`} an operator.`,
  owedInAll: (owed: string) => `${owed} is owed.`,
  topUpNeedsYou: (count: number) =>
    count === 1
      ? 'A top-up needs an operator.'
      : `${count} top-ups need an operator: disputes, debts or refusals.`,
  searchTopUps: 'Address, id of the top-up, or id at the provider',
  topUpTroubled: 'Needs an operator',
  noTopUpsYet: 'There is no top-up yet.',
  noTopUps: 'No top-up matches.',
  noTroubles: 'No top-up needs an operator.',
  topUp: 'Top-up',
  topUpOf: (amount: string) => `Top-up of ${amount}`,
  allTopUps: 'All top-ups',
  topUpStates: {
    begun: 'the provider has not responded',
    open: 'awaits payment',
    processing: 'paid, not arrived yet',
    expired: 'expired',
    failed: 'failed',
    refused: 'refused',
    closed: 'closed',
    credited: 'credited',
  },
  refusedBecause: (problem: string) =>
    `The payment differs from the request: ${problem}. Nothing was credited. Refund it at the ` +
    'provider, or credit the account, and then close it here.',
  problems: {
    amount: (amount: string) => `it is for ${amount} CNY`,
    currency: (currency: string) => `it is paid in ${currency.toUpperCase()}`,
    mode: 'the provider’s test mode has changed',
  },
  owes: (amount: string) =>
    `${amount} of the reclaimed amount were already spent. The next cash of the account pays ` +
    'this debt.',
  disputeWaits: (amount: string, by: string | null) =>
    `The customer’s bank disputes ${amount}. Answer the dispute at the provider${
      by === null ? '' : `, by ${by}`
    }.`,
  inquiryWaits: (amount: string, by: string | null) =>
    `The customer’s bank inquires about ${amount}; nothing is held back. Answer at the provider${
      by === null ? '' : `, by ${by}`
    }.`,
  disputes: 'Disputes',
  dispute: 'Dispute',
  disputeReasons: {
    fraudulent: 'the cardholder denies the payment',
    duplicate: 'paid twice',
    product_not_received: 'nothing was received',
    product_unacceptable: 'not as described',
    credit_not_processed: 'a refund is missing',
    subscription_canceled: 'the subscription was canceled',
    unrecognized: 'not recognized',
    general: 'no reason given',
  } as Readonly<Record<string, string>>,
  disputeStates: {
    warning_needs_response: 'inquiry, needs a response',
    warning_under_review: 'inquiry, under review',
    warning_closed: 'inquiry, closed',
    needs_response: 'needs a response',
    under_review: 'under review',
    won: 'won: the money was returned',
    lost: 'lost: the bank keeps the money',
    prevented: 'refunded before the dispute began',
  },
  refundsOfPayment: 'Refunds at the provider',
  refundOfPayment: 'Refund',
  refundStates: {
    requires_action: 'waits for the customer',
    pending: 'sent to the customer',
    succeeded: 'refunded',
    failed: 'failed: the money is in the wallet again',
    canceled: 'canceled: the money is in the wallet again',
  },
  refundReasons: {
    lost_or_stolen_card: 'the card is lost or stolen',
    expired_or_canceled_card: 'the card has expired or was canceled',
    charge_for_pending_refund_disputed: 'the customer’s bank disputes the payment',
    declined: 'the customer’s bank refused it',
    insufficient_funds: 'the balance at the provider was too low',
    merchant_request: 'it was canceled at the provider',
    unknown: 'no reason given',
  } as Readonly<Record<string, string>>,
  answerBy: 'Answer by',
  credited: 'Credited',
  refundedAtProvider: 'Refunded at the provider',
  heldBack: 'Held back by the bank',
  forgiven: 'Forgiven',
  stillOwed: 'Owed',
  syncedAt: 'Synced',
  session: 'Session',
  payment: 'Payment',
  testMode: 'The provider is in test mode: no card is charged.',
  look: 'Sync with the provider',
  forgive: 'Forgive the debt',
  forgiveOf: (amount: string) => `Forgive ${amount}`,
  forgiveAbout: (email: string, amount: string) =>
    `${email} owes ${amount}: this part of a reclaimed payment was already spent.`,
  forgiveThen:
    'The debt is no longer debited from the account’s cash; the platform bears the loss. ' +
    'The journal is unchanged. If a dispute is won later, ' +
    'only the amount that was debited returns.',
  close: 'Close the top-up',
  closeOf: (amount: string) => `Close the top-up of ${amount}`,
  closeAbout:
    'Close the top-up after the payment was refunded at the provider, or credited to the account ' +
    'manually. It is never credited automatically afterwards.',
  owed: 'Owed',
  owedForPayments: 'Debt from reclaimed payments',
};
