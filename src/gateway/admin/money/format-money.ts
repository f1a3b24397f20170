// Formats amounts for operators and for their forms.
import { formatCny, type MicroFen, parseTypedCny } from '../../../kernel/money.ts';

/** Exact, with at least two decimals: `¥0.036`, `−¥2.00`. */
export function formatYuan(amount: MicroFen): string {
  const [integerPart = '0', decimals = ''] = formatCny(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '−' : ''}¥${integerPart}.${decimals.padEnd(2, '0')}`;
}

/** The value of a form field; null: no amount. */
export const parseCnyInput = (text: string | null): MicroFen | null =>
  text === null ? null : parseTypedCny(text);
