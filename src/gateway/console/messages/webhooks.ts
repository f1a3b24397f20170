// Messages about webhooks and budgets, by language.
import type { Language } from '../../../kernel/web/language.ts';
import { type WebhookWords, webhooksEn } from './webhooks-en.ts';
import { webhooksZh } from './webhooks-zh.ts';

export type { WebhookWords };

export const webhookWords = (language: Language): WebhookWords =>
  language === 'en' ? webhooksEn : webhooksZh;
