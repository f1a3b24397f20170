// Formats instants, days and durations on every page, in Asia/Shanghai. An instant has two forms:
// "Sun 22 Nov, 13:37", and "3 h ago" for the last 24 hours, with the first form as its title.
import { type Html, html } from '../html/html.ts';
import { shanghaiDay, shanghaiNoon, toWireTime } from '../time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../time/durations.ts';
import type { World } from '../world.ts';
import type { Language } from './language.ts';

export type TimeContext = {
  readonly site: { readonly language: Language };
  readonly world: Pick<World, 'clock'>;
};

const ZONE = 'Asia/Shanghai';

const createFormat = (
  language: Language,
  fields: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeZone: ZONE, ...fields });

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const clockFormat = createFormat('en', CLOCK);
const longDays = {
  en: createFormat('en', { weekday: 'long', day: 'numeric', month: 'long' }),
  'zh-CN': createFormat('zh-CN', { weekday: 'long', day: 'numeric', month: 'long' }),
} as const;
const shortDays = {
  en: createFormat('en', { weekday: 'short', day: 'numeric', month: 'short' }),
  'zh-CN': createFormat('zh-CN', { weekday: 'short', day: 'numeric', month: 'long' }),
} as const;
const daysWithoutWeekday = {
  en: createFormat('en', { day: 'numeric', month: 'short' }),
  'zh-CN': createFormat('zh-CN', { day: 'numeric', month: 'short' }),
} as const;
const months = {
  en: createFormat('en', { month: 'long', year: 'numeric' }),
  'zh-CN': createFormat('zh-CN', { month: 'long', year: 'numeric' }),
} as const;
const relativeWords = {
  en: { justNow: 'just now', ago: ' ago', today: 'Today', yesterday: 'Yesterday' },
  'zh-CN': { justNow: '刚刚', ago: '前', today: '今天', yesterday: '昨天' },
} as const;
const units = { en: [' min', ' h', ' d'], 'zh-CN': [' 分钟', ' 小时', ' 天'] } as const;

const yearOf = (at: number): string => shanghaiDay(at).day.slice(0, 'YYYY'.length);

/** `Sun 22 Nov 2026, 13:37 (Europe/Berlin)`, for messages that may be read in any year. */
export function formatZonedDate(language: Language, at: number, zone: string): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    timeZone: zone,
    year: 'numeric',
    weekday: 'short',
    day: 'numeric',
    month: language === 'en' ? 'short' : 'long',
  });
  const day = format.format(at).replace(',', '');
  const text = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...CLOCK }).format(at);
  return `${day}${language === 'en' ? ',' : ''} ${text} (${zone})`;
}

/** When `now` is null, the text always contains the year, as on receipts. */
function formatWithYear(language: Language, day: string, at: number, now: number | null): string {
  const year = yearOf(at);
  if (now !== null && year === yearOf(now)) return day;
  return language === 'en' ? `${day} ${year}` : `${year}年${day}`;
}

/** `Sun 22 Nov`; with the year when it is not the year of `now`. */
export function formatDay(language: Language, at: number, now: number | null): string {
  return formatWithYear(language, shortDays[language].format(at).replace(',', ''), at, now);
}

/** Formats `2026-11-22` like `formatDay`: `Sun 22 Nov`. */
export const formatIsoDay = (language: Language, day: string, now: number | null): string =>
  formatDay(language, shanghaiNoon(day), now);

/** `Sun 22 Nov, 13:37`; with the year when it is not the year of `now`. */
export function formatDate(language: Language, at: number, now: number | null): string {
  return `${formatDay(language, at, now)}${language === 'en' ? ',' : ''} ${clockFormat.format(at)}`;
}

/** Renders an instant in its absolute form. */
export function renderDateTime({ site, world }: TimeContext, at: number): Html {
  const text = formatDate(site.language, at, world.clock.now());
  return html`<time datetime="${toWireTime(at)}">${text}</time>`;
}

/**
 * Renders an instant of the last 24 hours relative to now, in whole minutes; other instants in
 * absolute form.
 */
export function renderShortTime({ site, world }: TimeContext, at: number): Html {
  const now = Math.floor(world.clock.now() / MINUTE_MS) * MINUTE_MS;
  if (at > now + MINUTE_MS || now - at >= DAY_MS) return renderDateTime({ site, world }, at);
  const { justNow, ago } = relativeWords[site.language];
  const ageMs = Math.max(0, now - at);
  const text = ageMs < MINUTE_MS ? justNow : `${formatDuration(site.language, ageMs)}${ago}`;
  const title = formatDate(site.language, at, now);
  return html`<time datetime="${toWireTime(at)}" title="${title}">${text}</time>`;
}

/** Renders `14:05`, for use below a heading that names the day. */
export function renderClockTime(at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${clockFormat.format(at)}</time>`;
}

/** `8 min`, `3 h`, `2 d`: a rounded duration in milliseconds; at least one minute. */
export function formatDuration(language: Language, ms: number): string {
  const [minuteUnit, hourUnit, dayUnit] = units[language];
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes < 90) return `${minutes}${minuteUnit}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}${hourUnit}` : `${Math.round(hours / 24)}${dayUnit}`;
}

/** `November 2026` */
export const formatMonth = (language: Language, at: number): string => months[language].format(at);

/** `Monday 23 November`; with the year when it is not the year of `now`. */
export function formatDayName(language: Language, at: number, now: number | null): string {
  return formatWithYear(language, longDays[language].format(at).replace(',', ''), at, now);
}

/** `23 Nov`, for axes and columns of days. */
export const formatShortDay = (language: Language, at: number): string =>
  daysWithoutWeekday[language].format(at);

/** The heading of a day in a list. `now` decides whether it is today. */
export function formatDayHeading(language: Language, at: number, now: number): string {
  const { today, yesterday } = relativeWords[language];
  const name = formatDayName(language, at, now);
  const { day, startsAt } = shanghaiDay(now);
  if (shanghaiDay(at).day === day) return `${today} · ${name}`;
  return shanghaiDay(at).day === shanghaiDay(startsAt - 1).day ? `${yesterday} · ${name}` : name;
}
