// English messages of the admin pages about top-ups.
export const topUpsEn = {
  topUpsAbout: 'What accounts paid at the checkout. Nothing needs you now.',
  topUpsTroubled: (n: number) =>
    `What accounts paid at the checkout. ${n === 1 ? 'One needs' : `${n} need`} you.`,
  owedInAll: (owed: string) => `${owed} is owed.`,
  topUpNeedsYou: (n: number) =>
    n === 1 ? 'A top-up needs you.' : `${n} top-ups need you: disputes, debts or refusals.`,
  searchTopUps: 'Address or id, ours or the provider’s',
  topUpTroubled: 'Needs you',
  noTopUpsYet: 'There is no top-up yet.',
  noTopUps: 'No top-up is like that.',
  noTroubles: 'No top-up needs you.',
  topUp: 'Top-up',
  topUpOf: (amount: string) => `Top-up of ${amount}`,
  allTopUps: 'All top-ups',
  topUpStates: {
    begun: 'not begun at the provider',
    open: 'waits to be paid',
    processing: 'on its way',
    expired: 'expired',
    failed: 'failed',
    refused: 'refused',
    closed: 'closed',
    credited: 'credited',
  },
  refusedBecause: (problem: string) =>
    `The payment differs from the request: ${problem}. Nothing was credited. Give it back at the ` +
    'provider, or credit the account, and then close it here.',
  problems: {
    amount: (amount: string) => `it is for ${amount} CNY`,
    currency: (currency: string) => `it is paid in ${currency.toUpperCase()}`,
    mode: 'the provider’s test mode has changed',
  },
  owes: (amount: string) =>
    `${amount} of what was taken back had been spent. The next cash of the account settles it.`,
  disputeWaits: (amount: string, by: string | null) =>
    `The customer’s bank disputes ${amount}. Answer it at the provider${
      by === null ? '' : `, by ${by}`
    }.`,
  inquiryWaits: (amount: string, by: string | null) =>
    `The customer’s bank inquires about ${amount}; nothing is held back. Answer at the provider${
      by === null ? '' : `, by ${by}`
    }.`,
  disputes: 'Disputes',
  dispute: 'Dispute',
  disputeReasons: {
    fraudulent: 'the cardholder did not pay',
    duplicate: 'paid twice',
    product_not_received: 'nothing was received',
    product_unacceptable: 'not as described',
    credit_not_processed: 'a refund is missing',
    subscription_canceled: 'was canceled',
    unrecognized: 'not recognized',
    general: 'no particular one',
  } as Readonly<Record<string, string>>,
  disputeStates: {
    warning_needs_response: 'a question, waits for you',
    warning_under_review: 'a question, under review',
    warning_closed: 'a question, closed',
    needs_response: 'waits for you',
    under_review: 'under review',
    won: 'won: the money is back',
    lost: 'lost: the money is gone',
    prevented: 'given back before it began',
  },
  refundsOfPayment: 'Refunds at the provider',
  refundOfPayment: 'Refund',
  refundStates: {
    requires_action: 'waits for the customer',
    pending: 'on its way to the customer',
    succeeded: 'given back',
    failed: 'failed: the money is in the wallet again',
    canceled: 'canceled: the money is in the wallet again',
  },
  refundReasons: {
    lost_or_stolen_card: 'the card is lost or stolen',
    expired_or_canceled_card: 'the card has expired or was canceled',
    charge_for_pending_refund_disputed: 'the customer’s bank disputes the payment',
    declined: 'the customer’s bank refused it',
    insufficient_funds: 'the balance at the provider was too low',
    merchant_request: 'it was called off at the provider',
    unknown: 'no reason given',
  } as Readonly<Record<string, string>>,
  answerBy: 'Answer by',
  credited: 'Credited',
  givenBack: 'Given back at the provider',
  heldBack: 'Held back by the bank',
  letGo: 'Forgive',
  stillOwed: 'Owed',
  lookedAt: 'Synced',
  session: 'Session',
  payment: 'Payment',
  playMoney: 'Play money: the provider runs in its test mode.',
  look: 'Sync with the provider',
  forgive: 'Let the debt go',
  forgiveOf: (amount: string) => `Let ${amount} go`,
  forgiveAbout: (email: string, amount: string) =>
    `${email} owes ${amount}, because that much of a payment that was taken back had been spent.`,
  forgiveThen:
    'It is no longer taken from the account’s cash; the platform bears the loss. The journal is ' +
    'unchanged. If a dispute is won later, only what was really taken returns.',
  close: 'Close it',
  closeOf: (amount: string) => `Close the top-up of ${amount}`,
  closeAbout:
    'Close it once the payment was given back at the provider, or credited to the account by ' +
    'hand. It is never credited by itself afterwards.',
  owed: 'Owed',
  owedForPayments: 'Owed for payments that were taken back',
};
