// Instants as readers see them, in Asia/Shanghai. There are two forms: "Sun 22 Nov, 13:37", and
// "3 h ago" for the last 24 hours, with the first form as its title.
import { type Html, html } from '../../kernel/html/html.ts';
import { shanghaiDay, toWireTime } from '../../kernel/time/calendar.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/time/durations.ts';
import { messagesOf } from './messages/reader.ts';
import type { PageContext } from './page-context.ts';

type Language = 'en' | 'zh-CN';
type TimeContext = Pick<PageContext, 'site' | 'world'>;

const zone = 'Asia/Shanghai';

function formatOf(language: string, fields: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, { timeZone: zone, ...fields });
}

const clock = formatOf('en-GB', { hour: '2-digit', minute: '2-digit' });
const longDays = {
  en: formatOf('en-GB', { weekday: 'long', day: 'numeric', month: 'long' }),
  'zh-CN': formatOf('zh-CN', { weekday: 'long', day: 'numeric', month: 'long' }),
} as const;
const shortDays = {
  en: formatOf('en-GB', { weekday: 'short', day: 'numeric', month: 'short' }),
  'zh-CN': formatOf('zh-CN', { weekday: 'short', day: 'numeric', month: 'long' }),
} as const;

/** `Sun 22 Nov, 13:37`; with the year when it is not the year of `now`. */
export function dateText(language: Language, at: number, now: number): string {
  const year = shanghaiDay(at).day.slice(0, 4);
  const isOtherYear = year !== shanghaiDay(now).day.slice(0, 4);
  const day = shortDays[language].format(at).replace(',', '');
  if (language === 'en') return `${day}${isOtherYear ? ` ${year}` : ''}, ${clock.format(at)}`;
  return `${isOtherYear ? `${year}年` : ''}${day} ${clock.format(at)}`;
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
  const text = agoText(site.language, Math.max(0, now - at));
  const title = dateText(site.language, at, now);
  return html`<time datetime="${toWireTime(at)}" title="${title}">${text}</time>`;
}

function agoText(language: Language, ms: number): string {
  const messages = messagesOf(language);
  if (ms < MINUTE_MS) return messages.justNow;
  return messages.ago(duration(language, ms));
}

/** `14:05`, below a heading that names the day. */
export function clockTime(at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${clock.format(at)}</time>`;
}

/** `8 min`, `3 h`, `2 d`: a rounded duration in milliseconds; at least one minute. */
export function duration(language: Language, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const [min, h, d] = language === 'en' ? ['min', 'h', 'd'] : ['分钟', '小时', '天'];
  if (minutes < 90) return `${minutes} ${min}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} ${h}` : `${Math.round(hours / 24)} ${d}`;
}

/** `November 2026`, from `2026-11`. */
export function monthName(language: Language, month: string): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** `Monday 23 November`, from an instant. */
export const dayName = (language: Language, at: number): string =>
  longDays[language].format(at).replace(',', '');

/** The heading of a day in a list. `now` decides whether it is today. */
export function dayHeading(language: Language, at: number, now: number): string {
  const messages = messagesOf(language);
  const name = dayName(language, at);
  const { day, startsAt } = shanghaiDay(now);
  if (shanghaiDay(at).day === day) return `${messages.today} · ${name}`;
  if (shanghaiDay(at).day === shanghaiDay(startsAt - 1).day) {
    return `${messages.yesterday} · ${name}`;
  }
  return name;
}
