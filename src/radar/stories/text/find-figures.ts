// Figures that separate two events or connect two reports of one, in one notation for all
// languages: money, percentages, large and plain numbers, issue numbers. "1.25亿美元" and "$125M"
// are both "money:125000000".

export type TextFigure = {
  readonly kind: 'money' | 'percent' | 'count' | 'issue';
  /** Canonical text, unique within its kind. */
  readonly value: string;
};

const scales: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  mln: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  t: 1e12,
  tn: 1e12,
  trillion: 1e12,
  十: 10,
  百: 100,
  千: 1e3,
  万: 1e4,
  十万: 1e5,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  十亿: 1e9,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
};

const number = String.raw`(?<n>\d[\d,]*(?:\.\d+)?)`;
const scale =
  String.raw`\s*-?(?<s>thousand|million|billion|trillion|mln|bn|mn|tn|[kmbt](?![a-z])|` +
  String.raw`十亿|百亿|千亿|万亿|十万|百万|千万|[十百千万亿])?`;
const currency =
  String.raw`\s*多?(?:个|余)?\s*(?<after>美元|美金|人民币|欧元|英镑|日元|港元|港币|元|dollars?|` +
  String.raw`euros?|yuan|pounds?|usd)?`;
// Parts of a date are not amounts: "17 August", "8月17日", "the 3rd".
const notADay =
  String.raw`(?!\d|[.,]\d|\s*[月日号年]|(?:st|nd|rd|th)\b|` +
  String.raw`\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))`;
const amount = new RegExp(
  String.raw`(?<before>us\$|hk\$|[$€£¥])?\s*(?<![\p{Script=Latin}\d.-]|百分之)${number}${notADay}` +
    String.raw`(?<pc>\s*(?:%|percent|per cent))?${scale}${currency}`,
  'gu',
);
const percentBefore = /百分之(\d+(?:\.\d+)?)/gu;
const issueNumbers = new RegExp(
  [
    String.raw`第\s*([一二三四五六七八九十百\d]+)\s*([届期季轮次])`,
    String.raw`(?<!\d)(20\d\d)\s*年?\s*(?:第?([一二三四1-4])季度?|q([1-4]))`,
    String.raw`\bq([1-4])\s*(?:of\s*)?(20\d\d)?\b`,
    String.raw`\b(?:episode|issue|edition|vol\.?|volume|part|week)\s*#?(\d+)\b`,
  ].join('|'),
  'gu',
);

/** `text` is folded. Distinct figures in their order; at most `max`. */
export function findFigures(text: string, max: number): readonly TextFigure[] {
  if (!/[\d第]/u.test(text)) return [];
  const figures = new Map<string, TextFigure>();
  const add = (kind: TextFigure['kind'], value: string) => {
    if (figures.size < max) figures.set(`${kind}:${value}`, { kind, value });
  };
  for (const match of text.matchAll(issueNumbers)) {
    add(
      'issue',
      match
        .slice(1)
        .filter((part) => part !== undefined)
        .join('/'),
    );
  }
  for (const [, value = ''] of text.matchAll(percentBefore)) add('percent', String(Number(value)));
  for (const match of text.matchAll(amount)) {
    const figure = readAmount(match);
    if (figure !== null) add(figure.kind, figure.value);
  }
  return [...figures.values()];
}

function readAmount({ groups }: RegExpMatchArray): TextFigure | null {
  const { n = '', s, before, after, pc } = groups ?? {};
  const base = Number(n.replaceAll(',', ''));
  if (!Number.isFinite(base)) return null;
  if (pc !== undefined) return { kind: 'percent', value: String(base) };
  const value = base * (s === undefined ? 1 : (scales[s] ?? 1));
  const text = String(Number(value.toPrecision(6)));
  if (before !== undefined || after !== undefined) return { kind: 'money', value: text };
  // Small whole numbers are too frequent, and a year identifies no event.
  if (s === undefined && (base < 13 || isYear(n))) return null;
  return { kind: 'count', value: text };
}

const isYear = (n: string) => /^(?:19|20)\d\d$/u.test(n);
