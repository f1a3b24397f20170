// Amounts are decimal text in CNY, exact to eight decimals, as in the API. These helpers calculate
// with integers and never with floating point.

const DECIMALS = 8;

/** An amount as text: `-?(0|[1-9]\d*)(\.\d{1,8})?`. Throws a TypeError for anything else. */
function unitsOf(amount: string): bigint {
  const [, sign, integerPart, decimals = ''] =
    /^(-?)(0|[1-9]\d*)(?:\.(\d{1,8}))?$/.exec(amount) ?? [];
  if (integerPart === undefined) throw new TypeError(`"${amount}" is not an amount.`);
  const units = BigInt(`${integerPart}${decimals.padEnd(DECIMALS, '0')}`);
  return sign === '-' ? -units : units;
}

/** Without trailing zeros; `0` for zero. */
function amountOf(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0');
  const decimals = digits.slice(-DECIMALS).replace(/0+$/, '');
  const text = `${digits.slice(0, -DECIMALS)}${decimals === '' ? '' : `.${decimals}`}`;
  return units < 0n ? `-${text}` : text;
}

/** The sum; `0` for an empty list. */
export function addMoney(...amounts: readonly string[]): string {
  return amountOf(amounts.reduce((sum, amount) => sum + unitsOf(amount), 0n));
}

export function subtractMoney(from: string, amount: string): string {
  return amountOf(unitsOf(from) - unitsOf(amount));
}

/** The amount multiplied by `times`, a whole number. */
export function multiplyMoney(amount: string, times: number): string {
  return amountOf(unitsOf(amount) * BigInt(times));
}

/** For `sort`: -1, 0 or 1. */
export function compareMoney(a: string, b: string): -1 | 0 | 1 {
  const difference = unitsOf(a) - unitsOf(b);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Exact text for display: `¥1,234.50`, `¥0.036`, `-¥2.00`. */
export function formatMoney(amount: string): string {
  const units = unitsOf(amount);
  const [integerPart = '0', decimals = ''] = amountOf(units < 0n ? -units : units).split('.');
  const grouped = integerPart.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `${units < 0n ? '-' : ''}¥${grouped}.${decimals.padEnd(2, '0')}`;
}
