// Amounts as operators read them, and as they type them.
import { formatCny, type MicroFen, parseCny } from '../../kernel/money.ts';

/** Exact, with two decimals at least: `¥0.036`, `−¥2.00`. */
export function yuan(amount: MicroFen): string {
  const [whole = '0', decimals = ''] = formatCny(amount < 0n ? -amount : amount).split('.');
  return `${amount < 0n ? '−' : ''}¥${whole}.${decimals.padEnd(2, '0')}`;
}

/** What stands in a form: CNY, with or without its sign and thousands' commas; null: no amount. */
export function typedCny(text: string | null): MicroFen | null {
  if (text === null) return null;
  return parseCny(text.replace(/^\s*¥\s*/, '').replaceAll(/[,\s]/g, ''));
}
