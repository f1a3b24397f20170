// Messages of the console, by language. Names that customers gave are not translated.
import type { Language } from '../../../kernel/web/language.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type ConsoleMessages = typeof en;

export const consoleMessages = (language: Language): ConsoleMessages =>
  language === 'en' ? en : zh;
