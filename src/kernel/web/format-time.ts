// Formats instants and durations for operator pages, in Asia/Shanghai.

import { type Html, html } from '../html/html.ts';
import { toWireTime } from '../time/calendar.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { Language } from './language.ts';

const ZONE = { timeZone: 'Asia/Shanghai' } as const;

const dates = {
  en: new Intl.DateTimeFormat('en-GB', { ...ZONE, dateStyle: 'medium', timeStyle: 'short' }),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', { ...ZONE, dateStyle: 'medium', timeStyle: 'short' }),
} as const;

const days = {
  en: new Intl.DateTimeFormat('en-GB', { ...ZONE, day: 'numeric', month: 'short' }),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', { ...ZONE, day: 'numeric', month: 'short' }),
} as const;

/** `21 Nov 2026, 14:05`. */
export const dateText = (language: Language, at: number): string => dates[language].format(at);

/** The same text in a `time` element. */
export function dateTime(language: Language, at: number): Html {
  return html`<time datetime="${toWireTime(at)}">${dates[language].format(at)}</time>`;
}

/** `21 Nov`. */
export const dayName = (language: Language, at: number): string => days[language].format(at);

const units = { en: [' min', ' h', ' d'], 'zh-CN': [' 分钟', ' 小时', ' 天'] } as const;

/** An approximate duration: `8 min`, `3 h`, `2 d`. */
export function span(language: Language, ms: number): string {
  const [min, h, d] = units[language];
  const minutes = Math.max(0, Math.round(ms / MINUTE_MS));
  if (minutes < 90) return `${minutes}${min}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}${h}` : `${Math.round(hours / 24)}${d}`;
}
