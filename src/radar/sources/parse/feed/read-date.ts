// Parses dates of feeds. Forms: RFC 822 with misspellings, W3CDTF, ISO 8601 (calendar, ordinal,
// week), asctime, SQL, epoch seconds, and words of many languages. A missing time zone means UTC,
// except in forms that only Korean, Chinese or Japanese software writes.
import { monthNumber, zoneMinutes } from './date-words.ts';

/** RFC 3339 UTC with milliseconds; null when unreadable. Linear. */
export function readDate(source: string): string | null {
  const text = source.slice(0, 200).normalize('NFKC').replace(/\s+/g, ' ').trim();
  if (text === '') return null;
  for (const reader of readers) {
    const time = reader(text);
    if (time !== null) return time;
  }
  return null;
}

type Clock = {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** East of UTC. */
  readonly zoneMinutes: number;
};

const midnight: Clock = { hour: 0, minute: 0, second: 0, millisecond: 0, zoneMinutes: 0 };

/** Nonexistent days (31 June) and hours past midnight roll over, as in mktime. */
function instant(year: number, month: number, day: number, clock: Clock): string | null {
  const { hour, minute, second, millisecond } = clock;
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 366) return null;
  if (hour > 30 || minute > 99 || second > 99) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - clock.zoneMinutes, second, millisecond);
  const time = date.getTime();
  if (Number.isNaN(time) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null;
  return date.toISOString();
}

/** Two digits from 90 mean 1990 to 1999 (RFC 822); three digits count from 1900 (RFC 5322). */
const fullYear = (digits: string) => {
  const year = Number(digits);
  if (digits.length > 2) return digits.length === 3 ? 1900 + year : year;
  return year < 90 ? 2000 + year : 1900 + year;
};

/** Joins short patterns into one. */
function joinPatterns(parts: readonly RegExp[], flags: string): RegExp {
  return new RegExp(parts.map(({ source }) => source).join(''), flags);
}

/** Hour and minutes separate or joined, with fraction and am/pm, then the zone. */
const clockForm = joinPatterns(
  [
    /^[T,\s]*(?:at )?(\d{1,2})/,
    /(?:[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,:](\d{1,9}))?)?|(\d\d)(\d\d)?(?:[.,](\d{1,9}))?)?/,
    /\s*([ap]\.?m\b\.?)?\s*(.*)$/,
  ],
  'i',
);

/** `10:14:55.123-08:00`, `T10:14Z`, `10.14`, `5:30 PM EST`; null when it is not a time of day. */
function readClock(text: string, defaultZone = 0): Clock | null {
  if (text.trim() === '') return { ...midnight, zoneMinutes: defaultZone };
  const match = clockForm.exec(text);
  if (!match) return null;
  const [, hours = '', minutes, seconds, fraction, packedMinutes, packedSeconds, packedFraction] =
    match;
  const dayHalf = match[8]?.[0]?.toLowerCase();
  const zone = readZone(match[9] ?? '');
  const hour = Number(hours);
  return {
    hour: dayHalf === undefined ? hour : (hour % 12) + (dayHalf === 'p' ? 12 : 0),
    minute: Number(minutes ?? packedMinutes ?? 0),
    second: Number(seconds ?? packedSeconds ?? 0),
    millisecond: Math.floor(Number(`0.${fraction ?? packedFraction ?? 0}`) * 1000),
    zoneMinutes: zone ?? defaultZone,
  };
}

/** Minutes east of UTC; null when absent or unknown. */
function readZone(text: string): number | null {
  const zone = text.trim().replace(/^\(|\)$/g, '');
  const offset = /^(?:etc\/)?(?:gmt|utc?|z)?\s*([+-])\s?(\d{1,2}):?(\d\d)?(?!\d)/i.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    return offset[1] === '-' ? -minutes : minutes;
  }
  const name = /^(?:etc\/)?([a-z]+)/i.exec(zone)?.[1];
  return name === undefined ? null : zoneMinutes(name);
}

/** Seconds or milliseconds since 1970. */
function readEpoch(text: string): string | null {
  if (!/^\d{9,10}(?:\.\d+)?$|^\d{12,13}$/.test(text)) return null;
  const value = Number(text);
  return new Date(Math.floor(value < 1e11 ? value * 1000 : value)).toISOString();
}

