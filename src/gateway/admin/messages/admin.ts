// What the gateway's desk says in our own words, by language. Names that customers gave are never
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

export type DoneCode = keyof typeof en.done;

export const adminWords = (language: Language): typeof english =>
  language === 'en' ? english : chinese;

export const isDoneCode = (code: string): code is DoneCode => Object.hasOwn(en.done, code);
