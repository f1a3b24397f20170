// Instants and days as readers see them: Asia/Shanghai, the radar's own time zone.

import { type Html, html } from '../../kernel/html/html.ts';
import { shanghaiDay, toWireTime } from '../../kernel/time/calendar.ts';
import { MINUTE_MS } from '../../kernel/time/durations.ts';
import { wordsOf } from './messages/reader.ts';

type Language = 'en' | 'zh-CN';

const ZONE = { timeZone: 'Asia/Shanghai' } as const;

const hours = new Intl.DateTimeFormat('en-GB', { ...ZONE, hour: '2-digit', minute: '2-digit' });

const days = {
  en: new Intl.DateTimeFormat('en-GB', { ...ZONE, weekday: 'long', day: 'numeric', month: 'long' }),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', {
    ...ZONE,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }),
} as const;

const dates = {
  en: new Intl.DateTimeFormat('en-GB', { ...ZONE, dateStyle: 'medium', timeStyle: 'short' }),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', { ...ZONE, dateStyle: 'medium', timeStyle: 'short' }),
} as const;

/** `14:05`, for machines too. */
export function clockTime(at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${hours.format(at)}</time>`;
}

/** `21/11 14:05`. */
export function dayTime(language: Language, at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${shortTime(language, at)}</time>`;
}

/** `21 Nov 2026, 14:05`. */
export function dateTime(language: Language, at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${dates[language].format(at)}</time>`;
}

/** The same as plain text. */
export const dateText = (language: Language, at: number): string => dates[language].format(at);

const shorts = new Intl.DateTimeFormat('en-GB', {
  ...ZONE,
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** For the axis of a picture: `21/11, 14:00`, or `11-21 14:00`. */
export function shortTime(language: Language, at: number): string {
  const part = Object.fromEntries(shorts.formatToParts(at).map(({ type, value }) => [type, value]));
  const { day, month, hour, minute } = part;
  return language === 'en'
    ? `${day}/${month} ${hour}:${minute}`
    : `${month}-${day} ${hour}:${minute}`;
}

/** `8 min`, `3 h`, `2 d`: about how long, in milliseconds; never less than a minute. */
export function duration(language: Language, ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  const [min, h, d] = language === 'en' ? ['min', 'h', 'd'] : ['分钟', '小时', '天'];
  if (minutes < 90) return `${minutes} ${min}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} ${h}` : `${Math.round(hours / 24)} ${d}`;
}

/** `November 2026`, of a month `2026-11`. */
export function monthName(language: Language, month: string): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}

/** The heading of a day in a list, seen at `now`. */
export function dayHeading(language: Language, at: number, now: number): string {
  const words = wordsOf(language);
  const name = days[language].format(at);
  const { day, startsAt } = shanghaiDay(now);
  if (shanghaiDay(at).day === day) return `${words.today} · ${name}`;
  if (shanghaiDay(at).day === shanghaiDay(startsAt - 1).day) return `${words.yesterday} · ${name}`;
  return name;
}
