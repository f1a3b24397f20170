// Defines the limits of voucher batches, for the command line and for the operators' form.

/** Codes per batch. */
export const MAX_BATCH_CODES = 10_000;
/** Days in which codes can be redeemed, and in which a voucher can be spent. */
export const MAX_VOUCHER_DAYS = 3_650;
