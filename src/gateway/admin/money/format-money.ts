// Formats amounts for operators and for their forms.
import { formatCny, MAX_AMOUNT, type MicroFen, parseTypedCny } from '../../../kernel/money.ts';

/** Exact, with at least two decimals: `¥0.036`, `−¥2.00`. */
export function formatYuan(amount: MicroFen): string {
  const [integerPart = '0', decimals = ''] = formatCny(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '−' : ''}¥${integerPart}.${decimals.padEnd(2, '0')}`;
}

/** The value of a form field; null: no amount, or an amount that no transfer may have. */
export function parseCnyInput(text: string | null): MicroFen | null {
  const amount = text === null ? null : parseTypedCny(text);
  return amount === null || amount > MAX_AMOUNT || amount < -MAX_AMOUNT ? null : amount;
}
