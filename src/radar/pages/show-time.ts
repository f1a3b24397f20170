// Instants and days as readers see them: Asia/Shanghai, the radar's own time zone.
import { shanghaiDay, toWireTime } from '../../kernel/calendar.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { wordsOf } from './words.ts';

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

/** `21 Nov 2026, 14:05`. */
export function dateTime(language: Language, at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${dates[language].format(at)}</time>`;
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
