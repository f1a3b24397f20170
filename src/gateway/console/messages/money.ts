// Messages about money, by language.
import type { Language } from '../../../kernel/web/language.ts';
import { moneyEn } from './money-en.ts';
import { moneyZh } from './money-zh.ts';

export type MoneyWords = typeof moneyEn;

export const moneyWords = (language: Language): MoneyWords =>
  language === 'en' ? moneyEn : moneyZh;
