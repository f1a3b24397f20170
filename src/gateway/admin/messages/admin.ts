// Selects the messages of the gateway's admin pages by language. Names that customers gave are not
// translated.
import type { Language } from '../../../kernel/web/language.ts';
import { en } from './en.ts';
import { moneyEn } from './money-en.ts';
import { moneyZh } from './money-zh.ts';
import { topUpsEn } from './top-ups-en.ts';
import { topUpsZh } from './top-ups-zh.ts';
import { zh } from './zh.ts';

const english = { ...en, ...moneyEn, ...topUpsEn };
const chinese: typeof english = { ...zh, ...moneyZh, ...topUpsZh };

export type GatewayNoticeCode = keyof typeof en.done;

export const adminMessages = (language: Language): typeof english =>
  language === 'en' ? english : chinese;

export const isNoticeCode = (code: string): code is GatewayNoticeCode =>
  Object.hasOwn(en.done, code);
