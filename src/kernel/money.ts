// Money is an integer number of micro-fen, a bigint from the wire to the ledger. 1 fen is 1,000,000
// and 1 CNY is 100,000,000 micro-fen. Only output formats convert amounts to decimals.
import { assert } from './errors/assert.ts';

/** An amount is never a JavaScript number, because numbers lose precision. */
export type MicroFen = bigint;

export const MICRO_FEN_PER_FEN = 1_000_000n;
const MICRO_FEN_PER_CNY = 100_000_000n;
const DECIMALS = 8;
/** Ten million yuan. Sums of such amounts fit into the database's bigint. */
export const MAX_AMOUNT: MicroFen = 10_000_000n * MICRO_FEN_PER_CNY;
/** The maximum of PostgreSQL's bigint. */
const MAX_MICRO_FEN = 2n ** 63n - 1n;

/** A decimal in CNY without trailing zeros, exact: `0.036`, `-12`, `0`. */
export function formatCny(amount: MicroFen): string {
  const sign = amount < 0n ? '-' : '';
  const absoluteAmount = amount < 0n ? -amount : amount;
  const integerPart = absoluteAmount / MICRO_FEN_PER_CNY;
  const fraction = String(absoluteAmount % MICRO_FEN_PER_CNY).padStart(DECIMALS, '0');
  const decimals = fraction.replace(/0+$/, '');
  return `${sign}${integerPart}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Parses `-?(0|[1-9]\d*)(\.\d{1,8})?`; null for other text and for amounts above the maximum. */
export function parseCny(text: string): MicroFen | null {
  const [, sign, integerPart, decimals = ''] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (integerPart === undefined) return null;
  const amount = BigInt(integerPart) * MICRO_FEN_PER_CNY + BigInt(decimals.padEnd(DECIMALS, '0'));
  if (amount > MAX_MICRO_FEN) return null;
  return sign === '-' ? -amount : amount;
}

/**
 * Parses typed amounts: `¥1,200.50`, `−2.50`, `１２．５`. A comma or space is accepted only between
 * thousands, because elsewhere it may mean a decimal point.
 */
export function parseTypedCny(text: string): MicroFen | null {
  const normalized = text.normalize('NFKC').replaceAll('−', '-').trim();
  const amount = normalized.replace(/^(-?) ?¥ ?/, '$1').replace(/\.$/, '');
  const hasThousandsCommas = /^-?\d{1,3}(?:,\d{3})+(?:\.|$)/.test(amount);
  const hasThousandsSpaces = /^-?\d{1,3}(?: \d{3})+(?:\.|$)/.test(amount);
  return parseCny(
    hasThousandsCommas || hasThousandsSpaces ? amount.replaceAll(/[, ]/g, '') : amount,
  );
}

/** Parses an integer number of micro-fen from the database. */
export function microFen(text: string): MicroFen {
  assert(/^-?\d+$/.test(text), `amounts are integers, unlike ${text}`);
  return BigInt(text);
}
