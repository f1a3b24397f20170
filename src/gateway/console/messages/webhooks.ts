// Messages about webhooks and budgets, by language.
import type { Language } from '../../../kernel/web/language.ts';
import { type WebhookMessages, webhooksEn } from './webhooks-en.ts';
import { webhooksZh } from './webhooks-zh.ts';

export type { WebhookMessages };

export const webhookMessages = (language: Language): WebhookMessages =>
  language === 'en' ? webhooksEn : webhooksZh;
