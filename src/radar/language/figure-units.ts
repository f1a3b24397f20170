// Units after a number: currencies, percent, times, durations, power, bytes, tokens. A factor
// converts each value to its base unit, such as seconds.

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
  | 'measure'
  | 'count';

export type Unit = {
  readonly kind: FigureKind;
  /** Figures with different units, such as currencies, are not comparable. */
  readonly unit: string | null;
  readonly factor: number;
};

type UnitRule = readonly [pattern: string, kind: FigureKind, unit: string | null, factor: number];

const minute = 60;
const hour = 3600;
const day = 86_400;

/** Of the rules that match after the number and its scale, the first applies. */
const unitRules: readonly UnitRule[] = [
  ['percentage points?|个百分点', 'points', null, 1],
  ['%|percent\\b|per cent\\b|pct\\b', 'percent', null, 1],
  ['成(?![功为立本交]|员(?!工))', 'percent', null, 10],
  ['thirds?\\b(?= of)', 'percent', null, 33.333],
  ['quarters?\\b(?= of (?:its|their|all|the))', 'percent', null, 25],
  ['fifths?\\b(?= of)', 'percent', null, 20],
  ['tenths?\\b(?= of|[.,;]|$)', 'percent', null, 10],
  ['分(?![钟之成布享别析发公子部类会工支手给为散配担裂])', 'points', 'score', 1],
  ['-?(?:us |u\\.s\\. )?dollars?\\b|usd\\b|美元|美金|美刀', 'money', 'USD', 1],
  ['yuan\\b|rmb\\b|cny\\b|renminbi\\b|人民币|元(?!年|旦|月)|块(?![头儿石])', 'money', 'CNY', 1],
  ['毛(?:钱|(?=[,。;、]|$))', 'money', 'CNY', 0.1],
  ['euros?\\b|eur\\b|欧元', 'money', 'EUR', 1],
  ['pounds?(?: sterling)?\\b|gbp\\b|英镑', 'money', 'GBP', 1],
  ['yen\\b|日元', 'money', 'JPY', 1],
  ['(?:korean )?won\\b|韩元', 'money', 'KRW', 1],
  ['hong kong dollars?\\b|hkd\\b|港元|港币', 'money', 'HKD', 1],
  ['rupees?\\b|inr\\b|卢比', 'money', 'INR', 1],
  ['(?:swiss )?francs?\\b|chf\\b|法郎', 'money', 'CHF', 1],
  [
    '(?:swedish |danish |norwegian |czech )?(?:crowns?|kron(?:a|or|er))\\b|克朗',
    'money',
    'crown',
    1,
  ],
  ['pesos?\\b|比索', 'money', 'peso', 1],
  ['r(?:eais|eals?)\\b|雷亚尔', 'money', 'BRL', 1],
  ['(?:turkish )?liras?\\b|里拉', 'money', 'TRY', 1],
  ['r(?:o?ubles?)\\b|卢布', 'money', 'RUB', 1],
  ['shekels?\\b|谢克尔', 'money', 'ILS', 1],
  ['dirhams?\\b|迪拉姆', 'money', 'AED', 1],
  ['riyals?\\b|里亚尔', 'money', 'SAR', 1],
  ['zlot(?:y|ys|ych)\\b|兹罗提', 'money', 'PLN', 1],
  ['forints?\\b|福林', 'money', 'HUF', 1],
  ['baht\\b|泰铢', 'money', 'THB', 1],
  ['ringgit\\b|林吉特', 'money', 'MYR', 1],
  ['rupiah\\b|印尼盾', 'money', 'IDR', 1],
  ['新加坡元|新元', 'money', 'SGD', 1],
  ['澳元', 'money', 'AUD', 1],
  ['加元', 'money', 'CAD', 1],
  ['新台币', 'money', 'TWD', 1],
  ['cents?\\b|美分', 'money', 'USD', 0.01],
  ['多?倍|-?times?\\b(?! (?:in|this|as (?:well|if|the)))|-?fold\\b|x\\b(?!\\d)', 'times', null, 1],
  ['milliseconds?\\b|ms\\b|毫秒', 'duration', null, 0.001],
  ['-?seconds?\\b(?!-)|秒', 'duration', null, 1],
  ['-?minutes?\\b|mins?\\b|分钟', 'duration', null, minute],
  ['-?hours?\\b|hrs?\\b|个?(?:多)?小时|个钟头', 'duration', null, hour],
  [
    '-?(?: ?(?:school|working|business|trading|calendar|consecutive|straight|full) )?' +
      'days?\\b(?!-)|个?(?:工作|自然)?天|日(?=[内之以]|的?(?:期限|通知期|宽限))',
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

/** Measured quantities, each converted to its `unit`. They precede `unitRules`. */
const measureRules: readonly UnitRule[] = [
  [
    'km/h|kph\\b|kilomet(?:er|re)s? (?:per|an) hour|公里/小时|公里每小时',
    'measure',
    'm/s',
    1 / 3.6,
  ],
  ['mph\\b|miles? (?:per|an) hour', 'measure', 'm/s', 0.44704],
  ['k(?:m|ilomet(?:er|re)s?) ?(?:/|per |a )s(?:econd)?\\b|公里/秒', 'measure', 'm/s', 1e3],
  ['(?:square|sq\\.?) (?:km|kilomet(?:er|re)s?)\\b|平方公里|平方千米', 'measure', 'm²', 1e6],
  ['(?:square|sq\\.?) (?:m|met(?:er|re)s?)\\b|平方米|平米', 'measure', 'm²', 1],
  ['(?:square|sq\\.?) (?:ft|feet|foot)\\b', 'measure', 'm²', 0.092903],
  ['-?hectares?\\b|公顷', 'measure', 'm²', 1e4],
  ['-?acres?\\b|英亩', 'measure', 'm²', 4046.86],
  ['亩', 'measure', 'm²', 666.667],
  ['-?(?:km\\b|kilomet(?:er|re)s?\\b)|公里|千米', 'measure', 'm', 1e3],
  ['-?miles?\\b|英里', 'measure', 'm', 1609.344],
  ['-?(?:cm\\b|centimet(?:er|re)s?\\b)|厘米', 'measure', 'm', 0.01],
  ['-?(?:mm\\b|millimet(?:er|re)s?\\b)|毫米', 'measure', 'm', 0.001],
  ['-?met(?:er|re)s?\\b|米(?![粉饭面线])', 'measure', 'm', 1],
  ['-?(?:feet|foot|ft)\\b|英尺', 'measure', 'm', 0.3048],
  ['-?light[- ]years?\\b|光年', 'measure', 'm', 9.4607e15],
  ['-?parsecs?\\b|秒差距', 'measure', 'm', 3.0857e16],
  ['-?(?:nm\\b|nanomet(?:er|re)s?\\b)|纳米', 'measure', 'nm', 1],
  ['-?tops\\b(?=$|[^a-z]*[,.;)、。])|-?tops\\b(?= of)', 'measure', 'TOPS', 1],
  ['-?(?:decibels?|db)\\b|分贝', 'measure', 'dB', 1],
  ['-?(?:megapixels?|mp)\\b', 'measure', 'px', 1e6],
  ['像素', 'measure', 'px', 1],
  ['-?inch(?:es)?\\b|英寸|寸', 'measure', 'in', 1],
  ['-?(?:tonnes?|tons?)\\b|吨', 'measure', 'kg', 1e3],
  ['-?(?:kg\\b|kilograms?\\b|kilos?\\b)|公斤|千克', 'measure', 'kg', 1],
  ['-?grams?\\b|克(?![服拉隆])', 'measure', 'kg', 1e-3],
  ['gwh\\b|gigawatt[- ]hours?\\b|吉瓦时', 'measure', 'Wh', 1e9],
  ['mwh\\b|megawatt[- ]hours?\\b|兆瓦时', 'measure', 'Wh', 1e6],
  ['kwh\\b|kilowatt[- ]hours?\\b|千瓦时|度电', 'measure', 'Wh', 1e3],
  ['-?mah\\b|毫安时', 'measure', 'mAh', 1],
  ['(?:°|degrees?) ?(?:f\\b|fahrenheit)|℉|华氏度', 'measure', '°F', 1],
  ['(?:°|degrees?) ?(?:c\\b|celsius)|℃|摄氏度|degrees\\b(?! of)', 'measure', '°C', 1],
  ['-?magnitude\\b|级(?=[地强]?震|[,，。;、]|$|,)', 'measure', 'magnitude', 1],
  ['ghz\\b', 'measure', 'Hz', 1e9],
  ['-?barrels?\\b|桶', 'measure', 'barrels', 1],
  ['-?lit(?:er|re)s?\\b|升(?![至到级值温高])', 'measure', 'litres', 1],
];

const units = [...measureRules, ...unitRules].map(([pattern, kind, unit, factor]) => ({
  pattern: new RegExp(`\\s?(?:${pattern})`, 'uy'),
  kind,
  unit,
  factor,
}));

/** The names of all units. A kind whose unit is null is listed by the name of the kind. */
export const unitNames: ReadonlySet<string> = new Set(units.map(({ kind, unit }) => unit ?? kind));

/** The unit at `at` in the folded lower-case text, and its end. */
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

/** Codes that are recognized before a number. `unitRules` has the codes after a number. */
const currencyCodes = 'chf aud cad sgd hkd twd jpy krw inr brl ils aed pln huf thb myr idr'.split(
  ' ',
);

const currencySigns: readonly (readonly [RegExp, string])[] = [
  [/(?:us\$|\$\s?usd)\s?$/u, 'USD'],
  [/hk\$\s?$/u, 'HKD'],
  [/(?:a|au)\$\s?$/u, 'AUD'],
  [/(?:c|ca)\$\s?$/u, 'CAD'],
  [/s\$\s?$/u, 'SGD'],
  [/nt\$\s?$/u, 'TWD'],
  [/r\$\s?$/u, 'BRL'],
  [/\$\s?$/u, 'USD'],
  [/(?:€|eur)\s?$/u, 'EUR'],
  [/(?:£|gbp)\s?$/u, 'GBP'],
  [/(?:rmb|cny|¥|人民币)\s?$/u, 'CNY'],
  [/(?:₩)\s?$/u, 'KRW'],
  [/(?:₹|\brs\.?)\s?$/u, 'INR'],
  [/usd\s?$/u, 'USD'],
  [/\b(?:nok|sek|dkk|czk)\s?$/u, 'crown'],
  [/₺\s?$/u, 'TRY'],
  [/₽\s?$/u, 'RUB'],
  [/₪\s?$/u, 'ILS'],
  [/฿\s?$/u, 'THB'],
  ...currencyCodes.map((code) => [new RegExp(`\\b${code}\\s?$`, 'u'), code.toUpperCase()] as const),
];

/** A currency before the number that begins at `at`. */
export function currencyBefore(
  text: string,
  at: number,
): { readonly unit: string; readonly start: number } | null {
  const precedingText = text.slice(Math.max(0, at - 6), at);
  for (const [pattern, unit] of currencySigns) {
    const match = pattern.exec(precedingText);
    if (match !== null) return { unit, start: at - match[0].length };
  }
  return null;
}
