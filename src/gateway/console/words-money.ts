// What the console says about money, by language.
import type { Language } from '../../kernel/desk/language.ts';
import { moneyEn } from './words-money-en.ts';
import { moneyZh } from './words-money-zh.ts';

export type MoneyWords = typeof moneyEn;

export const moneyWords = (language: Language): MoneyWords =>
  language === 'en' ? moneyEn : moneyZh;
