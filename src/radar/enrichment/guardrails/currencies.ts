// Currencies with their names. The figure reader parses only the large currencies. For a currency
// in a reply of the model, this table decides whether the source mentions it in another spelling.

/** Folded spellings of each currency; the first one is the code. */
const currencies: readonly (readonly string[])[] = [
  ['nok', 'norwegian kron', 'kroner', 'krone', '挪威克朗', '克朗'],
  ['sek', 'swedish kron', 'kronor', 'krona', '瑞典克朗', '克朗'],
  ['dkk', 'danish kron', 'kroner', 'krone', '丹麦克朗', '克朗'],
  ['chf', 'swiss franc', 'francs', '瑞士法郎', '瑞郎', '法郎'],
  ['aud', 'a$', 'australian dollar', '澳元', '澳大利亚元'],
  ['cad', 'c$', 'canadian dollar', '加元', '加拿大元'],
  ['sgd', 's$', 'singapore dollar', '新元', '新加坡元'],
  ['nzd', 'nz$', 'new zealand dollar', '新西兰元', '纽元'],
  ['twd', 'nt$', 'taiwan dollar', '新台币', '台币'],
  ['brl', 'r$', 'reais', 'real', '雷亚尔'],
  ['mxn', 'mex$', 'pesos', 'peso', '比索'],
  ['zar', 'rand', '兰特'],
  ['rub', '₽', 'rubles', 'roubles', '卢布'],
  ['try', '₺', 'lira', '里拉'],
  ['pln', 'zloty', 'zł', '兹罗提'],
  ['thb', '฿', 'baht', '泰铢'],
  ['ils', '₪', 'shekel', '谢克尔'],
  ['aed', 'dirham', '迪拉姆'],
  ['sar', 'riyal', '里亚尔'],
  ['idr', 'rupiah', '印尼盾', '盾'],
  ['usd', '$', 'us$', 'dollar', '美元', '美金'],
  ['eur', '€', 'euro', '欧元'],
  ['gbp', '£', 'pound', 'sterling', '英镑'],
  ['cny', '¥', 'yuan', 'rmb', 'renminbi', '元', '人民币'],
  ['jpy', '¥', 'yen', '日元'],
  ['krw', '₩', 'won', '韩元'],
  ['inr', '₹', 'rupee', '卢比'],
  ['hkd', 'hk$', 'hong kong dollar', '港元', '港币'],
];

const currencySpellings = currencies.map((all) => ({ all, spellings: new Set(all) }));

/** True when `text` has the currency `word` in any spelling; null when `word` is no currency. */
export function isCurrencyIn(word: string, text: string): boolean | null {
  const matchingCurrencies = currencySpellings.filter(({ spellings }) => spellings.has(word));
  if (matchingCurrencies.length === 0) return null;
  return matchingCurrencies.some(({ all }) => all.some((spelling) => text.includes(spelling)));
}

const currencyPattern = new RegExp(
  `^\\s?(?:${currencies
    .flat()
    .filter((spelling) => /^(?:[a-z]{4,}|\p{sc=Han}+)$/u.test(spelling))
    .sort((a, b) => b.length - a.length)
    .join('|')})`,
  'u',
);

/** The currency name directly after a number, in folded text. */
export const currencyAtStart = (textAfter: string): string | null =>
  currencyPattern.exec(textAfter)?.[0].trim() ?? null;

/** Currency names in ideographs at any position. */
export const hanCurrencies = new RegExp(
  currencies
    .flat()
    .filter((spelling) => /^\p{sc=Han}{2,}$/u.test(spelling))
    .sort((a, b) => b.length - a.length)
    .join('|'),
  'gu',
);
