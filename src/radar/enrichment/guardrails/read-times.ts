// Reads days, months, weekdays and quarters of a text in one form for both languages. The year is
// null when the text omits it.

export type NamedTime = {
  /** `day:08-18`, `month:08`, `weekday:5` (Sunday is 0), `quarter:3`. */
  readonly key: string;
  /** The year beside a day or month; null without one. */
  readonly year: string | null;
  readonly start: number;
  readonly end: number;
};

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const weekdays = 'sun mon tue wed thu fri sat'.split(' ');
const hanWeekdays = '日一二三四五六';
const ordinals: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  一: 1,
  二: 2,
  三: 3,
  四: 4,
};

const monthPattern =
  '(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
const dayPattern = '(?<day>\\d{1,2})(?:st|nd|rd|th)?(?![\\d%]|[.,]\\d)';

const patterns: readonly RegExp[] = [
  new RegExp(`\\b${monthPattern}\\s+(?:the )?${dayPattern}`, 'gu'),
  new RegExp(`\\b${dayPattern}\\s+(?:of\\s+)?${monthPattern}`, 'gu'),
  /(?<month>\d{1,2})\s*月\s*(?<day>\d{1,2})\s*[日号]/gu,
  /\b20\d\d-(?<month>\d\d)-(?<day>\d\d)\b/gu,
  /(?<![\d个])(?<month>\d{1,2})\s*月(?!\s*\d)/gu,
  // "May" is also a verb, so it counts as a month only in the position of a month.
  new RegExp(`\\b${monthPattern}(?!\\s+\\d{1,2}(?!\\d))`, 'gu'),
  /\b(?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:day|sday|nesday|rsday|urday)?s?\b/gu,
  /(?:周|星期|礼拜)(?<hanWeekday>[日天一二三四五六])(?!年)/gu,
  new RegExp(
    [
      String.raw`\bq(?<quarter>[1-4])\b`,
      String.raw`\b(?<ordinal>first|second|third|fourth)[- ]quarter\b`,
      '第?(?<hanQuarter>[一二三四1-4])季度?',
    ].join('|'),
    'gu',
  ),
];

/** `text` is folded and in lower case. */
export function readNamedTimes(text: string): readonly NamedTime[] {
  const times: NamedTime[] = [];
  for (const pattern of patterns) {
    for (const { 0: match, index, groups = {} } of text.matchAll(pattern)) {
      const end = index + match.length;
      if (times.some((time) => index < time.end && time.start < end)) continue;
      const key = timeKeyOf(groups, text, index);
      if (key === null) continue;
      times.push({ key, year: findAdjacentYear(text, index, end), start: index, end });
    }
  }
  return times;
}

/** "May 2027", "18 August, 2026", 2027年3月, 2026-08-18. */
function findAdjacentYear(text: string, start: number, end: number): string | null {
  return (
    /^(20\d\d)-/u.exec(text.slice(start))?.[1] ??
    /^(?:,| of)?\s(20\d\d)(?!\d)/u.exec(text.slice(end))?.[1] ??
    /(20\d\d)\s*年\s*$/u.exec(text.slice(0, start))?.[1] ??
    null
  );
}

type Groups = Readonly<Record<string, string | undefined>>;

function timeKeyOf(
  { month, day, weekday, hanWeekday, quarter, ordinal, hanQuarter }: Groups,
  text: string,
  at: number,
): string | null {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  if (month !== undefined) {
    const number = /^\d/u.test(month) ? Number(month) : months.indexOf(month.slice(0, 3)) + 1;
    if (number < 1 || number > 12) return null;
    if (day !== undefined)
      return Number(day) > 31 ? null : `day:${twoDigits(number)}-${twoDigits(Number(day))}`;
    const canBeVerb = month === 'may' || month === 'mar' || month === 'march';
    return canBeVerb && !isMonthPosition(text, at, month.length)
      ? null
      : `month:${twoDigits(number)}`;
  }
  if (weekday !== undefined) return `weekday:${weekdays.indexOf(weekday)}`;
  if (hanWeekday !== undefined)
    return `weekday:${hanWeekdays.indexOf(hanWeekday === '天' ? '日' : hanWeekday)}`;
  const quarterText = quarter ?? ordinal ?? hanQuarter ?? '';
  return `quarter:${ordinals[quarterText] ?? Number(quarterText)}`;
}

/** True for the position of a month: "in May", "until March", "May 2027". */
function isMonthPosition(text: string, at: number, length: number): boolean {
  const precedingWords =
    /\b(?:in|since|until|till|by|from|to|of|last|next|this|early|late|mid)[ -]$/u;
  return precedingWords.test(text.slice(0, at)) || /^,? 20\d\d/u.test(text.slice(at + length));
}
