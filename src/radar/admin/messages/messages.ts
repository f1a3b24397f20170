// The messages of the admin area by language. Third-party text is not translated.
import type { Language } from '../../../kernel/web/language.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type RadarDoneCode = keyof typeof en.done;

export const adminMessages = (language: Language): typeof en => (language === 'en' ? en : zh);

export const isDoneCode = (code: string): code is RadarDoneCode => Object.hasOwn(en.done, code);
