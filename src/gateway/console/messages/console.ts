// Messages of the console, by language. Names that customers gave are not translated.
import type { Language } from '../../../kernel/web/language.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type ConsoleWords = typeof en;

export const consoleWords = (language: Language): ConsoleWords => (language === 'en' ? en : zh);
