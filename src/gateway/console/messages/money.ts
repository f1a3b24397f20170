// Messages about money, by language.
import type { Language } from '../../../kernel/web/language.ts';
import { moneyEn } from './money-en.ts';
import { moneyZh } from './money-zh.ts';

export type MoneyMessages = typeof moneyEn;

export const moneyMessages = (language: Language): MoneyMessages =>
  language === 'en' ? moneyEn : moneyZh;
