// Formats days and times of day for lists grouped by day, in Asia/Shanghai.

import { type Html, html } from '../../../kernel/html/html.ts';
import { toWireTime } from '../../../kernel/time/calendar.ts';
import type { Language } from '../../../kernel/web/language.ts';

const ZONE = { timeZone: 'Asia/Shanghai' } as const;
const DAY = { ...ZONE, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = {
  ...ZONE,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
} as const;

const days = {
  en: new Intl.DateTimeFormat('en-GB', DAY),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', DAY),
} as const;
const times = new Intl.DateTimeFormat('en-GB', TIME);

/** `Saturday 22 August 2026` */
export const dayHeading = (language: Language, at: number): string => days[language].format(at);

/** `20:00:00`, as the time of a `time` element too. */
export const timeOfDay = (at: number): Html =>
  html`<time datetime="${toWireTime(at)}">${times.format(at)}</time>`;

const MONTH = { ...ZONE, month: 'long', year: 'numeric' } as const;
const months = {
  en: new Intl.DateTimeFormat('en-GB', MONTH),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', MONTH),
} as const;
const DATE = { ...ZONE, day: 'numeric', month: 'long', year: 'numeric' } as const;
const calendarDays = {
  en: new Intl.DateTimeFormat('en-GB', DATE),
  'zh-CN': new Intl.DateTimeFormat('zh-CN', DATE),
} as const;

/** `November 2026` */
export const monthName = (language: Language, at: number): string => months[language].format(at);

/** `30 November 2026` */
export const calendarDay = (language: Language, at: number): string =>
  calendarDays[language].format(at);
