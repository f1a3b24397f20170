// What the console says about webhooks and budgets, by language.
import type { Language } from '../../kernel/desk/language.ts';
import { webhooksEn } from './words-webhooks-en.ts';
import { webhooksZh } from './words-webhooks-zh.ts';

export type WebhookWords = Omit<typeof webhooksEn, 'states' | 'periods' | 'problems' | 'done'> & {
  readonly states: Readonly<Record<keyof typeof webhooksEn.states, string>>;
  readonly periods: Readonly<Record<keyof typeof webhooksEn.periods, string>>;
  readonly problems: Readonly<Record<keyof typeof webhooksEn.problems, string>>;
  readonly done: Readonly<Record<keyof typeof webhooksEn.done, string>>;
};

export const webhookWords = (language: Language): WebhookWords =>
  language === 'en' ? webhooksEn : webhooksZh;