/** ISO 8601 and similar forms: digits, year first. */
function readIso(text: string): string | null {
  for (const [pattern, build] of isoForms) {
    const match = pattern.exec(text);
    if (!match) continue;
    const remaining = text.slice(match[0].length);
    if (remaining !== '' && !/^[T\s,]\s?\d|^\s?(?:[a-z]{1,5}|[+-]\d\d:?\d\d)$/i.test(remaining))
      continue;
    // `2004-07-08 EST` and `2003-12-31Z`: a zone without a time.
    const zone = /^\s?(?:[a-z]{1,5}|[+-]\d\d:?\d\d)$/i.test(remaining) ? readZone(remaining) : null;
    const clock = zone === null ? readClock(remaining) : { ...midnight, zoneMinutes: zone };
    const [year, month, day] = build(match);
    const time = clock && instant(year, month, day, clock);
    if (time) return time;
  }
  return null;
}

type DateParts = readonly [year: number, month: number, day: number];

/** The number in a group. An absent month or day is the first. */
const digits = (match: RegExpExecArray, group: number) => Number(match[group] ?? 1);
/** ISO 8601: two digits mean a year of this century. */
const shortYear = (match: RegExpExecArray) => 2000 + digits(match, 1);

const isoForms: readonly (readonly [RegExp, (found: RegExpExecArray) => DateParts])[] = [
  [
    // 2004-W28-4
    /^(\d{4})-?W(\d\d)(?:-?([1-7]))?/i,
    (fields) => weekDate(digits(fields, 1), digits(fields, 2), digits(fields, 3)),
  ],
  // 2004-190, the 190th day
  [/^(\d{4})-(\d{3})(?!\d)/, (fields) => [digits(fields, 1), 1, digits(fields, 2)]],
  [
    // 2004-07-08, 2004-07
    /^(\d{4})([-/.])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)/,
    (fields) => [digits(fields, 1), digits(fields, 3), digits(fields, 4)],
  ],
  [
    // 20040708
    /^(\d{4})(\d\d)(\d\d)(?!\d)/,
    (fields) => [digits(fields, 1), digits(fields, 2), digits(fields, 3)],
  ],
  // 2004190
  [/^(\d{4})(\d{3})(?!\d)/, (fields) => [digits(fields, 1), 1, digits(fields, 2)]],
  [
    // -04-07-08, -0407
    /^-(\d\d)-?([01]\d)(?:-?([0-3]\d))?(?!\d)/,
    (fields) => [shortYear(fields), digits(fields, 2), digits(fields, 3)],
  ],
  [
    // 04-07-08
    /^(\d\d)-([01]\d)-([0-3]\d)(?!\d)/,
    (fields) => [shortYear(fields), digits(fields, 2), digits(fields, 3)],
  ],
  [
    // 040708
    /^(\d\d)([01]\d)([0-3]\d)(?!\d)/,
    (fields) => [shortYear(fields), digits(fields, 2), digits(fields, 3)],
  ],
  // 04-190, 04190
  [/^(\d\d)-?([0-3]\d\d)(?!\d)/, (fields) => [shortYear(fields), 1, digits(fields, 2)]],
  [/^(\d{4})(?!\d)/, (fields) => [digits(fields, 1), 1, 1]],
];

