// Instants, days and durations on every page, in Asia/Shanghai. An instant has two forms: "Sun 22
// Nov, 13:37", and "3 h ago" for the last 24 hours, with the first form as its title.
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

const formatOf = (language: Language, fields: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeZone: ZONE, ...fields });

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const clock = formatOf('en', CLOCK);
const longDays = {
  en: formatOf('en', { weekday: 'long', day: 'numeric', month: 'long' }),
  'zh-CN': formatOf('zh-CN', { weekday: 'long', day: 'numeric', month: 'long' }),
} as const;
const shortDays = {
  en: formatOf('en', { weekday: 'short', day: 'numeric', month: 'short' }),
  'zh-CN': formatOf('zh-CN', { weekday: 'short', day: 'numeric', month: 'long' }),
} as const;
const bareDays = {
  en: formatOf('en', { day: 'numeric', month: 'short' }),
  'zh-CN': formatOf('zh-CN', { day: 'numeric', month: 'short' }),
} as const;
const months = {
  en: formatOf('en', { month: 'long', year: 'numeric' }),
  'zh-CN': formatOf('zh-CN', { month: 'long', year: 'numeric' }),
} as const;
const words = {
  en: { justNow: 'just now', ago: ' ago', today: 'Today', yesterday: 'Yesterday' },
  'zh-CN': { justNow: '刚刚', ago: '前', today: '今天', yesterday: '昨天' },
} as const;
const units = { en: [' min', ' h', ' d'], 'zh-CN': [' 分钟', ' 小时', ' 天'] } as const;

const yearOf = (at: number): string => shanghaiDay(at).day.slice(0, 'YYYY'.length);

/** `Sun 22 Nov 2026, 13:37 (Europe/Berlin)`, for messages that may be read in any year. */
export function zonedDateText(language: Language, at: number, zone: string): string {
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
function withYear(language: Language, day: string, at: number, now: number | null): string {
  const year = yearOf(at);
  if (now !== null && year === yearOf(now)) return day;
  return language === 'en' ? `${day} ${year}` : `${year}年${day}`;
}

/** `Sun 22 Nov`; with the year when it is not the year of `now`. */
export function dayText(language: Language, at: number, now: number | null): string {
  return withYear(language, shortDays[language].format(at).replace(',', ''), at, now);
}

/** `2026-11-22` as `Sun 22 Nov`, as `dayText` has it. */
export const isoDayText = (language: Language, day: string, now: number | null): string =>
  dayText(language, shanghaiNoon(day), now);

/** `Sun 22 Nov, 13:37`; with the year when it is not the year of `now`. */
export function dateText(language: Language, at: number, now: number | null): string {
  return `${dayText(language, at, now)}${language === 'en' ? ',' : ''} ${clock.format(at)}`;
}

/** An instant in its absolute form. */
export function dateTime({ site, world }: TimeContext, at: number): Html {
  const text = dateText(site.language, at, world.clock.now());
  return html`<time datetime="${toWireTime(at)}">${text}</time>`;
}

/** Relative within the last 24 hours, by whole minutes of the clock; otherwise absolute. */
export function shortTime({ site, world }: TimeContext, at: number): Html {
  const now = Math.floor(world.clock.now() / MINUTE_MS) * MINUTE_MS;
  if (at > now + MINUTE_MS || now - at >= DAY_MS) return dateTime({ site, world }, at);
  const { justNow, ago } = words[site.language];
  const age = Math.max(0, now - at);
  const text = age < MINUTE_MS ? justNow : `${duration(site.language, age)}${ago}`;
  const title = dateText(site.language, at, now);
  return html`<time datetime="${toWireTime(at)}" title="${title}">${text}</time>`;
}

/** `14:05`, below a heading that names the day. */
export function clockTime(at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${clock.format(at)}</time>`;
}

/** `8 min`, `3 h`, `2 d`: a rounded duration in milliseconds; at least one minute. */
export function duration(language: Language, ms: number): string {
  const [min, h, d] = units[language];
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes < 90) return `${minutes}${min}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}${h}` : `${Math.round(hours / 24)}${d}`;
}

/** `November 2026` */
export const monthName = (language: Language, at: number): string => months[language].format(at);

/** `Monday 23 November`; with the year when it is not the year of `now`. */
export function dayName(language: Language, at: number, now: number | null): string {
  return withYear(language, longDays[language].format(at).replace(',', ''), at, now);
}

/** `23 Nov`, for axes and columns of days. */
export const shortDay = (language: Language, at: number): string => bareDays[language].format(at);

/** The heading of a day in a list. `now` decides whether it is today. */
export function dayHeading(language: Language, at: number, now: number): string {
  const { today, yesterday } = words[language];
  const name = dayName(language, at, now);
  const { day, startsAt } = shanghaiDay(now);
  if (shanghaiDay(at).day === day) return `${today} · ${name}`;
  return shanghaiDay(at).day === shanghaiDay(startsAt - 1).day ? `${yesterday} · ${name}` : name;
}
