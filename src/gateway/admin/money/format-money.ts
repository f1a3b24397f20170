// Amounts as operators read them, and as they type them.
import { formatCny, type MicroFen, parseTypedCny } from '../../../kernel/money.ts';

/** Exact, with two decimals at least: `¥0.036`, `−¥2.00`. */
export function yuan(amount: MicroFen): string {
  const [whole = '0', decimals = ''] = formatCny(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '−' : ''}¥${whole}.${decimals.padEnd(2, '0')}`;
}

/** What stands in a form; null: no amount. */
export const typedCny = (text: string | null): MicroFen | null =>
  text === null ? null : parseTypedCny(text);