/** ISO 8601 week dates: week 1 holds the year's first Thursday. */
function weekDate(year: number, week: number, weekday: number): DateParts {
  const januaryFourth = new Date(Date.UTC(year, 0, 4));
  const monday = 4 - ((januaryFourth.getUTCDay() + 6) % 7);
  const date = new Date(Date.UTC(year, 0, monday + (week - 1) * 7 + weekday - 1));
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

/** Form of Perforce and others: `Fri, 2006/09/15 08:19:53 EDT`. */
function readAfterWeekday(text: string): string | null {
  const match = /^\p{L}{2,12}\.?,?\s+(?=\d{4}[-/.])/u.exec(text);
  return match && readIso(text.slice(match[0].length));
}

const eastAsianForm = joinPatterns(
  [
    /^(\d{4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,2})\s*[日号일.]?\s*/,
    /(?:\(?[日月火水木金土一二三四五六월화수목금토일]\)|[星周]期?[一二三四五六日天])?\s*/,
    /(上午|下午|午前|午後|오전|오후|凌晨|晚上|中午|早上)?\s*(.*)$/,
  ],
  '',
);

/** `2004年05月25日 11:23:17`, `2004년 5월 25일 오후 1:02`, `2004-05-25 오후 11:23:17`. */
function readEastAsian(text: string): string | null {
  const match = eastAsianForm.exec(text);
  if (!match) return null;
  const [, year, month, day, half, timeText = ''] = match;
  const hasUnitNames = half !== undefined || /[年년月월日일]/.test(text);
  const isKoreanOrJapanese = /[년월일]|오[전후]|午前|午後/.test(text);
  const time = timeText
    .replace(/\s*[時点时시]\s*/, ':')
    .replace(/\s*[分분]\s*/, ':')
    .replace(/[秒초]/, '')
    .replace(/:\s*$/, '');
  const localZone = isKoreanOrJapanese ? 9 * 60 : 8 * 60;
  const clock = readClock(time, hasUnitNames ? localZone : 0);
  if (clock === null || !/^(?:\d|$)/.test(time)) return null;
  const isAfternoon = half !== undefined && /下午|午後|오후|晚上|中午/.test(half);
  const hour = isAfternoon && clock.hour < 12 ? clock.hour + 12 : clock.hour;
  const isMidnight = half !== undefined && /上午|午前|오전|凌晨/.test(half) && clock.hour === 12;
  return instant(Number(year), Number(month), Number(day), {
    ...clock,
    hour: isMidnight ? 0 : hour,
  });
}

/** Form of Hungarian software: `2004-július-13T9:15-05:00`. */
function readNamedIso(text: string): string | null {
  const match = /^(\d{4})[-. ]+(\p{L}{3,12})\.?[-. ]+(\d{1,2})\.?(?=[T ,]|$)/u.exec(text);
  const month = match && monthNumber(match[2] ?? '');
  const clock = match && readClock(text.slice(match[0].length));
  return month && clock ? instant(Number(match[1]), month, Number(match[3]), clock) : null;
}

const dayFirstForm = joinPatterns(
  [
    /^(\d{1,2})(?:st|nd|rd|th|er|\.|º|ª)?[\s\-/.,]*(?:de |of )?(\p{L}{3,12})\.?/u,
    /(?:[\s\-/.,]|de |del )*(\d{4}|\d{2,3})(?!\d)/,
  ],
  'iu',
);

/** RFC 822 and all forms with day, month name and year before the time. */
function readNamed(text: string): string | null {
  const dateText = removeWeekday(text);
  const dayFirst = dayFirstForm.exec(dateText);
  const monthFirst =
    /^(\p{L}{3,12})\.?[\s\-/]*(\d{1,2})(?:st|nd|rd|th)?(?:,?[\s\-/]+|,)(\d{4})(?![\d:])/u.exec(
      dateText,
    );
  const foundDate = dayFirst ?? monthFirst;
  if (!foundDate) return readAsctime(dateText);
  const [match, first = '', second = '', year = ''] = foundDate;
  const [day, month] = dayFirst ? [first, monthNumber(second)] : [second, monthNumber(first)];
  const remaining = dateText.slice(match.length);
  // Text after the date that is not a time (`(updated)`) is ignored.
  const clock = /^[\s,T]*(?:at )?\d/i.test(remaining)
    ? readClock(remaining)
    : zonedClock(remaining);
  return month && clock && Number(day) <= 31
    ? instant(fullYear(year), month, Number(day), clock)
    : null;
}

/** Some weekdays begin like months (`mar.`). A word before day and month is a weekday. */
function removeWeekday(text: string): string {
  const match = /^(\p{L}{2,12})\.?(?:[,.] ?| )(?=\S)/u.exec(text);
  if (!match) return text;
  const remaining = text.slice(match[0].length);
  const isBeforeDate = /^\d{1,2}[ .-]+\p{L}{3}/u.test(remaining);
  return isBeforeDate || monthNumber(match[1] ?? '') === null ? remaining : text;
}

const zonedClock = (remaining: string): Clock => ({
  ...midnight,
  zoneMinutes: readZone(remaining) ?? 0,
});

const asctimeForm = joinPatterns(
  [
    /^(\p{L}{3,12})\.? (\d{1,2}),? (\d{1,2}:\d\d(?::\d\d)?) (?:([a-z]{1,5}|[+-]\d{4}) )?/u,
    /(\d{4})(?: ([+-]\d{4}|[a-z]{1,5}))?$/,
  ],
  'iu',
);

/** `Jan  4 16:29:06 PST 2004`, `Jan 4 16:29:06 2004`: the year comes last. */
function readAsctime(text: string): string | null {
  const match = asctimeForm.exec(text);
  const month = match && monthNumber(match[1] ?? '');
  const clock = match && readClock(`${match[3]} ${match[4] ?? match[6] ?? ''}`);
  return month && clock ? instant(Number(match[5]), month, Number(match[2]), clock) : null;
}

/**
 * `12/31/2003 10:14`, `31.12.2003`. With dots the day comes first. Otherwise the month comes first,
 * unless the first number exceeds 12.
 */
function readNumeric(text: string): string | null {
  const match = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)/.exec(text);
  const clock = match && readClock(text.slice(match[0].length));
  if (!match || !clock) return null;
  const [first, second] = [Number(match[1]), Number(match[3])];
  const isDayFirst = match[2] === '.' || first > 12;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return day <= 31 ? instant(Number(match[4]), month, day, clock) : null;
}

const readers = [
  readEpoch,
  readEastAsian,
  readIso,
  readAfterWeekday,
  readNamedIso,
  readNamed,
  readNumeric,
];
