// What stands behind a number and makes it a figure of something: currencies, percent, times,
// durations, power, bytes, tokens. Everything is brought to one unit per kind.

export type FigureKind =
  | 'money'
  | 'percent'
  | 'points'
  | 'times'
  | 'duration'
  | 'power'
  | 'bytes'
  | 'tokens'
  | 'rate'
  | 'count';

export type Unit = {
  readonly kind: FigureKind;
  /** Named when figures of one kind cannot be compared: currencies. */
  readonly unit: string | null;
  readonly factor: number;
};

type Row = readonly [pattern: string, kind: FigureKind, unit: string | null, factor: number];

const minute = 60;
const hour = 3600;
const day = 86_400;

/** Tried in this order, at the end of the number and its scale. */
const rows: readonly Row[] = [
  ['percentage points?|个百分点', 'points', null, 1],
  ['%|percent\\b|per cent\\b|pct\\b', 'percent', null, 1],
  ['成(?![功为立本员交员])', 'percent', null, 10],
  ['(?:us |u\\.s\\. )?dollars?\\b|usd\\b|美元|美金', 'money', 'USD', 1],
  ['yuan\\b|rmb\\b|cny\\b|renminbi\\b|人民币|元(?!年|旦|月)|块钱', 'money', 'CNY', 1],
  ['euros?\\b|eur\\b|欧元', 'money', 'EUR', 1],
  ['pounds?(?: sterling)?\\b|gbp\\b|英镑', 'money', 'GBP', 1],
  ['yen\\b|日元', 'money', 'JPY', 1],
  ['(?:korean )?won\\b|韩元', 'money', 'KRW', 1],
  ['hong kong dollars?\\b|hkd\\b|港元|港币', 'money', 'HKD', 1],
  ['rupees?\\b|inr\\b|卢比', 'money', 'INR', 1],
  ['cents?\\b|美分', 'money', 'USD', 0.01],
  ['多?倍|-?times?\\b(?! (?:in|this|as (?:well|if|the)))|-?fold\\b|x\\b(?!\\d)', 'times', null, 1],
  ['milliseconds?\\b|ms\\b|毫秒', 'duration', null, 0.001],
  ['-?seconds?\\b(?!-)|秒', 'duration', null, 1],
  ['-?minutes?\\b|mins?\\b|分钟', 'duration', null, minute],
  ['-?hours?\\b|hrs?\\b|个?(?:多)?小时|个钟头', 'duration', null, hour],
  [
    '-?days?\\b(?!-)|个?(?:工作|自然)?天|日(?=[内之以]|的?(?:期限|通知期|宽限))',
    'duration',
    null,
    day,
  ],
  ['-?weeks?\\b|个?(?:星期|礼拜)|周(?![一二三四五六日年边围])', 'duration', null, 7 * day],
  ['-?months?\\b|个(?:多)?月', 'duration', null, 30.4375 * day],
  ['-?quarters? (?:of )?(?:a )?century\\b', 'duration', null, 9131 * day],
  ['-?years?\\b(?!-old)|年(?![代级初末底中])', 'duration', null, 365.25 * day],
  ['-?decades?\\b', 'duration', null, 3652.5 * day],
  ['gigawatts?\\b|gw\\b|吉瓦|百万千瓦', 'power', 'W', 1e9],
  ['megawatts?\\b|mw\\b|兆瓦', 'power', 'W', 1e6],
  ['kilowatts?\\b|kw\\b|千瓦(?!时)', 'power', 'W', 1e3],
  ['watts?\\b|w\\b|瓦(?!时)', 'power', 'W', 1],
  ['terabytes?(?:/s)?\\b|tb(?:/s|ps)?\\b', 'bytes', null, 1e12],
  ['gigabytes?(?:/s)?\\b|gb(?:/s|ps)?\\b', 'bytes', null, 1e9],
  ['megabytes?(?:/s)?\\b|mb(?:/s|ps)?\\b', 'bytes', null, 1e6],
  ['tokens? (?:per|a) second\\b|tokens?/s\\b|(?:个)?(?:tokens?|词元)/秒', 'rate', null, 1],
  ['(?:个)?(?:-?tokens?\\b|词元|个?字(?:符)?的?上下文)', 'tokens', null, 1],
  ['-?token\\b', 'tokens', null, 1],
];

const units = rows.map(([pattern, kind, unit, factor]) => ({
  pattern: new RegExp(`\\s?(?:${pattern})`, 'uy'),
  ...{ kind, unit, factor },
}));

/** The unit that begins at `at` of the folded lower-case text, and where it ends. */
export function unitAt(text: string, at: number): (Unit & { readonly end: number }) | null {
  for (const row of units) {
    row.pattern.lastIndex = at;
    const match = row.pattern.exec(text);
    if (match !== null) {
      return { kind: row.kind, unit: row.unit, factor: row.factor, end: at + match[0].length };
    }
  }
  return null;
}

const signs: readonly (readonly [RegExp, string])[] = [
  [/(?:us\$|\$\s?usd)\s?$/u, 'USD'],
  [/hk\$\s?$/u, 'HKD'],
  [/(?:a|au)\$\s?$/u, 'AUD'],
  [/(?:c|ca)\$\s?$/u, 'CAD'],
  [/s\$\s?$/u, 'SGD'],
  [/\$\s?$/u, 'USD'],
  [/(?:€|eur)\s?$/u, 'EUR'],
  [/(?:£|gbp)\s?$/u, 'GBP'],
  [/(?:rmb|cny|¥|人民币)\s?$/u, 'CNY'],
  [/(?:₩)\s?$/u, 'KRW'],
  [/(?:₹|\brs\.?)\s?$/u, 'INR'],
  [/usd\s?$/u, 'USD'],
];

/** A currency written before the number that begins at `at`. */
export function currencyBefore(
  text: string,
  at: number,
): { readonly unit: string; readonly start: number } | null {
  const head = text.slice(Math.max(0, at - 6), at);
  for (const [pattern, unit] of signs) {
    const match = pattern.exec(head);
    if (match !== null) return { unit, start: at - match[0].length };
  }
  return null;
}
