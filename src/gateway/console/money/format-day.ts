// Days and times of day as people read them in a list that is grouped by day: Asia/Shanghai.

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

/** `20:00:00`, for machines too. */
export const timeOfDay = (at: number): Html =>
  html`<time datetime="${toWireTime(at)}">${times.format(at)}</time>`;
