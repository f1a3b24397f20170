// English messages of the admin pages about money, prices and the ledger.

const formatCount = (count: number, singular: string, plural: string) =>
  `${count} ${count === 1 ? singular : plural}`;

export const moneyEn = {
  money: 'Money',
  amount: 'Amount',
  cash: 'Cash',
  vouchersLeft: 'Vouchers left',
  voucher: 'Voucher',
  heldForCalls: 'Held for running calls',
  allowanceToday: 'Free allowance, left today',
  transactions: 'Transactions',
  noTransactions: 'No transactions in this mode yet.',
  entryKinds: {
    top_up: 'Top-up',
    top_up_refund: 'Refund of a top-up',
    top_up_dispute: 'Reclaimed: disputed at the bank',
    top_up_return: 'Returned: the dispute is over',
    top_up_refund_failed: 'Returned: the refund failed',
    credit: 'Credit',
    allowance: 'Free allowance',
    voucher: 'Voucher',
    goodwill: 'Goodwill voucher',
    sandbox: 'Test money',
    expiry: 'Expired',
    refund: 'Refund',
  } as Readonly<Record<string, string>>,
  charge: 'Charge',
  chargeFrom: 'Paid from',
  parts: (allowance: string, voucher: string, cash: string) =>
    `allowance ${allowance} · vouchers ${voucher} · cash ${cash}`,
  amountCny: 'Amount in CNY',
  amountWrong: 'An amount in CNY of at most 10,000,000, such as 12.50.',
  amountAboveZero: 'An amount in CNY above zero and at most 10,000,000, such as 12.50.',
  transferAbout: 'The transfer is permanent: entries of the journal are never edited.',
  credit: 'Credit',
  creditTo: (email: string) => `Credit to ${email}`,
  creditAbout:
    'The amount is added to the account’s cash at once. A negative amount is debited, up to the ' +
    'available cash; holds for calls do not change.',
  creditAmountHelp: 'Such as 20, or −2.50 for a debit.',
  creditKind: 'Kind',
  creditKinds: { credit: 'Credit without payment', paid: 'Payment of the customer' },
  reference: 'Reference (optional)',
  referenceHelp: 'Identifies a payment: a reference is counted only once. Required for payments.',
  referenceMissing: 'A payment needs its reference, so that it is not counted twice.',
  referenceKnown: (amount: string) => `This reference was already used, with ${amount}.`,
  paidBelowZero: 'A payment must be above zero.',
  cashTooLow: 'The account has less cash than this amount.',
  giveVoucher: 'Give a voucher',
  voucherTo: (email: string) => `Voucher for ${email}`,
  voucherAbout: 'A voucher is spent before cash and after the daily allowance, and it expires.',
  voucherName: 'Name of the voucher',
  voucherNameHelp: 'The account sees this name.',
  voucherDays: 'Days until it expires',
  refund: 'Refund',
  refunded: 'Refunded',
  refundAbout: (email: string, cost: string, remaining: string) =>
    `This call cost ${cost}, of which ${remaining} can still be refunded to ${email}. Cash is ` +
    'refunded first, as cash. What the allowance or a voucher paid is refunded as a voucher ' +
    'that is valid for 30 days.',
  refundParts: (cash: string, voucher: string) => `${cash} as cash, ${voucher} as a voucher`,
  refundAmountHelp: (remaining: string) => `At most ${remaining}.`,
  refundAmountWrong: (remaining: string) => `An amount above zero and at most ${remaining}.`,

  vouchersAbout: 'Codes that accounts redeem for a voucher. The codes are kept as hashes only.',
  noBatches: 'No batch was made yet.',
  batch: 'Batch',
  redeemed: 'Redeemed',
  redeemUntil: 'Redeemable until',
  withdrawn: 'withdrawn',
  batchExpired: 'expired',
  redeemable: 'open',
  makeBatch: 'Make a batch',
  makeBatchAbout: [
    'Each code becomes one voucher of this amount. The codes are shown once, on the next page.',
  ],
  batchFields: {
    amount: 'Amount of each voucher, in CNY',
    count: 'Number of codes',
    days: 'Days that a voucher can be spent, once redeemed',
    redeemDays: 'Days that the codes can be redeemed',
  },
  onePerAccount: 'One code of the batch per account',
  codesOf: (name: string) => `Codes: ${name}`,
  codesOnce: 'Store these codes now: they cannot be shown again.',
  codes: (count: number) => formatCount(count, 'code', 'codes'),
  codesKept: 'I have stored them',
  withdrawBatch: 'Withdraw the batch',
  withdrawOf: (name: string) => `Withdraw the batch “${name}”`,
  withdrawAbout: (open: number, redeemed: number) =>
    `${formatCount(open, 'code', 'codes')} can no longer be redeemed. The vouchers of the ` +
    `${redeemed} redeemed stay valid. This cannot be undone.`,

  pricesAbout: 'A price list never changes: a new list takes effect later, on every node at once.',
  changePrices: 'Change prices',
  changePricesAbout: [
    'From the instant below every call is priced by this list, on every node, and the catalog ' +
      'shows it. Running calls and jobs keep their price.',
    'The list can be canceled until ten seconds before its start, and it cannot be edited.',
  ],
  planPrices: 'Plan this list',
  pricesNow: (version: number) => `Now: version ${version}`,
  pricesPlanned: 'Planned',
  nothingPlanned: 'Nothing is planned.',
  pricesPast: 'History',
  version: (version: number) => `Version ${version}`,
  list: 'List',
  fromTheStart: 'from the start',
  shipped: 'as shipped',
  planCanceled: 'canceled',
  callOff: 'Cancel',
  cancelPlanOf: (version: number) => `Cancel version ${version}`,
  cancelPlanAbout:
    'The list will not take effect; prices do not change. Its number is not used again.',
  sku: 'Service',
  unit: 'Per',
  price: 'Price',
  free: 'free',
  per: (price: string, unit: string) => `${price} per ${unit}`,
  skus: {
    social_data: 'Social data',
    transcribe: 'Transcription',
    svc_image: 'Text to image',
    ocr: 'Image OCR',
  },
  units: {
    social_data: '1,000 calls',
    transcribe: 'minute, billed by the second',
    svc_image: 'call',
    ocr: 'call',
  },
  figureHelp: {
    social_data: 'CNY for 1,000 calls, in whole fen.',
    transcribe: 'CNY for a minute, in steps of 0.03, so that a second is exact.',
    svc_image: 'CNY for a call; 0 is free.',
    ocr: 'CNY for a call; 0 is free.',
  },
  figureWrong: 'A price in CNY, such as 36.00; 0 is free.',
  figureTooHigh: (max: string) => `At most ${max}.`,
  figureStep: (step: string) => `In steps of ${step}, so that one unit has an exact price.`,
  starts: 'Begins at',
  startsHelp: 'Asia/Shanghai, as 2026-12-01 00:00. At least a minute from now.',
  startsWrong: 'A date and a time, as 2026-12-01 00:00.',
  startsTooSoon: 'At least a minute from now, so that every node receives it in time.',
  startsTooFar: 'At most five years from now.',
  startsTaken: (version: number) => `Version ${version} begins at that instant already.`,
  allowance: 'Free allowance',
  perAccount: 'Each account',
  perAccountFree: '¥2.00 a day',
  capOfAll: 'All accounts together, a day',
  noCap: 'no cap',
  givenToday: 'Allowance given today',
  capReached: 'The cap on free allowances is reached: no account gets an allowance until tomorrow.',
  setCap: 'Set a cap',
  setCapAbout: [
    'When the next allowance of a day would exceed the cap, no account gets an allowance until ' +
      'midnight in Shanghai; calls use vouchers and cash, and a 402 gives the reason.',
    'Allowances that were already given today do not change.',
  ],
  capHelp: 'CNY a day. Empty: no cap. 0: no allowance.',

  ledgerAbout: 'The invariants of the ledger and the last integrity check.',
  checkNow: 'Check now',
  checkQueued: 'An integrity check was requested and waits for a worker, since',
  checkProgress: (done: number, all: number) =>
    `Check running: ${done} of ${all} invariants checked.`,
  neverChecked: 'No check yet: the journal is empty, or no worker runs.',
  noFigures: 'No figures yet.',
  invariantsHold: (checked: number, all: number) =>
    checked === all
      ? `All invariants hold, over ${formatCount(all, 'entry', 'entries')}.`
      : `All invariants held over ${checked} of ${formatCount(all, 'entry', 'entries')}; ` +
        'the other entries are newer than this check.',
  someBroken: (count: number) => `${formatCount(count, 'invariant is', 'invariants are')} broken.`,
  invariantsTitle: 'The invariants',
  promise: 'Invariant',
  invariants: {
    balanced: 'The postings of every entry sum to zero.',
    never_negative: 'No balance was ever below zero, and no hold exceeded its balance.',
    cache_is_replay: 'Every balance equals the result of a replay of the journal.',
    resolved_once: 'Every hold was resolved at most once, and never for more than it held.',
    captured_once_per_key: 'No idempotency key was charged twice.',
    allocations_are_the_charge:
      'The parts of every hold add up to the hold, in its row and in the journal.',
    spending_order: 'The allowance was spent before vouchers, vouchers by expiry, cash last.',
    charged_what_was_answered:
      'Every successful call was charged its price, and every failed call nothing.',
    revenue_is_price_times_quantity:
      'Revenue is the sum of charges. A charge is price times quantity, or the sum of token lines.',
    allowance_within_its_day: 'No account received more than ¥2.00 of free allowance for a day.',
    chain_intact: 'No sealed entry was changed, added or removed.',
    top_ups_are_in_the_books: 'Every top-up was credited once or not at all, as its record states.',
    refunds_within_the_charge:
      'No call was refunded more than its charge, or more cash than it was charged in cash.',
    usage_is_the_calls: 'Every sum of usage equals the sum of the calls that it contains.',
    lines_are_the_usage: 'The charge lines of a call equal the billed usage of its attempts.',
  },
  isIntact: 'intact',
  isBroken: 'broken',
  broken: (count: number) =>
    count >= 100 ? '100 or more' : formatCount(count, 'violation', 'violations'),
  ifBroken: 'Steps when an invariant is broken',
  ifBrokenSteps: [
    'Make a backup first: npx radar backup.',
    'Read the violations above, or all of them: npx radar ledger audit --json.',
    'Broken cache or sums (1 to 3, 6): switch the paid capabilities off until the cause is ' +
      'known; the balances can be computed again from the journal.',
    'Wrong charges (4, 5, 8, 9): refund the listed calls. Corrections are transfers, ' +
      'never edits.',
    'A broken chain (11) means a write to the database outside the gateway. Compare ' +
      'with the last backup, and change the database’s passwords.',
  ],
  figures: 'Figures',
  entries: 'Entries',
  unsealed: 'Not sealed yet',
  heldFor: (minutes: number) =>
    `Calls held for ${formatCount(minutes, 'minute', 'minutes')} or more`,
  capturedFrom: {
    allowance: 'Charged to allowances',
    voucher: 'Charged to vouchers',
    cash: 'Charged to cash',
  },
  proofs: 'Integrity checks',
  checkRunning: 'running',
  bySchedule: 'on schedule',
};
