// Limits of voucher batches. The command line and the form of the operators state them.

/** Codes per batch. */
export const MAX_BATCH_CODES = 10_000;
/** Days in which codes can be redeemed, and in which a voucher can be spent. */
export const MAX_VOUCHER_DAYS = 3_650;
